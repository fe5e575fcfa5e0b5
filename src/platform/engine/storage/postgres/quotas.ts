import { isFull, type QuotaUse, type Quotas, type QuotaWindow } from '../catalog.ts'
import { createGathering } from '#sql/postgres/gather.ts'
import type { PostgresSql, Statements } from '#sql/postgres/sql.ts'

const MAX_BATCH = 100

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
 * $5 requests, all or none, in one statement: it locks the key's row first, so two processes cannot both take the last one.
 * The commit does not wait for the disk: a count survives a crash of the process, not a power cut.
 */
const TAKE = `
  INSERT INTO fb_quota_count (key_id, spans, starts, used)
  SELECT id, $2::text[], $3::bigint[], array_fill($5::int, ARRAY[cardinality($2::text[])])
  FROM fb_api_key, (SELECT set_config('synchronous_commit', 'off', true)) AS lazy
  WHERE id = $1 AND $5::int <= ALL ($4::bigint[])
  ON CONFLICT (key_id) DO UPDATE SET spans = excluded.spans, starts = excluded.starts,
    used = ARRAY(SELECT used + $5::int FROM (${standing('fb_quota_count')}) AS s ORDER BY n)
  WHERE NOT EXISTS (SELECT 1 FROM (${standing('fb_quota_count')}) AS s WHERE used + $5::int > ($4::bigint[])[n::int])
  RETURNING used`

const COUNTS_OF_USER = `
  SELECT one.span, one.starts_at AS "startsAt", sum(one.used)::int AS used
  FROM fb_quota_count JOIN fb_api_key ON fb_api_key.id = key_id,
    unnest(spans, starts, fb_quota_count.used) AS one (span, starts_at, used)
  WHERE user_id = $1 GROUP BY one.span, one.starts_at`

/** Counts of requests: a row for each key, written before the request is answered. */
export function createPostgresQuotas(sql: PostgresSql): Quotas {
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
  /** The counts after taking `amount`; undefined: less is left, or no such key. */
  async function takeSome(keyId: number, windows: readonly QuotaWindow[], amount: number, by: Statements = sql) {
    const most = windows.map((window) => window.most ?? Number.MAX_SAFE_INTEGER)
    return (await by.get<{ used: readonly number[] }>(TAKE, keyId, ...toLists(windows), most, amount))?.used
  }
  async function take(keyId: number, windows: readonly QuotaWindow[], by: Statements = sql): Promise<QuotaUse> {
    const counted = await takeSome(keyId, windows, 1, by)
    if (counted !== undefined) return { taken: true, used: counted }
    const full = await used(keyId, windows, by)
    if (isFull(windows, full)) return { taken: false, used: full }
    // The key was deleted: there is nothing to count.
    return { taken: true, used: full.map((count) => count + 1) }
  }
  const takeTogether = createTakeTogether(takeSome, take)
  return {
    stored: () => Promise.resolve(),
    used: (keyId, windows) => used(keyId, windows),
    usedByUser: (userId, windows) => usedByUser(userId, windows),
    take: (keyId, windows, user) =>
      user === undefined
        ? takeTogether(keyId, windows)
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

interface Waiting extends PromiseWithResolvers<QuotaUse> {
  readonly keyId: number
  readonly windows: readonly QuotaWindow[]
}

/** Requests of one key that come together are counted by one statement: they would wait for each other's lock. */
function createTakeTogether(
  takeSome: (keyId: number, windows: readonly QuotaWindow[], amount: number) => Promise<readonly number[] | undefined>,
  take: (keyId: number, windows: readonly QuotaWindow[]) => Promise<QuotaUse>,
) {
  async function takeAll(together: readonly Waiting[]): Promise<void> {
    const [first] = together
    if (first === undefined) return
    try {
      const { keyId, windows } = first
      const used = together.length === 1 ? undefined : await takeSome(keyId, windows, together.length)
      for (const [at, { resolve }] of together.entries()) {
        const behind = together.length - 1 - at
        resolve(used ? { taken: true, used: used.map((count) => count - behind) } : await take(keyId, windows))
      }
    } catch (error) {
      for (const { reject } of together) reject(error)
    }
  }
  const gather = createGathering<Waiting>({ atOnce: 2, most: MAX_BATCH }, async (batch) => {
    const alike = Object.values(Object.groupBy(batch, ({ keyId, windows }) => JSON.stringify([keyId, windows])))
    await Promise.all(alike.map((together = []) => takeAll(together)))
  })
  return (keyId: number, windows: readonly QuotaWindow[]): Promise<QuotaUse> => {
    const waiting = { keyId, windows, ...Promise.withResolvers<QuotaUse>() }
    gather(waiting)
    return waiting.promise
  }
}

const toLists = (windows: readonly QuotaWindow[]) => [
  windows.map(({ span }) => span),
  windows.map(({ startsAt }) => startsAt),
]
