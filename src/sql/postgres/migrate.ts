import type { Pool } from 'pg'
import { PostgresError } from './errors.ts'
import { transaction } from './pool.ts'

/** Any fixed number: processes that start at the same time take turns by this lock. */
const MIGRATION_LOCK = 0x66_62_6d_67

/**
 * Migrates the tables of one part (`room`) to `steps`, all or none; processes that start at the same time take turns. A
 * released step is never changed, and only adds, so that processes of two versions run side by side during an upgrade:
 * tables that are newer are used as they are. A step that older versions can't work with raises `oldest`.
 *
 * @param oldest number of steps that a process has to know to work with these tables
 * @throws {PostgresError} `conflict` when a newer version made the tables and says that this one can't use them
 */
export function migrate(pool: Pool, room: string, steps: readonly string[], oldest = 0): Promise<void> {
  return transaction(pool, async (client) => {
    await client.query('SELECT pg_advisory_xact_lock($1)', [MIGRATION_LOCK])
    await client.query(
      `CREATE TABLE IF NOT EXISTS fb_schema
         (room TEXT PRIMARY KEY, version INTEGER NOT NULL, oldest INTEGER NOT NULL DEFAULT 0)`,
    )
    const { rows } = await client.query<{ version: number; oldest: number }>(
      'SELECT version, oldest FROM fb_schema WHERE room = $1',
      [room],
    )
    const [known = { version: 0, oldest: 0 }] = rows
    if (known.oldest > steps.length) {
      throw new PostgresError(
        'conflict',
        `The database was written by a newer Footbridge (${room} ${known.version}, this one knows ${steps.length}): ` +
          'start that version, or restore a backup.',
      )
    }
    if (known.version >= steps.length) return
    for (const step of steps.slice(known.version)) await client.query(step)
    await client.query(
      `INSERT INTO fb_schema (room, version, oldest) VALUES ($1, $2, $3)
       ON CONFLICT (room) DO UPDATE SET version = excluded.version, oldest = excluded.oldest`,
      [room, steps.length, oldest],
    )
  })
}
