import type { DatabaseSync } from 'node:sqlite'
import { conversationOf, type Inbound } from '#bridge/port/message.ts'
import { SUSPECT_DEATHS, type Inbox, type Job, type JobState, type StoredJob } from '#bridge/port/store.ts'
import { createLru } from '#lib/lru.ts'
import { createSyncSql, type SyncSql } from '#sql/sqlite/sql.ts'
import type { Disk } from './database.ts'
import { BEGUN_ONCE, recover, RUNNING } from './recover.ts'

/** Provisional events whose complete twin is to come: so many are remembered. */
const MAX_AWAITED = 2000

type Row = Readonly<Record<string, unknown>>

interface Count {
  readonly state: JobState
  readonly jobs: number
  readonly oldest: number
}

/** A suspect waits this long for the moment in which nothing else runs; then it runs beside other jobs. */
export const SUSPECT_WAIT_MS = 60_000

// The oldest due job of each queue in which nothing runs and nothing older waits.
export const CLAIMABLE = `
  SELECT seq, deaths, due_at FROM job AS candidate
  WHERE state = 'queued' AND due_at <= ? AND NOT EXISTS (
    SELECT 1 FROM job AS earlier
    WHERE earlier.queue = candidate.queue AND earlier.state IN ('queued', 'running')
      AND (earlier.state = 'running' OR earlier.seq < candidate.seq)
  )
  ORDER BY seq LIMIT ?`

// Only the first job of a queue can become due: jobs behind it must not wake the worker.
export const NEXT_DUE = `
  SELECT min(due_at) AS due FROM job AS head
  WHERE state = 'queued' AND NOT EXISTS (
    SELECT 1 FROM job AS earlier
    WHERE earlier.queue = head.queue AND earlier.state IN ('queued', 'running') AND earlier.seq < head.seq
  )`

// One step of the index for each channel, however many messages it has: "0" follows the "/" before a message's id.
export const MESSAGE_CHANNELS = `
  WITH RECURSIVE place(message) AS (
    SELECT min(message) FROM job WHERE message >= ?1 AND message < ?2
    UNION ALL
    SELECT (
      SELECT min(message) FROM job
      WHERE message >= substr(place.message, 1, instr(place.message, '/') - 1) || '0' AND message < ?2
    ) FROM place WHERE place.message IS NOT NULL
  )
  SELECT substr(message, 1, instr(message, '/') - 1) AS channel FROM place WHERE message IS NOT NULL`

// A "/" follows the channel in the key of a queue, and "0" follows the "/".
export const OPEN_QUEUE = `
  SELECT queue, max(seq) AS newest FROM job
  WHERE queue >= ?1 || '/' AND queue < ?1 || '0' AND queue LIKE '%' || ?2 AND state IN ('queued', 'running')
    AND message IS NULL
  GROUP BY queue ORDER BY newest DESC LIMIT 1`

export const OF_MESSAGE = `SELECT * FROM job WHERE message = ? ORDER BY seq`

// The first statement counts jobs. A job with file records stays, since deleting its message removes the files. Judged
// answers stay: they are the golden set.
export const PRUNINGS = [
  `DELETE FROM job WHERE state IN ('done', 'dead') AND updated_at < ?
   AND NOT EXISTS (SELECT 1 FROM file_record WHERE file_record.job_id = job.id)`,
  `DELETE FROM outbox WHERE updated_at < ? AND NOT EXISTS (SELECT 1 FROM job WHERE job.id = outbox.job_id)`,
  `DELETE FROM history WHERE at < ?`,
  `DELETE FROM answer WHERE at < ? AND NOT EXISTS (SELECT 1 FROM vote WHERE vote.answer_id = answer.id)`,
  `DELETE FROM button_payload WHERE at < ?`,
  `DELETE FROM usage WHERE at < ?`,
]

