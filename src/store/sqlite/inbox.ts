import type { DatabaseSync, SQLOutputValue } from 'node:sqlite'
import type { Inbound } from '../../bridge/port/message.ts'
import type { Inbox, Job, JobState } from '../../bridge/port/store.ts'
import { transaction } from '../../lib/sqlite.ts'
import type { Disk } from './disk.ts'

type Row = Record<string, SQLOutputValue>

// The oldest due job of each queue (column `lane`) with nothing running and nothing older waiting in it.
const CLAIMABLE = `
  SELECT seq FROM job AS candidate
  WHERE state = 'queued' AND due_at <= ? AND NOT EXISTS (
    SELECT 1 FROM job AS earlier
    WHERE earlier.lane = candidate.lane AND earlier.state IN ('queued', 'running')
      AND (earlier.state = 'running' OR earlier.seq < candidate.seq)
  )
  ORDER BY seq LIMIT ?`

// Only the head of a queue can fall due: what waits behind a held-back job must not wake anybody.
const NEXT_DUE = `
  SELECT min(due_at) AS due FROM job AS head
  WHERE state = 'queued' AND NOT EXISTS (
    SELECT 1 FROM job AS earlier
    WHERE earlier.lane = head.lane AND earlier.state IN ('queued', 'running') AND earlier.seq < head.seq
  )`

