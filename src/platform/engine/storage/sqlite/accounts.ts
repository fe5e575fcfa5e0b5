import type { SyncSql } from '#sql/sqlite/sql.ts'
import type { Keys } from '../catalog.ts'

/** One process holds the folder, so there is one first key. */
export const createSetFirst =
  (sql: SyncSql): Keys['setFirst'] =>
  async (userId, { hash }, now) => {
    const same = sql.get('SELECT 1 AS one FROM api_key WHERE hash = ? AND is_first = 1', hash)
    if (same !== undefined) return
    const columns = '(user_id, hash, label, is_first, created_at)'
    sql.transaction(() => {
      sql.run('DELETE FROM api_key WHERE is_first = 1')
      sql.run(`INSERT INTO api_key ${columns} VALUES (?, ?, 'first key', 1, ?)`, userId, hash, now)
    })
  }
