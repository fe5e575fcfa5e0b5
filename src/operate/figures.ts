import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { ConnectionState } from '#bridge/port/adapter.ts'
import type { QueueDepth } from '#bridge/port/store.ts'

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

/** How often the delay of the event loop is sampled. The default of 10 ms wakes an idle process too often. */
const LOOP_SAMPLE_MS = 50

/**
 * Figures of the bridge and its process for Prometheus. Labels are names from our own lists (services, kinds, outcomes): no content, no
 * names, no ids.
 */
export function createFigures(readings: Readings, clock: () => number = Date.now) {
  const registry = new Registry()
  const registers = [registry]
  const counter = <Label extends string>(name: string, help: string, labelNames: Label[]) =>
    new Counter({ name: `footbridge_${name}`, help, labelNames, registers })
  const histogram = <Label extends string>(name: string, help: string, labelNames: Label[], buckets: number[]) =>
    new Histogram({ name: `footbridge_${name}`, help, labelNames, buckets, registers })
  addGauges(registry, readings, clock)
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: LOOP_SAMPLE_MS })
  return {
    events: counter('events_total', 'Events of chat services that are for Footbridge.', ['service', 'kind', 'outcome']),
    jobs: counter('jobs_total', 'Ends of attempts at a job.', ['service', 'kind', 'outcome']),
    queueWait: histogram('job_wait_seconds', 'From an event to the first attempt at its job.', ['kind'], JOB_BUCKETS),
    duration: histogram('job_duration_seconds', 'Attempts at a job.', ['kind'], JOB_BUCKETS),
    firstText: histogram(
      'first_text_seconds',
      'From an event to the first visible text of its answer.',
      ['service'],
      SIGHT_BUCKETS,
    ),
    sends: counter('sends_total', 'Calls that show something in a chat service.', ['service', 'act', 'outcome']),
    platformCalls: counter('platform_calls_total', 'Calls of the platform.', ['call', 'outcome']),
    waits: counter('rate_waits_total', 'Waits for a rate limit, of the platform or a chat service.', ['of']),
    waitSeconds: counter('rate_wait_seconds_total', 'Length of these waits.', ['of']),
    overBudget: counter('budget_refusals_total', 'Refusals because a budget was used up.', ['kind']),
    print: () => registry.metrics(),
  }
}

function addGauges(registry: Registry, readings: Readings, clock: () => number): void {
  const gauge = (
    name: string,
    help: string,
    collect: (this: Gauge) => void | Promise<void>,
    labelNames: string[] = [],
  ) => new Gauge({ name: `footbridge_${name}`, help, labelNames, registers: [registry], collect })
  // All gauges of one scrape share one reading.
  let reading: Promise<QueueDepth | undefined> | undefined
  const depth = () => {
    reading ??= readings.depth().catch(() => undefined)
    setImmediate(() => (reading = undefined))
    return reading
  }
  const ofQueue = (name: string, help: string, value: (depth: QueueDepth) => number) =>
    gauge(name, help, async function () {
      const read = await depth()
      if (read === undefined) this.remove()
      else this.set(value(read))
    })
  ofQueue('jobs_waiting', 'Jobs that wait for their turn or their next attempt.', ({ waiting }) => waiting)
  ofQueue('jobs_running', 'Jobs that run now.', ({ running }) => running)
  ofQueue('jobs_dead', 'Jobs that were given up.', ({ dead }) => dead)
  ofQueue('oldest_job_seconds', 'Age of the oldest waiting job.', ({ oldestAt }) =>
    oldestAt === undefined ? 0 : Math.max(0, clock() - oldestAt) / 1000,
  )
  gauge(
    'connected',
    'Whether a chat service is connected.',
    function () {
      for (const [service, state] of readings.connections()) this.set({ service }, Number(state === true))
    },
    ['service'],
  )
}
