import { setTimeout as delay } from 'node:timers/promises'
import { EngineError } from '#platform/engine/errors.ts'
import type { PassHold, PassLocks } from '../types.ts'
import { createSessions, type Session } from '#sql/postgres/session.ts'

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
  const sessions = createSessions(url, {
    toError: () =>
      new EngineError('unavailable', 'The connection to PostgreSQL broke off: try again in a moment.', {
        reason: 'database_unavailable',
      }),
  })

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
