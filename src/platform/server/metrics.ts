import { setImmediate as nextTurn } from 'node:timers/promises'
import type { MiddlewareHandler } from 'hono'
import { routePath } from 'hono/route'
import { createRegistry } from '#lib/registry.ts'
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

function createFigures(isAlone: boolean) {
  const registry = createRegistry()
  const { counter, gauge } = registry
  /** Numbers of running streams and passes. */
  const now = { streams: 0, passes: 0 }
  const requests = counter('footbridge_requests_total', 'Requests answered.')
  const durations = registry.distribution(
    'footbridge_request_duration_seconds',
    'Time until the response; of a stream, until its first byte.',
    BUCKETS,
  )
  gauge('footbridge_streams_open', 'Chat streams that run now.', () => now.streams)
  const passes = counter('footbridge_index_passes_total', 'Index passes by outcome.')
  gauge('footbridge_index_passes_running', 'Index passes that run now.', () => now.passes)
  const chunks = counter('footbridge_chunks_indexed_total', 'Chunks put into indexes.')
  const failedFiles = counter('footbridge_files_failed_total', 'Files that a pass could not read.')
  if (isAlone) {
    gauge('process_resident_memory_bytes', 'Memory of the process.', () => process.memoryUsage.rss())
    gauge('process_uptime_seconds', 'Since the start.', () => process.uptime())
    gauge('nodejs_heap_size_used_bytes', 'JavaScript heap in use.', () => process.memoryUsage().heapUsed)
  }
  for (const outcome of ['ended', 'failed']) passes.inc({ outcome }, 0)
  for (const none of [chunks, failedFiles]) none.inc({}, 0)
  return { registry, now, requests, durations, passes, chunks, failedFiles }
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

/** @param isAlone no other route gives the figures of this process */
export function createMetrics(isAlone: boolean): Metrics {
  const figures = createFigures(isAlone)
  const { registry, now, passes, chunks, failedFiles } = figures

  function countStream(events: EventSteps): EventSteps {
    let isCounted = false
    const next = (restMs: number | undefined) => {
      if (!isCounted) now.streams += 1
      isCounted = true
      return events.next(restMs)
    }
    return toSteps(next, () => {
      if (isCounted) now.streams -= 1
      return events.return()
    })
  }

  type Pass = Engine['collections']['generateIndex']
  async function countPass(run: () => ReturnType<Pass>): ReturnType<Pass> {
    now.passes += 1
    try {
      const result = await run()
      passes.inc({ outcome: 'ended' })
      chunks.inc({}, result.chunks)
      failedFiles.inc({}, result.failed)
      return result
    } catch (error) {
      if (!isRefusal(error)) passes.inc({ outcome: 'failed' })
      throw error
    } finally {
      now.passes -= 1
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
      return registry.print()
    },
  }
}
