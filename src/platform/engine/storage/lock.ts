import { DatabaseSync } from 'node:sqlite'
import { join } from 'node:path'
import { EngineError } from '../errors.ts'

/**
 * Holds the data folder for this process. The lock is SQLite's own lock on a file: the operating system lets go of it
 * when the process dies, also by `kill -9`, so no stale lock is ever left behind.
 *
 * @throws {EngineError} `conflict` when another process (or another engine in this one) holds it.
 */
export function lockFolder(folder: string): { release(): void } {
  const database = new DatabaseSync(join(folder, 'lock.sqlite'))
  try {
    database.exec('PRAGMA locking_mode = EXCLUSIVE')
    database.exec('BEGIN EXCLUSIVE')
  } catch (error) {
    database.close()
    throw new EngineError(
      'conflict',
      `Another Footbridge is already running on ${folder}: stop it first, or give this one its own DATA_DIR.`,
      { cause: error },
    )
  }
  return { release: () => database.close() }
}
