import type { SyncSql } from '#sql/sqlite/sql.ts'
import { blame, CLEAR_SUSPECTS, HOLD_AGAIN, type Interrupted } from '../deaths.ts'

// The first condition is that of the index `job_open`: without it SQLite reads all jobs.
export const RUNNING = `state IN ('queued', 'running') AND state = 'running'`

/** A job that was cut off did not fail: it has all its attempts again, and is known as begun. */
export const BEGUN_ONCE = `state = 'queued', attempt = 1`

/** The jobs of the last run are queued again, and blamed for its end where they may be. Returns their number. */
export function recover(sql: SyncSql, now: number): number {
  const wasToEnd = sql.run('DELETE FROM leaving') > 0
  const running = sql.all<Interrupted>(`SELECT seq, deaths FROM job WHERE ${RUNNING}`)
  if (wasToEnd) return sql.run(`UPDATE job SET ${BEGUN_ONCE}, due_at = ?, updated_at = ? WHERE ${RUNNING}`, now, now)
  const { clearsSuspects, jobs } = blame(running, now)
  sql.run(clearsSuspects ? CLEAR_SUSPECTS('?1') : HOLD_AGAIN('?1'), now)
  const requeue = `UPDATE job SET ${BEGUN_ONCE}, deaths = ?, due_at = ?, updated_at = ? WHERE seq = ?`
  for (const { seq, deaths, dueAt } of jobs) sql.run(requeue, deaths, dueAt, now, seq)
  return running.length
}
