import { describe, expect, it } from 'vitest'
import { markdown, setUpBridge, until } from '#test/support/bridge/set-up.ts'
import type { ChatStep } from '#test/support/fakes/platform.ts'
import type { FakeAdapterOptions } from '#test/support/fakes/adapter.ts'
import { platformFailure } from '#test/support/fakes/switchboard.ts'

const ADA = { id: 'U-ada', name: 'Ada' }
const BEN = { id: 'U-ben', name: 'Ben' }

/** An answer with a passage of this file under it. */
const block = (file: string, body: string): ChatStep[] => [
  { type: 'text', text: `It says so [RREF1].\n${'-'.repeat(41)}\nReferences:\n\n[RREF1] ${file} (0.135)\n${body}\n` },
  { type: 'finish', reason: 'stop' },
]

async function setUp(options: FakeAdapterOptions = {}) {
  const all = await setUpBridge(options)
  const drop = async (name: string, text: string, author = ADA) => {
    const said = all.chat.drop([markdown(name, text)], { author })
    expect(await all.settled(said.inbound.key)).toMatchObject({ state: 'done' })
    return said
  }
  const stored = () => {
    const [collection = ''] = all.platform.script.collections()
    return Object.fromEntries(
      all.platform.script.stored(collection).map(({ name, bytes }) => [name, new TextDecoder().decode(bytes)]),
    )
  }
  const kept = async () => {
    const [collection = ''] = all.platform.script.collections()
    return (await all.store().originals.list(collection)).length
  }
  const passes = () => all.platform.script.calls.filter(({ call }) => call === 'collections.generateIndex').length
  return { ...all, drop, stored, kept, passes }
}

describe('a deleted message', () => {
  it('takes its file along, what we kept of it, and is probed with a sentence of it', async () => {
    const { chat, platform, drop, stored, kept, settled, log, passes } = await setUp()
    const said = await drop('a.md', 'Short.\n\nThe lighthouse keeper rings a brass bell when fog comes in.')
    await drop('b.md', 'other')
    expect(await kept()).toBe(2)
    const before = passes()
    await settled(chat.unsay(said).inbound.key)
    expect(stored()).toEqual({ 'b.md': 'other' })
    expect(await kept()).toBe(1)
    const [probe] = platform.script.requests
    expect(probe).toMatchObject({
      maxTokens: 8,
      messages: [{ content: 'The lighthouse keeper rings a brass bell when fog comes in.' }],
    })
    expect(probe?.collection).toBeDefined()
    expect(passes()).toBe(before)
    expect(log.at('warn')).toEqual([])
  })

  it('whose passages still come has the collection indexed, and is asked for again', async () => {
    const { chat, platform, drop, settled, texts, log, passes } = await setUp()
    const said = await drop('a.md', 'alpha beta gamma')
    const before = passes()
    platform.script.answer(block('a.md', 'alpha beta gamma'), 'Nothing.')
    await settled(chat.unsay(said).inbound.key)
    expect(platform.script.requests).toHaveLength(2)
    expect(passes()).toBe(before + 1)
    expect(texts()).toEqual([])
    expect(log.at('error')).toEqual([])
  })

  it('that the platform does not let go is cried out: in the log, and in the channel', async () => {
    const { chat, platform, drop, settled, texts, log } = await setUp()
    const said = await drop('a.md', 'alpha beta gamma')
    platform.script.answer(block('a.md', 'alpha beta gamma'), block('a.md', 'alpha beta gamma'))
    await settled(chat.unsay(said).inbound.key)
    expect(texts()).toEqual([expect.stringMatching(/^\*\*a\.md\*\* was deleted, but the platform still finds/)])
    expect(log.at('error')).toMatchObject([{ message: expect.stringContaining('still found') }])
  })

  it.each(['unreachable', 'server'] as const)(
    'does so later when the platform fails (%s), and after a restart',
    async (code) => {
      const { chat, platform, drop, stored, settled, restart } = await setUp()
      const said = await drop('a.md', 'a')
      platform.script.fail('files.delete', platformFailure(code))
      const gone = chat.unsay(said)
      await until(() => platform.script.calls.some(({ call }) => call === 'files.delete'))
      await restart()
      expect(await settled(gone.inbound.key)).toMatchObject({ state: 'done' })
      expect(stored()).toEqual({})
    },
  )

  it.each(['files.delete', 'chat.stream'] as const)('goes on after a restart at %s', async (call) => {
    const { chat, platform, drop, stored, settled, restart, kept } = await setUp()
    const said = await drop('a.md', 'a')
    const release = platform.script.hold(call)
    const gone = chat.unsay(said)
    await until(() => platform.script.calls.some((each) => each.call === call))
    await restart()
    release()
    await settled(gone.inbound.key)
    expect(stored()).toEqual({})
    expect(await kept()).toBe(0)
    expect(platform.script.requests).toHaveLength(1)
  })

  it.each(['files.upload', 'collections.generateIndex'] as const)(
    'while its file is on its way (%s) leaves nothing of it behind',
    async (call) => {
      const { chat, platform, stored, settled, texts } = await setUp()
      const release = platform.script.hold(call)
      const said = chat.drop([markdown('a.md', 'a')], { author: ADA })
      await until(() => platform.script.calls.some((each) => each.call === call))
      const gone = chat.unsay(said)
      release()
      await settled(gone.inbound.key)
      expect(stored()).toEqual({})
      expect(texts()).toEqual([])
    },
  )

  it('of a new version in mid-upload leaves the earlier one as it was', async () => {
    const { chat, platform, drop, stored, settled } = await setUp()
    await drop('a.md', 'one')
    const release = platform.script.hold('files.replace')
    const said = chat.drop([markdown('a.md', 'two')], { author: BEN })
    await until(() => platform.script.calls.some(({ call }) => call === 'files.replace'))
    const gone = chat.unsay(said)
    await settled(said.inbound.key)
    release()
    await settled(gone.inbound.key)
    expect(stored()).toEqual({ 'a.md': 'one' })
    const [collection = ''] = platform.script.collections()
    expect(platform.script.stored(collection)[0]?.index?.status).toBe('INDEXED')
  })

  it('takes its receipt along although that was about to be drawn', async () => {
    const { chat, settled, texts, platform, store } = await setUp({ limits: { editIntervalMs: 600 } })
    const release = platform.script.hold('collections.generateIndex')
    const said = chat.drop([markdown('a.md', 'a')], { author: ADA })
    await until(() => texts().length === 1)
    const unsaid = chat.unsay(said)
    await unsaid.taken
    // A drop that is at its index pass already waits for the answer to it.
    release()
    await settled(unsaid.inbound.key)
    await new Promise((resolve) => {
      setTimeout(resolve, 800)
    })
    expect(texts()).toEqual([])
    expect(await store().outbox.ofJob(said.inbound.key)).toEqual([])
  })
})