/** Jobs on SQLite. One row is the event, its place in the dedupe layer and its work, so they can't be stored apart. */
export function createInbox(
  database: DatabaseSync,
  { durably, stored }: Pick<Disk, 'durably' | 'stored'>,
): Inbox {
  const insert = database.prepare(
    `INSERT INTO job (id, message, lane, inbound, provisional, state, due_at, created_at, updated_at)
     VALUES (?, ?, ?, ?, ?, 'queued', ?, ?, ?) ON CONFLICT (id) DO NOTHING`,
  )
  // A fuller twin takes the place of a provisional event only while nobody has begun with it.
  const replace = database.prepare(
    `UPDATE job SET inbound = ?, lane = ?, provisional = 0, due_at = ?, updated_at = ?
     WHERE id = ? AND provisional = 1 AND state = 'queued' AND attempt = 0`,
  )
  const claimable = database.prepare(CLAIMABLE)
  const start = database.prepare(
    `UPDATE job SET state = 'running', attempt = attempt + 1, updated_at = ? WHERE seq = ? RETURNING *`,
  )
  const open = database.prepare(`SELECT 1 FROM job WHERE lane = ? AND state IN ('queued', 'running') LIMIT 1`)
  const openOf = database.prepare(
    `SELECT 1 FROM job WHERE lane = ? AND state IN ('queued', 'running')
     AND json_extract(inbound, '$.message.author.id') = ? LIMIT 1`,
  )
  const next = database.prepare(NEXT_DUE)
  const finish = database.prepare(`UPDATE job SET state = ?, reason = ?, updated_at = ? WHERE id = ?`)
  const again = database.prepare(
    `UPDATE job SET state = 'queued', due_at = ?, reason = ?, updated_at = ? WHERE id = ?`,
  )
  const release = database.prepare(
    `UPDATE job SET state = 'queued', due_at = ?, updated_at = ? WHERE state = 'running'`,
  )
  const recover = database.prepare(
    `UPDATE job SET state = 'queued', deaths = deaths + 1, due_at = ?, updated_at = ? WHERE state = 'running'`,
  )
  // Deleting a message takes its files out however old it is: what dropped files is kept as long as the ledger knows them.
  const prune = database.prepare(
    `DELETE FROM job WHERE state IN ('done', 'dead') AND updated_at < ?
     AND NOT EXISTS (SELECT 1 FROM ledger WHERE ledger.job_id = job.id)`,
  )
  const pruneSends = database.prepare(
    `DELETE FROM outbox WHERE updated_at < ? AND NOT EXISTS (SELECT 1 FROM job WHERE job.id = outbox.job_id)`,
  )
  const pruneTurns = database.prepare(`DELETE FROM turn WHERE at < ?`)
  // Judged answers are the golden set: they stay.
  const pruneAnswers = database.prepare(
    `DELETE FROM answer WHERE at < ? AND NOT EXISTS (SELECT 1 FROM vote WHERE vote.answer_id = answer.id)`,
  )
  const pruneOffers = database.prepare(`DELETE FROM offer WHERE at < ?`)
  const pruneSpending = database.prepare(`DELETE FROM spending WHERE at < ?`)
  const byId = database.prepare(`SELECT * FROM job WHERE id = ?`)
  const byMessage = database.prepare(`SELECT * FROM job WHERE message = ? ORDER BY seq LIMIT 1`)

  const allByMessage = database.prepare(`SELECT * FROM job WHERE message = ? ORDER BY seq`)
  const restate = database.prepare(
    `UPDATE job SET inbound = ? WHERE id = ? AND state NOT IN ('queued', 'running')`,
  )

  return {
    async accept(inbound, options) {
      const body = JSON.stringify(inbound)
      const provisional = inbound.kind === 'message' && inbound.provisional === true
      const { queue, dueAt, now, message } = options
      const take = () => {
        const added = insert.run(
          inbound.key,
          message ?? null,
          queue,
          body,
          Number(provisional),
          dueAt,
          now,
          now,
        )
        if (added.changes > 0) return 'accepted'
        if (provisional) return 'duplicate'
        return replace.run(body, queue, dueAt, now, inbound.key).changes > 0 ? 'replaced' : 'duplicate'
      }
      return { outcome: take(), stored: stored() }
    },
    async claim(now, max) {
      const due = claimable.all(now, max)
      if (due.length === 0) return []
      const claimAll = () => due.flatMap((row) => start.all(now, row['seq'] ?? null).map(toJob))
      return transaction(database, claimAll)
    },
    async hasOpen(queue, author) {
      return (author === undefined ? open.get(queue) : openOf.get(queue, author)) !== undefined
    },
    async nextDueAt() {
      const due = next.get()?.['due']
      return due === null || due === undefined ? undefined : Number(due)
    },
    async complete(id, now) {
      // Taken back by a loss of power, the job finds its outbox rows and shows the same again in their place.
      finish.run('done', null, now, id)
    },
    async retry(id, dueAt, reason, now) {
      await durably(() => again.run(dueAt, reason, now, id))
    },
    async bury(id, reason, now) {
      await durably(() => finish.run('dead', reason, now, id))
    },
    async release(now) {
      release.run(now, now)
    },
    async recover(now) {
      return Number(recover.run(now, now).changes)
    },
    async prune(before) {
      return transaction(database, () => {
        const { changes } = prune.run(before)
        pruneSends.run(before)
        pruneTurns.run(before)
        pruneAnswers.run(before)
        pruneOffers.run(before)
        pruneSpending.run(before)
        return Number(changes)
      })
    },
    async job(id) {
      const row = byId.get(id)
      return row === undefined ? undefined : toStoredJob(row)
    },
    async ofMessage(message) {
      const row = byMessage.get(message)
      return row === undefined ? undefined : toStoredJob(row)
    },
    async allOfMessage(message) {
      return allByMessage.all(message).map(toStoredJob)
    },
    async restate(id, inbound) {
      await durably(() => restate.run(JSON.stringify(inbound), id))
    },
  }
}

function toJob(row: Row): Job {
  return {
    id: String(row['id']),
    queue: String(row['lane']),
    inbound: JSON.parse(String(row['inbound'])) as Inbound,
    attempt: Number(row['attempt']),
    deaths: Number(row['deaths']),
    createdAt: Number(row['created_at']),
  }
}

function toStoredJob(row: Row): Job & { state: JobState; reason?: string } {
  const reason = row['reason']
  return {
    ...toJob(row),
    state: String(row['state']) as JobState,
    reason: typeof reason === 'string' ? reason : undefined,
  }
}
