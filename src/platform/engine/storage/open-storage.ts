import { existsSync } from 'node:fs'
import { chmod } from 'node:fs/promises'
import { join } from 'node:path'
import type { EngineLog } from '../types.ts'
import type { Catalog } from './catalog.ts'
import { lockFolder } from '#sql/folder.ts'
import { EngineError } from '../errors.ts'
import { openBlobs } from './sqlite/blobs.ts'
import { isCurrent, openSqliteCatalog } from './sqlite/catalog.ts'
import { openIndexStore } from './sqlite/index/store.ts'
import { type PassLocks, type EngineStorage } from './types.ts'

export interface StoragePlace {
  /** Folder of the platform in the data folder; locked by this process. */
  readonly folder: string
  /** Folder of temporary files. */
  readonly work: string
  /** PostgreSQL in place of the folder. */
  readonly databaseUrl: string | undefined
  readonly log: EngineLog
}

const never = new AbortController().signal
const nothing = () => Promise.resolve()

/** For a store of one process. */
const noOtherProcess: PassLocks = {
  pass: () => Promise.resolve({ lost: never, whenAlone: nothing, release: nothing }),
  change: () => Promise.resolve(nothing),
  isElsewhere: () => Promise.resolve(false),
  close: nothing,
}

/**
 * Locks the folder for this process.
 *
 * @returns a function that unlocks it
 * @throws {EngineError} `conflict` when another process (or another engine in this one) holds it.
 */
export const lockStorage = (folder: string): (() => void) =>
  lockFolder(folder, 'lock.sqlite', (cause) => {
    const remedy = 'stop it first, or give this one its own DATA_DIR'
    return new EngineError('conflict', `Another Footbridge is already running on ${folder}: ${remedy}.`, { cause })
  })

/** @throws {EngineError} when a newer version wrote it, or the database can't be used */
export async function openStorage(place: StoragePlace): Promise<EngineStorage> {
  const { folder, work, databaseUrl, log } = place
  if (databaseUrl === undefined) return openFolder(folder)
  // Imported here: a platform without a database does not load its client.
  const { openPostgresStorage } = await import('./postgres/storage.ts')
  return openPostgresStorage(databaseUrl, { work, log })
}

async function openFolder(folder: string): Promise<EngineStorage> {
  const database = join(folder, 'platform.sqlite')
  const catalog = openSqliteCatalog(database)
  await chmod(database, 0o600)
  const blobs = await openBlobs(join(folder, 'files'))
  const index = await openIndexStore(join(folder, 'index'))
  // Leftovers of a process that died between two steps: no record names them.
  const known = catalog.known()
  await blobs.sweep(known.blobs)
  await index.sweep(known.indexes)
  return { catalog, blobs, index, indexVersion: 'lists-1', locks: noOtherProcess, close: () => catalog.close() }
}

/** The catalog, also while a process runs; a schema change needs a folder that no process uses. */
export async function openCatalogOnly({
  folder,
  databaseUrl,
}: Pick<StoragePlace, 'folder' | 'databaseUrl'>): Promise<Catalog> {
  if (databaseUrl !== undefined) {
    const { openPostgresCatalog } = await import('./postgres/storage.ts')
    return openPostgresCatalog(databaseUrl)
  }
  const path = join(folder, 'platform.sqlite')
  if (existsSync(path) && isCurrent(path)) return openSqliteCatalog(path)
  const unlock = lockStorage(folder)
  try {
    const catalog = openSqliteCatalog(path)
    await chmod(path, 0o600)
    return catalog
  } finally {
    unlock()
  }
}
