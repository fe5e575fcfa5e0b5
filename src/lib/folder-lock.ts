import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/**
 * One process a data directory. The lock is SQLite's own file lock, so the kernel frees it even after `kill -9`.
 *
 * @throws {Error} a sentence when another process holds it.
 */
export function lockDirectory(directory: string): () => void {
  // What people wrote stands in here: nobody else on the machine may read it.
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  const database = new DatabaseSync(join(directory, 'lock'))
  try {
    database.exec('PRAGMA busy_timeout=0; PRAGMA locking_mode=EXCLUSIVE; BEGIN EXCLUSIVE')
  } catch (error) {
    database.close()
    throw new Error(
      `Another Footbridge already uses ${directory}: stop it first, or set DATA_DIR to another folder.`,
      { cause: error },
    )
  }
  return () => database.close()
}
