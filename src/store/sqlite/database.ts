import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { MIGRATIONS } from './migrations.ts'

/**
 * Opens the database, durable on every commit: an acknowledged event must be on the disk, not in a cache
 * (WAL with synchronous=FULL fsyncs each commit). What may be done again after a loss of power goes through `lazily`.
 *
 * @throws {Error} a sentence when the file was written by a newer version.
 */
export function openDatabase(path: string): DatabaseSync {
  mkdirSync(dirname(path), { recursive: true })
  const database = new DatabaseSync(path)
  database.exec(
    'PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA foreign_keys=ON; PRAGMA busy_timeout=5000',
  )
  migrate(database, path)
  return database
}

function migrate(database: DatabaseSync, path: string): void {
  const row = database.prepare('PRAGMA user_version').get()
  const version = Number(row?.['user_version'] ?? 0)
  if (version > MIGRATIONS.length) {
    throw new Error(
      `${path} was written by a newer Footbridge (schema ${version}, this one knows ${MIGRATIONS.length}): update Footbridge, or point DATA_DIR elsewhere.`,
    )
  }
  MIGRATIONS.slice(version).forEach((sql, index) => {
    transaction(database, () => {
      database.exec(sql)
      database.exec(`PRAGMA user_version=${version + index + 1}`)
    })
  })
}

/** Runs `work` in one transaction; rolled back when it throws. */
export function transaction<Result>(database: DatabaseSync, work: () => Result): Result {
  database.exec('BEGIN IMMEDIATE')
  try {
    const result = work()
    database.exec('COMMIT')
    return result
  } catch (error) {
    database.exec('ROLLBACK')
    throw error
  }
}

/**
 * Commits `work` without waiting for the disk: safe from the death of the process, and the next other commit takes it to
 * the disk too. A loss of power in between takes it back, so only for what is found out again when a job is repeated.
 */
export function lazily<Result>(database: DatabaseSync, work: () => Result): Result {
  database.exec('PRAGMA synchronous=NORMAL')
  try {
    return work()
  } finally {
    database.exec('PRAGMA synchronous=FULL')
  }
}
