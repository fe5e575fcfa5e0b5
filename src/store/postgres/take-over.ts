import { codeOf, isOutage } from '#sql/postgres/errors.ts'
import type { PostgresSql, Statements } from '#sql/postgres/sql.ts'
import { blame, CLEAR_SUSPECTS, HOLD_AGAIN, type Interrupted } from '../deaths.ts'
import { BEGUN_ONCE } from '../sqlite/recover.ts'
import { END_SESSIONS, IS_DEAD } from './sharing/membership.ts'

/** A write of a process that hangs is waited for this long; the next look tries again. */
const LOCK_WAIT = '1s'
const LOCK_NOT_AVAILABLE = '55P03'

/** Queues the jobs of a dead process again; `blame` tells which of them may have ended it. */
async function requeueAfterDeath(inside: Statements, process: number, wasToEnd: boolean, now: number): Promise<number> {
  const running = await inside.all<Interrupted>(
    `SELECT seq, deaths FROM job WHERE owner = $1 AND state = 'running' ORDER BY seq FOR UPDATE`,
    process,
  )
  const { clearsSuspects, jobs } = blame(running, now)
  const judge = clearsSuspects ? CLEAR_SUSPECTS : HOLD_AGAIN
  if (!wasToEnd) await inside.run(judge('$1::bigint'), now)
  const after = wasToEnd ? running.map((job) => ({ ...job, dueAt: now })) : jobs
  return inside.run(
    `UPDATE job SET ${BEGUN_ONCE}, owner = NULL, deaths = after.deaths, due_at = after.due_at, updated_at = $4
     FROM unnest($1::bigint[], $2::int[], $3::bigint[]) AS after (seq, deaths, due_at) WHERE job.seq = after.seq`,
    after.map(({ seq }) => seq),
    after.map(({ deaths }) => deaths),
    after.map(({ dueAt }) => dueAt),
    now,
  )
}

/**
 * Queues the jobs of a dead process again. Its sessions are ended, and its row goes first: from then on it can't write.
 *
 * @returns undefined: it is alive, or another process did it, or its write is not over yet
 */
export async function takeOver(sql: PostgresSql, process: number, now: number): Promise<number | undefined> {
  // Sessions of another user can't be ended; their locks are waited for.
  await sql.run(END_SESSIONS, process).catch((error: unknown) => {
    if (isOutage(error)) throw error
  })
  const taken = sql.transaction(async (inside: Statements) => {
    await inside.run(`SET LOCAL lock_timeout = '${LOCK_WAIT}'`)
    const remove = `DELETE FROM process WHERE number = $1 AND ${IS_DEAD} RETURNING leaving`
    const gone = await inside.get<{ leaving: boolean }>(remove, process)
    return gone && requeueAfterDeath(inside, process, gone.leaving, now)
  })
  return taken.catch((error: unknown) => {
    if (codeOf(error) === LOCK_NOT_AVAILABLE) return undefined
    throw error
  })
}
