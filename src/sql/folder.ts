import { accessSync, chmodSync, constants, existsSync, mkdirSync, statSync } from 'node:fs'
import { userInfo } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { codeOf } from './postgres/errors.ts'

/** Node's own `recursive` runs without an end where nothing can be made, as in /proc. */
function makeFolders(directory: string): void {
  if (existsSync(directory)) return
  makeFolders(dirname(directory))
  try {
    mkdirSync(directory, { mode: 0o700 })
  } catch (error) {
    // Another process may have been faster.
    if (!existsSync(directory)) throw error
  }
}

function nameUser(): string {
  const id = process.getuid?.()
  try {
    return `${userInfo().username}${id === undefined ? '' : ` (uid ${id})`}`
  } catch {
    return `uid ${id}`
  }
}

/** A failure to use the data folder as a sentence; any other error as it is. */
function toFolderError(error: unknown, directory: string): unknown {
  const code = codeOf(error)
  if (['EACCES', 'EPERM'].includes(code) && !existsSync(directory))
    return new Error(
      `The data folder ${directory} can't be made by ${nameUser()}: make it and chown it to that user, or set DATA_DIR to another folder.`,
      { cause: error },
    )
  if (['EACCES', 'EPERM', 'EROFS'].includes(code)) {
    const remedy = code === 'EROFS' ? 'it is read-only. Mount it writable' : 'chown it'
    return new Error(
      `The data folder ${directory} can't be written by ${nameUser()}: ${remedy}, or set DATA_DIR to another folder.`,
      { cause: error },
    )
  }
  if (code === 'ENOENT')
    return new Error(`The data folder ${directory} can't be made: set DATA_DIR to another folder.`, { cause: error })
  return error
}

/**
 * Creates a folder that only this process's user may read, or restricts an existing one.
 *
 * @throws {Error} a sentence, when it is no folder or can't be written
 */
export function makePrivate(folder: string): void {
  const directory = resolve(folder)
  try {
    makeFolders(directory)
    if (!statSync(directory).isDirectory()) throw new Error(`${directory} is a file: set DATA_DIR to a folder.`)
    accessSync(directory, constants.W_OK | constants.X_OK)
  } catch (error) {
    if (codeOf(error) === 'ENOTDIR')
      throw new Error(`${directory} lies in a file: set DATA_DIR to a folder.`, { cause: error })
    throw toFolderError(error, directory)
  }
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
