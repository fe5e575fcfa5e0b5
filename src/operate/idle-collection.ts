import { getHeapSpaceStatistics } from 'node:v8'

/** How long no job runs before garbage is collected, milliseconds. */
const QUIET_MS = 100
/** Young objects that are worth it, bytes: a collection takes 1 to 2 ms. */
const WORTH_BYTES = 4 * 1024 * 1024

const youngBytes = () =>
  getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space')?.space_used_size ?? 0

/** V8 offers it with `--expose-gc`, which `npm start` sets. Without it, V8 collects when its space is full, as always. */
function collectYoung(): void {
  if (youngBytes() >= WORTH_BYTES) globalThis.gc?.({ type: 'minor' })
}

/**
 * Collects young garbage when no job has run for a moment. A burst of questions fills the young space of V8 twice, and
 * most of it is in use then: each collection in the burst takes 2 to 6 ms. In an empty space the first one comes later.
 *
 * @param work runs a job
 * @returns does the same
 */
export function createIdleCollection<Given extends readonly unknown[]>(
  work: (...given: Given) => Promise<void>,
  collect: () => void = collectYoung,
): (...given: Given) => Promise<void> {
  let running = 0
  let timer: NodeJS.Timeout | undefined
  return async (...given) => {
    running += 1
    clearTimeout(timer)
    try {
      await work(...given)
    } finally {
      running -= 1
      if (running === 0) timer = setTimeout(collect, QUIET_MS).unref()
    }
  }
}
