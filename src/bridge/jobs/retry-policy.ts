import { isPassing, isPassingFailure } from '../texts/errors.ts'
import { isDeletion } from './queue-key.ts'
import type { Job } from '../port/store.ts'

/** How long something that failed rests before each further try, milliseconds. */
export const RETRY_MS = [1000, 5000, 30_000, 120_000, 600_000] as const
/** A day of tries, ten minutes apart. */
const DELETE_ATTEMPTS = 150

/** How long until a failed job is tried again, milliseconds; undefined: not at all. */
export function waitBefore(job: Job, error: unknown): number | undefined {
  // Deleted messages and files must go, however long the platform is away.
  const isDelete = isDeletion(job.inbound) && isPassingFailure(error)
  if (!isDelete && !isPassing(error)) return undefined
  const wait = RETRY_MS[job.attempt - 1] ?? (isDelete && job.attempt < DELETE_ATTEMPTS ? RETRY_MS.at(-1) : undefined)
  return wait && Math.max(wait, error.retryAfterMs ?? 0)
}
