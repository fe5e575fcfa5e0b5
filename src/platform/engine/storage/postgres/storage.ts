import type { EngineLog } from '#platform/engine/types.ts'
import type { Catalog } from '../catalog.ts'
import type { EngineStorage } from '../types.ts'
import { createKeys, createUsers } from '../tables/accounts.ts'
import { createCollections, createFiles } from '../tables/collections.ts'
import { createPostgresQuotas } from './quotas.ts'
import { createPostgresBlobs } from './blobs.ts'
import { toEngineError, withDatabaseErrors } from './database-errors.ts'
import { openPostgresIndexStore } from './index/store.ts'
import { CATALOG_STEPS } from './migrations.ts'
import { createPostgresPassLocks } from './pass-locks.ts'
import { migrate } from '#sql/postgres/migrate.ts'
import { openPool, type Pool } from '#sql/postgres/pool.ts'
import { createSql, type PostgresSql } from '#sql/postgres/sql.ts'

/** The catalog in tables of PostgreSQL; `close` is the pool's. */
function createPostgresCatalog(sql: PostgresSql, close: () => Promise<void>): Catalog {
  return {
    users: createUsers(sql),
    keys: createKeys(sql),
    collections: createCollections(sql),
    files: createFiles(sql),
    quotas: createPostgresQuotas(sql),
    close,
  }
}

/** @throws {EngineError} `unavailable`, `conflict` (a newer version made the tables) */
async function openMigrated(url: string): Promise<Pool> {
  const pool = await openPool(url).catch((error: unknown) => {
    throw toEngineError(error, url)
  })
  try {
    await migrate(pool, 'catalog', CATALOG_STEPS)
    return pool
  } catch (error) {
    await pool.end()
    throw toEngineError(error, url)
  }
}

/** The catalog alone, for the command line. */
export async function openPostgresCatalog(url: string): Promise<Catalog> {
  const pool = await openMigrated(url)
  return withDatabaseErrors(
    createPostgresCatalog(createSql(pool), () => pool.end()),
    url,
  )
}

/**
 * The storage that several processes share.
 *
 * @param parts.work folder of temporary files of this process
 */
export async function openPostgresStorage(
  url: string,
  parts: { readonly work: string; readonly log: EngineLog },
): Promise<EngineStorage> {
  const pool = await openMigrated(url)
  const sql = createSql(pool)
  const locks = createPostgresPassLocks(url)
  async function close() {
    await locks.close()
    await pool.end()
  }
  try {
    const blobs = createPostgresBlobs(sql, parts.work)
    const index = await openPostgresIndexStore(pool, { log: parts.log })
    const catalog = createPostgresCatalog(sql, close)
    await blobs.sweep()
    await index.sweep(await indexNames(sql))
    return {
      catalog: withDatabaseErrors(catalog, url),
      blobs: withDatabaseErrors<EngineStorage['blobs']>(blobs, url),
      index: withDatabaseErrors(index, url),
      indexVersion: 'postgres-1',
      locks: withDatabaseErrors(locks, url),
      close,
    }
  } catch (error) {
    await close()
    throw toEngineError(error, url)
  }
}

async function indexNames(sql: PostgresSql): Promise<ReadonlySet<string>> {
  const rows = await sql.all<{ name: string }>('SELECT index_name AS name FROM fb_collection')
  return new Set(rows.map(({ name }) => name))
}
