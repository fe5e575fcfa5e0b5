import { DatabaseSync } from 'node:sqlite'
import { openSqlite, type Schema, schemaVersion } from '#sql/sqlite/file.ts'
import { toSqliteSchema } from '#sql/schema.ts'
import { createSqliteSql, createSyncSql, type SyncSql } from '#sql/sqlite/sql.ts'
import { EngineError } from '#platform/engine/errors.ts'
import type { Catalog } from '../catalog.ts'
import { createKeys, createUsers } from '../tables/accounts.ts'
import { createCollections, createFiles } from '../tables/collections.ts'
import { KEY_SCOPE, TABLES } from '../tables/schema.ts'
import { createSqliteQuotas } from './quotas.ts'

/** Schema of the catalog, one step for each version (`PRAGMA user_version`). A released step is never changed. */
export const MIGRATIONS: readonly string[] = [
  `${toSqliteSchema(TABLES)}
   CREATE TABLE fb_quota_count (
     key_id INTEGER NOT NULL REFERENCES fb_api_key(id) ON DELETE CASCADE,
     span TEXT NOT NULL,
     starts_at INTEGER NOT NULL,
     used INTEGER NOT NULL,
     PRIMARY KEY (key_id, span)
   ) STRICT, WITHOUT ROWID;`,
  KEY_SCOPE,
]

/** @throws {EngineError} `conflict` when a newer version wrote the file */
export const CATALOG_SCHEMA: Schema = {
  steps: MIGRATIONS,
  toNewerError: (version) =>
    new EngineError(
      'conflict',
      `The data folder was written by a newer Footbridge (schema ${version}, this one knows ${MIGRATIONS.length}): ` +
        'start that version, or restore a backup.',
    ),
}

/** Whether a database needs no migration. */
export function isCurrent(path: string): boolean {
  const database = new DatabaseSync(path)
  try {
    database.exec('PRAGMA busy_timeout = 5000')
    return schemaVersion(database) === MIGRATIONS.length
  } finally {
    database.close()
  }
}

/**
 * `FULL`: an answered upload survives a power cut. `NORMAL`: writes survive a crash of the process only, and cost no
 * sync. The command line shares the file: each side waits up to 5 s.
 */
const openCatalog = (path: string, synchronous: 'FULL' | 'NORMAL'): SyncSql =>
  createSyncSql(
    openSqlite(
      path,
      `PRAGMA busy_timeout = 5000; PRAGMA journal_mode = WAL; PRAGMA synchronous = ${synchronous}; PRAGMA foreign_keys = ON`,
      CATALOG_SCHEMA,
    ),
  )

export interface SqliteCatalog extends Catalog {
  /** Names of bytes and indexes with a record: everything else in the folder is a leftover. */
  known(): { readonly blobs: ReadonlySet<string>; readonly indexes: ReadonlySet<string> }
}

/** The catalog in one SQLite file, on the main thread: calls take microseconds, writes one sync. */
export function openSqliteCatalog(path: string): SqliteCatalog {
  const sql = openCatalog(path, 'FULL')
  // A sync for every counted request would cost more than the request.
  const counters = openCatalog(path, 'NORMAL')
  const names = (query: string) => new Set(sql.all<{ name: string }>(query).map(({ name }) => name))
  const statements = createSqliteSql(sql)
  const quotas = createSqliteQuotas(counters)
  return {
    users: createUsers(statements),
    keys: createKeys(statements),
    collections: createCollections(statements),
    files: createFiles(statements),
    quotas,
    known: () => ({
      blobs: names('SELECT blob AS name FROM fb_file'),
      indexes: names('SELECT index_name AS name FROM fb_collection'),
    }),
    async close() {
      quotas.flush()
      counters.close()
      sql.close()
    },
  }
}
