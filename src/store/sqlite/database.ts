import { mkdirSync, closeSync, fdatasync, fdatasyncSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { promisify } from 'node:util'
import { openSqlite } from '../../lib/sqlite.ts'
import { MIGRATIONS } from './migrations.ts'

const PRAGMAS = 'PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA foreign_keys=ON; PRAGMA busy_timeout=5000'

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

/**
 * Makes a change at once, so that whoever looks next sees it, and resolves when it is on the disk, with all that was
 * written before it. Rejects when the change fails, or when the disk can't be told to keep it.
 */
export type Durably = <Result>(write: () => Result) => Promise<Result>

export interface Disk {
  readonly durably: Durably
  /** Resolves when all that was written so far is on the disk. */
  stored(): Promise<void>
  /** Call before the database is closed; all that was written is on the disk then. */
  close(): void
}

interface Waiting {
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

/** Tells the disk to keep what was written to the file. */
type Sync = (file: number) => Promise<void>

/**
 * Waits for the disk beside everything else, not in the commit: an fsync takes from 0.1 ms to tens of them on a busy
 * disk, and in the commit the whole process would stand still. One that is under way is not joined, it may have begun
 * before the change; all that is written meanwhile shares the next.
 *
 * @param database of `openDatabase`: its own commits write to the log and do not wait for the disk.
 * @param sync default `fdatasync`
 */
export function openDisk(database: DatabaseSync, sync: Sync = promisify<number, void>(fdatasync)): Disk {
  // The log is one file as long as the database is open; SQLite's locks are on its other files.
  const log = openSync(`${database.location()}-wal`, 'r+')
  let waiting: Waiting[] = []
  let syncing: Promise<void> | undefined
  let closed = false

  async function syncAll(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting
      waiting = []
      try {
        await sync(log)
        for (const { resolve } of batch) resolve()
      } catch (error) {
        for (const { reject } of batch) reject(error)
      }
    }
    syncing = undefined
    if (closed) closeSync(log)
  }

  const stored = (): Promise<void> =>
    new Promise((resolve, reject) => {
      waiting.push({ resolve, reject })
      syncing ??= syncAll()
    })

  return {
    async durably(write) {
      const result = write()
      await stored()
      return result
    },
    stored,
    close() {
      if (closed) return
      closed = true
      fdatasyncSync(log)
      if (syncing === undefined) closeSync(log)
    },
  }
}
