import type { Sql } from '../../../../lib/sqlite.ts'
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

const USER_COLUMNS =
  'user.id, user.name, user.email, user.first_name AS firstName, user.surname, user.created_at AS createdAt'

export function createSqliteUsers(sql: Sql): Users {
  const byName = (name: string) => sql.get<UserRow>(`SELECT ${USER_COLUMNS} FROM user WHERE name = ?`, name)
  const add = (user: NewUser, now: number) =>
    sql.run(
      'INSERT INTO user (name, email, first_name, surname, created_at) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING',
      user.name,
      user.email,
      user.firstName,
      user.surname,
      now,
    )
  return {
    async first(now) {
      add(FIRST_USER, now)
      const row = byName(FIRST_USER.name)
      if (row === undefined) throw new Error('the first user could not be made')
      return row
    },
    async add(user, now) {
      return add(user, now) === 0 ? undefined : byName(user.name)
    },
    async get(name) {
      return byName(name)
    },
    async counts(userId) {
      const row = sql.get<{ collections: number; files: number }>(
        `SELECT (SELECT count(*) FROM collection WHERE owner_id = ?1) AS collections,
                (SELECT count(*) FROM file JOIN collection ON collection.id = collection_id WHERE owner_id = ?1) AS files`,
        userId,
      )
      return row ?? { collections: 0, files: 0 }
    },
  }
}

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

/** Request counts: a row for each key and window, written before the request is answered. */
export function createSqliteQuotas(sql: Sql): Quotas {
  const read = (keyId: number, windows: readonly QuotaWindow[]) => {
    const rows = sql.all<Count>('SELECT span, starts_at AS startsAt, used FROM quota_count WHERE key_id = ?', keyId)
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
