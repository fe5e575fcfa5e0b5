import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { toSqlite } from '../sql.ts'

export interface Schema {
  /** SQL of each version, the first for an empty file. Never change a released step. */
  readonly steps: readonly string[]
  /** The error for a file that a newer version of Footbridge wrote. */
  readonly toNewerError: (version: number) => Error
}

/**
 * Opens a file, sets `pragmas`, and brings the schema up to date.
 *
 * @throws what `toNewerError` makes
 */
export function openSqlite(path: string, pragmas: string, schema: Schema): DatabaseSync {
  const database = new DatabaseSync(path)
  try {
    database.exec(pragmas)
    migrate(database, schema)
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

/**
 * Closes a database so that its file alone holds everything. SQLite does that only when the last connection closes. While
 * another one is open, the newest changes would stay in the write-ahead log.
 */
export function closeWhole(database: DatabaseSync): void {
  try {
    database.exec('PRAGMA busy_timeout=1000; PRAGMA wal_checkpoint(TRUNCATE)')
  } catch {
    // A full disk: nothing is lost, the log stays and is read at the next start.
  }
  database.close()
}

/** Number of steps applied to the file: `PRAGMA user_version`. */
export const schemaVersion = (database: DatabaseSync): number =>
  Number(database.prepare('PRAGMA user_version').get()?.['user_version'] ?? 0)

/** Applies the missing steps, each in its own transaction. */
export function migrate(database: DatabaseSync, { steps, toNewerError }: Schema): void {
  const version = schemaVersion(database)
  if (version > steps.length) throw toNewerError(version)
  for (const [index, step] of steps.entries()) {
    if (index < version) continue
    transaction(database, () => database.exec(`${step}; PRAGMA user_version = ${index + 1}`))
  }
}

/** Runs `work` in a transaction; within an open one as a part of it that is undone by itself. `DEFERRED`: for reading one state. */
export function transaction<Result>(
  database: DatabaseSync,
  work: () => Result,
  mode: 'IMMEDIATE' | 'DEFERRED' = 'IMMEDIATE',
): Result {
  const isPart = database.isTransaction
  database.exec(isPart ? 'SAVEPOINT part' : `BEGIN ${mode}`)
  try {
    const result = work()
    database.exec(isPart ? 'RELEASE part' : 'COMMIT')
    return result
  } catch (error) {
    undo(database, isPart)
    throw error
  }
}

/**
 * SQLite undoes the transaction by itself when the disk is full, and a statement to undo it fails: that error would hide
 * the first one (https://www.sqlite.org/lang_transaction.html, "Response To Errors Within A Transaction").
 */
function undo(database: DatabaseSync, isPart: boolean): void {
  if (database.isOpen && database.isTransaction) database.exec(isPart ? 'ROLLBACK TO part; RELEASE part' : 'ROLLBACK')
}

/** The same for asynchronous work: nothing else may write through this connection meanwhile. */
export async function longTransaction<Result>(database: DatabaseSync, work: () => Promise<Result>): Promise<Result> {
  database.exec('BEGIN IMMEDIATE')
  try {
    const result = await work()
    database.exec('COMMIT')
    return result
  } catch (error) {
    undo(database, false)
    throw error
  }
}

/** Statements by their text, each prepared once. */
export function createStatements(database: DatabaseSync): (text: string) => StatementSync {
  const prepared = new Map<string, StatementSync>()
  return (text) => {
    let statement = prepared.get(text)
    if (statement === undefined) prepared.set(text, (statement = database.prepare(toSqlite(text))))
    return statement
  }
}
