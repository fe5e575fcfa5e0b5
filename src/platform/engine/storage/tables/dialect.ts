import type { Sql } from '#sql/sql.ts'

/** The difference between the databases. */
export interface Dialect {
  readonly sql: Sql
  /** Beginning of the name of each table. */
  readonly prefix: '' | 'fb_'
  /** Columns `isFirst` and `holder` of a key. */
  readonly firstColumns: string
}
