import type { Job } from '../port/store.ts'
import type { Worker } from './worker.ts'

/** Longest that new jobs wait while further events come in, milliseconds. */
const MAX_WAKE_DELAY_MS = 50

/**
 * A dozen questions in Slack, which are two events each. With at most so many events on their way, jobs do not wait for
 * the disk. Their first steps may then delay the acknowledgements by a few milliseconds.
 */
const FEW_EVENTS = 24

/** Starts jobs after a burst of events is stored, so that they do not delay the acknowledgements. */
export function createDelayedWake(worker: Pick<Worker, 'poke' | 'startClaimed'>) {
  let entering = 0
  let isClaimed = true
  /** Runs while there are new jobs. */
  let latest: NodeJS.Timeout | undefined
  /** Takes the new jobs, and returns what starts them. Jobs that come later set a timer of their own. */
  function take(): () => void {
    clearTimeout(latest)
    latest = undefined
    const needsLook = !isClaimed
    isClaimed = true
    return () => {
      void worker.startClaimed()
      // Jobs that were claimed with their acceptance need no look.
      if (needsLook) worker.poke()
    }
  }
  // The acknowledgements of this turn leave first.
  const wake = () => void setImmediate(take())
  const areFew = () => entering <= FEW_EVENTS
  function startFew(): void {
    if (areFew() && latest !== undefined) take()()
  }
  /** The jobs of one commit begin as one group. Each is handed to the worker in a microtask: a tick follows all of them. */
  const startBehindOthers = () => process.nextTick(startFew)
  function hasNew(begins: Begin): void {
    latest ??= setTimeout(wake, MAX_WAKE_DELAY_MS)
    isClaimed &&= begins !== 'queued'
    if (!areFew()) return
    // The sync to the disk is under way before the jobs begin: it was queued for this turn, or began with the commit.
    if (begins === 'queued') setImmediate(startFew)
    else begins.then(startBehindOthers, () => undefined)
  }
  return async (enter: (entry: Entry) => Promise<void>): Promise<void> => {
    entering += 1
    try {
      await enter({ areFew, hasNew })
    } finally {
      entering -= 1
      if (entering === 0 && latest !== undefined) wake()
    }
  }
}

/** `queued`: the worker has to look for the job. Else it has it as this resolves. */
export type Begin = 'queued' | Promise<Job>

interface Entry {
  /** At most `FEW_EVENTS` are on their way. */
  readonly areFew: () => boolean
  readonly hasNew: (begins: Begin) => void
}