/** Jobs on SQLite. One row is the event, its deduplication and its work, so they are stored together. */
// oxlint-disable-next-line max-lines-per-function -- a factory: it only returns methods
export function createInbox(database: DatabaseSync, disk: Omit<Disk, 'close'>): Inbox {
  const sql = createSyncSql(database)
  const { write, once, durably } = disk
  const accept = createAccept(sql)
  return {
    ...createJobAdmin(sql, durably),
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
            sql.all<Row>(
              `UPDATE job SET state = 'running', attempt = attempt + 1, updated_at = ? WHERE seq = ? AND state = 'queued' RETURNING *`,
              now,
              seq,
            ),
          ),
        )
        .map(toJob)
    },
    async hasOpen(queue, author) {
      const open = `SELECT 1 FROM job WHERE queue = ? AND state IN ('queued', 'running')`
      const row =
        author === undefined
          ? sql.get(`${open} LIMIT 1`, queue)
          : sql.get(`${open} AND author = ? LIMIT 1`, queue, author)
      return row !== undefined
    },
    openQueue: async (channel, ending) => sql.get<{ queue: string }>(OPEN_QUEUE, channel, ending)?.queue,
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
    async job(id) {
      return sql.all<Row>(`SELECT * FROM job WHERE id = ?`, id).map(toStoredJob)[0]
    },
    async ofMessage(message) {
      return sql.all<Row>(`${OF_MESSAGE} LIMIT 1`, message).map(toStoredJob)[0]
    },
    async channelsOf(adapter) {
      const rows = sql.all<{ channel: string }>(MESSAGE_CHANNELS, `${adapter}:`, `${adapter};`)
      return rows.map(({ channel }) => channel)
    },
    async newestOf(channel, limit) {
      const where = 'message >= ? AND message < ?'
      const rows = sql.all<Row>(
        `SELECT * FROM job WHERE ${where} ORDER BY seq DESC LIMIT ?`,
        `${channel}/`,
        `${channel}0`,
        limit,
      )
      return rows.map(toStoredJob)
    },
    allOfMessage: async (message) => sql.all<Row>(OF_MESSAGE, message).map(toStoredJob),
    async replaceEvent(id, inbound) {
      const restate = `UPDATE job SET inbound = ? WHERE id = ? AND state NOT IN ('queued', 'running')`
      await durably(() => sql.run(restate, JSON.stringify(inbound), id))
    },
  }
}

/** Queries and orders of operators. */
function createJobAdmin(sql: SyncSql, durably: Disk['durably']): Pick<Inbox, 'depth' | 'list' | 'requeue' | 'discard'> {
  return {
    async depth() {
      const count = `SELECT state, count(*) AS jobs, min(created_at) AS oldest FROM job WHERE state`
      const rows = [
        ...sql.all<Count>(`${count} IN ('queued', 'running') GROUP BY state`),
        ...sql.all<Count>(`${count} = 'dead' GROUP BY state`),
      ]
      const of = (wanted: JobState) => rows.find(({ state }) => state === wanted)
      const jobs = (wanted: JobState) => of(wanted)?.jobs ?? 0
      return { waiting: jobs('queued'), running: jobs('running'), dead: jobs('dead'), oldestAt: of('queued')?.oldest }
    },
    async list(states, limit) {
      const rows = states.flatMap((state) =>
        sql.all<Row>(`SELECT * FROM job WHERE state = '${state}' ORDER BY seq LIMIT ?`, limit),
      )
      return rows
        .toSorted((one, other) => Number(one['seq']) - Number(other['seq']))
        .slice(0, limit)
        .map(toStoredJob)
    },
    async requeue(id, now) {
      const requeue = `UPDATE job SET state = 'queued', attempt = 0, deaths = min(deaths, ?), due_at = ?, updated_at = ?
        WHERE id = ? AND state IN ('queued', 'dead')`
      return durably(() => sql.run(requeue, SUSPECT_DEATHS, now, now, id) > 0)
    },
    async discard(id, now) {
      const discard = `UPDATE job SET state = 'done', updated_at = ? WHERE id = ? AND state IN ('queued', 'dead')`
      return durably(() => sql.run(discard, now, id) > 0)
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

/** Author of a message; null: it is none. */
export const authorOf = (inbound: Inbound): string | null =>
  inbound.kind === 'message' || inbound.kind === 'edit' ? inbound.message.author.id : null

function finish(sql: SyncSql, id: string, state: JobState, reason: string | null, now: number): void {
  sql.run(`UPDATE job SET state = ?, reason = ?, updated_at = ? WHERE id = ?`, state, reason, now, id)
}

function toJob(row: Row): Job {
  const reason = row['reason']
  return {
    id: String(row['id']),
    queue: String(row['queue']),
    inbound: JSON.parse(String(row['inbound'])) as Inbound,
    attempt: Number(row['attempt']),
    deaths: Number(row['deaths']),
    createdAt: Number(row['created_at']),
    reason: typeof reason === 'string' ? reason : undefined,
  }
}

export const toStoredJob = (row: Row): StoredJob => ({
  ...toJob(row),
  state: String(row['state']) as JobState,
  dueAt: Number(row['due_at']),
})
