import type { Pool, PoolClient } from 'pg'
import { EngineError } from '../../../errors.ts'

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

/** To whoever wrote to it meanwhile. */
export const dropped = () =>
  new EngineError('conflict', 'The index was deleted while it was being written.', {
    reason: 'index_deleted',
  })

/**
 * Keeps the index from being deleted until the end of the transaction; false when it is gone already. The transaction
 * doesn't wait for the disk: what the catalog says of it is committed behind it and waits for both.
 */
export async function shareIndex(client: PoolClient, index: number): Promise<boolean> {
  await client.query(
    `SET LOCAL synchronous_commit = off; SELECT pg_advisory_xact_lock_shared(${INDEX_LOCK}, ${index})`,
  )
  const { rowCount } = await client.query('SELECT 1 FROM fb_index WHERE id = $1', [index])
  return rowCount !== 0
}

/** Tells every process that what it knows of the index is old. Last in a transaction: others wait for its end. */
export async function touch(client: PoolClient, index: number): Promise<void> {
  await client.query('UPDATE fb_index SET version = version + 1 WHERE id = $1', [index])
}

/** To be deleted: waits for whoever writes to it. */
export async function claimIndex(client: PoolClient, index: number): Promise<void> {
  await client.query('SELECT pg_advisory_xact_lock($1, $2)', [INDEX_LOCK, index])
}
