import { chmodSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/** Creates a folder that only this process's user may read, or restricts an existing one. */
export function makePrivate(directory: string): void {
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  try {
    chmodSync(directory, 0o700)
  } catch {
    // A mounted volume may have another owner, who sets its permissions.
  }
}

/**
 * Locks a folder for this process by SQLite's lock on the file `name`; the operating system frees it when the process
 * dies, even by `kill -9`.
 *
 * @throws the error of `toError` if another process (or another lock of this one) has the lock
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
