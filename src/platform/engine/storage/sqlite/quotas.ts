import type { Quotas, QuotaWindow } from '../catalog.ts'
import type { Sql } from './open.ts'

interface Count {
  readonly span: string
  readonly startsAt: number
  readonly used: number
}

const COUNT_ONE = `
  INSERT INTO quota_count (key_id, span, starts_at, used)
  SELECT ?1, ?2, ?3, 1 WHERE EXISTS (SELECT 1 FROM api_key WHERE id = ?1)
  ON CONFLICT (key_id, span) DO UPDATE SET
    used = CASE WHEN starts_at = excluded.starts_at THEN used + 1 ELSE 1 END, starts_at = excluded.starts_at`

/** Counts of requests: a row for each key and window, written before the request is answered. */
export function createSqliteQuotas(sql: Sql): Quotas {
  const read = (keyId: number, windows: readonly QuotaWindow[]) => {
    const rows = sql.all<Count>(
      'SELECT span, starts_at AS startsAt, used FROM quota_count WHERE key_id = ?',
      keyId,
    )
    return windows.map(
      ({ span, startsAt }) => rows.find((row) => row.span === span && row.startsAt === startsAt)?.used ?? 0,
    )
  }
  return {
    async used(keyId, windows) {
      return read(keyId, windows)
    },
    async take(keyId, windows) {
      return sql.transaction(() => {
        const used = read(keyId, windows)
        if (windows.some(({ most }, place) => most !== undefined && (used[place] ?? 0) >= most)) {
          return { taken: false, used }
        }
        for (const { span, startsAt } of windows) sql.run(COUNT_ONE, keyId, span, startsAt)
        return { taken: true, used: used.map((one) => one + 1) }
      })
    },
  }
}
