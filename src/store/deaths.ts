import { SUSPECT_DEATHS } from '#bridge/port/store.ts'

/** A job that was running when its process died. */
export interface Interrupted {
  readonly seq: number
  readonly deaths: number
}

/** Deaths after a first trial. */
const TRIED = SUSPECT_DEATHS + 1
const FIRST_HOLD_MS = 10_000
const LATER_HOLD_MS = 60_000

/**
 * How long a process has to live without a job before it is tried again, milliseconds, after this many deaths: if it dies
 * meanwhile, something else ends it. Much longer than most jobs take, so that kills from outside do not look like the
 * job's own; a job that is to be given up waits no more.
 */
const holdMs = (deaths: number): number => (deaths === TRIED ? FIRST_HOLD_MS : deaths === TRIED + 1 ? LATER_HOLD_MS : 0)

/** The next process has to live as long without the suspects that were held back: the time of its start does not count. */
export const HOLD_AGAIN = (now: string): string => `
  UPDATE job SET due_at = CASE deaths WHEN ${TRIED} THEN ${now} + ${FIRST_HOLD_MS} ELSE ${now} + ${LATER_HOLD_MS} END
  WHERE state = 'queued' AND deaths IN (${TRIED}, ${TRIED + 1})`

/** Suspects without which the process died are not the cause, and need not be held back. */
export const CLEAR_SUSPECTS = (now: string): string => `
  UPDATE job SET deaths = 0, due_at = CASE WHEN deaths >= ${TRIED} AND due_at > ${now} THEN ${now} ELSE due_at END
  WHERE state = 'queued' AND deaths >= ${SUSPECT_DEATHS}`

/**
 * The jobs that a death of the process speaks against. Its cause is unknown, so a job is blamed beyond doubt only where
 * the process lives without it and dies with it, again and again:
 *
 * - no suspect was running: each job has one death more, and all waiting suspects are cleared: they did not cause it
 * - one suspect was running: it alone has one death more, and is held back for a while
 * - several were running: nothing is learnt
 *
 * @returns the jobs with their deaths from now on, and when they may begin again
 */
export function blame(
  running: readonly Interrupted[],
  now: number,
): { readonly clearsSuspects: boolean; readonly jobs: readonly (Interrupted & { readonly dueAt: number })[] } {
  const suspects = running.filter(({ deaths }) => deaths >= SUSPECT_DEATHS)
  const blamed = suspects.length === 0 ? running : suspects.length === 1 ? suspects : []
  const jobs = running.map((job) => {
    const deaths = job.deaths + Number(blamed.includes(job))
    return { seq: job.seq, deaths, dueAt: now + (blamed.includes(job) ? holdMs(deaths) : 0) }
  })
  return { clearsSuspects: suspects.length === 0, jobs }
}
