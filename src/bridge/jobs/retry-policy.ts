import { isDeletion } from './queue-key.ts'
import { isPlatformFailure, isTransientFailure, isTransientPlatformError } from '../port/errors.ts'
import { isStorageAway } from '../delivery/storage-away.ts'
import type { PlatformFailure } from '../port/platform.ts'
import type { Job } from '../port/store.ts'

/** Waits before each retry, milliseconds. */
const RETRY_MS = [1000, 5000, 30_000, 120_000, 600_000] as const
/** A full disk, or a database that is away: it may be back at any time. */
const MAX_STORAGE_WAIT_MS = 30_000
/** About a day of retries, ten minutes apart. */
const DELETE_ATTEMPTS = 150

/** A deletion that is tried until it is done, whatever fails: people who removed Footbridge expect that nothing is left. */
export const isTriedForEver = ({ inbound }: Job): boolean => inbound.kind === 'workspace-gone'

/** Wait before the retry of a failed job, milliseconds; undefined: no retry. */
export function waitBefore(job: Job, error: unknown): number | undefined {
  const longest = RETRY_MS[job.attempt - 1] ?? RETRY_MS.at(-1)
  // An outage of the store says nothing about the job: it waits for the end of it.
  if (isStorageAway(error)) return Math.min(longest ?? 0, MAX_STORAGE_WAIT_MS)
  if (isTriedForEver(job)) return longest
  const isDelete = isDeletion(job.inbound) && mayDeleteLater(error)
  if (!isDelete && !isTransientFailure(error)) return undefined
  const wait = RETRY_MS[job.attempt - 1] ?? (isDelete && job.attempt < DELETE_ATTEMPTS ? RETRY_MS.at(-1) : undefined)
  return wait && Math.max(wait, error.retryAfterMs ?? 0)
}

/** A deletion must be carried out, however long the platform is unreachable or a proxy before it answers with an error. */
const mayDeleteLater = (error: unknown): error is PlatformFailure =>
  isTransientPlatformError(error) || (isPlatformFailure(error) && error.code === 'server')
