import { conversationOf, type Inbound } from '../../bridge/port/message.ts'
import type { EndingEvent, Inbox } from '../../bridge/port/store.ts'
import { createGathering } from '../../postgres/gather.ts'
import type { Sql } from '../../postgres/pool.ts'
import type { Signal } from './sharing/signals.ts'

/** Two-number advisory locks, by the hash of a queue: its events get their numbers in the order of their commits. */
const QUEUE_LOCK = 0x66_62_72_02

/**
 * All events that came in the same moment, with the signals to other processes. Locks are taken in one order by all
 * processes. A more complete event replaces a provisional one only before its job starts.
 */
const ACCEPT = `
  WITH given AS MATERIALIZED (
    SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::int[], $7::bigint[], $8::bigint[],
      $9::text[], $10::text[]) WITH ORDINALITY
      AS event (id, message, lane, author, inbound, provisional, due_at, at, adapter, signal, place)
  ), ordered AS MATERIALIZED (
    SELECT pg_advisory_xact_lock(${QUEUE_LOCK}, queue)
    FROM (SELECT DISTINCT hashtext(lane) AS queue FROM given ORDER BY queue) AS queues
  ), stored AS (
    INSERT INTO job (id, message, lane, author, inbound, provisional, state, due_at, created_at, updated_at, adapter)
    SELECT id, message, lane, author, inbound, provisional, 'queued', due_at, at, at, adapter
    FROM given, (SELECT count(*) FROM ordered) AS locked ORDER BY place
    ON CONFLICT (id) DO UPDATE SET inbound = excluded.inbound, lane = excluded.lane, provisional = 0,
      due_at = excluded.due_at, updated_at = excluded.updated_at
      WHERE excluded.provisional = 0 AND job.provisional = 1 AND job.state = 'queued' AND job.attempt = 0
    RETURNING id, seq, xmax::text = '0' AS added
  ), signalled AS (
    INSERT INTO signal (sender, before_seq, body)
    SELECT $11, seq, given.signal FROM stored JOIN given USING (id) WHERE added AND given.signal IS NOT NULL
  )
  SELECT id, added FROM stored`

type Accept = Parameters<Inbox['accept']>
type Outcome = Awaited<ReturnType<Inbox['accept']>>['outcome']

interface Waiting extends PromiseWithResolvers<Outcome> {
  readonly inbound: Inbound
  readonly options: Accept[1]
}

const MAX_BATCH = 100

/** Stores events that come together in one statement with one commit. @param me number of this process */
export function createAccept(sql: Pick<Sql, 'all'>, me: number): (...event: Accept) => Promise<Outcome> {
  const add = createGathering<Waiting>({ atOnce: 2, most: MAX_BATCH }, async (batch) => {
    const first = new Map<string, Waiting>()
    for (const each of batch)
      if (first.has(each.inbound.key)) add(each)
      else first.set(each.inbound.key, each)
    const events = [...first.values()]
    try {
      const rows = await sql.all<{ id: string; added: boolean }>(ACCEPT, ...columnsOf(events), me)
      const added = new Map(rows.map((row) => [row.id, row.added]))
      for (const { inbound, resolve } of events) {
        const isAdded = added.get(inbound.key)
        resolve(isAdded === undefined ? 'duplicate' : isAdded ? 'accepted' : 'replaced')
      }
    } catch (error) {
      for (const { reject } of events) reject(error)
    }
  })
  return (inbound, options) => {
    const waiting = { inbound, options, ...Promise.withResolvers<Outcome>() }
    add(waiting)
    return waiting.promise
  }
}

function columnsOf(events: readonly Waiting[]): readonly (readonly unknown[])[] {
  const rows = events.map(({ inbound, options: { queue, dueAt, now, message } }) => [
    inbound.key,
    message ?? null,
    queue,
    inbound.kind === 'message' || inbound.kind === 'edit' ? inbound.message.author.id : null,
    JSON.stringify(inbound),
    Number(inbound.kind === 'message' && inbound.provisional === true),
    dueAt,
    now,
    conversationOf(inbound).adapter,
    endsAnswers(inbound) ? JSON.stringify({ ends: inbound } satisfies Signal) : null,
  ])
  return (rows[0] ?? []).map((_, column) => rows.map((row) => row[column]))
}

export const endsAnswers = (inbound: Inbound): inbound is EndingEvent =>
  inbound.kind === 'edit' || inbound.kind === 'delete' || inbound.kind === 'stop'
