import { getHeapStatistics } from 'node:v8'
import type { Clock, Log } from '../port/platform.ts'
import { SUSPECT_DEATHS, type Inbox, type Job } from '../port/store.ts'

export interface Worker {
  /** Queues again the jobs that were running when the process died, and begins. */
  start(): Promise<void>
  /** There may be something to do. */
  poke(): void
  /** Takes nothing new, waits for what runs, at most `graceMs`. Resolves with how many were still at work. */
  stop(graceMs: number): Promise<number>
}

/** Memory of one open answer with its history, references and buffers; measured: 1 MB, `npm run bench -- load-slack`. */
const BYTES_A_JOB = 1_000_000
const LEAST_AT_ONCE = 64

/** How many queues may be worked on at once: as many open answers as half of the heap holds. */
export const jobsAtOnce = (heapLimitBytes: number): number =>
  Math.max(LEAST_AT_ONCE, Math.floor(heapLimitBytes / 2 / BYTES_A_JOB))

const MAX_AT_ONCE = jobsAtOnce(getHeapStatistics().heap_size_limit)
/** How long others wait for a job that may end the process. */
const ALONE_MS = 20_000
/** After the store failed (a full disk, say). */
const LOOK_AGAIN_MS = 5000

/**
 * Takes jobs from the inbox as they fall due: a queue in order, queues side by side.
 *
 * @param work must settle the job itself (complete, retry or bury); a rejection is logged and leaves it running, to be
 * taken up at the next start.
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
  let isOpen = false
  let looking: Promise<void> | undefined
  let lookAgain = false
  let timer: NodeJS.Timeout | undefined
  let isAlone = false

  async function look(): Promise<void> {
    do {
      lookAgain = false
      if (isAlone) break
      const jobs = await inbox.claim(clock(), MAX_AT_ONCE - running.size, running.size === 0)
      for (const job of jobs) run(job)
    } while (lookAgain && isOpen)
    await setAlarm()
  }

  /** Wakes up for the next job that is held back. */
  async function setAlarm(): Promise<void> {
    clearTimeout(timer)
    const due = await inbox.nextDueAt()
    if (due === undefined || !isOpen || running.size >= MAX_AT_ONCE) return
    const wait = due - clock()
    // Due but not claimed: something older in its queue is at work, and its end pokes us.
    if (wait <= 0 && running.size > 0) return
    timer = setTimeout(poke, Math.min(Math.max(wait, 1), 60_000))
  }

  function run(job: Job): void {
    const endAlone = job.deaths < SUSPECT_DEATHS ? undefined : beginAlone()
    const task = work(job)
      .catch((error: unknown) => log.error({ err: error, job: job.id }, 'A job failed outside its own care'))
      .finally(() => {
        running.delete(task)
        endAlone?.()
        poke()
      })
    running.add(task)
  }

  /** A suspect begins alone: if the process dies again, no other job is blamed. Others wait for a while only. */
  function beginAlone(): () => void {
    isAlone = true
    const end = () => {
      clearTimeout(patience)
      isAlone = false
    }
    const patience = setTimeout(() => {
      end()
      poke()
    }, ALONE_MS).unref()
    return end
  }

  function poke(): void {
    if (!isOpen) return
    lookAgain = true
    looking ??= look()
      .catch((error: unknown) => {
        log.error({ err: error }, 'The inbox could not be read; looking again soon')
        if (isOpen) timer = setTimeout(poke, LOOK_AGAIN_MS)
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
      if (recovered > 0) log.info({ jobs: recovered }, 'Taking up again what the last run left behind')
      poke()
    },
    poke,
    async stop(graceMs) {
      isOpen = false
      clearTimeout(timer)
      await looking
      let late: NodeJS.Timeout | undefined
      const grace = new Promise<void>((resolve) => {
        late = setTimeout(resolve, graceMs)
      })
      await Promise.race([Promise.allSettled(running), grace])
      clearTimeout(late)
      return running.size
    },
  }
}
