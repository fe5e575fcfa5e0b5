import { setTimeout as sleep } from 'node:timers/promises'
import { PostgresError } from '#sql/postgres/errors.ts'
import { createSessions, type Session } from '#sql/postgres/session.ts'
import { settingsOf } from '../migrations.ts'

/** Two-number advisory locks: a process holds the one with its number as long as its session lives. */
const PROCESS_LOCK = 0x66_62_72_01
/** A process that is silent for this long, because it hangs or its machine is gone, counts as dead. */
const LEASE_MS = 10_000
/** The lease counts as over here so much earlier than in the database. */
const MARGIN_MS = 2000
/** An outage ends all sessions at once, and leases run out in it: each process needs a moment to come back. */
const GRACE_MS = 5000
const IS_SETTLED = `pg_postmaster_start_time() < now() - interval '${GRACE_MS} ms'`

/** Processes are counted each second. */
const COUNT_AGE_MS = 1500

/** A new session gives no new locks for this long. */
const SETTLE_MS = 1000

const LONG_MS = 3_600_000

const LOCK_IS_FREE = `NOT EXISTS (
  SELECT 1 FROM pg_locks
  WHERE locktype = 'advisory' AND classid = ${PROCESS_LOCK} AND objid = process.number::oid AND objsubid = 2 AND granted
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database()))`

/** A process that renewed its lease since the server started had its lock again. */
const HAD_LOCK = `(lease_until - interval '${LEASE_MS} ms' > pg_postmaster_start_time() OR ${IS_SETTLED})`

/** A process that gave up its jobs, whose session ended, or whose lease ran out. */
export const IS_DEAD = `(lease_until = '-infinity' OR (lease_until < now() AND ${IS_SETTLED})
  OR (${HAD_LOCK} AND ${LOCK_IS_FREE}))`

/** Since we came back from an outage ($2 ms ago), or since the server was back, whose end had cut us off ($3 ms ago). */
const RENEWED_SINCE = `lease_until - interval '${LEASE_MS} ms' > CASE
  WHEN pg_postmaster_start_time() > now() - $3::float8 * interval '1 ms' THEN pg_postmaster_start_time()
  ELSE now() - $2::float8 * interval '1 ms' END`

const BEAT = `
  WITH mine AS (UPDATE process SET lease_until = now() + interval '${LEASE_MS} ms' WHERE number = $1 RETURNING 1)
  SELECT EXISTS (SELECT FROM mine) AS alive,
         ARRAY(SELECT number::int FROM process WHERE number <> $1 AND ${IS_DEAD}
           AND ($2::float8 > ${GRACE_MS} OR lease_until = '-infinity' OR ${RENEWED_SINCE})) AS dead,
         (SELECT count(*)::int FROM process) AS processes`

/** All connections of the process with this number have this name, so that others can end them. */
const nameOf = (number: number) => `footbridge-${number}`

/** Ends the open sessions of a dead process: while it hangs, it holds locks, and rows that it was writing. */
export const END_SESSIONS = `
  SELECT pg_terminate_backend(pid) FROM process, pg_stat_activity AS session
  WHERE number = $1 AND ${IS_DEAD} AND session.datname = current_database()
    AND session.application_name = 'footbridge-' || number`

/** Tells the others that this process has news. */
export const notifyAs = (number: number) => `NOTIFY footbridge, '${number}'`

/** One process among those that share the store. */
export interface Membership {
  readonly number: number
  /** Address for all further connections of this process: they end with it. */
  readonly url: string
  /** The connection that holds our locks; when it was lost, another one that holds them again. */
  session(): Promise<Session>
  /** Renews the lease. Resolves with the processes that seem dead. @throws {PostgresError} when we were taken for dead */
  beat(): Promise<readonly number[]>
  /** From now on it has jobs: taken for dead, it is lost. Before, it joins again: a start may take longer than a lease. */
  begin(): void
  /** How many processes there were at the last beat, at least this one. */
  processes(): number
  /** Whether this was the only process a moment ago: one that joined since then has only fresh caches. */
  isAlone(): boolean
  /** Resolves while no other process may take us for dead; renews the lease first where that is doubtful. */
  assertAlive(): Promise<void>
  /** Locks that a new session takes again, by their 64-bit names. */
  readonly held: Set<string>
  /** True for a moment after a new session: others take their locks again before new ones are given. */
  isSettling(): boolean
  close(): Promise<void>
}

const takenOver = () =>
  new PostgresError(
    'conflict',
    'This process stood still or was cut off for so long that another one took over its jobs: it stops. Start it again.',
  )

