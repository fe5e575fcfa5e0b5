import { conversationOf, type Inbound } from '#bridge/port/message.ts'
import type { EndingEvent, Inbox, Job } from '#bridge/port/store.ts'
import { createGathering } from '#sql/postgres/gather.ts'
import type { PostgresSql } from '#sql/postgres/sql.ts'
import { authorOf } from '../tables/jobs.ts'
import type { Signal } from './sharing/signals.ts'

/** Two-number advisory locks, by the hash of a queue: its events get their numbers in the order of their commits. */
const QUEUE_LOCK = 0x66_62_72_02

/**
 * In one order by all processes. A statement of its own: the next one sees the rows that others stored while this one
 * waited.
 */
const LOCK_QUEUES = `
  SELECT pg_advisory_xact_lock(${QUEUE_LOCK}, hash)
  FROM (SELECT DISTINCT hashtext(queue) AS hash FROM unnest($1::text[]) AS queue ORDER BY hash) AS hashes`

/**
 * All events that came in the same moment, with the signals to other processes. A more complete event replaces a
 * provisional one only before its job starts. Where nothing of its queue is open, the job is claimed in the same step.
 */
const ACCEPT = `
  WITH given AS MATERIALIZED (
    SELECT event.*, begins AND row_number() OVER (PARTITION BY queue ORDER BY place) = 1 AND NOT EXISTS (
      SELECT FROM job AS open
      WHERE open.queue = event.queue AND open.state IN ('queued', 'running') AND open.id <> event.id
    ) AS claimed
    FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::int[], $7::bigint[], $8::bigint[],
      $9::text[], $10::text[], $11::boolean[]) WITH ORDINALITY
      AS event (id, message, queue, author, inbound, provisional, due_at, at, adapter, signal, begins, place)
  ), stored AS (
    INSERT INTO job (id, message, queue, author, inbound, provisional, state, attempt, owner, due_at, created_at,
      updated_at, adapter)
    SELECT id, message, queue, author, inbound, provisional, CASE WHEN claimed THEN 'running' ELSE 'queued' END,
      claimed::int, CASE WHEN claimed THEN $12::bigint END, due_at, at, at, adapter
    FROM given ORDER BY place
    ON CONFLICT (id) DO UPDATE SET inbound = excluded.inbound, queue = excluded.queue, provisional = 0,
      state = excluded.state, attempt = excluded.attempt, owner = excluded.owner, due_at = excluded.due_at,
      updated_at = excluded.updated_at
      WHERE excluded.provisional = 0 AND job.provisional = 1 AND job.state = 'queued' AND job.attempt = 0
    RETURNING id, seq, created_at, state = 'running' AS claimed, xmax::text = '0' AS added
  ), signalled AS (
    INSERT INTO signal (sender, before_seq, body)
    SELECT $12, seq, given.signal FROM stored JOIN given USING (id) WHERE added AND given.signal IS NOT NULL
  )
  SELECT id, seq, created_at AS "createdAt", claimed, added FROM stored`

type Accept = Parameters<Inbox['accept']>
export interface Accepted extends Pick<Awaited<ReturnType<Inbox['accept']>>, 'outcome'> {
  readonly job?: Job
}

interface Waiting extends PromiseWithResolvers<Accepted> {
  readonly inbound: Inbound
  readonly options: Accept[1]
}

interface Stored {
  readonly id: string
  readonly seq: number
  readonly createdAt: number
  readonly claimed: boolean
  readonly added: boolean
}

const MAX_BATCH = 100

/** Stores events that come together in one step with one commit. @param me number of this process */
export function createAccept(sql: Pick<PostgresSql, 'together'>, me: number): (...event: Accept) => Promise<Accepted> {
  const add = createGathering<Waiting>({ atOnce: 2, most: MAX_BATCH }, async (batch) => {
    const { events, twins, later } = sortOut(batch)
    later.forEach(add)
    const queues = events.map(({ options }) => options.queue)
    try {
      const [, rows = []] = await sql.together<Stored>([LOCK_QUEUES, queues], [ACCEPT, ...columnsOf(events), me])
      const stored = new Map(rows.map((row) => [row.id, row]))
      for (const event of events) {
        const twin = twins.get(event)
        const row = stored.get(event.inbound.key)
        const accepted = toAccepted(event, row)
        twin?.resolve({ outcome: row?.added === true ? 'accepted' : 'duplicate' })
        event.resolve(twin !== undefined && row !== undefined ? { ...accepted, outcome: 'replaced' } : accepted)
      }
    } catch (error) {
      for (const { reject } of [...events, ...twins.values()]) reject(error)
    }
  })
  return (inbound, options) => {
    const waiting = { inbound, options, ...Promise.withResolvers<Accepted>() }
    add(waiting)
    return waiting.promise
  }
}

/** One event a key: a provisional one gives way to its fuller twin, anything else of a known key is for the next batch. */
function sortOut(batch: readonly Waiting[]) {
  const first = new Map<string, Waiting>()
  const twins = new Map<Waiting, Waiting>()
  const later: Waiting[] = []
  for (const each of batch) {
    const { key } = each.inbound
    const known = first.get(key)
    if (known === undefined) first.set(key, each)
    else if (isProvisional(known.inbound) && !isProvisional(each.inbound)) {
      first.set(key, each)
      twins.set(each, known)
    } else later.push(each)
  }
  return { events: [...first.values()], twins, later }
}

function toAccepted({ inbound, options: { queue } }: Waiting, row: Stored | undefined): Accepted {
  if (row === undefined) return { outcome: 'duplicate' }
  const outcome = row.added ? 'accepted' : 'replaced'
  if (!row.claimed) return { outcome }
  const { id, createdAt, seq: order } = row
  const job: Job = { id, queue, inbound, attempt: 1, deaths: 0, createdAt, order }
  return { outcome, job }
}

function columnsOf(events: readonly Waiting[]): readonly (readonly unknown[])[] {
  const rows = events.map(({ inbound, options: { queue, dueAt, now, message, begins = false } }) => [
    inbound.key,
    message ?? null,
    queue,
    authorOf(inbound),
    JSON.stringify(inbound),
    Number(isProvisional(inbound)),
    dueAt,
    now,
    conversationOf(inbound).adapter,
    endsAnswers(inbound) ? JSON.stringify({ ends: inbound } satisfies Signal) : null,
    begins && dueAt <= now,
  ])
  return (rows[0] ?? []).map((_, column) => rows.map((row) => row[column]))
}

const isProvisional = (inbound: Inbound) => inbound.kind === 'message' && inbound.provisional === true

export const endsAnswers = (inbound: Inbound): inbound is EndingEvent =>
  inbound.kind === 'edit' || inbound.kind === 'delete' || inbound.kind === 'stop'
