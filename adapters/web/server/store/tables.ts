import type { DatabaseSync } from 'node:sqlite'
import { createStatements, transaction } from '#sql/sqlite/file.ts'
import type { WebEvent } from '#adapters/web/protocol.ts'

export type Value = string | number | null | Uint8Array

export type Row = Readonly<Record<string, unknown>>

/** A statement with `?` for each value, and its values. */
export type Statement = readonly [sql: string, ...values: readonly Value[]]

/** The tables of the page, in `web.sqlite` or on a PostgreSQL that several processes share. */
export interface PageTables {
  readonly dialect: 'sqlite' | 'postgres'
  all(sql: string, ...values: readonly Value[]): Promise<readonly Row[]>
  get(sql: string, ...values: readonly Value[]): Promise<Row | undefined>
  /** All statements or none; on the disk when it resolves. */
  write(...statements: readonly Statement[]): Promise<void>
}

/** Events between processes that share the tables. */
export interface PageRelay {
  /** Tells the other processes, in order. */
  publish(event: WebEvent): void
  /** Called with each event of the others. */
  listen(hear: (event: WebEvent) => void): void
}

export function createSqliteTables(database: DatabaseSync): PageTables {
  const prepare = createStatements(database)
  return {
    dialect: 'sqlite',
    all: async (sql, ...values) => prepare(sql).all(...values),
    get: async (sql, ...values) => prepare(sql).get(...values),
    async write(...statements) {
      transaction(database, () => {
        for (const [sql, ...values] of statements) prepare(sql).run(...values)
      })
    },
  }
}

/** The order in which rows were inserted. */
export const insertion = ({ dialect }: PageTables) => (dialect === 'sqlite' ? 'rowid' : 'seq')

/** Values of a parameter that is a JSON array of texts. */
export const listed = ({ dialect }: PageTables) =>
  dialect === 'sqlite' ? `json_each(?)` : `json_array_elements_text(?::json) AS listed (value)`
