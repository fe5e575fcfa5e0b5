import {
  FIRST_USER,
  type KeyRow,
  type Keys,
  type KeyScope,
  type NewUser,
  type Quota,
  type UserRow,
  type Users,
} from '../catalog.ts'
import type { Sql } from '#sql/sql.ts'

const USER_COLUMNS = `fb_user.id, fb_user.name, fb_user.email, fb_user.first_name AS "firstName", fb_user.surname,
   fb_user.created_at AS "createdAt", fb_user.quota AS "userQuota"`

interface StoredUser extends Omit<UserRow, 'quota'> {
  readonly userQuota: string | null
}

const toQuota = (stored: string | null) => (stored === null ? undefined : (JSON.parse(stored) as Quota))

const toText = (value: Quota | KeyScope | undefined) => (value === undefined ? null : JSON.stringify(value))

const toUser = ({ userQuota, ...user }: StoredUser): UserRow => ({ ...user, quota: toQuota(userQuota) })

export function createUsers(sql: Sql): Users {
  const byName = async (name: string) => {
    const row = await sql.get<StoredUser>(`SELECT ${USER_COLUMNS} FROM fb_user WHERE name = ?1`, name)
    return row === undefined ? undefined : toUser(row)
  }
  const add = ({ name, email, firstName, surname }: NewUser, now: number) => {
    const insert = `INSERT INTO fb_user (name, email, first_name, surname, created_at) VALUES (?1, ?2, ?3, ?4, ?5)`
    return sql.run(`${insert} ON CONFLICT DO NOTHING`, name, email, firstName, surname, now)
  }
  return {
    async first(now) {
      await add(FIRST_USER, now)
      const row = await byName(FIRST_USER.name)
      if (row === undefined) throw new Error('the first user could not be made')
      return row
    },
    add: async (one, now) => ((await add(one, now)) === 0 ? undefined : byName(one.name)),
    get: byName,
    async setQuota(id, quota) {
      await sql.run(`UPDATE fb_user SET quota = ?1 WHERE id = ?2`, toText(quota), id)
    },
    async counts(userId) {
      const row = await sql.get<{ collections: number; files: number }>(
        `SELECT (SELECT count(*) FROM fb_collection WHERE owner_id = ?1) AS collections,
                (SELECT count(*) FROM fb_file AS file JOIN fb_collection AS own ON own.id = collection_id
                 WHERE owner_id = ?1) AS files`,
        userId,
      )
      return row ?? { collections: 0, files: 0 }
    },
  }
}

interface StoredKey extends StoredUser, Pick<KeyRow, 'holder' | 'label' | 'hint' | 'expiresAt' | 'revokedAt'> {
  readonly keyId: number
  readonly madeAt: number
  readonly quota: string | null
  readonly scope: string | null
}

function toKey(row: StoredKey): KeyRow {
  const { keyId, holder, label, hint, madeAt, expiresAt, revokedAt, quota, scope: stored, ...user } = row
  const key = { id: keyId, isFirst: holder !== null, holder, label, hint, createdAt: madeAt, expiresAt, revokedAt }
  const scope = stored === null ? undefined : (JSON.parse(stored) as KeyScope)
  return { ...key, user: toUser(user), quota: toQuota(quota), scope }
}

export function createKeys(sql: Sql): Keys {
  const select = `
    SELECT ${USER_COLUMNS}, fb_api_key.id AS "keyId", first_of AS holder, label, hint, fb_api_key.created_at AS "madeAt",
           expires_at AS "expiresAt", revoked_at AS "revokedAt", fb_api_key.quota AS quota, scope
    FROM fb_api_key JOIN fb_user ON fb_user.id = user_id`
  const one = async (where: string, value: string | number) => {
    const row = await sql.get<StoredKey>(`${select} WHERE ${where} = ?1`, value)
    return row === undefined ? undefined : toKey(row)
  }
  const get = (id: number) => one(`fb_api_key.id`, id)
  return {
    async setFirst(userId, { hash, holder, machine }, now) {
      await sql.write(
        ['DELETE FROM fb_api_key WHERE first_of = ? AND hash <> ?', holder, hash],
        // Several machines may use the same PLATFORM_API_KEY.
        [
          `INSERT INTO fb_api_key (user_id, hash, label, first_of, created_at) VALUES (?, ?, ?, ?, ?)
           ON CONFLICT (hash) DO NOTHING`,
          userId,
          hash,
          `first key of ${machine}`,
          holder,
          now,
        ],
      )
    },
    byHash: (hash) => one('hash', hash),
    get,
    list: async () => (await sql.all<StoredKey>(`${select} ORDER BY fb_api_key.id`)).map(toKey),
    async add(userId, { hash, hint, label, expiresAt, quota, scope }, now) {
      const values = [userId, hash, hint, label, now, expiresAt, toText(quota), toText(scope)]
      const insert = `INSERT INTO fb_api_key (user_id, hash, hint, label, created_at, expires_at, quota, scope)`
      const made = await sql.get<{ id: number }>(
        `${insert} VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8) RETURNING id`,
        ...values,
      )
      const row = made && (await get(made.id))
      if (row === undefined) throw new Error('the key could not be made')
      return row
    },
    async setExpiry(id, at) {
      await sql.run(`UPDATE fb_api_key SET expires_at = ?1 WHERE id = ?2`, at, id)
    },
    async revoke(id, now) {
      await sql.run(`UPDATE fb_api_key SET revoked_at = coalesce(revoked_at, ?1) WHERE id = ?2`, now, id)
    },
    async setQuota(id, quota) {
      await sql.run(`UPDATE fb_api_key SET quota = ?1 WHERE id = ?2`, toText(quota), id)
    },
  }
}
