import type { KeyRow, Keys, Quota, QuotaCount, Quotas, UserRow, Users } from './catalog.ts'
import type { Sql } from './open.ts'

const userColumns =
  'user.id, user.name, user.email, user.first_name AS firstName, user.surname, user.created_at AS createdAt'

/** Owner of the first key, and so of all collections of an embedded platform. */
const firstUser = { name: 'local', email: 'local@localhost', firstName: 'Local', surname: 'User' }

export function createSqliteUsers(sql: Sql): Users {
  const byName = (name: string) => sql.get<UserRow>(`SELECT ${userColumns} FROM user WHERE name = ?`, name)
  return {
    async first(now) {
      sql.run(
        'INSERT INTO user (name, email, first_name, surname, created_at) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING',
        firstUser.name,
        firstUser.email,
        firstUser.firstName,
        firstUser.surname,
        now,
      )
      const row = byName(firstUser.name)
      if (row === undefined) throw new Error('the first user could not be made')
      return row
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
  readonly expiresAt: number | null
  readonly revokedAt: number | null
  readonly quota: string | null
}

export function createSqliteKeys(sql: Sql): Keys {
  return {
    async setFirst(userId, hash, now) {
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
    async byHash(hash): Promise<KeyRow | undefined> {
      const row = sql.get<StoredKey>(
        `SELECT ${userColumns}, api_key.id AS keyId, is_first AS isFirst, expires_at AS expiresAt,
                revoked_at AS revokedAt, quota
         FROM api_key JOIN user ON user.id = user_id WHERE hash = ?`,
        hash,
      )
      if (row === undefined) return undefined
      const { keyId, isFirst, expiresAt, revokedAt, quota, ...user } = row
      return {
        id: keyId,
        user,
        isFirst: isFirst === 1,
        expiresAt,
        revokedAt,
        quota: quota === null ? undefined : (JSON.parse(quota) as Quota),
      }
    },
  }
}

export function createSqliteQuotas(sql: Sql): Quotas {
  return {
    async load() {
      return sql.all<QuotaCount>('SELECT key_id AS keyId, span, starts_at AS startsAt, used FROM quota_count')
    },
    async save(counts) {
      sql.transaction(() => {
        for (const { keyId, span, startsAt, used } of counts) {
          // A key that was replaced meanwhile has nothing left to count.
          sql.run(
            `INSERT INTO quota_count (key_id, span, starts_at, used)
             SELECT ?, ?, ?, ? WHERE EXISTS (SELECT 1 FROM api_key WHERE id = ?1)
             ON CONFLICT (key_id, span) DO UPDATE SET starts_at = excluded.starts_at, used = excluded.used`,
            keyId,
            span,
            startsAt,
            used,
          )
        }
      })
    },
  }
}
