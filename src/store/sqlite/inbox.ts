import type { DatabaseSync } from 'node:sqlite'
import { conversationOf, type Inbound } from '#bridge/port/message.ts'
import { SUSPECT_DEATHS, type Inbox, type JobState } from '#bridge/port/store.ts'
import { createLru } from '#lib/lru.ts'
import { createSqliteSql, createSyncSql, type SyncSql } from '#sql/sqlite/sql.ts'
import type { Disk } from './database.ts'
import {
  authorOf,
  createJobAdmin,
  createJobQueries,
  NEXT_DUE,
  PRUNINGS,
  SUSPECT_WAIT_MS,
  toJob,
} from '../tables/jobs.ts'
import { BEGUN_ONCE, recover, RUNNING } from './recover.ts'

/** Provisional events whose complete twin is to come: this many are remembered. */
const MAX_AWAITED = 2000

// The oldest due job of each queue in which nothing runs and nothing older waits.
export const CLAIMABLE = `
  SELECT seq, deaths, due_at FROM job AS candidate
  WHERE state = 'queued' AND due_at <= ? AND NOT EXISTS (
    SELECT 1 FROM job AS earlier
    WHERE earlier.queue = candidate.queue AND earlier.state IN ('queued', 'running')
      AND (earlier.state = 'running' OR earlier.seq < candidate.seq)
  )
  ORDER BY seq LIMIT ?`

/** Jobs on SQLite. One row is the event, its deduplication and its work, so they are stored together. */
// oxlint-disable-next-line max-lines-per-function -- a factory: it only returns methods
export function createInbox(database: DatabaseSync, disk: Omit<Disk, 'close'>): Inbox {
  const sql = createSyncSql(database)
  const jobs = createSqliteSql(sql, disk)
  const { write, once, durably } = disk
  const accept = createAccept(sql)
  return {
    ...createJobAdmin(jobs),
    ...createJobQueries(jobs),
    async accept(inbound, options) {
      const { result: outcome } = disk.join(() => accept(inbound, options))
      return { outcome, stored: disk.stored() }
    },
    async claim(now, max, alone) {
      const claimable = sql.all<{ seq: number; deaths: number; due_at: number }>(CLAIMABLE, now, max)
      const suspect = claimable.find(({ deaths }) => deaths >= SUSPECT_DEATHS)
      const due =
        suspect !== undefined && alone
          ? [suspect]
          : claimable.filter(({ deaths, due_at }) => deaths < SUSPECT_DEATHS || due_at <= now - SUSPECT_WAIT_MS)
      if (due.length === 0) return []
      // A death of the process is counted for every job that has begun: they begin after the commit.
      disk.flush()
      return sql
        .transaction(() =>
          due.flatMap(({ seq }) =>
            sql.all(
              `UPDATE job SET state = 'running', attempt = attempt + 1, updated_at = ? WHERE seq = ? AND state = 'queued' RETURNING *`,
              now,
              seq,
            ),
          ),
        )
        .map(toJob)
    },
    nextDueAt: async () => sql.get<{ due: number | null }>(NEXT_DUE)?.due ?? undefined,
    async complete(id, now) {
      // After a power cut the job may run again: it finds its outbox rows and edits the same messages.
      await write(() => finish(sql, id, 'done', null, now))
    },
    async retry(id, dueAt, reason, now) {
      const requeue = `UPDATE job SET state = 'queued', due_at = ?, reason = ?, updated_at = ? WHERE id = ?`
      await durably(() => sql.run(requeue, dueAt, reason, now, id))
    },
    async bury(id, reason, now) {
      await durably(() => finish(sql, id, 'dead', reason, now))
    },
    async release(now) {
      const requeue = `UPDATE job SET ${BEGUN_ONCE}, due_at = ?, updated_at = ? WHERE ${RUNNING}`
      await once(() => sql.run(requeue, now, now))
    },
    async leave(now) {
      await once(() => sql.run(`INSERT INTO leaving (at) VALUES (?)`, now))
    },
    recover: (now) => write(() => recover(sql, now)),
    async prune(before) {
      return once(() => sql.transaction(() => PRUNINGS.map((statement) => sql.run(statement, before))[0] ?? 0))
    },
  }
}

const ADD = `
  INSERT INTO job (id, message, queue, adapter, author, inbound, provisional, due_at, created_at, updated_at, state)
  VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?9, 'queued') ON CONFLICT (id) DO NOTHING RETURNING 1`

// A more complete event replaces a provisional one only before its job starts.
const COMPLETE = `
  UPDATE job SET inbound = ?, queue = ?, provisional = 0, due_at = ?, updated_at = ?
  WHERE id = ? AND provisional = 1 AND state = 'queued' AND attempt = 0 RETURNING 1`

function createAccept(sql: SyncSql) {
  const awaited = createLru<true>(MAX_AWAITED)
  return (inbound: Inbound, options: Parameters<Inbox['accept']>[1]) => acceptEvent(sql, inbound, options, awaited)
}

function acceptEvent(
  sql: SyncSql,
  inbound: Inbound,
  { queue, dueAt, now, message }: Parameters<Inbox['accept']>[1],
  awaited: ReturnType<typeof createLru<true>>,
): 'accepted' | 'replaced' | 'duplicate' {
  const { key: id } = inbound
  const body = JSON.stringify(inbound)
  const provisional = inbound.kind === 'message' && inbound.provisional === true
  const complete = () => sql.get(COMPLETE, body, queue, dueAt, now, id) !== undefined
  // The usual order of a mention in Slack: adding it would fail.
  if (!provisional && awaited.delete(id) && complete()) return 'replaced'
  const { adapter } = conversationOf(inbound)
  const author = authorOf(inbound)
  const values = [id, message ?? null, queue, adapter, author, body, Number(provisional), dueAt, now]
  const isAdded = sql.get(ADD, ...values) !== undefined
  if (isAdded && provisional) awaited.set(id, true)
  if (isAdded) return 'accepted'
  return !provisional && complete() ? 'replaced' : 'duplicate'
}

function finish(sql: SyncSql, id: string, state: JobState, reason: string | null, now: number): void {
  sql.run(`UPDATE job SET state = ?, reason = ?, updated_at = ? WHERE id = ?`, state, reason, now, id)
}
