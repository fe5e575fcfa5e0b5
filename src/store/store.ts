import { existsSync, readdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Cursors, Log } from '#bridge/port/platform.ts'
import type { JobAdmin, Sharing, Store } from '#bridge/port/store.ts'
import { closeWhole, schemaVersion } from '#sql/sqlite/file.ts'
import { createSqliteSql, createSyncSql } from '#sql/sqlite/sql.ts'
import { lockFolder } from '#sql/folder.ts'
import { createOriginals } from './originals.ts'
import { createRoom, type OpenRoom, toStorageError } from './room.ts'
import { removeParts, createSpool } from './spool.ts'
import { createSourceCache } from './sources.ts'
import { type Disk, openDatabase, openDisk, tryToWrite } from './sqlite/database.ts'
import { createInbox } from './sqlite/inbox.ts'
import type { SharedStore } from './postgres/open-store.ts'
import { createAnswers } from './tables/answer-store.ts'
import { createCachedChannels, createCachedPreferences } from './tables/cached-rows.ts'
import { createJobAdmin } from './tables/jobs.ts'
import { openTables } from './tables/open-tables.ts'
import type { AnswerRecords } from '#bridge/port/records.ts'
import { createKeyedMutex, type KeyedMutex } from '#lib/keyed-mutex.ts'
import { MIGRATIONS } from './sqlite/migrations.ts'
import { openState } from './state/open-state.ts'
import { createEncryption } from './state/encryption.ts'
import { createTableState } from './state/table-state.ts'
import type { State } from '#bridge/port/state.ts'

export interface OpenStore extends Store {
  cursors(adapter: string): Cursors
  /** State with a lifetime. `secrets`: it is encrypted under the first, and read under any of them. */
  state(namespace: string, secrets?: readonly string[]): State
  /** Environment for the other parts of this process that use the same database. */
  readonly place?: { readonly DATABASE_URL: string }
  close(): void
}

/** One process decides everything by itself. */
const createAlone = (mutexes = new Map<string, KeyedMutex>()): Sharing => ({
  mutex(kind) {
    const mutex = mutexes.get(kind) ?? createKeyedMutex()
    mutexes.set(kind, mutex)
    return mutex
  },
  watch: async () => undefined,
  begun: () => undefined,
  endJob: async () => undefined,
  channelChanged: async () => undefined,
  sourceChanged: async () => undefined,
  assertAlive: async () => undefined,
  standBy: () => undefined,
  processes: () => 1,
  leads: async () => true,
})

const lock = (dataDir: string): (() => void) =>
  lockFolder(dataDir, 'lock', (cause) => {
    const remedy = 'stop it first, or set DATA_DIR to another folder'
    return new Error(`Another Footbridge already uses ${dataDir}: ${remedy}.`, { cause })
  })

/** Whether a process uses this folder now. Only looks: nothing is made. */
export function isInUse(dataDir: string): boolean {
  const path = join(dataDir, 'lock')
  if (!existsSync(path)) return false
  const database = new DatabaseSync(path, { readOnly: true })
  try {
    database.exec('PRAGMA busy_timeout = 0')
    database.prepare('SELECT count(*) FROM sqlite_schema').get()
    return false
  } catch {
    return true
  } finally {
    database.close()
  }
}

const isEmpty = async ({ inbox }: SharedStore) =>
  (await inbox.list(['queued', 'running', 'done', 'dead'], 1)).length === 0

function isFilled(path: string): boolean {
  if (!existsSync(path)) return false
  const database = new DatabaseSync(path, { readOnly: true })
  try {
    return database.prepare('SELECT 1 FROM job LIMIT 1').get() !== undefined
  } finally {
    database.close()
  }
}

/**
 * The store on PostgreSQL, which several processes share; each has a data folder of its own.
 *
 * @throws {Error} a sentence when another process uses the folder, or the server can't be used
 */
export async function openSharedStore(url: string, dataDir: string, log: Log): Promise<SharedStore> {
  const unlock = lock(dataDir)
  try {
    const { openPostgresStore } = await import('./postgres/open-store.ts')
    const store = await openPostgresStore(url, dataDir, log)
    if (isFilled(join(dataDir, 'bridge.sqlite')) && (await isEmpty(store))) {
      await store.close()
      throw new Error(
        `${dataDir} holds data, but the database in DATABASE_URL is empty. Copy the data with npm run move -- --to <DATABASE_URL>. To begin anew instead, rename bridge.sqlite.`,
      )
    }
    return {
      ...store,
      async close() {
        await store.close()
        unlock()
      },
    }
  } catch (error) {
    unlock()
    throw error
  }
}

/**
 * The store of the bridge in `dataDir/bridge.sqlite`.
 *
 * @throws {Error} a sentence when another process uses the directory, or a newer version wrote it.
 */
export function openStore(dataDir: string): OpenStore {
  const unlock = lock(dataDir)
  const database = openOrUnlock(join(dataDir, 'bridge.sqlite'), unlock)
  for (const folder of ['spool', 'originals', 'sources']) removeParts(join(dataDir, folder))
  const { disk, room } = openPatientDisk(database, dataDir)
  const sql = createSqliteSql(createSyncSql(database), disk)
  const tables = openTables(sql)
  const preferences = createCachedPreferences(tables.preferences, sql)
  const channels = createCachedChannels(tables.channels)
  /** Deletes also from the caches and the write-ahead log. A deletion that fails may have been cached as done. */
  async function forget(deletion: Promise<void>): Promise<void> {
    try {
      await deletion
    } finally {
      preferences.forgetAll()
      channels.forgetAll()
    }
    await disk.stored()
    disk.flush()
    database.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  }
  return {
    sharing: createAlone(),
    room,
    inbox: createInbox(database, disk),
    ...tables,
    preferences,
    channels,
    forgetWorkspace: (adapter, workspace) => forget(tables.forgetWorkspace(adapter, workspace)),
    forgetChannel: (conversation) => forget(tables.forgetChannel(conversation)),
    spool: createSpool(join(dataDir, 'spool')),
    sources: createSourceCache(join(dataDir, 'sources')),
    originals: createOriginals(join(dataDir, 'originals')),
    state: (namespace, secrets) =>
      openState(createTableState(sql), { namespace, encryption: secrets && createEncryption(secrets) }),
    close() {
      room.leave()
      disk.close()
      // The file alone is a whole backup then.
      closeWhole(database)
      unlock()
    },
  }
}

