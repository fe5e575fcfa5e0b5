import { expect, it, onTestFinished, vi } from 'vitest'
import { connect } from '#bridge/jobs/connect-adapter.ts'
import type { Adapter } from '#bridge/port/adapter.ts'
import { AdapterError } from '#bridge/port/errors.ts'
import { createLogSink } from '#test/support/fakes/log.ts'

/** A service that is out of reach until it is tried for the `reachedAt`th time. */
function setUp({
  reachedAt = Infinity,
  failure = new AdapterError('network', 'It cannot be reached.'),
  takesMs = 0,
} = {}) {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const stopping = new AbortController()
  const connected: string[] = []
  let starts = 0
  const start = async () => {
    starts += 1
    if (takesMs > 0) await new Promise((resolve) => setTimeout(resolve, takesMs))
    if (starts < reachedAt) throw failure
  }
  const log = createLogSink()
  const parts = {
    receive: async () => undefined,
    suggest: async () => [],
    recall: async () => [],
    log,
    signal: stopping.signal,
    connections: { add: (name: string) => void connected.push(name) },
  }
  const adapter = { name: 'fake', start } as unknown as Adapter
  return { log, stopping, connected, starts: () => starts, connect: () => connect(parts, adapter) }
}

it('a service that is out of reach is tried again until it is there', async () => {
  const { connected, connect: begin } = setUp({ reachedAt: 3 })
  expect(await begin()).toBe(false)
  await vi.advanceTimersByTimeAsync(10_000)
  expect(connected).toEqual(['fake'])
})

it('a service that is at its limit is tried again when it says', async () => {
  const failure = new AdapterError('rate-limited', 'Slow down.', { retryAfterMs: 60_000 })
  const { connected, starts, connect: begin } = setUp({ reachedAt: 2, failure })
  expect(await begin()).toBe(false)
  await vi.advanceTimersByTimeAsync(59_000)
  expect(starts()).toBe(1)
  await vi.advanceTimersByTimeAsync(2_000)
  expect(connected).toEqual(['fake'])
})

it('a service is not tried again after the stop, also where the stop came during a try', async () => {
  for (const isDuring of [false, true]) {
    const { stopping, starts, connect: begin } = setUp()
    const trying = begin()
    if (isDuring) stopping.abort()
    expect(await trying).toBe(false)
    stopping.abort()
    await vi.advanceTimersByTimeAsync(3_600_000)
    expect(starts()).toBe(1)
  }
})

it.each([
  ['connects', 1],
  ['fails', 2],
])('the others wait ten seconds for a service whose try %s after a minute', async (_, reachedAt) => {
  const { log, connected, starts, connect: begin } = setUp({ takesMs: 60_000, reachedAt })
  const beginning = begin()
  await vi.advanceTimersByTimeAsync(10_000)
  expect(await beginning).toBe(false)
  expect(connected).toEqual([])
  expect(log.at('warn')).toHaveLength(1)
  await vi.advanceTimersByTimeAsync(180_000)
  expect(connected).toEqual(['fake'])
  expect(starts()).toBe(reachedAt)
})

it('a stop ends the wait for a service that does not answer', async () => {
  const { stopping, connected, connect: begin } = setUp({ takesMs: 60_000, reachedAt: 2 })
  const beginning = begin()
  stopping.abort()
  await vi.advanceTimersByTimeAsync(0)
  expect(await beginning).toBe(false)
  await vi.advanceTimersByTimeAsync(600_000)
  expect(connected).toEqual([])
})
