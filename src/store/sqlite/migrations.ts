import { toSqliteSchema } from '#sql/schema.ts'
import { TABLES } from '../tables/schema.ts'

/** Each entry raises `user_version` by one. Never edit one that was released; append. */
export const MIGRATIONS: readonly string[] = [
  `${toSqliteSchema(TABLES)}
   CREATE TABLE leaving (at INTEGER NOT NULL) STRICT;`,
]
