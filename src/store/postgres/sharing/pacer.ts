import { setTimeout as sleep } from 'node:timers/promises'
import type { Pace } from '#bridge/port/store.ts'
import { isOutage } from '#sql/postgres/errors.ts'
import type { PostgresSql } from '#sql/postgres/sql.ts'

/** Calls that one statement asks for, so that a long queue of this process lets the others in. */
const MAX_AT_ONCE = 10

/** A turn that is later than this, or than the next one, is over: the turns that a process slept through would leave at once. */
const MAX_LATE_MS = 100

/** A call that waits for its turn. */
interface Waiting extends PromiseWithResolvers<void> {
  /** It has missed a turn: it leaves with the next one, however late. */
  hasMissed: boolean
}

/** Milliseconds from now to the first of $2 calls that lie $3 ms apart; after a pause $4 of them are due at once. */
const TAKE = `
  INSERT INTO pace AS known (name, next_at)
  SELECT $1, clock_timestamp() + ($2::float8 - $4::float8) * $3::float8 * interval '1 ms'
  FROM (SELECT set_config('synchronous_commit', 'off', true)) AS lazy
  ON CONFLICT (name) DO UPDATE SET
    next_at = greatest(known.next_at, clock_timestamp() - $4::float8 * $3::float8 * interval '1 ms') + $2::float8 * $3::float8 * interval '1 ms'
  RETURNING (extract(epoch FROM known.next_at - clock_timestamp()) * 1000)::float8 - $2::float8 * $3::float8 AS wait`

/**
 * Keeps the pace of this name over all processes: one row says when the next call may leave. A process asks for all its
 * calls in one statement; while the database is away, no call waits.
 */
export function createPacer(sql: PostgresSql, name: string, { everyMs, burst = 0 }: Pace): () => Promise<void> {
  const waiting: Waiting[] = []
  const maxLateMs = Math.max(everyMs, MAX_LATE_MS)
  let isAsking = false

  async function ask(): Promise<void> {
    isAsking = true
    while (waiting.length > 0) {
      const taken = waiting.slice(0, MAX_AT_ONCE)
      const askedAt = performance.now()
      try {
        const row = await sql.get<{ wait: number }>(TAKE, name, taken.length, everyMs, burst)
        taken.forEach((call, at) => {
          const waitMs = Math.max(0, (row?.wait ?? 0) + at * everyMs)
          void after(waitMs, () => leave(call, askedAt + waitMs))
        })
      } catch (error) {
        for (const { resolve, reject } of taken)
          if (isOutage(error)) resolve()
          else reject(error)
      }
      waiting.splice(0, taken.length)
    }
    isAsking = false
  }

  function leave(call: Waiting, dueAt: number): void {
    if (call.hasMissed || performance.now() - dueAt <= maxLateMs) return call.resolve()
    call.hasMissed = true
    enter(call)
  }

  function enter(call: Waiting): void {
    waiting.push(call)
    if (!isAsking) void ask()
  }

  return () => {
    const call = { ...Promise.withResolvers<void>(), hasMissed: false }
    enter(call)
    return call.promise
  }
}

async function after(ms: number, go: () => void): Promise<void> {
  if (ms > 0) await sleep(ms, undefined, { ref: false })
  go()
}
