import { createRegistry, type Registry } from '#lib/registry.ts'
import type { ConnectionState } from '#bridge/port/adapter.ts'
import type { QueueDepth } from '#bridge/port/store.ts'
import { addProcessFigures } from './process-figures.ts'

/** Sources that are read with each look at the figures. */
export interface Readings {
  /** Rejects while the store cannot be read: its figures are left out then. */
  depth(): Promise<QueueDepth>
  /** Chat services, and whether each is connected. */
  connections(): ReadonlyMap<string, ConnectionState>
}

/** Seconds until somebody sees something. */
const SIGHT_BUCKETS = [0.1, 0.25, 0.5, 1, 2, 3, 5, 10, 20, 30, 60, 300]
/** Seconds of a job; one that ingests files may take long. */
const JOB_BUCKETS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1800]

export type Figures = ReturnType<typeof createFigures>

/**
 * Figures of the bridge and its process for Prometheus. Labels are names from our own lists (services, kinds, outcomes): no content, no
 * names, no ids.
 */
export function createFigures(readings: Readings, clock: () => number = Date.now) {
  const registry = createRegistry()
  const counter = (name: string, help: string) => registry.counter(`footbridge_${name}`, help)
  const distribution = (name: string, help: string, bounds: readonly number[]) =>
    registry.distribution(`footbridge_${name}`, help, bounds)
  addGauges(registry, readings, clock)
  addProcessFigures(registry)
  return {
    /** Labels `service`, `kind`, `outcome`. */
    events: counter('events_total', 'Events of chat services that are for Footbridge.'),
    /** Labels `service`, `kind`, `outcome`. */
    jobs: counter('jobs_total', 'Ends of attempts at a job.'),
    /** Labels `kind`. */
    queueWait: distribution('job_wait_seconds', 'From an event to the first attempt at its job.', JOB_BUCKETS),
    /** Labels `kind`. */
    duration: distribution('job_duration_seconds', 'Attempts at a job.', JOB_BUCKETS),
    /** Labels `service`. */
    firstText: distribution(
      'first_text_seconds',
      'From an event to the first visible text of its answer.',
      SIGHT_BUCKETS,
    ),
    /** Labels `service`, `act`, `outcome`. */
    sends: counter('sends_total', 'Calls that show something in a chat service.'),
    /** Labels `call`, `outcome`. */
    platformCalls: counter('platform_calls_total', 'Calls of the platform.'),
    /** Labels `of`. */
    waits: counter('rate_waits_total', 'Waits for a rate limit, of the platform or a chat service.'),
    /** Labels `of`. */
    waitSeconds: counter('rate_wait_seconds_total', 'Length of these waits.'),
    /** Labels `kind`. */
    overBudget: counter('budget_refusals_total', 'Refusals because a budget was used up.'),
    print: () => registry.print(),
  }
}

function addGauges({ gauge }: Registry, readings: Readings, clock: () => number): void {
  // All gauges of one scrape share one reading.
  let reading: Promise<QueueDepth | undefined> | undefined
  const depth = () => {
    reading ??= readings.depth().catch(() => undefined)
    setImmediate(() => (reading = undefined))
    return reading
  }
  const ofQueue = (name: string, help: string, value: (depth: QueueDepth) => number) =>
    gauge(`footbridge_${name}`, help, async () => {
      const read = await depth()
      return read && value(read)
    })
  ofQueue('jobs_waiting', 'Jobs that wait for their turn or their next attempt.', ({ waiting }) => waiting)
  ofQueue('jobs_running', 'Jobs that run now.', ({ running }) => running)
  ofQueue('jobs_dead', 'Jobs that were given up.', ({ dead }) => dead)
  ofQueue('oldest_job_seconds', 'Age of the oldest waiting job.', ({ oldestAt }) =>
    oldestAt === undefined ? 0 : Math.max(0, clock() - oldestAt) / 1000,
  )
  gauge('footbridge_connected', 'Whether a chat service is connected.', () =>
    [...readings.connections()].map(([service, state]) => ({ labels: { service }, value: Number(state === true) })),
  )
}
