import { describe, expect, it } from 'vitest'
import { markdown, setUpBridge, until } from '#test/support/bridge/set-up.ts'
import { platformFailure } from '#test/support/fakes/switchboard.ts'

const ADA = { id: 'U-ada', name: 'Ada' }
const BEN = { id: 'U-ben', name: 'Ben' }

async function setUp() {
  const all = await setUpBridge()
  const stored = () => {
    const [collection = ''] = all.platform.script.collections()
    return Object.fromEntries(
      all.platform.script.stored(collection).map(({ name, bytes }) => [name, new TextDecoder().decode(bytes)]),
    )
  }
  const uploads = () =>
    all.platform.script.calls.filter(({ call }) => call === 'files.upload' || call === 'files.replace').length
  return { ...all, stored, uploads }
}

describe('two people who drop the same name at once', () => {
  it('are served in order: the second is a version of the first', async () => {
    const { chat, platform, settled, texts, stored } = await setUp()
    const release = platform.script.hold('files.list')
    const first = chat.drop([markdown('a.md', 'one')], { author: ADA })
    const second = chat.drop([markdown('a.md', 'two')], { author: BEN })
    await until(() => platform.script.calls.some(({ call }) => call === 'files.list'))
    release()
    await settled(first.inbound.key)
    await settled(second.inbound.key)
    expect(stored()).toEqual({ 'a.md': 'two' })
    await until(() => texts().join('\n').includes('replaced by version 2'))
    expect(texts().join('\n')).toContain('replaces version 1 of 1 Jan by Ada')
  })

  it('are served in order after a restart, too, and an overtaken file takes no place back', async () => {
    const { chat, platform, settled, texts, stored, restart } = await setUp()
    const release = platform.script.hold('collections.generateIndex')
    const first = chat.drop([markdown('a.md', 'one')], { author: ADA })
    const second = chat.drop([markdown('a.md', 'two')], { author: BEN })
    await until(() => platform.script.calls.some(({ call }) => call === 'collections.generateIndex'))
    await restart()
    release()
    await settled(first.inbound.key)
    await settled(second.inbound.key)
    expect(stored()).toEqual({ 'a.md': 'two' })
    expect(texts().filter((text) => text.includes('ready'))).toHaveLength(1)
  })
})

describe('the same bytes', () => {
  it('under another name, also at the same time, are taken in once', async () => {
    const { chat, settled, texts, stored, uploads } = await setUp()
    const both = chat.drop([markdown('a.md', 'same'), markdown('b.md', 'same')], { author: ADA })
    await settled(both.inbound.key)
    expect(uploads()).toBe(1)
    expect(texts()[0]).toMatch(/ready \(the same file is here as [ab]\.md\)/)
    const name = Object.keys(stored())[0] ?? ''
    const third = chat.drop([markdown('c.md', 'same')], { author: BEN })
    await settled(third.inbound.key)
    expect(texts()[1]).toContain(`the same file is here as ${name}`)
    expect(uploads()).toBe(1)
  })

  it('as an earlier version are a new one', async () => {
    const { chat, settled, texts, stored } = await setUp()
    for (const text of ['one', 'two', 'one']) {
      await settled(chat.drop([markdown('a.md', text)], { author: ADA }).inbound.key)
    }
    expect(stored()).toEqual({ 'a.md': 'one' })
    expect(texts()[2]).toContain('replaces version 2')
  })
})

