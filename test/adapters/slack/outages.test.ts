import { describe, test, type TestContext, vi } from 'vitest'
import { createSlackAdapter } from '#adapters/slack/adapter.ts'
import { connect } from '#bridge/jobs/connect-adapter.ts'
import type { Inbound } from '#bridge/port/message.ts'
import { type Away, AWAYS } from '#test/doubles/slack/away.ts'
import { startSlackDouble } from '#test/doubles/slack/double.ts'
import { memoryCursors } from '../discord/harness.ts'
import { createLogSink } from './log-sink.ts'
import { withBridge } from './with-bridge.ts'
import { eventually } from '#test/support/eventually.ts'
import { PATIENCE } from '#test/support/patience.ts'

/** The adapter as the bridge connects it, with a Slack that can be away. */
async function begin({ onTestFinished }: TestContext, away: Away, when: 'at the start' | 'amid work') {
  const slack = await startSlackDouble()
  const channel = slack.addChannel()
  const quiet = slack.addChannel()
  const { id: user } = slack.addUser()
  const { log, lines } = createLogSink()
  /** Amid work it was here before; at the start it is the very first one. */
  const cursors = memoryCursors(when === 'amid work' ? { '@start': '1.000000' } : {})
  const back = when === 'at the start' ? slack.goAway(away) : undefined
  const adapter = createSlackAdapter({
    botToken: slack.botToken,
    appToken: slack.appToken,
    apiUrl: slack.apiUrl,
    log,
    cursorsOf: () => cursors,
    timeoutMs: 400,
    reconnectMs: 20,
    helloMs: 300,
    gapMs: 0,
  })
  const stopping = new AbortController()
  onTestFinished(async () => {
    stopping.abort()
    await adapter.stop()
    await slack.close()
  })
  /** By its key: the bridge takes each once. */
  const inbounds = new Map<string, string>()
  const heard = () => [...inbounds.values()].toSorted()
  const parts = {
    receive: async (inbound: Inbound) =>
      void (inbound.kind === 'message' && inbounds.set(inbound.key, inbound.message.text)),
    suggest: async () => [],
    recall: async () => [],
    log,
    signal: stopping.signal,
    connections: { add: () => {} },
    retryMs: 20,
  }
  const connecting = connect(parts, adapter)
  // Limited calls wait for their turn.
  if (when === 'amid work') {
    await connecting
    await eventually(() => cursors.saved.get('@start') !== '1.000000')
  }
  const aboutOutage = () =>
    lines.flatMap(({ level, message }) => (level === 'debug' || NEWS.has(message) ? [] : [message]))
  const say = (text: string) => slack.say({ channel, user, text })
  /** In a channel in which nothing was said before. */
  const sayFirst = (text: string) => slack.say({ channel: quiet, user, text })
  return { slack, adapter, heard, lines, aboutOutage, back, say, sayFirst }
}

/** Lines that are logged whether Slack is away or not. */
const NEWS = new Set(['Slack is connected', 'Messages missed in a Slack channel were read'])

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

describe.each(AWAYS)('a Slack that is away (%s)', { concurrent: true }, (away) => {
  test('while the process starts: all that was said is heard once it is back', async (context) => {
    const { expect } = context
    const { slack, adapter, heard, aboutOutage, back, say, sayFirst } = await begin(context, away, 'at the start')
    say('said meanwhile')
    sayFirst('first meanwhile')
    await pause(1000)
    expect(slack.connections().attempts).toBeLessThan(40)
    // A connection that stays silent until it times out may be told only later.
    const isTold = away !== 'silent' && away !== 'no-hello'
    if (isTold) await vi.waitFor(() => expect(aboutOutage()).toEqual([expect.any(String)]), PATIENCE)
    expect(aboutOutage().slice(1)).toEqual([])
    await back?.()
    await vi.waitFor(() => expect(adapter.isConnected()).toBe(true), PATIENCE)
    say('said afterwards')
    await vi.waitFor(() => expect(heard()).toEqual(['first meanwhile', 'said afterwards', 'said meanwhile']), PATIENCE)
    await vi.waitFor(() => expect([slack.sockets(), slack.connections().held]).toEqual([2, 2]), PATIENCE)
  })

  test('amid work: all that was said is heard once it is back', async (context) => {
    const { expect } = context
    const { slack, adapter, heard, lines, aboutOutage, say, sayFirst } = await begin(context, away, 'amid work')
    say('said before')
    await vi.waitFor(() => expect(heard()).toHaveLength(1), PATIENCE)
    lines.length = 0
    const back = slack.goAway(away)
    say('said meanwhile')
    sayFirst('first meanwhile')
    await pause(1000)
    expect(slack.connections().attempts).toBeLessThan(40)
    if (away !== 'silent') await vi.waitFor(() => expect(aboutOutage()).toEqual([expect.any(String)]), PATIENCE)
    expect(aboutOutage().slice(1)).toEqual([])
    await back()
    say('said afterwards')
    // It must not wait for the minute after which Slack sends it again.
    slack.giveUp()
    const all = ['first meanwhile', 'said afterwards', 'said before', 'said meanwhile']
    await vi.waitFor(() => expect(heard()).toEqual(all), PATIENCE)
    await vi.waitFor(() => expect([slack.sockets(), slack.connections().held]).toEqual([2, 2]), PATIENCE)
    expect(adapter.isConnected()).toBe(true)
  })
})

test('what is read back and what Slack sends again is one question', async ({ expect }) => {
  const options = { gapMs: 0, reconnectMs: 20, cursorsOf: () => memoryCursors() }
  const { slack, channel, ada: user, platform, sees } = await withBridge(options, { sendsAgainMs: [0, 2000, 4000] })
  platform.script.answer('A winch.', 'A post.')
  const back = slack.goAway('error')
  const asked = slack.say({ channel, user, text: 'What is a capstan?', mention: true })
  await back()
  await sees(/A winch/)
  await asked.acked
  // A second answer to it would have begun before this one.
  slack.say({ channel, user, text: 'And what is a bollard?', mention: true })
  await sees(/A post/)
  expect(asked.envelopes.every(({ attempts }) => attempts > 0)).toBe(true)
  const questions = platform.script.requests.map(({ messages }) => messages.at(-1)?.content)
  expect(questions).toEqual([expect.stringContaining('capstan'), expect.stringContaining('bollard')])
})
