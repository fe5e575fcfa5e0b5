import { describe, expect, it } from 'vitest'
import { AdapterError } from '#bridge/port/errors.ts'
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
  const labels = (id: string) =>
    (all.chat.visible().find((shown) => shown.id === id)?.outgoing.actions ?? [])
      .map(({ label }) => label)
      .filter((label) => !label.startsWith("Don't"))
  const textOf = (id: string) =>
    all.chat
      .visible()
      .find((shown) => shown.id === id)
      ?.text.replace(/\n\n_I read the files[^]*/, '')
  const pressed = async (id: string, label: string, author = ADA) => {
    const said = all.chat.press(id, label, author)
    expect(await all.settled(said.inbound.key)).toMatchObject({ state: 'done' })
  }
  return { ...all, stored, labels, textOf, pressed }
}

async function twoVersions() {
  const all = await setUp()
  all.chat.drop([markdown('a.md', 'one')], { author: ADA })
  const first = await all.shows(/a\.md.*ready/)
  all.chat.drop([markdown('a.md', 'two')], { author: BEN })
  const second = await all.shows(/replaces version 1/)
  await until(() => all.textOf(first.id)?.includes('replaced'))
  return { ...all, first: first.id, second: second.id }
}

describe('Retry on a receipt', () => {
  it('goes the whole way again, on the same receipt, and vanishes', async () => {
    const { chat, shows, texts, labels, textOf, pressed, stored } = await setUp()
    chat.fail('open', new AdapterError('not-found', 'The service is away.'))
    chat.drop([markdown('a.md', 'a')], { author: ADA })
    const { id } = await shows(/a\.md.*failed\. Could not be downloaded/)
    expect(labels(id)).toEqual(['Retry', 'Remove'])
    await pressed(id, 'Retry', BEN)
    expect(textOf(id)).toBe('✅ **a.md** — ready')
    expect(labels(id)).toEqual([])
    expect(texts()).toHaveLength(1)
    expect(stored()).toEqual({ 'a.md': 'a' })
  })

  it('that takes long holds up no button of another message', async () => {
    const { chat, platform, shows, settled, pressed } = await setUp()
    chat.fail('open', new AdapterError('not-found', 'The service is away.'), { times: 2 })
    chat.drop([markdown('a.md', 'a')], { author: ADA })
    const first = await shows(/a\.md.*failed/)
    chat.drop([markdown('b.md', 'b')], { author: ADA })
    const second = await shows(/b\.md.*failed/)
    const release = platform.script.hold('files.upload')
    const retried = chat.press(first.id, 'Retry', ADA)
    await until(() => platform.script.calls.some(({ call }) => call === 'files.upload'))
    await pressed(second.id, 'Remove')
    release()
    expect(await settled(retried.inbound.key)).toMatchObject({ state: 'done' })
  })

  it('that fails again says why, with a button for the next try', async () => {
    const { chat, platform, shows, labels, textOf, pressed } = await setUp()
    platform.script.fail('files.upload', platformFailure('unreachable'), { times: 2 })
    chat.drop([markdown('a.md', 'a')], { author: ADA })
    const { id } = await shows(/could not take it just now/)
    await pressed(id, 'Retry')
    expect(textOf(id)).toContain('could not take it just now')
    await pressed(id, 'Retry')
    expect(textOf(id)).toBe('✅ **a.md** — ready')
    expect(labels(id)).toEqual([])
  })

  it('is not offered where another try would end the same way', async () => {
    const { chat, shows, labels } = await setUp()
    chat.drop([{ ...markdown('c.exe', 'MZ'), mimeType: 'application/x-msdownload' }], { author: ADA })
    const { id } = await shows(/c\.exe.*failed/)
    expect(labels(id)).toEqual(['Remove'])
  })

  it('of several files names them, and one button tries them all', async () => {
    const { chat, platform, shows, labels, textOf, pressed } = await setUp()
    platform.script.fail('files.upload', platformFailure('unreachable'), { times: 2 })
    chat.drop([markdown('a.md', 'a'), markdown('b.md', 'b'), markdown('c.md', 'c')], { author: ADA })
    const { id } = await shows(/\*\*2 files\*\* — failed/)
    await until(() => textOf(id)?.includes('ready'))
    const shown = labels(id)
    expect(shown[0]).toBe('Retry all')
    expect(shown.slice(1)).toHaveLength(4)
    expect(shown[1]).toMatch(/^Retry: [abc]\.md$/)
    expect(shown[2]).toMatch(/^Remove: [abc]\.md$/)
    await pressed(id, 'Retry all')
    await until(() => textOf(id)?.match(/ready/g)?.length === 3)
    await until(() => labels(id).length === 0)
  })

  it('of many files is one button below one list, with each reason once', async () => {
    const { chat, platform, labels, settled, textOf } = await setUp()
    platform.script.fail('files.upload', platformFailure('unreachable'), { times: 20 })
    const files = Array.from({ length: 20 }, (_, index) => markdown(`${index}.md`, `text ${index}`))
    const program = { ...markdown('setup.exe', 'MZ'), mimeType: 'application/x-msdownload' }
    await settled(chat.drop([...files, program], { author: ADA }).inbound.key)
    const [{ id } = { id: '' }] = chat.visible()
    expect(labels(id)).toEqual(['Retry all'])
    expect(textOf(id)?.match(/could not take it just now/g)).toHaveLength(1)
    expect(textOf(id)).toMatch(/\*\*20 files\*\* — failed\. [^]*• \*\*0\.md\*\*[^]*• \*\*19\.md\*\*/)
    expect(textOf(id)).toMatch(/⚠️ \*\*setup\.exe\*\* — failed\. I can’t read this kind/)
  })

  it('pressed twice does one thing, and the second press is told so', async () => {
    const { chat, platform, shows, texts, labels, settled } = await setUp()
    chat.fail('open', new AdapterError('not-found', 'Gone.'))
    chat.drop([markdown('a.md', 'a')], { author: ADA })
    const { id } = await shows(/a\.md.*failed/)
    expect(labels(id)).toContain('Retry')
    const release = platform.script.hold('files.upload')
    const first = chat.press(id, 'Retry', ADA)
    const second = chat.press(id, 'Retry', BEN)
    await until(() => platform.script.calls.some(({ call }) => call === 'files.upload'))
    release()
    await settled(first.inbound.key)
    await settled(second.inbound.key)
    expect(texts().filter((text) => text.includes('does nothing any more'))).toHaveLength(1)
    expect(platform.script.calls.filter(({ call }) => call === 'files.upload')).toHaveLength(1)
  })

  it.each(['files.list', 'files.upload', 'collections.generateIndex'] as const)(
    'cut off by a restart at %s is brought to its end',
    async (call) => {
      const { chat, platform, shows, texts, restart, settled, textOf } = await setUp()
      chat.fail('open', new AdapterError('not-found', 'Gone.'))
      chat.drop([markdown('a.md', 'a')], { author: ADA })
      const { id } = await shows(/a\.md.*failed/)
      const before = platform.script.calls.filter((each) => each.call === call).length
      const release = platform.script.hold(call)
      const press = chat.press(id, 'Retry', ADA)
      await until(() => platform.script.calls.filter((each) => each.call === call).length > before)
      await restart()
      release()
      await settled(press.inbound.key)
      expect(textOf(id)).toBe('✅ **a.md** — ready')
      expect(texts()).toHaveLength(1)
    },
  )
})

