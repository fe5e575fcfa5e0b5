import { FIRST_USER, type NewUser, type UserRow, type Users } from '../catalog.ts'
import type { Sql } from './open.ts'

export const USER_COLUMNS =
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
