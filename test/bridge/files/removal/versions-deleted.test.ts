import { describe, expect, it } from 'vitest'
import { markdown, setUpBridge, until } from '#test/support/bridge/set-up.ts'
import type { Said } from '#test/support/fakes/chat.ts'
import { platformFailure } from '#test/support/fakes/switchboard.ts'

const ADA = { id: 'U-ada', name: 'Ada' }
const BEN = { id: 'U-ben', name: 'Ben' }

async function setUp() {
  const all = await setUpBridge()
  const { chat, platform, settled, texts } = all
  const drop = async (text: string, author = ADA) => {
    const said = chat.drop([markdown('a.md', text)], { author })
    expect(await settled(said.inbound.key)).toMatchObject({ state: 'done' })
    return { ...said, receipt: chat.visible().at(-1)?.id ?? '' }
  }
  const stored = () => {
    const [collection = ''] = platform.script.collections()
    return platform.script.stored(collection).map(({ bytes }) => new TextDecoder().decode(bytes))
  }
  const kept = async () => {
    const [collection = ''] = platform.script.collections()
    return (await all.store().originals.list(collection)).length
  }
  const textOf = (id: string) =>
    chat
      .visible()
      .find((each) => each.id === id)
      ?.text.split('\n')[0]
  const labels = (id: string) =>
    chat
      .visible()
      .find((each) => each.id === id)
      ?.outgoing.actions?.map(({ label }) => label)
      .filter((label) => !label.startsWith('Don'))
  const deleted = async (said: Said) => {
    expect(await settled(chat.unsay(said).inbound.key)).toMatchObject({ state: 'done' })
  }
  return { ...all, drop, stored, kept, textOf, labels, deleted, texts }
}

describe('the message of the newest version, deleted,', () => {
  it('brings back the version before it, whose receipt says so', async () => {
    const { drop, deleted, stored, kept, textOf, texts } = await setUp()
    const first = await drop('one', ADA)
    const second = await drop('two', BEN)
    await deleted(second)
    expect(stored()).toEqual(['one'])
    expect(await kept()).toBe(1)
    expect(textOf(first.receipt)).toBe('✅ **a.md** — ready (current again: version 2 by Ben was removed)')
    expect(texts()).toHaveLength(1)
  })

  it('is gone from the platform before the earlier one comes, and stays gone where that fails', async () => {
    const { platform, drop, deleted, stored, textOf, labels, chat, settled } = await setUp()
    const first = await drop('one', ADA)
    const second = await drop('two', BEN)
    platform.script.fail('files.upload', platformFailure('unreachable'))
    await deleted(second)
    expect(stored()).toEqual([])
    expect(textOf(first.receipt)).toMatch(/a\.md\*\* — failed.*could not take it just now/)
    expect(labels(first.receipt)).toEqual(['Retry', 'Remove'])
    await settled(chat.press(first.receipt, 'Retry', ADA).inbound.key)
    expect(stored()).toEqual(['one'])
  })

  it('brings back the newest of those whose messages stand', async () => {
    const { drop, deleted, stored, textOf } = await setUp()
    const first = await drop('one', ADA)
    const second = await drop('two', BEN)
    const third = await drop('three', ADA)
    await deleted(second)
    expect(stored()).toEqual(['three'])
    await deleted(third)
    expect(stored()).toEqual(['one'])
    expect(textOf(first.receipt)).toContain('version 3 by Ada was removed')
    await deleted(first)
    expect(stored()).toEqual([])
  })

  it('brings nothing back whose message was deleted before', async () => {
    const { drop, deleted, stored, kept } = await setUp()
    const first = await drop('one', ADA)
    const second = await drop('two', BEN)
    await deleted(first)
    expect(await kept()).toBe(1)
    await deleted(second)
    expect(stored()).toEqual([])
    expect(await kept()).toBe(0)
  })

  it('brings nothing back whose bytes are not kept, and its receipt does not call it ready', async () => {
    const { drop, deleted, stored, textOf, store, platform } = await setUp()
    const first = await drop('one', ADA)
    const second = await drop('two', BEN)
    const [collection = ''] = platform.script.collections()
    const [entry] = await store().files.ofJob(first.inbound.key)
    await store().originals.remove(collection, entry?.sha256 ?? '')
    await deleted(second)
    expect(stored()).toEqual([])
    expect(textOf(first.receipt)).toMatch(/^🗑️/)
  })

  it.each(['files.delete', 'chat.stream', 'files.upload', 'collections.generateIndex'] as const)(
    'brings it back after a restart at %s, too',
    async (call) => {
      const { chat, platform, drop, restart, settled, stored, textOf } = await setUp()
      const first = await drop('one', ADA)
      const second = await drop('two', BEN)
      const before = platform.script.calls.filter((each) => each.call === call).length
      const release = platform.script.hold(call)
      const gone = chat.unsay(second)
      await until(() => platform.script.calls.filter((each) => each.call === call).length > before)
      await restart()
      release()
      expect(await settled(gone.inbound.key)).toMatchObject({ state: 'done' })
      expect(stored()).toEqual(['one'])
      expect(textOf(first.receipt)).toContain('version 2 by Ben was removed')
    },
  )
})

