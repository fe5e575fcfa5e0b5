import { setTimeout as delay } from 'node:timers/promises'
import { Client } from 'pg'
import { EngineError } from '../../errors.ts'
import type { PassHold, PassLocks } from '../types.ts'
import { connectionOptions, prepareSession } from './pool.ts'

/** A connection kept across statements: its locks last until they are released or it ends. */
export interface Session {
  ask<Row>(text: string, ...values: readonly unknown[]): Promise<Row | undefined>
  /** Aborted with a sentence when the connection, and so its locks, ended. */
  readonly ended: AbortSignal
}

async function open(client: Client, ended: AbortController): Promise<Session> {
  await client.connect()
  await prepareSession(client)
  // A long pass may be silent on this connection for an hour.
  await client.query('SET idle_session_timeout = 0')
  // One statement at a time, since the connection is shared.
  let last: Promise<unknown> = Promise.resolve()
  return {
    ended: ended.signal,
    async ask<Row>(text: string, ...values: readonly unknown[]) {
      const asked = last.then(() => client.query(text, [...values]))
      last = asked.catch(() => undefined)
      return (await asked).rows[0] as Row | undefined
    },
  }
}

/** Opens one shared session; when it has ended, the next call opens another. */
function createSessions(url: string): { get(): Promise<Session>; close(): Promise<void> } {
  let current: { readonly opened: Promise<Session>; readonly client: Client } | undefined

  return {
    get() {
      if (current !== undefined) return current.opened
      const client = new Client(connectionOptions(url))
      const ended = new AbortController()
      const opened = open(client, ended)
      const mine = { opened, client }
      const forget = () => {
        if (current === mine) current = undefined
        ended.abort(
          new EngineError('unavailable', 'The connection to PostgreSQL broke off: try again in a moment.', {
            reason: 'database_unavailable',
          }),
        )
      }
      client.once('error', forget)
      client.once('end', forget)
      opened.catch(() => {
        forget()
        void client.end().catch(() => undefined)
      })
      current = mine
      return opened
    },
    async close() {
      await current?.client.end()
    },
  }
}

/**
 * Two advisory locks for each collection, by two fixed numbers. `passing` is held by a pass; `changing` is shared by
 * changes, and a pass takes it exclusively before it begins.
 */
const PASSING = 0x66_62_70_01
const CHANGING = 0x66_62_70_02

const POLL_MS = 50

const HELD_BY_OTHERS = `
  SELECT EXISTS (
    SELECT 1 FROM pg_locks
    WHERE locktype = 'advisory' AND classid = $1 AND objid = $2 AND objsubid = 2 AND granted AND pid <> pg_backend_pid()
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
  ) AS yes`

const say = async (session: Session, text: string, ...values: readonly unknown[]) =>
  (await session.ask<{ yes: boolean }>(text, ...values))?.yes ?? false
const take = (session: Session, kind: number, id: number, how: '' | '_shared' = '') =>
  say(session, `SELECT pg_try_advisory_lock${how}($1, $2) AS yes`, kind, id)
/** A session that ended holds no locks. */
const free = async (session: Session, kind: number, id: number, how: '' | '_shared' = '') => {
  if (session.ended.aborted) return
  await say(session, `SELECT pg_advisory_unlock${how}($1, $2) AS yes`, kind, id).catch((error: unknown) => {
    if (!session.ended.aborted) throw error
  })
}
const isPassing = (session: Session, id: number) => say(session, HELD_BY_OTHERS, PASSING, id)

function toHold(session: Session, id: number): PassHold {
  let isAlone = false
  return {
    lost: session.ended,
    async whenAlone(signal) {
      // New changes of other processes see the pass and wait, so only those under way are left.
      while (!signal.aborted && !(isAlone = await take(session, CHANGING, id))) await delay(POLL_MS)
    },
    async release() {
      if (isAlone) await free(session, CHANGING, id)
      await free(session, PASSING, id)
    },
  }
}

/**
 * Locks tied to one connection: when the process dies, even by `kill -9`, the server frees them at once. Locks are
 * polled, never waited for, so one connection serves all collections.
 */
export function createPostgresPassLocks(url: string): PassLocks {
  const sessions = createSessions(url)

  return {
    isElsewhere: async (collectionId) => isPassing(await sessions.get(), collectionId),
    async pass(collectionId) {
      const session = await sessions.get()
      return (await take(session, PASSING, collectionId)) ? toHold(session, collectionId) : undefined
    },
    async change(collectionId, waitMs) {
      const until = performance.now() + waitMs
      for (;;) {
        const session = await sessions.get()
        if (await take(session, CHANGING, collectionId, '_shared')) {
          // Checked after the change lock, because a pass announces itself before it waits for changes.
          if (!(await isPassing(session, collectionId))) {
            return () => free(session, CHANGING, collectionId, '_shared')
          }
          await free(session, CHANGING, collectionId, '_shared')
        }
        if (performance.now() >= until) return undefined
        await delay(Math.min(POLL_MS, Math.max(1, until - performance.now())))
      }
    },
    close: () => sessions.close(),
  }
}
