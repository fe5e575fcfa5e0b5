import { setTimeout as sleep } from 'node:timers/promises'
import { StoreUnavailableError } from '#bridge/port/errors.ts'
import { storageTrouble } from '#lib/storage-trouble.ts'
import { isOutage } from '#sql/postgres/errors.ts'
import type { PostgresSql } from '#sql/postgres/sql.ts'
import type { Sql, Statement } from '#sql/sql.ts'

/** How long a job's statement waits for a database that is away. */
const TIMEOUT_MS = 30_000
const AWAY_SENTENCE =
  'PostgreSQL (DATABASE_URL) did not answer in time: look at the server and its limit of connections.'
const FULL_SENTENCE =
  'The disk of PostgreSQL (DATABASE_URL) is full: free some space, and everything goes on by itself.'
const PAUSE_MS = [50, 100, 200, 400, 800] as const

/**
 * Repeats the work while the database is away, until it is back or `patienceMs` is over. The last try may have been
 * carried out although its answer was lost, so the work must be harmless when repeated.
 *
 * @throws {StoreUnavailableError} the database stayed away
 */
export async function retryWhileAway<Result>(work: () => Promise<Result>, patienceMs = TIMEOUT_MS): Promise<Result> {
  const until = Date.now() + patienceMs
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await work()
    } catch (error) {
      const pause = PAUSE_MS[Math.min(attempt, PAUSE_MS.length - 1)] ?? 1000
      if (!isOutage(error)) throw error
      const sentence = storageTrouble(error) === undefined ? AWAY_SENTENCE : FULL_SENTENCE
      if (Date.now() + pause > until) throw new StoreUnavailableError(sentence, { cause: error })
      await sleep(pause * (0.5 + Math.random() / 2))
    }
  }
}

/** Statements of jobs, which wait while the database is away. */
export const createPatientSql = (sql: PostgresSql): Sql => ({
  dialect: 'postgres',
  all: <Found>(...statement: Statement) => retryWhileAway(() => sql.all<Found>(...statement)),
  get: <Found>(...statement: Statement) => retryWhileAway(() => sql.get<Found>(...statement)),
  run: (...statement) => retryWhileAway(() => sql.run(...statement)),
  together: <Found>(...statements: readonly Statement[]) => retryWhileAway(() => sql.together<Found>(...statements)),
  write: (...statements) => retryWhileAway(() => sql.write(...statements)),
})