/** The connection that holds our locks; a new one takes them again. */
function createHolder(url: string, onNotification: () => void, held: Set<string>) {
  let number = 0
  let known: Session | undefined
  let ready: Promise<void> = Promise.resolve()
  let lostAt = -Infinity
  let backAt = -Infinity
  const sessions = createSessions(url, {
    toError: () => new PostgresError('unavailable', 'The connection to PostgreSQL broke off: try again in a moment.'),
    async prepare(client) {
      await client.query(settingsOf())
      await client.query('LISTEN footbridge')
      client.on('notification', ({ payload }) => {
        if (payload !== String(number)) onNotification()
      })
    },
  })

  async function takeAgain(current: Session): Promise<void> {
    if (number === 0) return
    backAt = Date.now()
    await current.ask(SET_NAME, nameOf(number))
    // The server may not have noticed that our former session has ended, and then needs a moment to end it.
    await current.ask(END_FORMER, number)
    for (let attempt = 0; attempt < 100; attempt += 1) {
      const row = await current.ask<{ yes: boolean }>(`${TRY_PROCESS} FROM process WHERE number = $1`, number)
      // Our jobs were taken over, and our locks may be others' by now.
      if (row === undefined) return
      if (row.yes) break
      await sleep(100)
    }
    for (const name of held) {
      const row = await current.ask<{ yes: boolean }>('SELECT pg_try_advisory_lock($1::bigint) AS yes', name)
      // Another process has taken it meanwhile.
      if (row?.yes !== true) held.delete(name)
    }
  }

  return {
    async session(): Promise<Session> {
      const current = await sessions.get()
      if (current !== known) {
        known = current
        current.ended.addEventListener('abort', () => (lostAt = Date.now()))
        ready = takeAgain(current)
      }
      await ready
      return current
    },
    /** False when the locks are lost: others may take us for dead at once. */
    isHeld: () => known?.ended.aborted === false,
    /** Milliseconds since the end of an outage, and since its beginning; without one, a long time. */
    backForMs: () => Math.min(Date.now() - backAt, LONG_MS),
    lostForMs: () => Math.min(Date.now() - lostAt, LONG_MS),
    setNumber: (mine: number) => void (number = mine),
    close: () => sessions.close(),
  }
}

async function join(session: Session, number: number): Promise<void> {
  await session.ask(TRY_PROCESS, number)
  await session.ask(SET_NAME, nameOf(number))
  await session.ask(JOIN, number)
}

/**
 * @param onNotification called when another process says that there is news
 * @throws {PostgresError} when the server is out of reach
 */
export async function joinProcesses(url: string, onNotification: () => void): Promise<Membership> {
  const held = new Set<string>()
  const holder = createHolder(url, onNotification, held)
  const session = () => holder.session()
  let isLost = false
  let hasBegun = false
  let processes = 1
  let countedAt = -Infinity

  const first = await session()
  const { number } = (await first.ask<{ number: number }>(NEXT_NUMBER)) ?? { number: 0 }
  await join(first, number)
  holder.setNumber(number)
  let aliveUntil = Date.now() + LEASE_MS - MARGIN_MS

  async function beat(): Promise<readonly number[]> {
    if (isLost) throw takenOver()
    const current = await session()
    const sentAt = Date.now()
    // Others may have been cut off, too, and come back a moment later.
    const row = await current.ask<{ alive: boolean; dead: number[]; processes: number }>(
      BEAT,
      number,
      holder.backForMs(),
      holder.lostForMs(),
    )
    if (row?.alive !== true) {
      // Work under a lock may go on in another process by now.
      isLost = hasBegun || held.size > 0
      if (isLost) throw takenOver()
      await join(current, number)
      return beat()
    }
    aliveUntil = sentAt + LEASE_MS - MARGIN_MS
    processes = row.processes
    countedAt = sentAt
    return row.dead
  }

  const named = new URL(url)
  named.searchParams.set('application_name', nameOf(number))

  return {
    number,
    url: named.href,
    held,
    session,
    beat,
    begin: () => void (hasBegun = true),
    processes: () => processes,
    isAlone: () => processes === 1 && Date.now() - countedAt < COUNT_AGE_MS,
    isSettling: () => holder.backForMs() < SETTLE_MS,
    async assertAlive() {
      if (isLost) throw takenOver()
      if (Date.now() >= aliveUntil || !holder.isHeld()) await beat()
    },
    async close() {
      await (async () => (await session()).ask(LEAVE, number))().catch(() => undefined)
      await holder.close()
    },
  }
}

// The row stays while it has jobs: whoever looks next takes them over.
const LEAVE = `
  WITH left_over AS (UPDATE process SET lease_until = '-infinity' WHERE number = $1
    AND EXISTS (SELECT FROM job WHERE owner = $1 AND state = 'running') RETURNING 1)
  DELETE FROM process WHERE number = $1 AND NOT EXISTS (SELECT FROM job WHERE owner = $1 AND state = 'running')`
const NEXT_NUMBER = `SELECT nextval(pg_get_serial_sequence('process', 'number'))::int AS number`
const JOIN = `
  INSERT INTO process (number, lease_until) VALUES ($1, now() + interval '${LEASE_MS} ms') ON CONFLICT (number) DO NOTHING`
const SET_NAME = `SELECT set_config('application_name', $1, false)`
const END_FORMER = `
  SELECT pg_terminate_backend(pid) FROM pg_locks
  WHERE locktype = 'advisory' AND classid = ${PROCESS_LOCK} AND objid = $1 AND objsubid = 2 AND pid <> pg_backend_pid()`
const TRY_PROCESS = `SELECT pg_try_advisory_lock(${PROCESS_LOCK}, $1) AS yes`
