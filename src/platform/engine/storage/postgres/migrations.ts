import { KEY_SCOPE, TABLES } from '../tables/schema.ts'

/** Tables of users, keys, collections, files, their bytes, and counts. Steps are only ever added. */
export const CATALOG_STEPS: readonly string[] = [
  `${TABLES}
   -- One row a key, so that one statement can see and raise all its windows; element n belongs to window n.
   CREATE TABLE fb_quota_count (
     key_id INTEGER PRIMARY KEY REFERENCES fb_api_key(id) ON DELETE CASCADE,
     spans TEXT[] NOT NULL,
     starts BIGINT[] NOT NULL,
     used INTEGER[] NOT NULL
   ) WITH (fillfactor = 70);
   CREATE TABLE fb_blob (
     name TEXT PRIMARY KEY,
     -- Null while it is being written.
     size BIGINT,
     written_at TIMESTAMPTZ NOT NULL DEFAULT now()
   );
   CREATE TABLE fb_blob_part (
     name TEXT NOT NULL REFERENCES fb_blob(name) ON DELETE CASCADE,
     part INTEGER NOT NULL,
     bytes BYTEA NOT NULL,
     PRIMARY KEY (name, part)
   );
   -- Most of it is compressed already: trying again only costs time.
   ALTER TABLE fb_blob_part ALTER COLUMN bytes SET STORAGE EXTERNAL;`,
  KEY_SCOPE,
]
