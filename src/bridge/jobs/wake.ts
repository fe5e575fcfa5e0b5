import type { Worker } from './worker.ts'

/** Longest that new jobs wait while further events come in, milliseconds. */
const MAX_WAKE_DELAY_MS = 50

/** Lets the worker look for jobs once the events that came together are stored: acknowledgements leave first. */
export function createDelayedWake(worker: Pick<Worker, 'poke'>) {
  let entering = 0
  /** Runs while there are new jobs. */
  let latest: NodeJS.Timeout | undefined
  /** Jobs that come later set a timer of their own. */
  function wake(): void {
    clearTimeout(latest)
    latest = undefined
    setImmediate(worker.poke)
  }
  const hasNew = () => void (latest ??= setTimeout(wake, MAX_WAKE_DELAY_MS))
  return async (enter: (hasNew: () => void) => Promise<void>): Promise<void> => {
    entering += 1
    try {
      await enter(hasNew)
    } finally {
      entering -= 1
      if (entering === 0 && latest !== undefined) wake()
    }
  }
}
