import type { KeyRow, Keys, Quota, UserRow } from '../catalog.ts'
import type { Sql } from './open.ts'
import { USER_COLUMNS } from './accounts.ts'

interface StoredKey extends UserRow {
  readonly keyId: number
  readonly isFirst: number
  readonly label: string
  readonly hint: string
  readonly madeAt: number
  readonly expiresAt: number | null
  readonly revokedAt: number | null
  readonly quota: string | null
}

const SELECT_KEYS = `
  SELECT ${USER_COLUMNS}, api_key.id AS keyId, is_first AS isFirst, label, hint, api_key.created_at AS madeAt,
         expires_at AS expiresAt, revoked_at AS revokedAt, quota
  FROM api_key JOIN user ON user.id = user_id`

function toKey(row: StoredKey): KeyRow {
  const { keyId, isFirst, label, hint, madeAt, expiresAt, revokedAt, quota, ...user } = row
  return {
    id: keyId,
    user,
    isFirst: isFirst === 1,
    holder: null,
    label,
    hint,
    createdAt: madeAt,
    expiresAt,
    revokedAt,
    quota: quota === null ? undefined : (JSON.parse(quota) as Quota),
  }
}

const toText = (quota: Quota | undefined) => (quota === undefined ? null : JSON.stringify(quota))

export function createSqliteKeys(sql: Sql): Keys {
  const get = (id: number) => {
    const row = sql.get<StoredKey>(`${SELECT_KEYS} WHERE api_key.id = ?`, id)
    return row === undefined ? undefined : toKey(row)
  }
  return {
    async setFirst(userId, { hash }, now) {
      const same = sql.get('SELECT 1 AS one FROM api_key WHERE hash = ? AND is_first = 1', hash)
      if (same !== undefined) return
      sql.transaction(() => {
        sql.run('DELETE FROM api_key WHERE is_first = 1')
        sql.run(
          "INSERT INTO api_key (user_id, hash, label, is_first, created_at) VALUES (?, ?, 'first key', 1, ?)",
          userId,
          hash,
          now,
        )
      })
    },
    async byHash(hash) {
      const row = sql.get<StoredKey>(`${SELECT_KEYS} WHERE hash = ?`, hash)
      return row === undefined ? undefined : toKey(row)
    },
    async get(id) {
      return get(id)
    },
    async list() {
      return sql.all<StoredKey>(`${SELECT_KEYS} ORDER BY api_key.id`).map(toKey)
    },
    async add(userId, { hash, hint, label, expiresAt, quota }, now) {
      const made = sql.get<{ id: number }>(
        `INSERT INTO api_key (user_id, hash, hint, label, created_at, expires_at, quota)
         VALUES (?, ?, ?, ?, ?, ?, ?) RETURNING id`,
        userId,
        hash,
        hint,
        label,
        now,
        expiresAt,
        toText(quota),
      )
      const key = made === undefined ? undefined : get(made.id)
      if (key === undefined) throw new Error('the key could not be made')
      return key
    },
    async setExpiry(id, at) {
      sql.run('UPDATE api_key SET expires_at = ? WHERE id = ?', at, id)
    },
    async revoke(id, now) {
      sql.run('UPDATE api_key SET revoked_at = coalesce(revoked_at, ?) WHERE id = ?', now, id)
    },
    async setQuota(id, quota) {
      sql.run('UPDATE api_key SET quota = ? WHERE id = ?', toText(quota), id)
    },
  }
}
