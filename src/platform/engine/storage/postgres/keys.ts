import type { KeyRow, Keys, Quota, UserRow } from '../catalog.ts'
import type { Sql } from './sql.ts'
import { USER_COLUMNS } from './accounts.ts'

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
        // Several machines may come with the same PLATFORM_API_KEY.
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
