import { chmodSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/** Makes a folder that only the user of this process may look into, or closes one that is there to all others. */
export function makePrivate(directory: string): void {
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  try {
    chmodSync(directory, 0o700)
  } catch {
    // A mounted volume may belong to somebody else, who decides about it.
  }
}

/**
 * Holds a folder for this process. The lock is SQLite's own lock on the file `name`, which the operating system frees
 * when the process dies, also by `kill -9`.
 *
 * @throws what `toError` makes, when another process (or another lock of this one) holds it
 */
export function lockFolder(folder: string, name: string, toError: (cause: unknown) => Error): () => void {
  makePrivate(folder)
  const database = new DatabaseSync(join(folder, name))
  try {
    database.exec('PRAGMA busy_timeout = 0; PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE')
  } catch (error) {
    database.close()
    throw toError(error)
  }
  return () => database.close()
}
