import { DatabaseSync } from 'node:sqlite'
import { EngineError } from '../../errors.ts'

/**
 * Schema of the catalog, one step a version; `PRAGMA user_version` tells how many were taken. Steps are only ever
 * added: a step that was released is never changed.
 */
export const MIGRATIONS: readonly string[] = [
  `CREATE TABLE user (
     id INTEGER PRIMARY KEY,
     name TEXT NOT NULL UNIQUE,
     email TEXT NOT NULL,
     first_name TEXT NOT NULL,
     surname TEXT NOT NULL,
     created_at INTEGER NOT NULL
   ) STRICT;
   CREATE TABLE api_key (
     id INTEGER PRIMARY KEY,
     user_id INTEGER NOT NULL REFERENCES user(id) ON DELETE CASCADE,
     hash TEXT NOT NULL UNIQUE,
     label TEXT NOT NULL,
     is_first INTEGER NOT NULL DEFAULT 0,
     created_at INTEGER NOT NULL,
     expires_at INTEGER,
     revoked_at INTEGER,
     quota TEXT
   ) STRICT;
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
     user_id INTEGER NOT NULL REFERENCES user(id) ON DELETE CASCADE,
     PRIMARY KEY (collection_id, user_id)
   ) STRICT, WITHOUT ROWID;
   CREATE TABLE file (
     id INTEGER PRIMARY KEY AUTOINCREMENT,
     collection_id INTEGER NOT NULL REFERENCES collection(id) ON DELETE CASCADE,
     name TEXT NOT NULL,
     format TEXT NOT NULL,
     blob TEXT NOT NULL UNIQUE,
     size INTEGER NOT NULL,
     sha256 TEXT NOT NULL,
     revision INTEGER NOT NULL DEFAULT 1,
     index_status TEXT,
     chunks INTEGER NOT NULL DEFAULT 0,
     index_error TEXT,
     created_at INTEGER NOT NULL,
     updated_at INTEGER NOT NULL,
     UNIQUE (collection_id, name)
   ) STRICT;
   CREATE TABLE quota_count (
     key_id INTEGER NOT NULL REFERENCES api_key(id) ON DELETE CASCADE,
     span TEXT NOT NULL,
     starts_at INTEGER NOT NULL,
     used INTEGER NOT NULL,
     PRIMARY KEY (key_id, span)
   ) STRICT, WITHOUT ROWID;`,
  `ALTER TABLE api_key ADD COLUMN hint TEXT NOT NULL DEFAULT '';
   ALTER TABLE file ADD COLUMN source_id INTEGER REFERENCES file(id) ON DELETE CASCADE;
   CREATE INDEX file_source ON file(source_id);
   CREATE INDEX collection_reader_user ON collection_reader(user_id);`,
]

const versionOf = (database: DatabaseSync) =>
  Number(database.prepare('PRAGMA user_version').get()?.['user_version'] ?? 0)

/** Whether a database needs no migration. */
export function isCurrent(path: string): boolean {
  const database = new DatabaseSync(path)
  try {
    database.exec('PRAGMA busy_timeout = 5000')
    return versionOf(database) === MIGRATIONS.length
  } finally {
    database.close()
  }
}

/** Brings the schema up to `steps`, each step in a transaction of its own. */
export function migrate(database: DatabaseSync, steps: readonly string[] = MIGRATIONS): void {
  const version = versionOf(database)
  if (version > steps.length) {
    throw new EngineError(
      'conflict',
      `The data folder was written by a newer Footbridge (schema ${version}, this one knows ${steps.length}): ` +
        'start that version, or restore a backup.',
    )
  }
  for (const [index, step] of steps.entries()) {
    if (index < version) continue
    database.exec('BEGIN IMMEDIATE')
    try {
      database.exec(`${step}; PRAGMA user_version = ${index + 1}`)
      database.exec('COMMIT')
    } catch (error) {
      database.exec('ROLLBACK')
      throw error
    }
  }
}
