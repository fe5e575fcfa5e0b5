import { EngineError, errorText } from '#platform/engine/errors.ts'
import type { EngineLog } from '#platform/engine/types.ts'
import type { SeparateSql, Statements } from '#sql/postgres/sql.ts'

// One set of tables for all indexes: each B-tree begins with the index number, so a question reads as little as from
// its own table. Partitions would cost planning time and only speed up deletion.

/**
 * Each time a file is put it gets a new number, its segment. A chunk's number is made of its segment and its position
 * in the file, so it is never reused.
 */
export const SEGMENT_SIZE = 2 ** 20

export const segmentOf = (chunkId: number) => Math.floor(chunkId / SEGMENT_SIZE)

/** Lists of up to 8 kB stay in their row: an out-of-row table would be read for each common word. */
export const INDEX_STEPS: readonly string[] = [
  `CREATE TABLE fb_index (
     id INTEGER GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
     name TEXT NOT NULL UNIQUE,
     version BIGINT NOT NULL DEFAULT 0,
     model TEXT NOT NULL DEFAULT '',
     made_at TIMESTAMPTZ NOT NULL DEFAULT now()
   );
   CREATE SEQUENCE fb_index_segment;
   CREATE TABLE fb_index_file (
     index_id INTEGER NOT NULL,
     file_id BIGINT NOT NULL,
     revision BIGINT NOT NULL,
     segment BIGINT NOT NULL DEFAULT 0,
     name TEXT NOT NULL DEFAULT '',
     language TEXT NOT NULL DEFAULT 'und',
     chunks INTEGER NOT NULL DEFAULT 0,
     terms BIGINT NOT NULL DEFAULT 0,
     vector_stamp BIGINT NOT NULL DEFAULT 0,
     analyser INTEGER NOT NULL DEFAULT 0,
     PRIMARY KEY (index_id, file_id)
   );
   CREATE TABLE fb_index_chunk (
     index_id INTEGER NOT NULL,
     id BIGINT NOT NULL,
     file_id BIGINT NOT NULL,
     body TEXT NOT NULL,
     lead TEXT NOT NULL,
     headings TEXT NOT NULL,
     page INTEGER,
     line_from INTEGER NOT NULL,
     line_to INTEGER NOT NULL,
     PRIMARY KEY (index_id, id)
   );
   CREATE TABLE fb_index_posting (
     segment BIGINT NOT NULL,
     index_id INTEGER NOT NULL,
     chunks INTEGER NOT NULL,
     term TEXT COLLATE "C" NOT NULL,
     list BYTEA NOT NULL
   ) WITH (toast_tuple_target = 8160);
   ALTER TABLE fb_index_posting ALTER COLUMN list SET STORAGE MAIN;
   CREATE INDEX fb_index_posting_term ON fb_index_posting (index_id, term);
   CREATE INDEX fb_index_posting_segment ON fb_index_posting (segment);
   CREATE TABLE fb_index_vector (
     index_id INTEGER NOT NULL,
     chunk_id BIGINT NOT NULL,
     file_id BIGINT NOT NULL,
     data BYTEA NOT NULL,
     PRIMARY KEY (index_id, chunk_id)
   );
   ALTER TABLE fb_index_vector ALTER COLUMN data SET STORAGE EXTERNAL;`,
]

/** Any fixed number: changes of an index share this lock, its deletion takes it exclusively. */
const INDEX_LOCK = 0x66_62_69_78

/** The number of an index; undefined when it was never written. */
export async function findIndex(sql: SeparateSql, name: string): Promise<number | undefined> {
  const rows = await sql.all<{ id: number }>('SELECT id FROM fb_index WHERE name = $1', name)
  return rows[0]?.id
}

export async function makeIndex(sql: SeparateSql, name: string): Promise<number> {
  const known = await findIndex(sql, name)
  if (known !== undefined) return known
  // Only when missing: even an insert that conflicts uses up a number.
  await sql.run('INSERT INTO fb_index (name) VALUES ($1) ON CONFLICT (name) DO NOTHING', name)
  const id = await findIndex(sql, name)
  if (id === undefined) throw dropped()
  return id
}

/** The error of a write to an index that was deleted meanwhile. */
export const dropped = () =>
  new EngineError('conflict', 'The index was deleted while it was being written.', { reason: 'index_deleted' })

/**
 * Prevents the deletion of the index until the end of the transaction; false when it is gone. The commit does not wait
 * for the disk: the catalog's later commit does, for both.
 */
export async function shareIndex(client: Statements, index: number): Promise<boolean> {
  await client.run(`SET LOCAL synchronous_commit = off; SELECT pg_advisory_xact_lock_shared(${INDEX_LOCK}, ${index})`)
  return (await client.run('SELECT 1 FROM fb_index WHERE id = $1', index)) > 0
}

/** Invalidates the caches of all processes. Call it last in a transaction: others wait for its end. */
export async function touch(client: Statements, index: number): Promise<void> {
  await client.run('UPDATE fb_index SET version = version + 1 WHERE id = $1', index)
}

/** Locks the index for its deletion; waits for writes that are under way. */
export async function claimIndex(client: Statements, index: number): Promise<void> {
  await client.run('SELECT pg_advisory_xact_lock($1, $2)', INDEX_LOCK, index)
}

/** Any fixed number: processes that start at the same time take turns by this lock. */
const EXTENSION_LOCK = 0x66_62_65_78

/** Runs a statement under the lock of extensions. */
export function withExtensionLock(sql: SeparateSql, statement: string): Promise<void> {
  return sql.transaction(async (client) => {
    await client.run('SELECT pg_advisory_xact_lock($1)', EXTENSION_LOCK)
    await client.run(statement)
  })
}

interface Extension {
  readonly name: string
  /** SQL that fails where the extension lacks a needed function. */
  readonly proof: string
}

/**
 * Whether an extension works in this database; creates it where the server has it and the user may. The result is
 * logged once.
 */
export async function hasExtension(sql: SeparateSql, log: EngineLog, { name, proof }: Extension): Promise<boolean> {
  if ((await sql.run('SELECT 1 FROM pg_available_extensions WHERE name = $1', name)) === 0) {
    log.debug({ extension: name }, 'PostgreSQL does not have this extension')
    return false
  }
  try {
    await withExtensionLock(sql, `CREATE EXTENSION IF NOT EXISTS ${name}; ${proof}`)
    log.info({ extension: name }, 'PostgreSQL extension is used by the index')
    return true
  } catch (error) {
    log.warn(
      { extension: name, reason: errorText(error) },
      'PostgreSQL has this extension, but the index cannot use it: a superuser can make it with CREATE EXTENSION',
    )
    return false
  }
}
