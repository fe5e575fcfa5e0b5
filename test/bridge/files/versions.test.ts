import { describe, expect, it } from 'vitest'
import { markdown, setUpBridge, until } from '#test/support/bridge/set-up.ts'

async function setUp() {
  const all = await setUpBridge()
  const content = () => {
    const [collection = ''] = all.platform.script.collections()
    return all.platform.script.stored(collection).map(({ bytes }) => new TextDecoder().decode(bytes))
  }
  return { ...all, content }
}

describe('a file of which there were several versions', () => {
  it('is taken in again where a broken one took the place of the good one', async () => {
    const { chat, platform, shows, settled, content } = await setUp()
    chat.drop([markdown('a.md', 'good')])
    await shows(/a\.md.*ready/)
    platform.script.breakFile('a.md', 'It is damaged.')
    chat.drop([markdown('a.md', 'broken')])
    await shows(/It is damaged/)
    platform.script.breakFile('a.md', undefined)
    const last = chat.drop([markdown('a.md', 'good')])
    await settled(last.inbound.key)
    expect(content()).toEqual(['good'])
  })

  it('leaves the collection once the messages of all of them are gone', async () => {
    const { chat, shows, settled, content } = await setUp()
    const first = chat.drop([markdown('a.md', 'first')])
    await shows(/a\.md.*ready/)
    const second = chat.drop([markdown('a.md', 'private')])
    await shows(/replaces/)
    await settled(chat.unsay(second).inbound.key)
    expect(content()).toEqual(['first'])
    await settled(chat.unsay(first).inbound.key)
    expect(content()).toEqual([])
    const again = chat.drop([markdown('a.md', 'first')])
    await settled(again.inbound.key)
    expect(content()).toEqual(['first'])
  })

  it('stays when the message of an older one goes, or one of two that dropped the same', async () => {
    const { chat, shows, content, texts } = await setUp()
    const first = chat.drop([markdown('a.md', 'one')])
    await shows(/a\.md.*ready/)
    const second = chat.drop([markdown('a.md', 'two')])
    await shows(/replaces/)
    chat.drop([markdown('a.md', 'two')])
    await shows(/same file/)
    chat.unsay(first)
    await until(() => texts().length === 2)
    expect(content()).toEqual(['two'])
    chat.unsay(second)
    await until(() => texts().length === 1)
    expect(content()).toEqual(['two'])
  })

  it('and was converted stays for the later of two drops when the first message goes', async () => {
    const { chat, platform, shows, settled } = await setUpBridge()
    const plan = { name: 'plan.docx', bytes: new Uint8Array([80, 75, 3, 4]), mimeType: '' }
    const first = chat.drop([plan])
    await shows(/plan\.docx.*ready/)
    await settled(chat.drop([plan]).inbound.key)
    await settled(chat.unsay(first).inbound.key)
    const [collection = ''] = platform.script.collections()
    expect(platform.script.stored(collection).map(({ name }) => name)).toEqual(['plan.docx.md'])
  })
})
