import type { Pool, PoolClient } from 'pg'
import { EngineError, errorText } from '../../../errors.ts'
import type { EngineLog } from '../../../types.ts'
import { transaction } from '../pool.ts'

// One set of tables for all indexes, each row with the number of its index: every question names one index, and the
// B-trees start with that number, so it reads as little as if the tables were its own. Partitions would cost planning
// with each question and save nothing but the deletion of a whole collection.

/**
 * A file in the index is a segment: a number of its own for every time that it is put, so that no chunk is ever known by
 * the number of another. A chunk's number is its segment's and its position in the file.
 */
export const SEGMENT_SIZE = 2 ** 20

export const segmentOf = (chunkId: number) => Math.floor(chunkId / SEGMENT_SIZE)

/** Name of what stands beside a table for one index alone. */
export const ownIndex = (table: string, index: number) => `${table}_${index}`

/** Lists of up to 8 kB stay in their row: a second table for long values would be read for each common word. */
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
     has_words BOOLEAN NOT NULL DEFAULT false,
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

/** Any number that stays the same: changes of an index share a lock, its deletion has it alone. */
const INDEX_LOCK = 0x66_62_69_78

/** The number of an index; undefined when it was never written. */
export async function findIndex(pool: Pool, name: string): Promise<number | undefined> {
  const { rows } = await pool.query<{ id: number }>('SELECT id FROM fb_index WHERE name = $1', [name])
  return rows[0]?.id
}

export async function makeIndex(pool: Pool, name: string): Promise<number> {
  const known = await findIndex(pool, name)
  if (known !== undefined) return known
  // Not with each put: an insert that does nothing uses up a number, too.
  await pool.query('INSERT INTO fb_index (name) VALUES ($1) ON CONFLICT (name) DO NOTHING', [name])
  const id = await findIndex(pool, name)
  if (id === undefined) throw dropped()
  return id
}

/** The error of a write to an index that was deleted meanwhile. */
export const dropped = () =>
  new EngineError('conflict', 'The index was deleted while it was being written.', {
    reason: 'index_deleted',
  })

/**
 * Keeps the index from being deleted until the end of the transaction; false when it is gone already. The transaction
 * doesn't wait for the disk: what the catalog says of it is committed behind it and waits for both.
 */
export async function shareIndex(client: PoolClient, index: number): Promise<boolean> {
  await client.query(`SET LOCAL synchronous_commit = off; SELECT pg_advisory_xact_lock_shared(${INDEX_LOCK}, ${index})`)
  const { rowCount } = await client.query('SELECT 1 FROM fb_index WHERE id = $1', [index])
  return rowCount !== 0
}

/** Tells every process that what it knows of the index is old. Last in a transaction: others wait for its end. */
export async function touch(client: PoolClient, index: number): Promise<void> {
  await client.query('UPDATE fb_index SET version = version + 1 WHERE id = $1', [index])
}

/** Locks the index for its deletion; waits for writes that are under way. */
export async function claimIndex(client: PoolClient, index: number): Promise<void> {
  await client.query('SELECT pg_advisory_xact_lock($1, $2)', [INDEX_LOCK, index])
}

/** Any number that stays the same: processes that start at once take turns by it. */
const EXTENSION_LOCK = 0x66_62_65_78

/** Runs it while no other process does the like. */
export function withExtensionLock(pool: Pool, sql: string): Promise<void> {
  return transaction(pool, async (client) => {
    await client.query('SELECT pg_advisory_xact_lock($1)', [EXTENSION_LOCK])
    await client.query(sql)
  })
}

interface Extension {
  readonly name: string
  /** SQL that fails where the extension cannot do what is needed. */
  readonly proof: string
}

/**
 * Whether an extension is in this database and works; it is added where the server has it and the user may. Said once in
 * the log, whichever way it is.
 */
export async function hasExtension(pool: Pool, log: EngineLog, { name, proof }: Extension): Promise<boolean> {
  const { rowCount } = await pool.query('SELECT 1 FROM pg_available_extensions WHERE name = $1', [name])
  if (rowCount === 0) {
    log.debug({ extension: name }, 'PostgreSQL does not have this extension')
    return false
  }
  try {
    await withExtensionLock(pool, `CREATE EXTENSION IF NOT EXISTS ${name}; ${proof}`)
    log.info({ extension: name }, 'PostgreSQL extension is used by the index')
    return true
  } catch (error) {
    log.warn({ extension: name, reason: errorText(error) }, 'PostgreSQL has this extension, but it cannot be used')
    return false
  }
}
