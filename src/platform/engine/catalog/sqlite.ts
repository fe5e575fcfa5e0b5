import type { Catalog } from './catalog.ts'
import { createSqliteCollections } from './sqlite-collections.ts'
import { createSqliteFiles } from './sqlite-files.ts'
import { createSqliteKeys, createSqliteQuotas, createSqliteUsers } from './sqlite-users.ts'
import { openCatalog } from './open.ts'

/** The catalog in one SQLite file; calls take microseconds (writes: one sync), so it lives on the main thread. */
export function openSqliteCatalog(path: string): Catalog {
  const sql = openCatalog(path)
  return {
    users: createSqliteUsers(sql),
    keys: createSqliteKeys(sql),
    collections: createSqliteCollections(sql),
    files: createSqliteFiles(sql),
    quotas: createSqliteQuotas(sql),
    async close() {
      sql.close()
    },
  }
}
