import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/**
 * Holds a folder for this process. The lock is SQLite's own lock on the file `name`, which the operating system frees
 * when the process dies, also by `kill -9`.
 *
 * @throws what `toError` makes, when another process (or another lock of this one) holds it
 */
export function lockFolder(folder: string, name: string, toError: (cause: unknown) => Error): () => void {
  // Nobody else on the machine may read what people wrote.
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const database = new DatabaseSync(join(folder, name))
  try {
    database.exec('PRAGMA busy_timeout = 0; PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE')
  } catch (error) {
    database.close()
    throw toError(error)
  }
  return () => database.close()
}
