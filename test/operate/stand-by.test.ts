import { expect, it, onTestFinished, vi } from 'vitest'
import type { Adapter } from '#bridge/port/adapter.ts'
import { AdapterError } from '#bridge/port/errors.ts'
import { standingBy } from '#operate/stand-by.ts'
import { createLogSink } from '../support/fakes/log.ts'

/** A process in addition to one that is connected; `failures` of its tries to connect. */
function setUp(...failures: readonly Error[]) {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const left = [...failures]
  const log = createLogSink()
  let leads = false
  let isConnected = false
  let isAway: boolean | undefined
  const adapter = {
    name: 'fake',
    isConnected: () => isConnected,
    async start() {
      const failure = left.shift()
      if (failure !== undefined) throw failure
      isConnected = true
    },
    stop: async () => undefined,
  } as unknown as Adapter
  const sharing = { leads: async () => leads, standBy: (_: string, away: boolean) => void (isAway = away) }
  const lost: Error[] = []
  const standing = standingBy(adapter, 'role', sharing, { log, onLost: (error) => void lost.push(error) })
  return {
    log,
    standing,
    start: () => standing.start(async () => undefined),
    otherEnds: () => (leads = true),
    otherTakesIt: () => (leads = false),
    lost,
    isAway: () => isAway,
  }
}

it('a process stands by until the connected one ends, and takes its place', async () => {
  const { standing, start, otherEnds, isAway } = setUp()
  await start()
  await vi.advanceTimersByTimeAsync(60_000)
  expect([standing.isConnected(), isAway()]).toEqual(['standby', true])
  otherEnds()
  await vi.advanceTimersByTimeAsync(1000)
  expect([standing.isConnected(), isAway()]).toEqual([true, false])
})

it('a service that is out of reach at that moment is tried again', async () => {
  const away = new AdapterError('network', 'It cannot be reached.')
  const { log, standing, start, otherEnds, isAway } = setUp(away, away)
  await start()
  otherEnds()
  await vi.advanceTimersByTimeAsync(1000)
  expect([standing.isConnected(), isAway()]).toEqual([false, true])
  await vi.advanceTimersByTimeAsync(60_000)
  expect([standing.isConnected(), isAway()]).toEqual([true, false])
  expect([log.at('warn').length, log.at('error')]).toEqual([1, []])
})

it('a service that stays out of reach is told once a minute', async () => {
  const away = new AdapterError('network', 'It cannot be reached.')
  const { log, standing, start, otherEnds } = setUp(...Array.from({ length: 100 }, () => away))
  await start()
  otherEnds()
  await vi.advanceTimersByTimeAsync(250_000)
  expect([standing.isConnected(), log.at('warn').length]).toEqual([false, 5])
})

it.each([
  new AdapterError('rate-limited', 'No more logins today.', { retryAfterMs: 120_000 }),
  new Error('disk I/O error'),
])('any other failure is said, and tried again: %s', async (failure) => {
  const { log, standing, start, otherEnds } = setUp(failure)
  await start()
  otherEnds()
  await vi.advanceTimersByTimeAsync(30_000)
  expect([standing.isConnected(), log.at('error').length]).toEqual([false, 1])
  await vi.advanceTimersByTimeAsync(120_000)
  expect(standing.isConnected()).toBe(true)
})

it('a refused token is said once, and a stop ends the tries', async () => {
  const refused = setUp(new AdapterError('unauthorized', 'The token is wrong.'))
  await refused.start()
  refused.otherEnds()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(refused.log.at('error')).toHaveLength(1)
  const stopped = setUp()
  await stopped.start()
  await stopped.standing.stop()
  stopped.otherEnds()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(stopped.standing.isConnected()).toBe('standby')
})

it.each(['at its start', 'later'])(
  'a process that was connected (%s) ends once another one has its place',
  async (when) => {
    const { standing, start, otherEnds, otherTakesIt, lost } = setUp()
    if (when === 'at its start') otherEnds()
    await start()
    otherEnds()
    await vi.advanceTimersByTimeAsync(60_000)
    expect([standing.isConnected(), lost]).toEqual([true, []])
    otherTakesIt()
    await vi.advanceTimersByTimeAsync(3000)
    otherEnds()
    await vi.advanceTimersByTimeAsync(60_000)
    expect(lost).toEqual([])
    otherTakesIt()
    await vi.advanceTimersByTimeAsync(60_000)
    expect(lost).toMatchObject([{ message: expect.stringContaining('start it again') }])
  },
)
