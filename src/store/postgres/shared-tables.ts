import type { Log } from '#bridge/port/platform.ts'
import type { Sql } from '#sql/sql.ts'
import { openPool } from '#sql/postgres/pool.ts'
import { createSql, type PostgresSql } from '#sql/postgres/sql.ts'
import { inSchema, migrateSchema } from './migrations.ts'
import { notifyAs } from './sharing/membership.ts'
import { createPatientSql, retryWhileAway } from './patient-sql.ts'

/** Tables of their own schema, with one named `events`, that processes share. */
export interface SharedTables<Event> {
  readonly sql: Sql
  readonly relay: {
    /** Tells the other processes, in order. */
    publish(event: Event): void
    listen(listener: (event: Event) => void): void
  }
  close(): Promise<void>
}

interface SharedTablesParts {
  readonly url: string
  /** Number of this process. */
  readonly me: number
  /** Has the event `notification` when another process says that there is news. */
  readonly notifications: EventTarget
  readonly log: Log
}

/** @param steps migrations, which only ever grow */
export async function openSharedTables<Event>(
  { url, me, notifications, log }: SharedTablesParts,
  { schema, steps }: { readonly schema: string; readonly steps: readonly string[] },
): Promise<SharedTables<Event>> {
  await migrateSchema(url, schema, steps)
  const pool = await openPool(url, inSchema(schema))
  const sql = createSql(pool)
  const relay = createRelay<Event>(sql, me, notifications, log)
  return {
    sql: createPatientSql(sql),
    relay,
    async close() {
      await relay.close()
      await pool.end()
    },
  }
}

const FLUSH_MS = 40
const READ_MS = 1000
const FORGET_MS = 60_000
/** A row that was committed late has an older number: this many are looked at again. */
const LATE_ROWS = 300

const NOT_SENT = 'Live events did not reach the other processes; pages that are open there show them after a reload'

const forget = (sql: PostgresSql) =>
  void sql.run(`DELETE FROM events WHERE at < now() - interval '60 s'`).catch(() => undefined)

/** Events are rows; NOTIFY says that there are some, and each second they are looked for without it. */
function createRelay<Event>(sql: PostgresSql, me: number, notifications: EventTarget, log: Log) {
  let waiting: string[] = []
  let sending: Promise<void> | undefined
  let listener: ((event: Event) => void) | undefined
  let reading: Promise<void> | undefined
  let timers: NodeJS.Timeout[] = []
  const seen = new Set<number>()
  let last = 0

  async function send(): Promise<void> {
    while (waiting.length > 0) {
      await new Promise((resolve) => setTimeout(resolve, FLUSH_MS))
      const batch = waiting
      waiting = []
      const insert = 'INSERT INTO events (sender, body) SELECT $1, body FROM unnest($2::text[]) AS batch (body)'
      await retryWhileAway(() => sql.run(insert, me, batch))
      await sql.run(notifyAs(me))
    }
  }

  async function read(): Promise<void> {
    const since = `SELECT id, body FROM events WHERE id > $1 AND sender <> $2 ORDER BY id`
    for (const { id, body } of await sql.all<{ id: number; body: string }>(since, last - LATE_ROWS, me)) {
      if (seen.has(id)) continue
      seen.add(id)
      last = Math.max(last, id)
      listener?.(JSON.parse(body) as Event)
    }
    for (const id of seen) if (id < last - LATE_ROWS) seen.delete(id)
  }

  const look = () => {
    reading ??= read()
      .catch(() => undefined)
      .finally(() => (reading = undefined))
  }

  return {
    publish(event: Event) {
      waiting.push(JSON.stringify(event))
      sending ??= send()
        .catch((error: unknown) => log.warn({ err: error }, NOT_SENT))
        .finally(() => (sending = undefined))
    },
    listen(given: (event: Event) => void) {
      const begin = async () => {
        const rows = await sql.all<{ id: number }>('SELECT id FROM events ORDER BY id DESC LIMIT $1', LATE_ROWS)
        for (const { id } of rows) seen.add(id)
        last = rows[0]?.id ?? 0
        listener = given
      }
      reading = begin()
        .catch(() => void (listener = given))
        .finally(() => (reading = undefined))
      notifications.addEventListener('notification', look)
      timers = [setInterval(look, READ_MS).unref(), setInterval(() => forget(sql), FORGET_MS).unref()]
    },
    async close() {
      for (const timer of timers) clearInterval(timer)
      notifications.removeEventListener('notification', look)
      await Promise.allSettled([sending, reading])
    },
  }
}
