import { setImmediate as nextTurn } from 'node:timers/promises'
import { getHeapStatistics } from 'node:v8'
import { isStorageAway } from '../delivery/storage-away.ts'
import type { Clock, Log } from '../port/platform.ts'
import { SUSPECT_DEATHS, type Inbox, type Job } from '../port/store.ts'

export interface Worker {
  /** Requeues the jobs that were running when the process died, and starts. */
  start(): Promise<void>
  /** Claims due jobs now, without waiting for the next poll. */
  poke(): void
  /** Looks for due jobs at this time. */
  pokeAt(dueAt: number): void
  /** Has an event accepted, and runs the job that may be claimed in the same step. `begins`: there is room for it. */
  readonly accepting: <Accepted extends { readonly job?: Job }>(
    accept: (begins: boolean) => Promise<Accepted>,
  ) => Promise<Accepted>
  /** Starts no more jobs and waits for the running ones, at most `graceMs`. Resolves with the number still running. */
  stop(graceMs: number): Promise<number>
  /** True from the first call of `stop` on. */
  isStopping(): boolean
}

/** Memory of one open answer with its history, references and buffers; measured with `npm run bench -- load-slack`. */
const BYTES_A_JOB = 1_000_000
const MIN_AT_ONCE = 64

/** Most jobs at once: as many open answers as half of the heap holds. */
export const jobsAtOnce = (heapLimitBytes: number): number =>
  Math.max(MIN_AT_ONCE, Math.floor(heapLimitBytes / 2 / BYTES_A_JOB))

const MAX_AT_ONCE = jobsAtOnce(getHeapStatistics().heap_size_limit)
/** Jobs that start before the event loop is released: the first steps of a thousand jobs take seconds. */
const STARTED_AT_ONCE = 16
/** How long other jobs wait for one that may crash the process, milliseconds. */
const ALONE_MS = 20_000

const NOT_ENDED = 'End of a job could not be stored; the next start runs it again. Check disk and database'

const UNREADABLE = 'The inbox could not be read; it is read again in a second. Check disk and database'

/** undici writes a request to a kept connection in the turn after the one in which it was made. */
async function requestsToLeave(): Promise<void> {
  await nextTurn()
  await nextTurn()
}

/** Jobs that another process made due (an operator's `jobs retry`) are found within this time, milliseconds. */
const POLL_MS = 1000

/**
 * Runs due jobs from the inbox: a queue in order, queues in parallel.
 *
 * @param work must settle the job itself (complete, retry or bury). A rejection is logged and leaves the job running,
 * to be resumed at the next start.
 */
// oxlint-disable-next-line max-lines-per-function -- a factory: it only returns methods
export function createWorker(options: {
  readonly inbox: Inbox
  readonly clock: Clock
  readonly log: Log
  readonly work: (job: Job) => Promise<void>
}): Worker {
  const { inbox, clock, log, work } = options
  const running = new Set<Promise<void>>()
  const { begin, beginSoon, waiting } = createGroups(run)
  const alone = createAlone(poke)
  const taken = () => running.size + waiting() + accepting.underWay.size
  const hasRoom = () => isOpen && !isClaimingAlone && !alone.isOn() && taken() < MAX_AT_ONCE
  const accepting = createAccepting(hasRoom, beginSoon)
  let isOpen = false
  /** A job that is being claimed may have to run alone: meanwhile no other job may begin. */
  let isClaimingAlone = false
  let looking: Promise<void> | undefined
  let lookAgain = false
  let timer: NodeJS.Timeout | undefined
  const accepted = createAlarm(clock, poke)
  let isStopping = false
  let poll: NodeJS.Timeout | undefined

  async function claimDue(): Promise<void> {
    do {
      lookAgain = false
      await begin()
      await claim(alone.isOn() ? 0 : Math.max(MAX_AT_ONCE - taken(), 0))
    } while (lookAgain && isOpen)
    await setAlarm()
  }

  async function claim(max: number): Promise<void> {
    isClaimingAlone = taken() === 0
    try {
      await begin(await inbox.claim(clock(), max, isClaimingAlone))
    } finally {
      isClaimingAlone = false
    }
  }

  /** Sets a timer for the next delayed job. */
  async function setAlarm(): Promise<void> {
    clearTimeout(timer)
    const due = await inbox.nextDueAt()
    if (due === undefined || !isOpen || running.size >= MAX_AT_ONCE) return
    const wait = due - clock()
    // Due but not claimed: an older job of its queue is running, and its end calls `poke`.
    if (wait <= 0 && running.size > 0) return
    timer = setTimeout(poke, Math.min(Math.max(wait, 1), 60_000))
  }

  function run(job: Job): void {
    const isSuspect = job.deaths >= SUSPECT_DEATHS
    const endAlone = isSuspect && taken() === 0 ? alone.begin() : undefined
    const task = work(job)
      .catch((error: unknown) => log.error({ err: error, job: job.id }, NOT_ENDED))
      .finally(() => {
        running.delete(task)
        endAlone?.()
        poke()
      })
    running.add(task)
  }

  function poke(): void {
    if (!isOpen) return
    lookAgain = true
    looking ??= claimDue()
      .catch((error: unknown) => {
        // A full disk is told by the store, once.
        const isKnown = isStorageAway(error)
        if (!isKnown) log.error({ err: error }, UNREADABLE)
      })
      .finally(() => {
        looking = undefined
        if (lookAgain && isOpen) poke()
      })
  }

  return {
    async start() {
      isOpen = true
      const recovered = await inbox.recover(clock())
      if (recovered > 0) log.info({ jobs: recovered }, 'Unfinished jobs of the last run are resumed')
      poll = setInterval(poke, POLL_MS).unref()
      poke()
    },
    poke,
    pokeAt(dueAt) {
      if (isOpen) accepted.set(dueAt)
    },
    accepting: accepting.accept,
    isStopping: () => isStopping,
    async stop(graceMs) {
      isOpen = false
      isStopping = true
      clearInterval(poll)
      clearTimeout(timer)
      accepted.clear()
      await looking
      await settledWithin(graceMs, accepting.underWay)
      await begin()
      await settledWithin(graceMs, running)
      return running.size
    },
  }
}

