import type { Quotas, QuotaWindow } from '../catalog.ts'
import type { Sql } from './sql.ts'

/** Requests so far in each wanted window ($2 spans, $3 starts), in their order; a count of another start is over. */
const standing = (row: string) => `
  SELECT wanted.n, coalesce(counted.used, 0) AS used
  FROM unnest($2::text[], $3::bigint[]) WITH ORDINALITY AS wanted (span, starts_at, n)
    LEFT JOIN unnest(${row}.spans, ${row}.starts, ${row}.used) AS counted (span, starts_at, used)
      ON counted.span = wanted.span AND counted.starts_at = wanted.starts_at`

const READ_USED = `
  SELECT ARRAY(SELECT used FROM (${standing('fb_quota_count')}) AS s ORDER BY n) AS used
  FROM fb_quota_count WHERE key_id = $1`

/**
 * One statement: the row of the key is locked before its condition is judged, so no two requests take the same last one.
 * Its commit is not waited for on the disk: a count survives the end of the process, not a power cut.
 */
const TAKE_ONE = `
  INSERT INTO fb_quota_count (key_id, spans, starts, used)
  SELECT id, $2::text[], $3::bigint[], array_fill(1, ARRAY[cardinality($2::text[])])
  FROM fb_api_key, (SELECT set_config('synchronous_commit', 'off', true)) AS lazy
  WHERE id = $1 AND 1 <= ALL ($4::bigint[])
  ON CONFLICT (key_id) DO UPDATE SET spans = excluded.spans, starts = excluded.starts,
    used = ARRAY(SELECT used + 1 FROM (${standing('fb_quota_count')}) AS s ORDER BY n)
  WHERE NOT EXISTS (SELECT 1 FROM (${standing('fb_quota_count')}) AS s WHERE used >= ($4::bigint[])[n::int])
  RETURNING used`

/** Counts of requests: a row for each key, written before the request is answered. */
export function createPostgresQuotas(sql: Sql): Quotas {
  async function used(keyId: number, windows: readonly QuotaWindow[]): Promise<readonly number[]> {
    const row = await sql.get<{ used: readonly number[] }>(READ_USED, keyId, ...toLists(windows))
    return row?.used ?? windows.map(() => 0)
  }
  return {
    used,
    async take(keyId, windows) {
      const most = windows.map((window) => window.most ?? Number.MAX_SAFE_INTEGER)
      const counted = await sql.get<{ used: readonly number[] }>(TAKE_ONE, keyId, ...toLists(windows), most)
      if (counted !== undefined) return { taken: true, used: counted.used }
      const full = await used(keyId, windows)
      if (full.some((count, place) => count >= (most[place] ?? 0))) return { taken: false, used: full }
      // The key is gone: nothing to count.
      return { taken: true, used: full.map((count) => count + 1) }
    },
  }
}

const toLists = (windows: readonly QuotaWindow[]) => [
  windows.map(({ span }) => span),
  windows.map(({ startsAt }) => startsAt),
]
