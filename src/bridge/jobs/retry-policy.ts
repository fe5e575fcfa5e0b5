import { isDeletion } from './queue-key.ts'
import { isPlatformFailure, isTransientFailure, isTransientPlatformError } from '../port/errors.ts'
import { isStorageAway } from '../delivery/storage-away.ts'
import type { PlatformFailure } from '../port/platform.ts'
import type { Job } from '../port/store.ts'

/** Waits before the first retries, milliseconds. */
const RETRY_MS = [1000, 5000, 30_000] as const
/** Later waits: a question is answered within a minute after the chat service is back. */
const LATER_MS = 40_000
/** About ten minutes. A complete answer is kept between attempts; only a restart asks the model once more. */
const MAX_ATTEMPTS = 18
/** Nobody waits for an answer longer, however long the chat service is away. */
const MAX_OUTAGE_MS = 86_400_000
/** Waits are up to a tenth longer, so that the jobs of one outage do not all come back in the same second. */
const SPREAD = 0.1
/** Between two tries of a deletion. */
const DELETE_MS = 600_000
/** A full disk, or a database that is away: it may be back at any time. */
const MAX_STORAGE_WAIT_MS = 30_000
/** About a day of retries, ten minutes apart. */
const DELETE_ATTEMPTS = 150

/** A deletion that is tried until it is done, whatever fails: people who removed Footbridge expect that nothing is left. */
export const isTriedForEver = ({ inbound }: Job): boolean => inbound.kind === 'workspace-gone'

/** Wait before the retry of a failed job, milliseconds; undefined: no retry. */
export function waitBefore(job: Job, error: unknown, chance: () => number = Math.random): number | undefined {
  const least = leastWait(job, error)
  return least === undefined ? undefined : spread(least, chance)
}

const spread = (ms: number, chance: () => number = Math.random) => Math.round(ms * (1 + chance() * SPREAD))

/**
 * Wait of a job that has used up its tries while its service is away, milliseconds.
 *
 * @returns undefined: the failure is the job's own, or a day is over
 */
export function waitInOutage(job: Job, error: unknown, now: number): number | undefined {
  const mayWait = isTransientFailure(error) && job.inbound.kind !== 'details' && now - job.createdAt < MAX_OUTAGE_MS
  return mayWait ? spread(Math.max(LATER_MS, error.retryAfterMs ?? 0)) : undefined
}

/** Wait before the last try of a job whose service may just be back, milliseconds. */
export const AFTER_OUTAGE_MS = RETRY_MS[0]

function leastWait(job: Job, error: unknown): number | undefined {
  const longest = RETRY_MS[job.attempt - 1] ?? DELETE_MS
  // An outage of the store says nothing about the job: it waits for the end of it.
  if (isStorageAway(error)) return Math.min(longest, MAX_STORAGE_WAIT_MS)
  if (isTriedForEver(job)) return longest
  // A press waits for three seconds.
  if (job.inbound.kind === 'details') return undefined
  const isDelete = isDeletion(job.inbound) && mayDeleteLater(error)
  if (!isDelete && !isTransientFailure(error)) return undefined
  if (job.attempt >= (isDelete ? DELETE_ATTEMPTS : MAX_ATTEMPTS)) return undefined
  const wait = isDelete ? longest : Math.min(longest, LATER_MS)
  return Math.max(wait, error.retryAfterMs ?? 0)
}

/** A deletion must be carried out, however long the platform is unreachable or a proxy before it answers with an error. */
const mayDeleteLater = (error: unknown): error is PlatformFailure =>
  isTransientPlatformError(error) || (isPlatformFailure(error) && error.code === 'server')
