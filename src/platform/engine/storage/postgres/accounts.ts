import {
  FIRST_USER,
  type KeyRow,
  type Keys,
  type NewUser,
  type Quota,
  type Quotas,
  type QuotaWindow,
  type UserRow,
  type Users,
} from '../catalog.ts'
import type { Sql } from './pool.ts'

const USER_COLUMNS = `fb_user.id, fb_user.name, fb_user.email, fb_user.first_name AS "firstName", fb_user.surname,
         fb_user.created_at AS "createdAt"`

export function createPostgresUsers(sql: Sql): Users {
  const byName = (name: string) => sql.get<UserRow>(`SELECT ${USER_COLUMNS} FROM fb_user WHERE name = $1`, name)
  const add = (user: NewUser, now: number) =>
    sql.run(
      `INSERT INTO fb_user (name, email, first_name, surname, created_at) VALUES ($1, $2, $3, $4, $5)
       ON CONFLICT DO NOTHING`,
      user.name,
      user.email,
      user.firstName,
      user.surname,
      now,
    )
  return {
    async first(now) {
      await add(FIRST_USER, now)
      const row = await byName(FIRST_USER.name)
      if (row === undefined) throw new Error('the first user could not be made')
      return row
    },
    async add(user, now) {
      return (await add(user, now)) === 0 ? undefined : byName(user.name)
    },
    get: byName,
    async counts(userId) {
      const row = await sql.get<{ collections: number; files: number }>(
        `SELECT (SELECT count(*) FROM fb_collection WHERE owner_id = $1) AS collections,
                (SELECT count(*) FROM fb_file JOIN fb_collection ON fb_collection.id = collection_id
                 WHERE owner_id = $1) AS files`,
        userId,
      )
      return row ?? { collections: 0, files: 0 }
    },
  }
}

interface StoredKey extends UserRow {
  readonly keyId: number
  readonly firstOf: string | null
  readonly label: string
  readonly hint: string
  readonly madeAt: number
  readonly expiresAt: number | null
  readonly revokedAt: number | null
  readonly quota: Quota | null
}

const SELECT_KEYS = `
  SELECT ${USER_COLUMNS}, fb_api_key.id AS "keyId", first_of AS "firstOf", label, hint, fb_api_key.created_at AS "madeAt",
         expires_at AS "expiresAt", revoked_at AS "revokedAt", quota
  FROM fb_api_key JOIN fb_user ON fb_user.id = user_id`

function toKey(row: StoredKey): KeyRow {
  const { keyId, firstOf, label, hint, madeAt, expiresAt, revokedAt, quota, ...user } = row
  return {
    id: keyId,
    user,
    isFirst: firstOf !== null,
    holder: firstOf,
    label,
    hint,
    createdAt: madeAt,
    expiresAt,
    revokedAt,
    quota: quota ?? undefined,
  }
}

const toText = (quota: Quota | undefined) => (quota === undefined ? null : JSON.stringify(quota))

export function createPostgresKeys(sql: Sql): Keys {
  const get = async (id: number) => {
    const row = await sql.get<StoredKey>(`${SELECT_KEYS} WHERE fb_api_key.id = $1`, id)
    return row === undefined ? undefined : toKey(row)
  }
  return {
    async setFirst(userId, { hash, holder, machine }, now) {
      await sql.transaction(async (one) => {
        await one.run('DELETE FROM fb_api_key WHERE first_of = $1 AND hash <> $2', holder, hash)
        // Several machines may use the same PLATFORM_API_KEY.
        await one.run(
          `INSERT INTO fb_api_key (user_id, hash, label, first_of, created_at) VALUES ($1, $2, $3, $4, $5)
           ON CONFLICT (hash) DO NOTHING`,
          userId,
          hash,
          `first key of ${machine}`,
          holder,
          now,
        )
      })
    },
    async byHash(hash) {
      const row = await sql.get<StoredKey>(`${SELECT_KEYS} WHERE hash = $1`, hash)
      return row === undefined ? undefined : toKey(row)
    },
    get,
    async list() {
      return (await sql.all<StoredKey>(`${SELECT_KEYS} ORDER BY fb_api_key.id`)).map(toKey)
    },
    async add(userId, { hash, hint, label, expiresAt, quota }, now) {
      const made = await sql.get<{ id: number }>(
        `INSERT INTO fb_api_key (user_id, hash, hint, label, created_at, expires_at, quota)
         VALUES ($1, $2, $3, $4, $5, $6, $7) RETURNING id`,
        userId,
        hash,
        hint,
        label,
        now,
        expiresAt,
        toText(quota),
      )
      const key = made === undefined ? undefined : await get(made.id)
      if (key === undefined) throw new Error('the key could not be made')
      return key
    },
    async setExpiry(id, at) {
      await sql.run('UPDATE fb_api_key SET expires_at = $1 WHERE id = $2', at, id)
    },
    async revoke(id, now) {
      await sql.run('UPDATE fb_api_key SET revoked_at = coalesce(revoked_at, $1) WHERE id = $2', now, id)
    },
    async setQuota(id, quota) {
      await sql.run('UPDATE fb_api_key SET quota = $1 WHERE id = $2', toText(quota), id)
    },
  }
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
      // The key was deleted: there is nothing to count.
      return { taken: true, used: full.map((count) => count + 1) }
    },
  }
}

const toLists = (windows: readonly QuotaWindow[]) => [
  windows.map(({ span }) => span),
  windows.map(({ startsAt }) => startsAt),
]
