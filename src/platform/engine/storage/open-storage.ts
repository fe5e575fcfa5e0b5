import { existsSync } from 'node:fs'
import { chmod, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { EngineLog } from '../types.ts'
import type { Catalog } from './catalog.ts'
import { lockFolder } from './lock.ts'
import { openBlobs } from './sqlite/blobs.ts'
import { isCurrent, openSqliteCatalog } from './sqlite/catalog.ts'
import { openIndexStore } from './sqlite/index/store.ts'
import { noOtherProcess, type Stores } from './types.ts'

export interface StorePlace {
  /** Of the platform, in the data folder; held by this process alone. */
  readonly folder: string
  /** For what is a file only for a while. */
  readonly work: string
  /** PostgreSQL in place of the folder. */
  readonly databaseUrl: string | undefined
  readonly log: EngineLog
}

/** @throws {EngineError} when a newer version wrote it, or the database can't be used */
export async function openStores(place: StorePlace): Promise<Stores> {
  const { folder, work, databaseUrl, log } = place
  if (databaseUrl === undefined) return openFolder(folder)
  // Only now: a platform without a database does not load its client.
  const { openPostgresStores } = await import('./postgres/storage.ts')
  return openPostgresStores(databaseUrl, { work, log })
}

async function openFolder(folder: string): Promise<Stores> {
  const database = join(folder, 'platform.sqlite')
  const catalog = openSqliteCatalog(database)
  await chmod(database, 0o600)
  const blobs = await openBlobs(join(folder, 'files'))
  const index = await openIndexStore(join(folder, 'index'))
  // Left by a process that died between two steps; nothing names it any more.
  const known = catalog.known()
  await blobs.sweep(known.blobs)
  await index.sweep(known.indexes)
  return {
    catalog,
    blobs,
    index,
    indexVersion: 'fts5-1',
    locks: noOtherProcess,
    close: () => catalog.close(),
  }
}

/** The catalog, also while a process runs on it; only a folder whose schema has to change must be free. */
export async function openCatalogBeside({
  folder,
  databaseUrl,
}: Pick<StorePlace, 'folder' | 'databaseUrl'>): Promise<Catalog> {
  if (databaseUrl !== undefined) {
    const { openPostgresCatalog } = await import('./postgres/storage.ts')
    return openPostgresCatalog(databaseUrl)
  }
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const path = join(folder, 'platform.sqlite')
  if (existsSync(path) && isCurrent(path)) return openSqliteCatalog(path)
  const lock = lockFolder(folder)
  try {
    const catalog = openSqliteCatalog(path)
    await chmod(path, 0o600)
    return catalog
  } finally {
    lock.release()
  }
}
