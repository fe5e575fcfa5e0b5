import { readdir } from 'node:fs/promises'
import { constants, monitorEventLoopDelay, PerformanceObserver } from 'node:perf_hooks'
import type { Registry } from '#lib/registry.ts'

/** How often the delay of the event loop is sampled. The default of 10 ms wakes an idle process too often. */
const LOOP_SAMPLE_MS = 50
/** Seconds of a garbage collection. */
const COLLECTION_BUCKETS = [0.001, 0.01, 0.1, 1, 2, 5]

const COLLECTIONS: ReadonlyMap<number, string> = new Map([
  [constants.NODE_PERFORMANCE_GC_MAJOR, 'major'],
  [constants.NODE_PERFORMANCE_GC_MINOR, 'minor'],
  [constants.NODE_PERFORMANCE_GC_INCREMENTAL, 'incremental'],
  [constants.NODE_PERFORMANCE_GC_WEAKCB, 'weakcb'],
])

/** An entry of Node's about a collection, whose `detail` its types do not know. */
interface Collection {
  readonly duration: number
  readonly detail: { readonly kind: number }
}

function cpuSeconds(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6
}

/** Figures of this process, under the names that dashboards of Node know. */
export function addProcessFigures({ gauge, distribution }: Registry): void {
  gauge('process_cpu_seconds_total', 'Processor time used.', cpuSeconds, 'counter')
  gauge('process_resident_memory_bytes', 'Memory of the process.', () => process.memoryUsage.rss())
  gauge('process_uptime_seconds', 'Since the start.', () => process.uptime())
  // Only Linux tells it.
  gauge('process_open_fds', 'Open files and connections.', () =>
    readdir('/proc/self/fd').then(
      ({ length }) => length - 1,
      () => undefined,
    ),
  )
  gauge('nodejs_heap_size_used_bytes', 'JavaScript heap in use.', () => process.memoryUsage().heapUsed)
  gauge('nodejs_heap_size_total_bytes', 'JavaScript heap.', () => process.memoryUsage().heapTotal)
  gauge(
    'nodejs_external_memory_bytes',
    'Memory of JavaScript outside of its heap.',
    () => process.memoryUsage().external,
  )
  addLoopDelay(gauge)
  const collections = distribution('nodejs_gc_duration_seconds', 'Garbage collections.', COLLECTION_BUCKETS)
  new PerformanceObserver((list) => {
    for (const { duration, detail } of list.getEntries() as unknown as readonly Collection[])
      collections.observe({ kind: COLLECTIONS.get(detail.kind) ?? 'other' }, duration / 1000)
  }).observe({ entryTypes: ['gc'] })
  gauge('nodejs_active_resources', 'What would keep the process running.', () =>
    Object.entries(Object.groupBy(process.getActiveResourcesInfo(), (type) => type)).map(([type, all = []]) => ({
      labels: { type },
      value: all.length,
    })),
  )
  gauge('nodejs_active_resources_total', 'All of them.', () => process.getActiveResourcesInfo().length)
}

const seconds = (nanoseconds: number) => nanoseconds / 1e9

/** Delays of the event loop since the last look. */
function addLoopDelay(gauge: Registry['gauge']): void {
  const delay = monitorEventLoopDelay({ resolution: LOOP_SAMPLE_MS })
  delay.enable()
  gauge('nodejs_eventloop_lag_mean_seconds', 'Delay of the event loop since the last look.', () => seconds(delay.mean))
  for (const part of [50, 90, 99])
    gauge(`nodejs_eventloop_lag_p${part}_seconds`, 'The same, at this percentile.', () =>
      seconds(delay.percentile(part)),
    )
  gauge('nodejs_eventloop_lag_max_seconds', 'The same, the longest.', () => {
    const longest = seconds(delay.max)
    // This figure is the last one that needs the samples.
    delay.reset()
    return longest
  })
}
