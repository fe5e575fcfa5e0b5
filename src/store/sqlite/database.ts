import { mkdirSync, closeSync, fdatasync, fdatasyncSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { promisify } from 'node:util'
import { openSqlite } from '../../lib/sqlite.ts'
import { MIGRATIONS } from './migrations.ts'

const PRAGMAS = 'PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA foreign_keys=ON; PRAGMA busy_timeout=5000'

/**
 * Opens the database. A commit survives a crash of the process; a change that must survive a power cut, such as an
 * acknowledged event, goes through `openDisk`.
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
  // One commit with a disk sync: the write-ahead log and its directory entry exist from here on.
  database.exec(`BEGIN IMMEDIATE; PRAGMA user_version=${MIGRATIONS.length}; COMMIT`)
  database.exec('PRAGMA synchronous=NORMAL')
  return database
}

/**
 * Makes a change, visible at once; resolves when it and all earlier writes are on the disk. Rejects when the change or
 * the sync fails.
 */
export type Durably = <Result>(write: () => Result) => Promise<Result>

export interface Disk {
  readonly durably: Durably
  /** Resolves when all earlier writes are on the disk. */
  stored(): Promise<void>
  /** Call before the database is closed; all writes are on the disk then. */
  close(): void
}

interface Waiting {
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

/** Syncs the file to the disk. */
type Sync = (file: number) => Promise<void>

/**
 * Syncs outside the commit: an fsync takes 0.1 ms to tens of ms and would block the whole process. A change never joins
 * a running sync, which may have begun before it; all later changes share the next one.
 *
 * @param database of `openDatabase`: its own commits write to the log and do not wait for the disk.
 * @param sync default `fdatasync`
 */
export function openDisk(database: DatabaseSync, sync: Sync = promisify<number, void>(fdatasync)): Disk {
  // The write-ahead log stays one file while the database is open; SQLite's locks are on its other files.
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
