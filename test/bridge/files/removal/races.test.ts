import { describe, expect, it } from 'vitest'
import { markdown, setUpBridge, until } from '#test/support/bridge/set-up.ts'
import type { PlatformCall } from '#test/support/fakes/switchboard.ts'

const ADA = { id: 'U-ada', name: 'Ada' }
const BEN = { id: 'U-ben', name: 'Ben' }
const CEM = { id: 'U-cem', name: 'Cem' }

async function setUp() {
  const all = await setUpBridge()
  const { chat, platform, settled } = all
  const called = (call: PlatformCall) => platform.script.calls.filter((each) => each.call === call).length
  const stored = () => {
    const [collection = ''] = platform.script.collections()
    return Object.fromEntries(
      platform.script.stored(collection).map(({ name, bytes }) => [name, new TextDecoder().decode(bytes)]),
    )
  }
  const done = async ({ inbound: { key } }: { inbound: { key: string } }) =>
    expect(await settled(key)).toMatchObject({ state: 'done' })
  const drop = async (name: string, text: string, author = ADA) => {
    const said = chat.drop([markdown(name, text)], { author })
    await done(said)
    return { ...said, receipt: chat.visible().at(-1)?.id ?? '' }
  }
  const textOf = (id: string) =>
    chat
      .visible()
      .find((each) => each.id === id)
      ?.text.split(/ *\n/)[0]
  return { ...all, called, stored, done, drop, textOf }
}

describe('two drops of one name', () => {
  it('of which the first was edited while it was indexed end with the later one', async () => {
    const { chat, platform, called, done, stored, texts } = await setUp()
    const release = platform.script.hold('collections.generateIndex')
    const first = chat.drop([markdown('a.md', 'one')], { author: ADA, text: 'look' })
    await until(() => called('collections.generateIndex') === 1)
    const second = chat.drop([markdown('a.md', 'two')], { author: BEN })
    await until(() => texts().length === 2)
    const edit = chat.rewrite(first, 'look here')
    await edit.taken
    release()
    await done(edit)
    await done(second)
    expect(stored()).toEqual({ 'a.md': 'two' })
    const shown = texts().map((text) => text.split('\n')[0]?.trim())
    expect(shown[0]).toMatch(/^🗑️ .*replaced by version 2 .* by Ben/)
    expect(shown[1]).toMatch(/^✅ .*replaces version 1 .* by Ada/)
  })
})

describe('the same bytes, dropped again,', () => {
  it('share the fate of the version that they repeat', async () => {
    const { chat, drop, done, textOf, stored } = await setUp()
    await drop('a.md', 'one', ADA)
    const second = await drop('a.md', 'two', BEN)
    const again = await drop('a.md', 'two', CEM)
    expect(textOf(again.receipt)).toMatch(/^✅.*same file/)
    const third = await drop('a.md', 'three', ADA)
    expect(textOf(again.receipt)).toMatch(/^🗑️ .*replaced by version 3 .* by Ada/)
    await done(chat.press(third.receipt, 'Undo', ADA))
    expect(stored()).toEqual({ 'a.md': 'two' })
    expect(textOf(again.receipt)).toMatch(/^✅.*same file/)
    await done(chat.press(second.receipt, 'Undo', BEN))
    expect(stored()).toEqual({ 'a.md': 'one' })
    expect(textOf(again.receipt)).toMatch(/^🗑️ .*undone by Ben/)
  })

  it('come back in its stead where its message is gone', async () => {
    const { chat, drop, done, textOf, stored } = await setUp()
    const second = await drop('a.md', 'two', BEN)
    const again = await drop('a.md', 'two', CEM)
    const third = await drop('a.md', 'three', ADA)
    await done(chat.unsay(second))
    await done(chat.unsay(third))
    expect(stored()).toEqual({ 'a.md': 'two' })
    expect(textOf(again.receipt)).toMatch(/^✅.*current again/)
    await done(chat.unsay(again))
    expect(stored()).toEqual({})
  })

  it('under another name stand on their own where the first is just being deleted', async () => {
    const { chat, platform, drop, done, called, stored, shows, store } = await setUp()
    const first = await drop('a.md', 'same')
    const release = platform.script.hold('files.delete')
    const gone = chat.unsay(first)
    await until(() => called('files.delete') === 1)
    const second = chat.drop([markdown('b.md', 'same')], { author: BEN })
    let isHashed = false
    while (!isHashed) {
      const [entry] = await store().files.ofJob(second.inbound.key)
      isHashed = entry?.sha256 !== undefined
      await new Promise(setImmediate)
    }
    // Its next step waits for no answer.
    for (let turn = 0; turn < 50; turn += 1) await new Promise(setImmediate)
    release()
    await done(gone)
    await done(second)
    expect(stored()).toEqual({ 'b.md': 'same' })
    await shows(/b\.md\*\* — ready/)
  })
})

describe('a reindex', () => {
  it('brings nothing back that was deleted while it went on', async () => {
    const { chat, platform, drop, done, shows, store } = await setUp()
    chat.room('C1', { admins: [ADA.id] })
    const said = await drop('a.md', 'one')
    await drop('b.md', 'two')
    await done(chat.mention('reindex', { author: ADA }))
    const question = await shows(/again\?/)
    platform.script.breakFile('a.md', 'It is damaged.')
    const put = store().files
    const read = put.ofCollection.bind(put)
    let gone: ReturnType<typeof chat.unsay> | undefined
    const passes = () => platform.script.calls.filter(({ call }) => call === 'collections.deleteIndex').length
    Object.assign(put, {
      ofCollection: async (collection: string) => {
        const list = await read(collection)
        // Just after the reindex has read what there is.
        if (passes() === 1 && gone === undefined) {
          gone = chat.unsay(said)
          await done(gone)
        }
        return list
      },
    })
    await done(chat.press(question.id, 'Reindex', ADA))
    expect((await store().files.ofJob(said.inbound.key))[0]?.state).toBe('removed')
  })
})
