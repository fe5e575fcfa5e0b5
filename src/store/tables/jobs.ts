import type { Inbound } from '#bridge/port/message.ts'
import {
  SUSPECT_DEATHS,
  type Inbox,
  type Job,
  type JobAdmin,
  type JobState,
  type StoredJob,
} from '#bridge/port/store.ts'
import type { Row, Sql, Statement } from '#sql/sql.ts'

/** A suspect waits this long for the moment in which nothing else runs; then it runs while other jobs do. */
export const SUSPECT_WAIT_MS = 60_000

// Only the first job of a queue can become due: jobs after it must not wake the worker.
export const NEXT_DUE = `
  SELECT min(due_at) AS due FROM job AS head
  WHERE state = 'queued' AND NOT EXISTS (
    SELECT 1 FROM job AS earlier
    WHERE earlier.queue = head.queue AND earlier.state IN ('queued', 'running') AND earlier.seq < head.seq
  )`

// One step of the index for each channel, however many messages it has: "0" follows the "/" before a message's id.
const MESSAGE_CHANNELS = `
  SELECT channel FROM (WITH RECURSIVE place(message) AS (
    SELECT min(message) FROM job WHERE message >= ?1 AND message < ?2
    UNION ALL
    SELECT (
      SELECT min(message) FROM job
      WHERE message >= substr(place.message, 1, strpos(place.message, '/') - 1) || '0' AND message < ?2
    ) FROM place WHERE place.message IS NOT NULL
  )
  SELECT substr(message, 1, strpos(message, '/') - 1) AS channel FROM place WHERE message IS NOT NULL) AS channels`

// A "/" follows the channel in the key of a queue, and "0" follows the "/".
export const OPEN_QUEUE = `
  SELECT queue, max(seq) AS newest FROM job
  WHERE queue >= ?1 || '/' AND queue < ?1 || '0' AND queue LIKE '%' || ?2 AND state IN ('queued', 'running')
    AND message IS NULL
  GROUP BY queue ORDER BY newest DESC LIMIT 1`

const OF_MESSAGE = `SELECT * FROM job WHERE message = ? ORDER BY seq`

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

/** Author of a message; null: not a message. */
export const authorOf = (inbound: Inbound): string | null =>
  inbound.kind === 'message' || inbound.kind === 'edit' ? inbound.message.author.id : null

export function toJob(row: Row): Job {
  const reason = row['reason']
  return {
    id: String(row['id']),
    queue: String(row['queue']),
    inbound: JSON.parse(String(row['inbound'])) as Inbound,
    attempt: Number(row['attempt']),
    deaths: Number(row['deaths']),
    createdAt: Number(row['created_at']),
    reason: typeof reason === 'string' ? reason : undefined,
    order: Number(row['seq']),
  }
}

const toStoredJob = (row: Row): StoredJob => ({
  ...toJob(row),
  state: String(row['state']) as JobState,
  dueAt: Number(row['due_at']),
})

type JobQueries = Pick<
  Inbox,
  'hasOpen' | 'openQueue' | 'ofMessage' | 'allOfMessage' | 'channelsOf' | 'newestOf' | 'replaceEvent'
>

/** Jobs of messages and queues; who claims them is up to the inbox of each database. */
export function createJobQueries(sql: Sql): JobQueries {
  const several = async (...statement: Statement) => (await sql.all(...statement)).map(toStoredJob)
  return {
    async hasOpen(queue, author) {
      const open = `SELECT 1 FROM job WHERE queue = ? AND state IN ('queued', 'running')`
      const row =
        author === undefined
          ? sql.get(`${open} LIMIT 1`, queue)
          : sql.get(`${open} AND author = ? LIMIT 1`, queue, author)
      return (await row) !== undefined
    },
    openQueue: async (channel, ending) => (await sql.get<{ queue: string }>(OPEN_QUEUE, channel, ending))?.queue,
    ofMessage: async (message) => (await several(`${OF_MESSAGE} LIMIT 1`, message))[0],
    allOfMessage: (message) => several(OF_MESSAGE, message),
    async channelsOf(adapter) {
      const rows = await sql.all<{ channel: string }>(MESSAGE_CHANNELS, `${adapter}:`, `${adapter};`)
      return rows.map(({ channel }) => channel)
    },
    newestOf(channel, limit) {
      const newest = 'SELECT * FROM job WHERE message >= ? AND message < ? ORDER BY seq DESC LIMIT ?'
      return several(newest, `${channel}/`, `${channel}0`, limit)
    },
    async replaceEvent(id, inbound) {
      const restate = `UPDATE job SET inbound = ? WHERE id = ? AND state NOT IN ('queued', 'running')`
      await sql.run(restate, JSON.stringify(inbound), id)
    },
  }
}

/** Queries and orders of operators. */
export function createJobAdmin(sql: Sql): JobAdmin {
  return {
    async job(id) {
      const row = await sql.get('SELECT * FROM job WHERE id = ?', id)
      return row && toStoredJob(row)
    },
    async depth() {
      const count = 'SELECT state, count(*) AS jobs, min(created_at) AS oldest FROM job WHERE state'
      type Count = { readonly state: JobState; readonly jobs: number; readonly oldest: number }
      const [open, dead] = await Promise.all([
        sql.all<Count>(`${count} IN ('queued', 'running') GROUP BY state`),
        sql.all<Count>(`${count} = 'dead' GROUP BY state`),
      ])
      const of = (wanted: JobState) => [...open, ...dead].find(({ state }) => state === wanted)
      const jobs = (wanted: JobState) => of(wanted)?.jobs ?? 0
      return { waiting: jobs('queued'), running: jobs('running'), dead: jobs('dead'), oldestAt: of('queued')?.oldest }
    },
    async list(states, limit) {
      // A query for each state: those of open and dead jobs have an index.
      const lists = states.map((state) =>
        sql.all(`SELECT * FROM job WHERE state = '${state}' ORDER BY seq LIMIT ?`, limit),
      )
      return (await Promise.all(lists))
        .flat()
        .toSorted((one, other) => Number(one['seq']) - Number(other['seq']))
        .slice(0, limit)
        .map(toStoredJob)
    },
    async requeue(id, now) {
      const requeue = `UPDATE job SET state = 'queued', attempt = 0, deaths = least(deaths, ${SUSPECT_DEATHS}), due_at = ?1,
        updated_at = ?1 WHERE id = ?2 AND state IN ('queued', 'dead')`
      return (await sql.run(requeue, now, id)) > 0
    },
    async discard(id, now) {
      const discard = `UPDATE job SET state = 'done', updated_at = ? WHERE id = ? AND state IN ('queued', 'dead')`
      return (await sql.run(discard, now, id)) > 0
    },
  }
}