describe('Remove on the receipt of a version that failed', () => {
  it('brings back the version before it', async () => {
    const { chat, platform, drop, settled, stored, textOf } = await setUp()
    const first = await drop('one', ADA)
    platform.script.breakFile('a.md', 'It is damaged.')
    const second = await drop('two', BEN)
    expect(textOf(second.receipt)).toContain('It is damaged')
    platform.script.breakFile('a.md', undefined)
    await settled(chat.press(second.receipt, 'Remove', BEN).inbound.key)
    expect(stored()).toEqual(['one'])
    expect(textOf(first.receipt)).toContain('version 2 by Ben was removed')
    expect(textOf(second.receipt)).toContain('removed by Ben')
  })
})

describe('the message of an earlier version, deleted,', () => {
  it('takes its kept bytes along, and no Undo leads to it', async () => {
    const { drop, deleted, stored, kept, textOf, labels } = await setUp()
    const first = await drop('one', ADA)
    const second = await drop('two', BEN)
    expect(labels(second.receipt)).toEqual(['Undo', 'Keep both'])
    await deleted(first)
    expect(stored()).toEqual(['two'])
    expect(await kept()).toBe(1)
    await until(() => labels(second.receipt)?.length === 0 || labels(second.receipt) === undefined)
    expect(textOf(second.receipt)).toContain('ready')
  })

  it('leaves the way back to the one before it', async () => {
    const { chat, drop, deleted, stored, settled, textOf } = await setUp()
    const first = await drop('one', ADA)
    const second = await drop('two', ADA)
    const third = await drop('three', ADA)
    await deleted(second)
    await settled(chat.press(third.receipt, 'Undo', ADA).inbound.key)
    expect(stored()).toEqual(['one'])
    expect(textOf(first.receipt)).toContain('put back by Ada')
  })
})

describe('a file whose upload lost its answer', () => {
  it('is taken for what it is: there', async () => {
    const { platform, drop, stored, textOf } = await setUp()
    platform.script.fail('files.upload', platformFailure('cut'), { after: true })
    const first = await drop('one')
    expect(textOf(first.receipt)).toContain('ready')
    platform.script.fail('files.replace', platformFailure('timeout'), { after: true })
    const second = await drop('two')
    expect(stored()).toEqual(['two'])
    expect(textOf(second.receipt)).toContain('replaces version 1')
  })

  it('goes with its message although nobody could tell whether it had arrived', async () => {
    const { platform, drop, stored, deleted, textOf } = await setUp()
    const first = await drop('one')
    platform.script.fail('files.replace', platformFailure('timeout'), { after: true })
    const release = platform.script.hold('files.replace')
    const dropping = drop('two', BEN)
    await until(() => platform.script.calls.some(({ call }) => call === 'files.replace'))
    platform.script.fail('files.list', platformFailure('unreachable'))
    release()
    const second = await dropping
    expect(textOf(second.receipt)).toContain('failed')
    expect(stored()).toEqual(['two'])
    await deleted(second)
    expect(stored()).toEqual(['one'])
    expect(textOf(first.receipt)).toContain('ready')
  })
})
