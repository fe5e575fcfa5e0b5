import { mkdirSync, closeSync, fdatasync, fdatasyncSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { promisify } from 'node:util'
import { createStatements, openSqlite } from '#sql/sqlite/file.ts'
import { MIGRATIONS } from './migrations.ts'

// Deleted data is overwritten: nothing of it stays in free pages. The default cache of 2 MB is too small for the pages
// that a hundred questions touch.
const PRAGMAS =
  'PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA foreign_keys=ON; PRAGMA busy_timeout=5000; PRAGMA secure_delete=ON; PRAGMA cache_size=-8000'

/**
 * Pages in the write-ahead log at which a commit does a checkpoint: SQLite copies them into the database and waits for
 * the disk twice. Nothing else runs meanwhile.
 */
const MAX_LOG_PAGES = 4000
/** A checkpoint in a quiet moment: at least `pages` pages are new, and there was no commit for `ms` milliseconds. */
const QUIET = { pages: 500, ms: 250 } as const

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
  database.exec(`PRAGMA synchronous=NORMAL; PRAGMA wal_autocheckpoint=${MAX_LOG_PAGES}`)
  return database
}

/** A change that takes some pages and leaves no data: fails where the disk has no room for others. */
export function tryToWrite(database: DatabaseSync): void {
  database.exec(`
    INSERT INTO state (namespace, key, value) VALUES ('room', '', hex(zeroblob(32768)));
    DELETE FROM state WHERE namespace = 'room'`)
}

/** Makes a change, visible at once; resolves when it is safe. Rejects when the change, its commit or the sync fails. */
export type Durably = <Result>(write: () => Result) => Promise<Result>

export interface Disk {
  /** Safe from the death of the process: committed, in one transaction with all changes of this turn of the event loop. */
  readonly write: Durably
  /** The same, without waiting for room on a full disk. */
  readonly once: Durably
  /** Safe from a power cut: it and all earlier writes are on the disk. */
  readonly durably: Durably
  /** Makes the change in the transaction of this turn. Settles with its commit. @throws the error of the change */
  join<Result>(change: () => Result): { readonly result: Result; readonly committed: Promise<void> }
  /** Resolves when all earlier writes are on the disk. */
  stored(): Promise<void>
  /** Commits the transaction of this turn now. */
  flush(): void
  /** Call before the database is closed; all writes are on the disk then. */
  close(): void
}

/** Syncs the file to the disk. */
type Sync = (file: number) => Promise<void>

/**
 * Writes of one turn of the event loop are one commit: a hundred events at once cost one. Syncs outside the commit: an
 * fsync takes 0.1 ms to tens of ms and would block the whole process. A change never joins a running sync, which may
 * have begun before it; all later changes share the next one.
 *
 * @param database of `openDatabase`: its own commits write to the log and do not wait for the disk.
 * @param sync default `fdatasync`
 */
// oxlint-disable-next-line max-lines-per-function -- a factory: it only returns methods
export function openDisk(database: DatabaseSync, sync: Sync = promisify<number, void>(fdatasync)): Disk {
  // The write-ahead log stays one file while the database is open; SQLite's locks are on its other files.
  const log = openSync(`${database.location()}-wal`, 'r+')
  let group: PromiseWithResolvers<void> | undefined
  /** Settles with the next sync; absent: no commit waits for one. */
  let nextSync: PromiseWithResolvers<void> | undefined
  /** One promise for all callers whose writes share the transaction and the sync. */
  let together:
    | { readonly group: typeof group; readonly nextSync: typeof nextSync; readonly stored: Promise<void> }
    | undefined
  let syncing: Promise<void> | undefined
  let closed = false
  const checkpoints = createCheckpoints(database)

  function begin(): Promise<void> {
    if (group !== undefined) return group.promise
    database.exec('BEGIN IMMEDIATE')
    group = Promise.withResolvers()
    group.promise.catch(() => {})
    setImmediate(flush)
    return group.promise
  }

  function join<Result>(change: () => Result) {
    const committed = begin()
    try {
      return { result: change(), committed }
    } catch (error) {
      // SQLite undid the whole transaction, with all earlier changes of this turn.
      if (group !== undefined && database.isOpen && !database.isTransaction) {
        group.reject(error)
        group = undefined
      }
      throw error
    }
  }

  async function write<Result>(change: () => Result): Promise<Result> {
    const { result, committed } = join(change)
    await committed
    return result
  }

  function flush(): void {
    const ended = group
    if (ended === undefined) return
    group = undefined
    try {
      database.exec('COMMIT')
      ended.resolve()
      checkpoints.committed()
    } catch (error) {
      if (database.isOpen && database.isTransaction) database.exec('ROLLBACK')
      ended.reject(error)
    }
  }

  async function syncAll(): Promise<void> {
    while (nextSync !== undefined) {
      // All writes of this turn share the wait. A commit that failed is reported by `stored`.
      await (group?.promise.catch(() => undefined) ?? nextTurn())
      const synced = nextSync
      nextSync = undefined
      try {
        flush()
        await sync(log)
        synced.resolve()
      } catch (error) {
        synced.reject(error)
      }
    }
    syncing = undefined
    if (closed) closeSync(log)
  }

  function stored(): Promise<void> {
    nextSync ??= Promise.withResolvers()
    syncing ??= syncAll()
    if (together?.nextSync !== nextSync || together.group !== group) {
      const done = Promise.all([group?.promise, nextSync.promise]).then(() => undefined)
      together = { group, nextSync, stored: done }
    }
    return together.stored
  }

  return {
    write,
    once: write,
    async durably(change) {
      const { result } = join(change)
      await stored()
      return result
    },
    join,
    stored,
    flush,
    close() {
      if (closed) return
      closed = true
      if (database.isOpen) flush()
      checkpoints.close()
      fdatasyncSync(log)
      if (syncing === undefined) closeSync(log)
    },
  }
}

/** Does a checkpoint when there was no commit for a while. */
function createCheckpoints(database: DatabaseSync) {
  const prepare = createStatements(database)
  let timer: NodeJS.Timeout | undefined
  let hasCommitted = false

  function look(): void {
    timer = undefined
    if (hasCommitted) {
      wait()
      return
    }
    if (!database.isOpen || database.isTransaction) return
    try {
      const counted = prepare('PRAGMA wal_checkpoint(NOOP)').get()
      if (Number(counted?.['log']) - Number(counted?.['checkpointed']) >= QUIET.pages)
        prepare('PRAGMA wal_checkpoint(PASSIVE)').get()
    } catch {
      // Nothing is lost: the log stays, and a later checkpoint tries again. A full disk is reported by the next commit.
    }
  }

  function wait(): void {
    hasCommitted = false
    timer = setTimeout(look, QUIET.ms).unref()
  }

  return {
    committed() {
      if (timer === undefined) wait()
      else hasCommitted = true
    },
    close: () => clearTimeout(timer),
  }
}
