import type { Job } from '../port/store.ts'
import type { Worker } from './worker.ts'

/** Longest that new jobs wait while further events come in, milliseconds. */
const MAX_WAKE_DELAY_MS = 50

/** Starts jobs after the events that came together are stored, so that they do not delay the acknowledgements. */
export function createDelayedWake(worker: Pick<Worker, 'poke' | 'startClaimed'>) {
  let entering = 0
  let isClaimed = true
  /** Runs while there are new jobs. */
  let latest: NodeJS.Timeout | undefined
  function start(needsLook: boolean): void {
    void worker.startClaimed()
    // Jobs that were claimed with their acceptance need no look.
    if (needsLook) worker.poke()
  }
  /** Jobs that come later set a timer of their own. The acknowledgements of this turn leave first. */
  function wake(): void {
    clearTimeout(latest)
    latest = undefined
    setImmediate(start, !isClaimed)
    isClaimed = true
  }
  function hasNew(begins: Begin): void {
    latest ??= setTimeout(wake, MAX_WAKE_DELAY_MS)
    isClaimed &&= begins !== 'queued'
  }
  return async (enter: (hasNew: (begins: Begin) => void) => Promise<void>): Promise<void> => {
    entering += 1
    try {
      await enter(hasNew)
    } finally {
      entering -= 1
      if (entering === 0 && latest !== undefined) wake()
    }
  }
}

/** `queued`: the worker has to look for the job. Else it has it as this resolves. */
export type Begin = 'queued' | Promise<Job>