describe('Remove on a receipt', () => {
  it('takes a failed file out, for who dropped it and who administers', async () => {
    const { chat, platform, shows, labels, textOf, pressed, stored, texts } = await setUp()
    platform.script.breakFile('a.md', 'It is damaged.')
    chat.drop([markdown('a.md', 'a')], { author: ADA })
    const { id } = await shows(/It is damaged/)
    await pressed(id, 'Remove', BEN)
    expect(texts().at(-1)).toBe('Only Ada, who dropped it, or somebody who administers this channel can do that.')
    expect(stored()).toEqual({ 'a.md': 'a' })
    chat.room('C1', { admins: [BEN.id] })
    await pressed(id, 'Remove', BEN)
    expect(textOf(id)).toBe('🗑️ **a.md** — removed by Ben')
    expect(labels(id)).toEqual([])
    expect(stored()).toEqual({})
  })

  it('says so when the platform does not let it go', async () => {
    const { chat, platform, shows, labels, pressed, texts } = await setUp()
    platform.script.breakFile('a.md', 'It is damaged.')
    chat.drop([markdown('a.md', 'a')], { author: ADA })
    const { id } = await shows(/It is damaged/)
    platform.script.fail('files.delete', platformFailure('unreachable'))
    await pressed(id, 'Remove')
    expect(texts().at(-1)).toMatch(/could not be removed: I can’t reach the platform/)
    expect(labels(id)).toEqual(['Retry', 'Remove'])
  })
})

