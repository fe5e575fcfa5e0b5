import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { openSqlite } from '#sql/sqlite/file.ts'

/** Each entry brings the file from version `index` to `index + 1`. Never changed once released, only added to. */
const MIGRATIONS = [
  `CREATE TABLE channels (
     id TEXT PRIMARY KEY,
     name TEXT NOT NULL UNIQUE,
     direct INTEGER NOT NULL,
     created_at INTEGER NOT NULL,
     archived_at INTEGER,
     deleted_at INTEGER
   ) STRICT;
   CREATE TABLE messages (
     seq INTEGER PRIMARY KEY AUTOINCREMENT,
     id TEXT NOT NULL UNIQUE,
     rev INTEGER NOT NULL DEFAULT 1,
     channel TEXT NOT NULL REFERENCES channels(id),
     thread TEXT,
     ours INTEGER NOT NULL,
     author_id TEXT NOT NULL,
     author_name TEXT NOT NULL,
     language TEXT,
     kind TEXT NOT NULL,
     text TEXT NOT NULL,
     body TEXT NOT NULL,
     pressed TEXT,
     send_id TEXT UNIQUE,
     streaming INTEGER NOT NULL DEFAULT 0,
     accepted INTEGER NOT NULL DEFAULT 1,
     edited INTEGER NOT NULL DEFAULT 0,
     sent_at INTEGER NOT NULL
   ) STRICT;
   CREATE INDEX messages_by_place ON messages (channel, thread, seq);
   CREATE INDEX messages_waiting ON messages (seq) WHERE accepted = 0;
   CREATE TABLE uploads (
     id TEXT PRIMARY KEY,
     name TEXT NOT NULL,
     mime_type TEXT NOT NULL,
     kind TEXT NOT NULL,
     size_bytes INTEGER NOT NULL,
     duration_ms INTEGER,
     message_id TEXT,
     created_at INTEGER NOT NULL,
     owner TEXT
   ) STRICT;
   CREATE INDEX uploads_by_message ON uploads (message_id);
   CREATE TABLE sessions (
     token_hash TEXT PRIMARY KEY,
     expires_at INTEGER NOT NULL
   ) STRICT;
   CREATE TABLE devices (
     token_hash TEXT PRIMARY KEY,
     expires_at INTEGER NOT NULL
   ) STRICT;
   CREATE TABLE password (
     id INTEGER PRIMARY KEY CHECK (id = 1),
     salt BLOB NOT NULL,
     hash BLOB NOT NULL
   ) STRICT;
   CREATE VIRTUAL TABLE found USING fts5(text, content = '', contentless_delete = 1, tokenize = 'trigram remove_diacritics 1');
   CREATE TRIGGER found_new AFTER INSERT ON messages WHEN new.streaming = 0 BEGIN
     INSERT INTO found (rowid, text) VALUES (new.seq, new.text);
   END;
   CREATE TRIGGER found_gone AFTER DELETE ON messages BEGIN
     DELETE FROM found WHERE rowid = old.seq;
   END;
   CREATE TRIGGER found_changed AFTER UPDATE OF text, streaming ON messages WHEN new.streaming = 0 BEGIN
     DELETE FROM found WHERE rowid = old.seq;
     INSERT INTO found (rowid, text) VALUES (new.seq, new.text);
   END;
   INSERT INTO channels (id, name, direct, created_at) VALUES ('direct', 'Direct question', 1, 0), ('general', 'general', 0, 0);`,
]

/**
 * Opens `web.sqlite` in the data folder, and makes or migrates it.
 * @throws {Error} a sentence, when the file was written by a newer version.
 */
export function openDatabase(dataDir: string): DatabaseSync {
  mkdirSync(dataDir, { recursive: true })
  const file = join(dataDir, 'web.sqlite')
  // FULL: an answer to the browser means that the message is on the disk.
  const pragmas = 'PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA busy_timeout = 5000'
  return openSqlite(file, pragmas, {
    steps: MIGRATIONS,
    toNewerError: (version) =>
      new Error(
        `${file} was written by a newer Footbridge (schema ${version}, this one knows ${MIGRATIONS.length}). ` +
          'Start the newer version, or set DATA_DIR to another folder.',
      ),
  })
}
