import { FIRST_USER, type NewUser, type UserRow, type Users } from '../catalog.ts'
import type { Sql } from './sql.ts'

export const USER_COLUMNS = `fb_user.id, fb_user.name, fb_user.email, fb_user.first_name AS "firstName", fb_user.surname,
         fb_user.created_at AS "createdAt"`

export function createPostgresUsers(sql: Sql): Users {
  const byName = (name: string) =>
    sql.get<UserRow>(`SELECT ${USER_COLUMNS} FROM fb_user WHERE name = $1`, name)
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
