import type { Catalog } from './catalog.ts'
import { createSqliteCollections } from './sqlite-collections.ts'
import { createSqliteFiles } from './sqlite-files.ts'
import { createSqliteKeys } from './sqlite-keys.ts'
import { createSqliteQuotas } from './sqlite-quotas.ts'
import { createSqliteUsers } from './sqlite-users.ts'
import { openCatalog } from './open.ts'

/** The catalog in one SQLite file; calls take microseconds (writes: one sync), so it lives on the main thread. */
export function openSqliteCatalog(path: string): Catalog {
  const sql = openCatalog(path)
  // A sync for every request that is counted would cost more than the request.
  const counters = openCatalog(path, 'NORMAL')
  return {
    users: createSqliteUsers(sql),
    keys: createSqliteKeys(sql),
    collections: createSqliteCollections(sql),
    files: createSqliteFiles(sql),
    quotas: createSqliteQuotas(counters),
    async close() {
      counters.close()
      sql.close()
    },
  }
}