/** Wakes at the earliest of the times that were set: delayed jobs that were accepted here become due then. */
function createAlarm(clock: Clock, wake: () => void) {
  let next: { readonly dueAt: number; readonly timer: NodeJS.Timeout } | undefined
  const clear = () => {
    clearTimeout(next?.timer)
    next = undefined
  }
  return {
    clear,
    set(dueAt: number) {
      if (next !== undefined && next.dueAt <= dueAt) return
      clear()
      const ring = () => {
        next = undefined
        wake()
      }
      next = { dueAt, timer: setTimeout(ring, Math.max(dueAt - clock(), 1)) }
    },
  }
}

/** Events whose jobs may be claimed as they are accepted. */
function createAccepting(hasRoom: () => boolean, begin: (job: Job) => void) {
  const underWay = new Set<Promise<unknown>>()
  const accept: Worker['accepting'] = async (store) => {
    if (!hasRoom()) return store(false)
    const stored = store(true)
    underWay.add(stored)
    try {
      const accepted = await stored
      if (accepted.job !== undefined) begin(accepted.job)
      return accepted
    } finally {
      underWay.delete(stored)
    }
  }
  return { underWay, accept }
}

/** Claimed jobs begin in groups, with turns for everything else between them. */
function createGroups(run: (job: Job) => void) {
  const claimed: Job[] = []
  let soon: NodeJS.Immediate | undefined

  async function begin(more: readonly Job[] = []): Promise<void> {
    claimed.push(...more)
    for (let begun = 1; claimed.length > 0; begun += 1) {
      const job = claimed.shift()
      if (job !== undefined) run(job)
      if (begun % STARTED_AT_ONCE === 0) await requestsToLeave()
    }
  }

  return {
    begin,
    waiting: () => claimed.length,
    /** The acknowledgements of this turn leave first. */
    beginSoon: (job: Job): void => {
      claimed.push(job)
      soon ??= setImmediate(() => {
        soon = undefined
        void begin()
      })
    },
  }
}

/** A suspect job starts alone: if the process dies again, no other job is blamed. Others wait for a limited time. */
function createAlone(poke: () => void) {
  let isAlone = false
  return {
    isOn: () => isAlone,
    begin(): () => void {
      isAlone = true
      const end = () => {
        clearTimeout(timeout)
        isAlone = false
      }
      const timeout = setTimeout(() => {
        end()
        poke()
      }, ALONE_MS).unref()
      return end
    },
  }
}

/** Resolves when all of them have ended, or the time is over. */
async function settledWithin(graceMs: number, tasks: Iterable<Promise<unknown>>): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const late = setTimeout(resolve, graceMs)
  await Promise.race([Promise.allSettled(tasks), promise])
  clearTimeout(late)
}