describe('a new version', () => {
  it('says what it replaces, and the earlier receipt what replaced it', async () => {
    const { first, second, textOf, labels } = await twoVersions()
    expect(textOf(first)).toBe('🗑️ **a.md** — replaced by version 2 of 1 Jan by Ben')
    expect(textOf(second)).toBe('✅ **a.md** — ready (replaces version 1 of 1 Jan by Ada)')
    expect(labels(first)).toEqual([])
    expect(labels(second)).toEqual(['Undo', 'Keep both'])
  })

  it('is undone: the earlier bytes are back, and both receipts say so', async () => {
    const { first, second, textOf, labels, pressed, stored, texts } = await twoVersions()
    await pressed(second, 'Undo', BEN)
    expect(stored()).toEqual({ 'a.md': 'one' })
    expect(textOf(first)).toBe('✅ **a.md** — ready (put back by Ben)')
    expect(textOf(second)).toBe('🗑️ **a.md** — undone by Ben; version 1 is current again')
    expect(labels(second)).toEqual([])
    expect(texts()).toHaveLength(2)
  })

  it('is kept beside the earlier one', async () => {
    const { chat, first, second, textOf, labels, pressed, stored, shows } = await twoVersions()
    await pressed(second, 'Keep both', ADA)
    expect(stored()).toEqual({ 'a.md': 'one', 'a (2).md': 'two' })
    expect(textOf(first)).toBe('✅ **a.md** — ready (put back by Ada)')
    expect(textOf(second)).toBe('✅ **a (2).md** — ready')
    expect(labels(second)).toEqual([])
    chat.drop([markdown('a.md', 'three')], { author: ADA })
    await shows(/a\.md.*replaces version 1 of 1 Jan by Ada/)
  })

  it('is nobody else’s to undo, and not once a third has come', async () => {
    const { chat, second, pressed, stored, texts, shows, labels } = await twoVersions()
    await pressed(second, 'Undo', { id: 'U-eve', name: 'Eve' })
    expect(texts().at(-1)).toMatch(/^Only Ben, who dropped it/)
    chat.drop([markdown('a.md', 'three')], { author: ADA })
    await shows(/replaces version 2 of 1 Jan by Ben/)
    await until(() => labels(second).length === 0)
    expect(stored()).toEqual({ 'a.md': 'three' })
  })

  it('that could not be indexed can be undone, too', async () => {
    const { chat, platform, shows, pressed, labels, stored, textOf } = await setUp()
    chat.drop([markdown('a.md', 'good')], { author: ADA })
    await shows(/a\.md.*ready/)
    platform.script.breakFile('a.md', 'It is damaged.')
    chat.drop([markdown('a.md', 'broken')], { author: ADA })
    const { id } = await shows(/It is damaged/)
    expect(labels(id)).toEqual(['Retry', 'Remove', 'Undo'])
    platform.script.breakFile('a.md', undefined)
    await pressed(id, 'Undo')
    expect(stored()).toEqual({ 'a.md': 'good' })
    expect(textOf(id)).toContain('version 1 is current again')
  })

  it.each(['Undo', 'Keep both'] as const)('%s goes on after a restart at each step', async (label) => {
    for (const call of ['files.delete', 'files.upload', 'collections.generateIndex'] as const) {
      const { chat, platform, first, second, restart, settled, stored, textOf, texts } = await twoVersions()
      const before = platform.script.calls.filter((each) => each.call === call).length
      const release = platform.script.hold(call)
      const press = chat.press(second, label, BEN)
      await until(() => platform.script.calls.filter((each) => each.call === call).length > before)
      await restart()
      release()
      await settled(press.inbound.key)
      expect(stored()).toEqual(label === 'Undo' ? { 'a.md': 'one' } : { 'a.md': 'one', 'a (2).md': 'two' })
      expect(textOf(first)).toContain('ready')
      expect(textOf(second)).toContain(label === 'Undo' ? 'undone by Ben' : 'a (2).md')
      expect(texts()).toHaveLength(2)
    }
  })
})
