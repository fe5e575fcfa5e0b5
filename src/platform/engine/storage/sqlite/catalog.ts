import type { Catalog } from '../catalog.ts'
import { createSqliteCollections } from './collections.ts'
import { createSqliteFiles } from './files.ts'
import { createSqliteKeys } from './keys.ts'
import { createSqliteQuotas } from './quotas.ts'
import { createSqliteUsers } from './accounts.ts'
import { openCatalog } from './open.ts'

export interface SqliteCatalog extends Catalog {
  /** Names of the bytes and indexes that records name: whatever else lies in the folder is a leftover. */
  known(): { readonly blobs: ReadonlySet<string>; readonly indexes: ReadonlySet<string> }
}

/** The catalog in one SQLite file; calls take microseconds (writes: one sync), so it lives on the main thread. */
export function openSqliteCatalog(path: string): SqliteCatalog {
  const sql = openCatalog(path)
  // A sync for every request that is counted would cost more than the request.
  const counters = openCatalog(path, 'NORMAL')
  const names = (query: string) => new Set(sql.all<{ name: string }>(query).map(({ name }) => name))
  return {
    users: createSqliteUsers(sql),
    keys: createSqliteKeys(sql),
    collections: createSqliteCollections(sql),
    files: createSqliteFiles(sql),
    quotas: createSqliteQuotas(counters),
    known: () => ({
      blobs: names('SELECT blob AS name FROM file'),
      indexes: names('SELECT index_name AS name FROM collection'),
    }),
    async close() {
      counters.close()
      sql.close()
    },
  }
}
