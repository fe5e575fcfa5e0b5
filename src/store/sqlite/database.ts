import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { openSqlite } from '../../lib/sqlite.ts'
import { MIGRATIONS } from './migrations.ts'

const PRAGMAS =
  'PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA foreign_keys=ON; PRAGMA busy_timeout=5000'

/**
 * Opens the database. A commit is safe from the death of the process; what must be safe from a loss of power too, as an
 * acknowledged event, goes through `openDisk`. What is found out again when a job is repeated does not.
 *
 * @throws {Error} a sentence when the file was written by a newer version.
 */
export function openDatabase(path: string): DatabaseSync {
  mkdirSync(dirname(path), { recursive: true })
  const database = openSqlite(path, PRAGMAS, {
    steps: MIGRATIONS,
    toNewerError: (version) =>
      new Error(
        `${path} was written by a newer Footbridge (schema ${version}, this one knows ${MIGRATIONS.length}): update Footbridge, or point DATA_DIR elsewhere.`,
      ),
  })
  // With a commit that waits for the disk, the write-ahead log and its place in the folder are there once and for all.
  database.exec(`BEGIN IMMEDIATE; PRAGMA user_version=${MIGRATIONS.length}; COMMIT`)
  database.exec('PRAGMA synchronous=NORMAL')
  return database
}
