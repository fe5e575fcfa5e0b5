import type { Pool } from 'pg'
import { EngineError } from '../../errors.ts'
import { transaction } from './pool.ts'

/** Any number that stays the same: processes that start at once take turns by it. */
const MIGRATION_LOCK = 0x66_62_6d_67

/**
 * Brings the tables of one part (`room`) up to `steps`, all of them or none; processes that start at once take turns.
 * Steps are only ever added: a step that was released is never changed.
 *
 * @throws {EngineError} `conflict` when a newer version made the tables
 */
export function migrate(pool: Pool, room: string, steps: readonly string[]): Promise<void> {
  return transaction(pool, async (client) => {
    await client.query('SELECT pg_advisory_xact_lock($1)', [MIGRATION_LOCK])
    await client.query(
      'CREATE TABLE IF NOT EXISTS fb_schema (room TEXT PRIMARY KEY, version INTEGER NOT NULL)',
    )
    const { rows } = await client.query<{ version: number }>(
      'SELECT version FROM fb_schema WHERE room = $1',
      [room],
    )
    const version = rows[0]?.version ?? 0
    if (version > steps.length) {
      throw new EngineError(
        'conflict',
        `The database was written by a newer Footbridge (${room} ${version}, this one knows ${steps.length}): ` +
          'start that version, or restore a backup.',
      )
    }
    if (version === steps.length) return
    for (const step of steps.slice(version)) await client.query(step)
    await client.query(
      `INSERT INTO fb_schema (room, version) VALUES ($1, $2)
       ON CONFLICT (room) DO UPDATE SET version = excluded.version`,
      [room, steps.length],
    )
  })
}
