import type { Sql } from '../../../../lib/sqlite.ts'
import { isFull, type Keys, type Quotas, type QuotaWindow } from '../catalog.ts'

/** One process holds the folder, so there is one first key. */
export const createSetFirst =
  (sql: Sql): Keys['setFirst'] =>
  async (userId, { hash }, now) => {
    const same = sql.get('SELECT 1 AS one FROM api_key WHERE hash = ? AND is_first = 1', hash)
    if (same !== undefined) return
    const columns = '(user_id, hash, label, is_first, created_at)'
    sql.transaction(() => {
      sql.run('DELETE FROM api_key WHERE is_first = 1')
      sql.run(`INSERT INTO api_key ${columns} VALUES (?, ?, 'first key', 1, ?)`, userId, hash, now)
    })
  }

interface Count {
  readonly span: string
  readonly startsAt: number
  readonly used: number
}

/** Counts one request in so many windows. */
const countOne = (windows: number) => `
  INSERT INTO quota_count (key_id, span, starts_at, used)
  SELECT api_key.id, counted.column1, counted.column2, 1
  FROM (VALUES ${Array.from({ length: windows }, () => '(?, ?)').join(', ')}) AS counted JOIN api_key ON api_key.id = ?
  WHERE true
  ON CONFLICT (key_id, span) DO UPDATE SET
    used = CASE WHEN starts_at = excluded.starts_at THEN used + 1 ELSE 1 END, starts_at = excluded.starts_at`

const COUNTS_OF_USER = `
  SELECT span, starts_at AS startsAt, sum(used) AS used FROM quota_count
  WHERE key_id IN (SELECT id FROM api_key WHERE user_id = ?) GROUP BY span, starts_at`

const toUsed = (rows: readonly Count[], windows: readonly QuotaWindow[]) =>
  windows.map(({ span, startsAt }) => rows.find((row) => row.span === span && row.startsAt === startsAt)?.used ?? 0)

/** Request counts: a row for each key and window, written before the request is answered. */
export function createSqliteQuotas(sql: Sql): Quotas {
  const read = (keyId: number, windows: readonly QuotaWindow[]) => {
    const rows = sql.all<Count>('SELECT span, starts_at AS startsAt, used FROM quota_count WHERE key_id = ?', keyId)
    return toUsed(rows, windows)
  }
  const ofUser = (userId: number, windows: readonly QuotaWindow[]) =>
    toUsed(sql.all<Count>(COUNTS_OF_USER, userId), windows)
  return {
    async used(keyId, windows) {
      return read(keyId, windows)
    },
    async usedByUser(userId, windows) {
      return ofUser(userId, windows)
    },
    async take(keyId, windows, user) {
      return sql.transaction(() => {
        const used = read(keyId, windows)
        const together = user && ofUser(user.userId, user.windows)
        if (isFull(windows, used) || (together !== undefined && isFull(user?.windows ?? [], together))) {
          return { taken: false, used, together }
        }
        const counted = windows.flatMap(({ span, startsAt }) => [span, startsAt])
        if (windows.length > 0) sql.run(countOne(windows.length), ...counted, keyId)
        const [after, afterTogether] = [used, together].map((counts) => counts?.map((one) => one + 1))
        return { taken: true, used: after ?? [], together: afterTogether }
      })
    },
  }
}
