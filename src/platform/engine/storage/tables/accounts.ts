import { FIRST_USER, type KeyRow, type Keys, type NewUser, type Quota, type UserRow, type Users } from '../catalog.ts'
import type { Dialect } from './dialect.ts'

const userColumns = (user: string) =>
  `${user}.id, ${user}.name, ${user}.email, ${user}.first_name AS "firstName", ${user}.surname,
   ${user}.created_at AS "createdAt", ${user}.quota AS "userQuota"`

/** PostgreSQL reads its JSON itself. */
type StoredQuota = Quota | string | null

interface StoredUser extends Omit<UserRow, 'quota'> {
  readonly userQuota: StoredQuota
}

const toQuota = (stored: StoredQuota): Quota | undefined =>
  typeof stored === 'string' ? (JSON.parse(stored) as Quota) : (stored ?? undefined)

const toText = (quota: Quota | undefined) => (quota === undefined ? null : JSON.stringify(quota))

const toUser = ({ userQuota, ...user }: StoredUser): UserRow => ({ ...user, quota: toQuota(userQuota) })

export function createUsers({ sql, prefix }: Dialect): Users {
  const user = `${prefix}user`
  const byName = async (name: string) => {
    const row = await sql.get<StoredUser>(`SELECT ${userColumns(user)} FROM ${user} WHERE name = ?1`, name)
    return row === undefined ? undefined : toUser(row)
  }
  const add = ({ name, email, firstName, surname }: NewUser, now: number) => {
    const insert = `INSERT INTO ${user} (name, email, first_name, surname, created_at) VALUES (?1, ?2, ?3, ?4, ?5)`
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
      await sql.run(`UPDATE ${user} SET quota = ?1 WHERE id = ?2`, toText(quota), id)
    },
    async counts(userId) {
      const row = await sql.get<{ collections: number; files: number }>(
        `SELECT (SELECT count(*) FROM ${prefix}collection WHERE owner_id = ?1) AS collections,
                (SELECT count(*) FROM ${prefix}file AS file JOIN ${prefix}collection AS own ON own.id = collection_id
                 WHERE owner_id = ?1) AS files`,
        userId,
      )
      return row ?? { collections: 0, files: 0 }
    },
  }
}

interface StoredKey extends StoredUser, Pick<KeyRow, 'holder' | 'label' | 'hint' | 'expiresAt' | 'revokedAt'> {
  readonly keyId: number
  readonly isFirst: number | boolean
  readonly madeAt: number
  readonly quota: StoredQuota
}

function toKey(row: StoredKey): KeyRow {
  const { keyId, isFirst, holder, label, hint, madeAt, expiresAt, revokedAt, quota, ...user } = row
  const key = { id: keyId, isFirst: Boolean(isFirst), holder, label, hint, createdAt: madeAt, expiresAt, revokedAt }
  return { ...key, user: toUser(user), quota: toQuota(quota) }
}

export function createKeys({ sql, prefix, firstColumns }: Dialect): Omit<Keys, 'setFirst'> {
  const [user, key] = [`${prefix}user`, `${prefix}api_key`]
  const select = `
    SELECT ${userColumns(user)}, ${key}.id AS "keyId", ${firstColumns}, label, hint, ${key}.created_at AS "madeAt",
           expires_at AS "expiresAt", revoked_at AS "revokedAt", ${key}.quota AS quota
    FROM ${key} JOIN ${user} ON ${user}.id = user_id`
  const one = async (where: string, value: string | number) => {
    const row = await sql.get<StoredKey>(`${select} WHERE ${where} = ?1`, value)
    return row === undefined ? undefined : toKey(row)
  }
  const get = (id: number) => one(`${key}.id`, id)
  return {
    byHash: (hash) => one('hash', hash),
    get,
    list: async () => (await sql.all<StoredKey>(`${select} ORDER BY ${key}.id`)).map(toKey),
    async add(userId, { hash, hint, label, expiresAt, quota }, now) {
      const values = [userId, hash, hint, label, now, expiresAt, toText(quota)]
      const insert = `INSERT INTO ${key} (user_id, hash, hint, label, created_at, expires_at, quota)`
      const made = await sql.get<{ id: number }>(
        `${insert} VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7) RETURNING id`,
        ...values,
      )
      const row = made && (await get(made.id))
      if (row === undefined) throw new Error('the key could not be made')
      return row
    },
    async setExpiry(id, at) {
      await sql.run(`UPDATE ${key} SET expires_at = ?1 WHERE id = ?2`, at, id)
    },
    async revoke(id, now) {
      await sql.run(`UPDATE ${key} SET revoked_at = coalesce(revoked_at, ?1) WHERE id = ?2`, now, id)
    },
    async setQuota(id, quota) {
      await sql.run(`UPDATE ${key} SET quota = ?1 WHERE id = ?2`, toText(quota), id)
    },
  }
}
