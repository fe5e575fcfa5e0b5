import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { MIGRATIONS } from './migrations.ts'

/**
 * Opens the database. A commit is safe from the death of the process; what must be safe from a loss of power too, as an
 * acknowledged event, goes through `openDisk`. What is found out again when a job is repeated does not.
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
  // With a commit that waits for the disk, the write-ahead log and its place in the folder are there once and for all.
  database.exec(`BEGIN IMMEDIATE; PRAGMA user_version=${MIGRATIONS.length}; COMMIT`)
  database.exec('PRAGMA synchronous=NORMAL')
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
