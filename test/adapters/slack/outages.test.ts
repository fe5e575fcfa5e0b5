import { describe, test, type TestContext, vi } from 'vitest'
import { createSlackAdapter } from '../../../adapters/slack/adapter.ts'
import { connect } from '../../../src/bridge/jobs/connect-adapter.ts'
import type { Inbound } from '../../../src/bridge/port/message.ts'
import { type Away, AWAYS } from '../../doubles/slack/away.ts'
import { startSlackDouble } from '../../doubles/slack/double.ts'
import { memoryCursors } from '../discord/harness.ts'
import { createLogSink } from './log-sink.ts'
import { PATIENCE } from '../../support/patience.ts'

/** The adapter as the bridge connects it, beside a Slack that can be away. */
async function begin({ onTestFinished }: TestContext, away: Away, when: 'at the start' | 'amid work') {
  const slack = await startSlackDouble()
  const channel = slack.addChannel()
  const { id: user } = slack.addUser()
  const { log, lines } = createLogSink()
  const cursors = memoryCursors({ [channel]: String(Date.now() / 1000 - 60) })
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
  if (when === 'amid work') await connecting
  const aboutOutage = () =>
    lines.filter(({ level }) => level === 'warn' || level === 'error').map(({ message }) => message)
  return { slack, adapter, heard, aboutOutage, back, say: (text: string) => slack.say({ channel, user, text }) }
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

describe.each(AWAYS)('a Slack that is away (%s)', { concurrent: true }, (away) => {
  test('while the process starts: all that was said is heard once it is back', async (context) => {
    const { expect } = context
    const { slack, adapter, heard, aboutOutage, back, say } = await begin(context, away, 'at the start')
    say('said meanwhile')
    await pause(1000)
    expect(slack.connections().attempts).toBeLessThan(40)
    expect(aboutOutage().length).toBeLessThanOrEqual(1)
    await back?.()
    await vi.waitFor(() => expect(adapter.isConnected?.()).toBe(true), PATIENCE)
    say('said afterwards')
    await vi.waitFor(() => expect(heard()).toEqual(['said afterwards', 'said meanwhile']), PATIENCE)
    await vi.waitFor(() => expect([slack.sockets(), slack.connections().held]).toEqual([2, 2]), PATIENCE)
  })

  test('amid work: all that was said is heard once it is back', async (context) => {
    const { expect } = context
    const { slack, adapter, heard, aboutOutage, say } = await begin(context, away, 'amid work')
    say('said before')
    await vi.waitFor(() => expect(heard()).toHaveLength(1), PATIENCE)
    const back = slack.goAway(away)
    say('said meanwhile')
    await pause(1000)
    expect(slack.connections().attempts).toBeLessThan(40)
    expect(aboutOutage().length).toBeLessThanOrEqual(1)
    await back()
    await vi.waitFor(() => expect(slack.sockets()).toBe(2), PATIENCE)
    say('said afterwards')
    await vi.waitFor(() => expect(heard()).toEqual(['said afterwards', 'said before', 'said meanwhile']), PATIENCE)
    await vi.waitFor(() => expect([slack.sockets(), slack.connections().held]).toEqual([2, 2]), PATIENCE)
    expect(adapter.isConnected?.()).toBe(true)
  })
})
