import type { Engine } from '../engine/engine.ts'
import { EngineError } from '../engine/errors.ts'

/** Seconds; a stream or an index pass may take minutes. */
const bounds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300] as const

type Labels = Readonly<Record<string, string | number>>

export interface Metrics {
  /** Counts a request that was answered. */
  answered(
    labels: { readonly method: string; readonly route: string; readonly status: number },
    ms: number,
  ): void
  /** The same engine, its streams and index passes counted. */
  watch(engine: Engine): Engine
  /** Everything in the text form of Prometheus, version 0.0.4. */
  print(): string
}

const escape = (value: string) =>
  value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')

const toKey = (labels: Labels) =>
  Object.entries(labels)
    .map(([name, value]) => `${name}="${escape(String(value))}"`)
    .join(',')

interface Durations {
  readonly buckets: number[]
  sum: number
  count: number
}

const head = (name: string, kind: string, says: string) => [
  `# HELP ${name} ${says}`,
  `# TYPE ${name} ${kind}`,
]

function printCounts(
  name: string,
  kind: string,
  says: string,
  counts: ReadonlyMap<string, number>,
): string[] {
  const lines = [...counts].map(([key, value]) => `${name}${key === '' ? '' : `{${key}}`} ${value}`)
  return [...head(name, kind, says), ...lines]
}

function printDurations(name: string, says: string, all: ReadonlyMap<string, Durations>): string[] {
  const lines = [...all].flatMap(([key, { buckets, sum, count }]) => [
    ...bounds.map((bound, at) => `${name}_bucket{${key},le="${bound}"} ${buckets[at] ?? 0}`),
    `${name}_bucket{${key},le="+Inf"} ${count}`,
    `${name}_sum{${key}} ${sum}`,
    `${name}_count{${key}} ${count}`,
  ])
  return [...head(name, 'histogram', says), ...lines]
}

const one = (value: number) => new Map([['', value]])

/** Own small counters: what is asked of them is fixed, and a dozen lines of text print it. */
export function createMetrics(): Metrics {
  const requests = new Map<string, number>()
  const durations = new Map<string, Durations>()
  const passes = new Map([
    ['outcome="ended"', 0],
    ['outcome="failed"', 0],
  ])
  let streams = 0
  let running = 0
  let chunks = 0
  let failedFiles = 0

  function observe(key: string, seconds: number): void {
    const known = durations.get(key) ?? { buckets: bounds.map(() => 0), sum: 0, count: 0 }
    durations.set(key, known)
    known.sum += seconds
    known.count += 1
    for (const [at, bound] of bounds.entries()) {
      if (seconds <= bound) known.buckets[at] = (known.buckets[at] ?? 0) + 1
    }
  }

  async function* counted(events: AsyncIterable<string>): AsyncGenerator<string> {
    streams += 1
    try {
      yield* events
    } finally {
      streams -= 1
    }
  }

  const generateIndex = async (
    collections: Engine['collections'],
    ...given: Parameters<Engine['collections']['generateIndex']>
  ) => {
    running += 1
    try {
      const result = await collections.generateIndex(...given)
      passes.set('outcome="ended"', (passes.get('outcome="ended"') ?? 0) + 1)
      chunks += result.chunks
      failedFiles += result.failed
      return result
    } catch (error) {
      // A refusal is no pass.
      if (!(error instanceof EngineError)) {
        passes.set('outcome="failed"', (passes.get('outcome="failed"') ?? 0) + 1)
      }
      throw error
    } finally {
      running -= 1
    }
  }

  return {
    answered({ method, route, status }, ms) {
      const key = toKey({ method, route, status })
      requests.set(key, (requests.get(key) ?? 0) + 1)
      observe(toKey({ method, route }), ms / 1000)
    },
    watch: (engine) => ({
      ...engine,
      collections: {
        ...engine.collections,
        generateIndex: (...given) => generateIndex(engine.collections, ...given),
      },
      async chat(call) {
        const answer = await engine.chat(call)
        return answer.kind === 'stream' ? { ...answer, events: counted(answer.events) } : answer
      },
    }),
    print() {
      const memory = process.memoryUsage()
      const lines = [
        ...printCounts('footbridge_requests_total', 'counter', 'Requests answered.', requests),
        ...printDurations(
          'footbridge_request_duration_seconds',
          'Time to the answer; of a stream, to its first byte.',
          durations,
        ),
        ...printCounts('footbridge_streams_open', 'gauge', 'Chat streams that run now.', one(streams)),
        ...printCounts(
          'footbridge_index_passes_total',
          'counter',
          'Index passes by how they came out.',
          passes,
        ),
        ...printCounts(
          'footbridge_index_passes_running',
          'gauge',
          'Index passes that run now.',
          one(running),
        ),
        ...printCounts('footbridge_chunks_indexed_total', 'counter', 'Chunks put into indexes.', one(chunks)),
        ...printCounts(
          'footbridge_files_failed_total',
          'counter',
          'Files that a pass could not read.',
          one(failedFiles),
        ),
        ...printCounts('process_resident_memory_bytes', 'gauge', 'Memory of the process.', one(memory.rss)),
        ...printCounts('process_heap_bytes', 'gauge', 'JavaScript heap in use.', one(memory.heapUsed)),
        ...printCounts('process_uptime_seconds', 'gauge', 'Since the start.', one(process.uptime())),
      ]
      return `${lines.join('\n')}\n`
    },
  }
}
