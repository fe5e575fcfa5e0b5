import { describe, expect, test, type TestContext, vi } from 'vitest'
import { createDiscordAdapter } from '#adapters/discord/adapter.ts'
import { DEFAULT_TIMES } from '#adapters/discord/config.ts'
import { connect } from '#bridge/jobs/connect-adapter.ts'
import type { Inbound } from '#bridge/port/message.ts'
import { type Away, AWAYS } from '#test/doubles/discord/away.ts'
import { PATIENCE } from '#test/support/patience.ts'
import { startDiscordDouble } from '#test/doubles/discord/discord-double.ts'
import { createLog, memoryCursors } from './harness.ts'

/** Times of an outage, a fiftieth of the real ones. */
const TIMES = { startMs: 1200, helloMs: 200, readyMs: 300, reconnectMs: 20, retriesMs: [10], heartbeatMs: 2000 }

/** The adapter as the bridge connects it, with a Discord that can be away. */
async function begin(
  { onTestFinished }: TestContext,
  away: Away,
  when: 'at the start' | 'in the first try' | 'amid work',
) {
  const discord = await startDiscordDouble({ heartbeatIntervalMs: 1000, sessionHostGoes: away === 'dns' })
  const { log, lines } = createLog()
  const back = when === 'amid work' ? undefined : discord.goAway(away)
  const adapter = createDiscordAdapter({
    token: discord.token,
    apiUrl: discord.apiUrl,
    log,
    cursors: memoryCursors(),
    times: when === 'in the first try' ? { ...TIMES, startMs: DEFAULT_TIMES.startMs } : TIMES,
  })
  const stopping = new AbortController()
  onTestFinished(async () => {
    stopping.abort()
    await adapter.stop()
    await discord.close()
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
    startMs: when === 'in the first try' ? 100 : undefined,
  }
  await connect(parts, adapter)
  const aboutOutage = () => lines.filter(({ level }) => level === 'warn' || level === 'error')
  return { discord, adapter, heard, lines, aboutOutage, back }
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

describe.each(AWAYS)('a Discord that is away (%s)', { concurrent: true }, (away) => {
  test('while the process starts: one connection afterwards, and all that was said is heard once', async (context) => {
    const { discord, adapter, heard, aboutOutage, back } = await begin(context, away, 'at the start')
    discord.say({ text: 'said meanwhile' })
    await pause(1500)
    expect(discord.gateway.attempts).toBeLessThan(40)
    expect(aboutOutage().slice(1)).toEqual([])
    await back?.()
    await vi.waitFor(() => expect(adapter.isConnected()).toBe(true), PATIENCE)
    discord.say({ text: 'said afterwards' })
    await vi.waitFor(() => expect(heard()).toEqual(['said afterwards', 'said meanwhile']), PATIENCE)
    await pause(300)
    expect([discord.gateway.connected, discord.gateway.sockets]).toEqual([1, 1])
  })

  test('amid work: one connection afterwards, and all that was said is heard once', async (context) => {
    const { discord, adapter, heard, lines, aboutOutage } = await begin(context, away, 'amid work')
    discord.say({ text: 'said before' })
    await vi.waitFor(() => expect(heard()).toHaveLength(1), PATIENCE)
    const attempts = discord.gateway.attempts
    // A slow machine may have told of its start.
    lines.length = 0
    const back = discord.goAway(away)
    discord.say({ text: 'said meanwhile' })
    await pause(1500)
    expect(discord.gateway.attempts - attempts).toBeLessThan(40)
    expect(aboutOutage().slice(1)).toEqual([])
    await back()
    discord.say({ text: 'said afterwards' })
    await vi.waitFor(() => expect(heard()).toEqual(['said afterwards', 'said before', 'said meanwhile']), PATIENCE)
    await vi.waitFor(() => expect(adapter.isConnected()).toBe(true), PATIENCE)
    await pause(300)
    expect([discord.gateway.connected, discord.gateway.sockets]).toEqual([1, 1])
  })
})

test('what is said during a first try that does not fail but lasts is heard', async (context) => {
  const { discord, adapter, heard, back } = await begin(context, 'closing', 'in the first try')
  discord.say({ text: 'said meanwhile' })
  await back?.()
  await vi.waitFor(() => expect(adapter.isConnected()).toBe(true), PATIENCE)
  await vi.waitFor(() => expect(heard()).toEqual(['said meanwhile']), PATIENCE)
})

test.for(['no-hello', 'no-ready'] as const)(
  'a try that is given up while it waits ends at once (%s)',
  async (away, { onTestFinished }) => {
    const discord = await startDiscordDouble()
    const times = { ...TIMES, startMs: 500, helloMs: 60_000, readyMs: 60_000 }
    const { log } = createLog()
    const adapter = createDiscordAdapter({ token: discord.token, apiUrl: discord.apiUrl, log, times })
    onTestFinished(async () => {
      await adapter.stop()
      await discord.close()
    })
    discord.goAway(away)
    await expect(adapter.start(async () => undefined)).rejects.toMatchObject({ code: 'network' })
  },
)
