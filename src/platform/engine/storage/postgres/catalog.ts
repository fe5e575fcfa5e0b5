import type { Catalog } from '../catalog.ts'
import { createPostgresCollections } from './collections.ts'
import { createPostgresFiles } from './files.ts'
import { createPostgresKeys } from './keys.ts'
import { createPostgresQuotas } from './quotas.ts'
import type { Sql } from './sql.ts'
import { createPostgresUsers } from './accounts.ts'

/** The catalog in tables of PostgreSQL; `close` is the pool's. */
export function createPostgresCatalog(sql: Sql, close: () => Promise<void>): Catalog {
  return {
    users: createPostgresUsers(sql),
    keys: createPostgresKeys(sql),
    collections: createPostgresCollections(sql),
    files: createPostgresFiles(sql),
    quotas: createPostgresQuotas(sql),
    close,
  }
}
