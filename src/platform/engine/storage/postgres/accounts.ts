import { isFull, type Keys, type QuotaUse, type Quotas, type QuotaWindow } from '../catalog.ts'
import type { Sql, Statements } from '../../../../postgres/pool.ts'

/** Each data folder on this database has a first key of its own. */
export const createSetFirst =
  (sql: Sql): Keys['setFirst'] =>
  async (userId, { hash, holder, machine }, now) => {
    // Several machines may use the same PLATFORM_API_KEY.
    const insert = `INSERT INTO fb_api_key (user_id, hash, label, first_of, created_at) VALUES ($1, $2, $3, $4, $5)
      ON CONFLICT (hash) DO NOTHING`
    await sql.transaction(async (one) => {
      await one.run('DELETE FROM fb_api_key WHERE first_of = $1 AND hash <> $2', holder, hash)
      await one.run(insert, userId, hash, `first key of ${machine}`, holder, now)
    })
  }

/** Requests so far in each window ($2 spans, $3 starts), in this order; a count with another start is over. */
const standing = (row: string) => `
  SELECT wanted.n, coalesce(counted.used, 0) AS used
  FROM unnest($2::text[], $3::bigint[]) WITH ORDINALITY AS wanted (span, starts_at, n)
    LEFT JOIN unnest(${row}.spans, ${row}.starts, ${row}.used) AS counted (span, starts_at, used)
      ON counted.span = wanted.span AND counted.starts_at = wanted.starts_at`

const READ_USED = `
  SELECT ARRAY(SELECT used FROM (${standing('fb_quota_count')}) AS s ORDER BY n) AS used
  FROM fb_quota_count WHERE key_id = $1`

/**
 * One statement: it locks the key's row first, so two requests cannot both take the last one. The commit does not wait
 * for the disk: a count survives a crash of the process, not a power cut.
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

const COUNTS_OF_USER = `
  SELECT one.span, one.starts_at AS "startsAt", sum(one.used)::int AS used
  FROM fb_quota_count JOIN fb_api_key ON fb_api_key.id = key_id,
    unnest(spans, starts, fb_quota_count.used) AS one (span, starts_at, used)
  WHERE user_id = $1 GROUP BY one.span, one.starts_at`

/** Counts of requests: a row for each key, written before the request is answered. */
export function createPostgresQuotas(sql: Sql): Quotas {
  async function used(keyId: number, windows: readonly QuotaWindow[], by: Statements = sql) {
    const row = await by.get<{ used: readonly number[] }>(READ_USED, keyId, ...toLists(windows))
    return row?.used ?? windows.map(() => 0)
  }
  async function usedByUser(userId: number, windows: readonly QuotaWindow[], by: Statements = sql) {
    type Count = { readonly span: string; readonly startsAt: number; readonly used: number }
    const counts = await by.all<Count>(COUNTS_OF_USER, userId)
    return windows.map(
      ({ span, startsAt }) => counts.find((one) => one.span === span && one.startsAt === startsAt)?.used ?? 0,
    )
  }
  async function take(keyId: number, windows: readonly QuotaWindow[], by: Statements = sql): Promise<QuotaUse> {
    const most = windows.map((window) => window.most ?? Number.MAX_SAFE_INTEGER)
    const counted = await by.get<{ used: readonly number[] }>(TAKE_ONE, keyId, ...toLists(windows), most)
    if (counted !== undefined) return { taken: true, used: counted.used }
    const full = await used(keyId, windows, by)
    if (isFull(windows, full)) return { taken: false, used: full }
    // The key was deleted: there is nothing to count.
    return { taken: true, used: full.map((count) => count + 1) }
  }
  return {
    used: (keyId, windows) => used(keyId, windows),
    usedByUser: (userId, windows) => usedByUser(userId, windows),
    take: (keyId, windows, user) =>
      user === undefined
        ? take(keyId, windows)
        : sql.transaction(async (by) => {
            // Calls with several keys of a user wait for each other.
            await by.run('SELECT 1 FROM fb_user WHERE id = $1 FOR UPDATE', user.userId)
            const together = await usedByUser(user.userId, user.windows, by)
            if (isFull(user.windows, together)) return { taken: false, used: await used(keyId, windows, by), together }
            const own = await take(keyId, windows, by)
            return { ...own, together: together.map((count) => (own.taken ? count + 1 : count)) }
          }),
  }
}

const toLists = (windows: readonly QuotaWindow[]) => [
  windows.map(({ span }) => span),
  windows.map(({ startsAt }) => startsAt),
]
