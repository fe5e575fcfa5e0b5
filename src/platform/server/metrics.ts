import { setImmediate as nextTurn } from 'node:timers/promises'
import type { MiddlewareHandler } from 'hono'
import { routePath } from 'hono/route'
import { Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { Engine } from '../engine/engine.ts'
import { EngineError, type EngineErrorCode } from '../engine/errors.ts'
import { type EventSteps, toSteps } from '../wire/stream-events.ts'
import type { Environment } from './routing.ts'

/** Seconds; a stream or an index pass may take minutes. */
const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300]

export interface Metrics {
  /** Counts every request by its route's pattern, so that names in a path never become labels. */
  readonly count: MiddlewareHandler<Environment>
  /** The same engine, its streams and index passes counted. */
  watch(engine: Engine): Engine
  /** All metrics in the text format of Prometheus, version 0.0.4. */
  print(): Promise<string>
}

/** The metrics in a registry of their own: two servers in one process do not mix theirs. */
function createFigures() {
  const registry = new Registry()
  const registers = [registry]
  const gauge = (name: string, help: string, read?: () => number) =>
    new Gauge({
      name,
      help,
      registers,
      collect() {
        if (read !== undefined) this.set(read())
      },
    })
  const counter = <Label extends string>(name: string, help: string, labelNames: Label[] = []) =>
    new Counter({ name, help, labelNames, registers })

  const requests = counter('footbridge_requests_total', 'Requests answered.', ['method', 'route', 'status'])
  const durations = new Histogram({
    name: 'footbridge_request_duration_seconds',
    help: 'Time until the response; of a stream, until its first byte.',
    labelNames: ['method', 'route'],
    buckets: BUCKETS,
    registers,
  })
  const streams = gauge('footbridge_streams_open', 'Chat streams that run now.')
  const passes = counter('footbridge_index_passes_total', 'Index passes by outcome.', ['outcome'])
  const running = gauge('footbridge_index_passes_running', 'Index passes that run now.')
  const chunks = counter('footbridge_chunks_indexed_total', 'Chunks put into indexes.')
  const failedFiles = counter('footbridge_files_failed_total', 'Files that a pass could not read.')
  gauge('process_resident_memory_bytes', 'Memory of the process.', () => process.memoryUsage.rss())
  gauge('process_heap_bytes', 'JavaScript heap in use.', () => process.memoryUsage().heapUsed)
  gauge('process_uptime_seconds', 'Since the start.', () => process.uptime())
  for (const outcome of ['ended', 'failed']) passes.inc({ outcome }, 0)
  return { registry, requests, durations, streams, passes, running, chunks, failedFiles }
}

/** Codes of a trigger that was refused: it started no pass. */
const REFUSALS: ReadonlySet<EngineErrorCode> = new Set(['invalid', 'not-found', 'forbidden', 'conflict'])

const isRefusal = (error: unknown) => error instanceof EngineError && REFUSALS.has(error.code)

function countRequest(
  { requests, durations }: Pick<ReturnType<typeof createFigures>, 'requests' | 'durations'>,
  labels: { readonly method: string; readonly route: string },
  status: number,
  seconds: number,
): void {
  requests.inc({ ...labels, status })
  durations.observe(labels, seconds)
}

export function createMetrics(): Metrics {
  const figures = createFigures()
  const { registry, streams, passes, running, chunks, failedFiles } = figures

  function countStream(events: EventSteps): EventSteps {
    let isCounted = false
    const next = (restMs: number | undefined) => {
      if (!isCounted) streams.inc()
      isCounted = true
      return events.next(restMs)
    }
    return toSteps(next, () => {
      if (isCounted) streams.dec()
      return events.return()
    })
  }

  type Pass = Engine['collections']['generateIndex']
  async function countPass(run: () => ReturnType<Pass>): ReturnType<Pass> {
    running.inc()
    try {
      const result = await run()
      passes.inc({ outcome: 'ended' })
      chunks.inc(result.chunks)
      failedFiles.inc(result.failed)
      return result
    } catch (error) {
      if (!isRefusal(error)) passes.inc({ outcome: 'failed' })
      throw error
    } finally {
      running.dec()
    }
  }

  return {
    async count(c, next) {
      const startedAt = performance.now()
      await next()
      const route = routePath(c)
      c.set('route', route)
      const labels = { method: c.req.method, route }
      const seconds = (performance.now() - startedAt) / 1000
      // The answer leaves first.
      setImmediate(countRequest, figures, labels, c.res.status, seconds)
    },
    watch: (engine) => ({
      ...engine,
      collections: {
        ...engine.collections,
        generateIndex: (...pass) => countPass(() => engine.collections.generateIndex(...pass)),
      },
      async chat(call) {
        const answer = await engine.chat(call)
        return answer.kind === 'stream' ? { ...answer, events: countStream(answer.events) } : answer
      },
    }),
    async print() {
      await nextTurn()
      return registry.metrics()
    },
  }
}
