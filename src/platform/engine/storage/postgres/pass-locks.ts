import { setTimeout as delay } from 'node:timers/promises'
import type { PassHold, PassLocks } from '../pass-locks.ts'
import { createSessions, type Session } from './session.ts'

/**
 * Two advisory locks for each collection, told apart by any two numbers that stay the same. `passing` is whoever has a
 * pass; `changing` is shared by changes and taken alone by a pass before it begins.
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
/** Of an ended session nothing is held any more. */
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
      // New changes elsewhere see the pass and step back, so this ends with those that are under way.
      while (!signal.aborted && !(isAlone = await take(session, CHANGING, id))) await delay(POLL_MS)
    },
    async release() {
      if (isAlone) await free(session, CHANGING, id)
      await free(session, PASSING, id)
    },
  }
}

/**
 * Locks that live as long as one connection of this process: the kernel closes it when the process dies, also by
 * `kill -9`, and the server frees them at once. All are tried and never waited for in the server, so that one connection
 * serves all collections.
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
          // Only now: a pass announces itself before it waits for the changes.
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
