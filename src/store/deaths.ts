import { SUSPECT_DEATHS } from '../bridge/port/store.ts'

/** A job that was running when its process died. */
export interface Interrupted {
  readonly seq: number
  readonly deaths: number
}

/**
 * How long a job waits before its next trial, milliseconds, after this many deaths: if the process dies meanwhile, something
 * else ends it. Much longer than most jobs take, so that kills from outside do not look like the job's own.
 */
const HELD_MS: Readonly<Record<number, number>> = { [SUSPECT_DEATHS + 1]: 10_000, [SUSPECT_DEATHS + 2]: 60_000 }

/**
 * Whom a death of the process speaks against. Nobody knows who ended it, so a job is blamed beyond doubt only where the
 * process lives without it and dies with it, again and again:
 *
 * - no suspect was running: each job has one death more, and all waiting suspects are cleared, since it was none of them
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
    return { seq: job.seq, deaths, dueAt: now + (blamed.includes(job) ? (HELD_MS[deaths] ?? 0) : 0) }
  })
  return { clearsSuspects: suspects.length === 0, jobs }
}
