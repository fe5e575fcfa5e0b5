import { DatabaseSync } from 'node:sqlite'
import { openSqlite, type Schema, schemaVersion } from '#sql/sqlite/file.ts'
import { createSqliteSql, createSyncSql, type SyncSql } from '#sql/sqlite/sql.ts'
import { EngineError } from '#platform/engine/errors.ts'
import type { Catalog } from '../catalog.ts'
import { createKeys, createUsers } from '../tables/accounts.ts'
import { createCollections, createFiles } from '../tables/collections.ts'
import type { Dialect } from '../tables/dialect.ts'
import { createSetFirst } from './accounts.ts'
import { createCollectionChanges, createFileChanges } from './collections.ts'
import { createSqliteQuotas } from './quotas.ts'

/** Schema of the catalog, one step for each version (`PRAGMA user_version`). A released step is never changed. */
const MIGRATIONS: readonly string[] = [
  `CREATE TABLE user (
     id INTEGER PRIMARY KEY,
     name TEXT NOT NULL UNIQUE,
     email TEXT NOT NULL,
     first_name TEXT NOT NULL,
     surname TEXT NOT NULL,
     created_at INTEGER NOT NULL,
     quota TEXT
   ) STRICT;
   CREATE TABLE api_key (
     id INTEGER PRIMARY KEY,
     user_id INTEGER NOT NULL REFERENCES user(id) ON DELETE CASCADE,
     hash TEXT NOT NULL UNIQUE,
     hint TEXT NOT NULL DEFAULT '',
     label TEXT NOT NULL,
     is_first INTEGER NOT NULL DEFAULT 0,
     created_at INTEGER NOT NULL,
     expires_at INTEGER,
     revoked_at INTEGER,
     quota TEXT
   ) STRICT;
   CREATE INDEX api_key_user ON api_key (user_id);
   CREATE TABLE collection (
     id INTEGER PRIMARY KEY,
     owner_id INTEGER NOT NULL REFERENCES user(id) ON DELETE CASCADE,
     name TEXT NOT NULL,
     index_name TEXT NOT NULL UNIQUE,
     visibility TEXT NOT NULL DEFAULT 'private',
     created_at INTEGER NOT NULL,
     updated_at INTEGER NOT NULL,
     indexed_at INTEGER,
     pass_started_at INTEGER,
     UNIQUE (owner_id, name)
   ) STRICT;
   CREATE TABLE collection_reader (
     collection_id INTEGER NOT NULL REFERENCES collection(id) ON DELETE CASCADE,
     user_name TEXT NOT NULL,
     PRIMARY KEY (collection_id, user_name)
   ) STRICT, WITHOUT ROWID;
   CREATE INDEX collection_reader_user ON collection_reader (user_name);
   CREATE TABLE file (
     id INTEGER PRIMARY KEY AUTOINCREMENT,
     collection_id INTEGER NOT NULL REFERENCES collection(id) ON DELETE CASCADE,
     name TEXT NOT NULL,
     format TEXT NOT NULL,
     blob TEXT NOT NULL UNIQUE,
     size INTEGER NOT NULL,
     sha256 TEXT NOT NULL,
     revision INTEGER NOT NULL DEFAULT 1,
     source_id INTEGER REFERENCES file(id) ON DELETE CASCADE,
     index_status TEXT,
     chunks INTEGER NOT NULL DEFAULT 0,
     index_error TEXT,
     created_at INTEGER NOT NULL,
     updated_at INTEGER NOT NULL,
     UNIQUE (collection_id, name)
   ) STRICT;
   CREATE INDEX file_source ON file (source_id);
   CREATE TABLE quota_count (
     key_id INTEGER NOT NULL REFERENCES api_key(id) ON DELETE CASCADE,
     span TEXT NOT NULL,
     starts_at INTEGER NOT NULL,
     used INTEGER NOT NULL,
     PRIMARY KEY (key_id, span)
   ) STRICT, WITHOUT ROWID;`,
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

const toDialect = (sql: SyncSql): Dialect => ({
  sql: createSqliteSql(sql),
  prefix: '',
  firstColumns: 'is_first AS "isFirst", NULL AS holder',
})

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
  const dialect = toDialect(sql)
  const quotas = createSqliteQuotas(counters)
  return {
    users: createUsers(dialect),
    keys: { ...createKeys(dialect), setFirst: createSetFirst(sql) },
    collections: { ...createCollections(dialect), ...createCollectionChanges(sql) },
    files: { ...createFiles(dialect), ...createFileChanges(sql) },
    quotas,
    known: () => ({
      blobs: names('SELECT blob AS name FROM file'),
      indexes: names('SELECT index_name AS name FROM collection'),
    }),
    async close() {
      quotas.flush()
      counters.close()
      sql.close()
    },
  }
}