/** Changes wait while the disk is full, until it has room again. */
function openPatientDisk(database: DatabaseSync, dataDir: string): { readonly disk: Disk; readonly room: OpenRoom } {
  const disk = openDisk(database)
  const room = createRoom(dataDir, `DATA_DIR ${dataDir}`, () => disk.once(() => tryToWrite(database)))
  return {
    room,
    disk: {
      ...disk,
      write: (change) => room.patiently(() => disk.write(change)),
      durably: (change) => room.patiently(() => disk.durably(change)),
    },
  }
}

/** Folders that a bridge fills next to its database once it has worked. */
const BRIDGE_FOLDERS = ['originals', 'spool', 'sources'] as const

/**
 * A database that was lost or emptied would start as a new one, and it would go unnoticed.
 *
 * @throws {Error} a sentence, where the folder holds more than a first start leaves
 */
function refuseLostDatabase(path: string): void {
  if (existsSync(path) && statSync(path).size > 0) return
  const folder = dirname(path)
  const left = BRIDGE_FOLDERS.filter(
    (name) => existsSync(join(folder, name)) && readdirSync(join(folder, name)).length > 0,
  )
  if (left.length === 0) return
  throw new Error(
    `${path} is missing or empty, but ${folder} holds data of Footbridge (${left.join(', ')}). Restore bridge.sqlite from a backup, with bridge.sqlite-wal if there was one. To begin anew, use an empty DATA_DIR.`,
  )
}

function openOrUnlock(path: string, unlock: () => void) {
  try {
    refuseLostDatabase(path)
    return openDatabase(path)
  } catch (error) {
    unlock()
    throw toStorageError(error, `DATA_DIR ${dirname(path)}`)
  }
}

/**
 * Jobs for commands. Running processes look for due ones each second. A change is one statement under the database's own
 * lock that names the state it begins from: whichever process is first, the other one finds nothing to change.
 *
 * @param at the database, or without one the data folder
 * @throws {Error} a sentence when the database is missing, or another version wrote it.
 */
export async function openJobs(
  at: { readonly dataDir: string; readonly databaseUrl?: string },
  mode: 'read' | 'change',
): Promise<{ readonly jobs: JobAdmin; close(): Promise<void> | void }> {
  if (at.databaseUrl !== undefined) {
    const { openPostgresJobs } = await import('./postgres/open-store.ts')
    return openPostgresJobs(at.databaseUrl)
  }
  const database = openForCommand(join(at.dataDir, 'bridge.sqlite'), mode === 'read')
  // The commit itself waits for the disk.
  database.exec('PRAGMA synchronous=FULL; PRAGMA busy_timeout=5000')
  return { jobs: createJobAdmin(createSqliteSql(createSyncSql(database))), close: () => database.close() }
}

/** Entries of a state, to be read while Footbridge runs; undefined: it has not run on this data folder yet. */
export async function openStateToRead(
  at: { readonly dataDir: string; readonly databaseUrl?: string },
  namespace: string,
  secrets: readonly string[],
): Promise<{ readonly state: State; close(): Promise<void> | void } | undefined> {
  const choices = { namespace, encryption: createEncryption(secrets) }
  if (at.databaseUrl !== undefined) {
    const { openPostgresStateToRead } = await import('./postgres/open-store.ts')
    return openPostgresStateToRead(at.databaseUrl, choices)
  }
  const path = join(at.dataDir, 'bridge.sqlite')
  if (!existsSync(path)) return undefined
  const database = openForCommand(path, true)
  return {
    state: openState(createTableState(createSqliteSql(createSyncSql(database))), choices),
    close: () => database.close(),
  }
}

/**
 * The recorded answers, readable while Footbridge runs.
 *
 * @param at the database, or without one the data folder
 * @throws {Error} a sentence when the database is missing, or another version wrote it.
 */
export async function openAnswers(at: {
  readonly dataDir: string
  readonly databaseUrl?: string
}): Promise<{ readonly answers: Pick<AnswerRecords, 'get' | 'voted'>; close(): Promise<void> | void }> {
  if (at.databaseUrl !== undefined) {
    const { openPostgresAnswers } = await import('./postgres/open-store.ts')
    return openPostgresAnswers(at.databaseUrl)
  }
  const database = openForCommand(join(at.dataDir, 'bridge.sqlite'), true)
  return { answers: createAnswers(createSqliteSql(createSyncSql(database))), close: () => database.close() }
}

function openForCommand(path: string, readOnly: boolean): DatabaseSync {
  if (!existsSync(path)) throw new Error(`There is no ${path}: Footbridge has not run on this DATA_DIR yet.`)
  const database = new DatabaseSync(path, { readOnly })
  if (schemaVersion(database) === MIGRATIONS.length) return database
  database.close()
  throw new Error(`${path} was written by another version of Footbridge: start this one on it once first.`)
}
