import { describe, expect, it } from 'vitest'
import { markdown, setUpBridge, until } from '#test/support/bridge/set-up.ts'
import { platformFailure } from '#test/support/fakes/switchboard.ts'

const ADA = { id: 'U-ada', name: 'Ada' }
const BEN = { id: 'U-ben', name: 'Ben' }

async function setUp() {
  const all = await setUpBridge()
  const { chat, platform, settled } = all
  const drop = async (...files: Parameters<typeof chat.drop>) => {
    const said = chat.drop(...files)
    expect(await settled(said.inbound.key)).toMatchObject({ state: 'done' })
    return { ...said, receipt: chat.visible().at(-1)?.id ?? '' }
  }
  const stored = () =>
    platform.script.collections().flatMap((collection) => platform.script.stored(collection).map(({ name }) => name))
  const kept = async () => {
    const [collection = ''] = platform.script.collections()
    return (await all.store().originals.list(collection)).length
  }
  const lines = (id: string) =>
    chat
      .visible()
      .find((each) => each.id === id)
      ?.text.split(/ *\n/) ?? []
  const done = async (key: string) => expect(await settled(key)).toMatchObject({ state: 'done' })
  return { ...all, drop, stored, kept, lines, done }
}

describe('a file that is taken out of a message that stays', () => {
  it('leaves the collection, probed; the others stay, and the receipt alone says so', async () => {
    const { chat, platform, drop, stored, kept, lines, done, texts } = await setUp()
    const said = await drop([markdown('a.md', 'The bell rings in fog.'), markdown('b.md', 'other')], { author: ADA })
    await done(chat.detach(said, 'a.md').inbound.key)
    expect(stored()).toEqual(['b.md'])
    expect(await kept()).toBe(1)
    expect(lines(said.receipt).slice(0, 2)).toEqual([
      '🗑️ **a.md** — removed: the file was deleted here',
      '✅ **b.md** — ready',
    ])
    expect(texts()).toHaveLength(1)
    expect(platform.script.requests[0]?.messages).toMatchObject([{ content: 'The bell rings in fog.' }])
  })

  it('brings back the version before it, and does no second thing when it is told again', async () => {
    const { chat, drop, stored, lines, done, platform } = await setUp()
    const first = await drop([markdown('a.md', 'one')], { author: ADA })
    const second = await drop([markdown('a.md', 'two'), markdown('b.md', 'b')], { author: BEN })
    const gone = chat.detach(second, 'a.md')
    await done(gone.inbound.key)
    await chat.redeliver(gone).taken
    expect(stored().toSorted()).toEqual(['a.md', 'b.md'])
    expect(lines(first.receipt)[0]).toContain('current again: version 2 by Ben was removed')
    expect(platform.script.calls.filter(({ call }) => call === 'files.delete')).toHaveLength(1)
  })

  it('while it is on its way is out in the end', async () => {
    const { chat, platform, stored, done, texts } = await setUp()
    const release = platform.script.hold('collections.generateIndex')
    const said = chat.drop([markdown('a.md', 'a'), markdown('b.md', 'b')], { author: ADA })
    await until(() => platform.script.calls.some(({ call }) => call === 'collections.generateIndex'))
    const gone = chat.detach(said, 'a.md')
    release()
    await done(gone.inbound.key)
    expect(stored()).toEqual(['b.md'])
    expect(texts()[0]).toContain('🗑️ **a.md**')
  })

  it('goes later where the platform is away, and after a restart', async () => {
    const { chat, platform, drop, stored, done, restart } = await setUp()
    const said = await drop([markdown('a.md', 'a'), markdown('b.md', 'b')], { author: ADA })
    platform.script.fail('files.delete', platformFailure('unreachable'))
    const release = platform.script.hold('files.delete')
    const gone = chat.detach(said, 'a.md')
    await until(() => platform.script.calls.some(({ call }) => call === 'files.delete'))
    release()
    await restart()
    await done(gone.inbound.key)
    expect(stored()).toEqual(['b.md'])
  })

  it('goes also where the first event of the message did not tell of it', async () => {
    const { chat, shows, stored, settled, done } = await setUp()
    const thin = chat.mention('', { id: 'x1', provisional: true })
    await settled(thin.inbound.key)
    const full = chat.mention('', { id: 'x1', files: [markdown('late.md', 'late'), markdown('b.md', 'b')] })
    await shows(/late.*ready/)
    await settled(`${thin.inbound.key}:complete`)
    await done(chat.detach(full, 'late.md').inbound.key)
    expect(stored()).toEqual(['b.md'])
  })

  it('is none of our business where nothing was dropped, nor a picture of talk', async () => {
    const { chat, drop, store, stored } = await setUp()
    const talk = chat.say('look', { files: [{ ...markdown('p.gif', 'x'), kind: 'image', mimeType: 'image/gif' }] })
    await talk.taken
    const one = chat.detach(talk, 'p.gif')
    await one.taken
    expect(await store().inbox.job(one.inbound.key)).toBeUndefined()
    const said = await drop([markdown('a.md', 'a')], { author: ADA })
    const none = chat.detach(said, 'another.md')
    await none.taken
    expect(await store().inbox.job(none.inbound.key)).toBeUndefined()
    expect(stored()).toEqual(['a.md'])
  })
})

describe('a file that is deleted', () => {
  it('goes from every channel of the workspace in which it was shared, and from no other', async () => {
    const { chat, drop, stored, done, lines, store } = await setUp()
    const shared = { ...markdown('a.md', 'a'), id: 'F-shared' }
    const here = await drop([shared], { author: ADA })
    const there = await drop([shared, markdown('b.md', 'b')], { author: BEN, channel: 'C2' })
    await done(chat.deleteFile('F-shared').inbound.key)
    expect(stored()).toEqual(['b.md'])
    for (const { receipt } of [here, there]) expect(lines(receipt)[0]).toContain('the file was deleted here')
    const foreign = chat.deleteFile('F-unknown')
    await foreign.taken
    expect(await store().inbox.job(foreign.inbound.key)).toBeUndefined()
    await drop([{ ...markdown('c.md', 'c'), id: 'F-c' }])
    const elsewhere = chat.deleteFile('F-c', 'W2')
    await elsewhere.taken
    expect(await store().inbox.job(elsewhere.inbound.key)).toBeUndefined()
    expect(stored()).toContain('c.md')
  })

  it('that was dropped twice in one channel goes altogether', async () => {
    const { chat, drop, stored, done, lines } = await setUp()
    const shared = { ...markdown('a.md', 'a'), id: 'F-shared' }
    const first = await drop([shared], { author: ADA })
    const second = await drop([shared], { author: BEN })
    await done(chat.deleteFile('F-shared').inbound.key)
    expect(stored()).toEqual([])
    for (const { receipt } of [first, second]) expect(lines(receipt)[0]).toMatch(/^🗑️/)
  })

  it.each(['files.delete', 'chat.stream'] as const)('goes on after a restart at %s', async (call) => {
    const { chat, platform, drop, stored, done, restart, lines } = await setUp()
    const shared = { ...markdown('a.md', 'a'), id: 'F-shared' }
    await drop([shared], { author: ADA })
    const there = await drop([shared], { author: BEN, channel: 'C2' })
    const release = platform.script.hold(call)
    const gone = chat.deleteFile('F-shared')
    await until(() => platform.script.calls.some((each) => each.call === call))
    await restart()
    release()
    await done(gone.inbound.key)
    expect(stored()).toEqual([])
    expect(lines(there.receipt)[0]).toMatch(/^🗑️/)
  })
})