describe('what is kept', () => {
  it('are the last three versions before the one that stands', async () => {
    const { chat, settled, platform, store } = await setUp()
    for (let version = 1; version <= 6; version += 1) {
      await settled(chat.drop([markdown('a.md', `version ${version}`)], { author: ADA }).inbound.key)
    }
    const [collection = ''] = platform.script.collections()
    const kept = await store().originals.list(collection)
    const texts = await Promise.all(
      kept.map(async (sha256) => (await store().originals.read(collection, sha256))?.text()),
    )
    expect(new Set(texts)).toEqual(new Set(['version 3', 'version 4', 'version 5', 'version 6']))
  })

  it('is gone for Undo once it is not kept any more, which is said', async () => {
    const { chat, settled, platform, store, shows, texts } = await setUp()
    await settled(chat.drop([markdown('a.md', 'one')], { author: ADA }).inbound.key)
    const [collection = ''] = platform.script.collections()
    const [sha256 = ''] = await store().originals.list(collection)
    chat.drop([markdown('a.md', 'two')], { author: ADA })
    const { id } = await shows(/replaces version 1/)
    await store().originals.remove(collection, sha256)
    await settled(chat.press(id, 'Undo', ADA).inbound.key)
    expect(texts().at(-1)).toMatch(/^I no longer have the earlier version of \*\*a\.md\*\*/)
  })
})

describe('an index trigger', () => {
  it('that goes on through a restart is looked for first, and not sent again', async () => {
    const { chat, platform, restart, settled, texts } = await setUp()
    platform.script.slowIndex()
    const said = chat.drop([markdown('a.md', 'a')], { author: ADA })
    await until(() => platform.script.calls.some(({ call }) => call === 'collections.generateIndex'))
    await until(() => texts()[0]?.includes('indexing'))
    await restart()
    const [collection = ''] = platform.script.collections()
    const looks = platform.script.calls.length
    await until(() => platform.script.calls.length > looks + 2)
    platform.script.finishIndex(collection)
    await settled(said.inbound.key)
    expect(texts()[0]).toContain('ready')
    expect(platform.script.calls.filter(({ call }) => call === 'collections.generateIndex')).toHaveLength(1)
  })
})

describe('the words beside a drop', () => {
  it('may be changed while its files are on their way', async () => {
    const { chat, platform, settled, texts, stored } = await setUp()
    const release = platform.script.hold('collections.generateIndex')
    const said = chat.drop([markdown('a.md', 'a'), markdown('b.md', 'b')], { author: ADA, text: 'The plan' })
    await until(() => platform.script.calls.some(({ call }) => call === 'collections.generateIndex'))
    const edit = chat.rewrite(said, 'The plans')
    release()
    expect(await settled(edit.inbound.key)).toMatchObject({ state: 'done' })
    expect(stored()).toEqual({ 'a.md': 'a', 'b.md': 'b' })
    expect(texts()).toHaveLength(1)
    expect(texts()[0]?.match(/ready/g)).toHaveLength(2)
  })
})

describe('a file whose upload was carried out although its answer was lost', () => {
  it('is not said to replace itself when it is tried again', async () => {
    const { chat, platform, shows, settled, stored } = await setUp()
    platform.script.fail('files.upload', platformFailure('unreachable'), { after: true })
    const release = platform.script.hold('files.upload')
    chat.drop([markdown('a.md', 'one')], { author: ADA })
    await until(() => platform.script.calls.some(({ call }) => call === 'files.upload'))
    // Nor can it be looked whether it arrived.
    platform.script.fail('files.list', platformFailure('unreachable'))
    release()
    const failed = await shows(/a\.md.*failed/)
    await settled(chat.press(failed.id, 'Retry', ADA).inbound.key)
    const receipt = await shows(/a\.md.*ready/)
    expect(receipt.text).toMatch(/ready(?:\n|$)/)
    expect(stored()).toEqual({ 'a.md': 'one' })
  })

  it('is not said to replace itself, nor to have failed, at the first try', async () => {
    const { chat, platform, settled, texts } = await setUpBridge()
    platform.script.fail('files.upload', platformFailure('timeout'), { after: true })
    await settled(chat.drop([markdown('a.md', 'one')]).inbound.key)
    expect(texts().join('\n')).toMatch(/ready$/m)
    expect(texts().join('\n')).not.toContain('replaces')
  })
})
