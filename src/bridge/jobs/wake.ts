import type { Worker } from './worker.ts'

/** Longest that new jobs wait while further events come in, milliseconds. */
const MAX_WAKE_DELAY_MS = 50

/**
 * A dozen questions in Slack, each of two events. While at most this many events are being stored, jobs do not wait for
 * the disk. Their first steps may then delay the acknowledgements by a few milliseconds.
 */
const FEW_EVENTS = 24

/** Lets the worker look for jobs. After a burst of events it looks once all are stored: acknowledgements leave first. */
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
  /** The sync to the disk was queued for this turn, so it is under way before the jobs begin. */
  function startFew(): void {
    if (latest === undefined || entering > FEW_EVENTS) return
    clearTimeout(latest)
    latest = undefined
    worker.poke()
  }
  function hasNew(): void {
    latest ??= setTimeout(wake, MAX_WAKE_DELAY_MS)
    if (entering <= FEW_EVENTS) setImmediate(startFew)
  }
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
