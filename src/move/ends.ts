import type { DatabaseSync, SQLInputValue } from 'node:sqlite'
import { transaction } from '#sql/sqlite/file.ts'
import type { PostgresSql } from '#sql/postgres/sql.ts'

export type Value = string | number | null | Uint8Array
export type Row = Readonly<Record<string, Value>>

/** How much there is at one end, and a digest of it. */
export interface Count {
  readonly count: number
  readonly digest: string
}

/** Tables that rows are read from or put into. */
export interface End {
  columns(table: string): Promise<readonly string[]>
  /** Rows in the order of `order`, from the first after `offset`. */
  rows(table: string, order: string, offset: number, limit: number): Promise<readonly Row[]>
  /** Puts rows in; one that is there by its `key` takes these values. */
  put(table: string, key: string, rows: readonly Row[]): Promise<void>
  /** The last number that the table gave away by itself; 0: it numbers nothing. */
  last(table: string): Promise<number>
  /** Called once all rows of the table are in: numbers go on behind `last`. */
  finish(table: string, last: number): Promise<void>
}

/** Most parameters of one statement of PostgreSQL are 65,535. */
const MAX_PARAMETERS = 60_000

const upsert = (columns: readonly string[], key: string) => {
  const changed = columns.filter((column) => !key.split(', ').includes(column))
  const set = changed.map((column) => `${column} = excluded.${column}`).join(', ')
  return `ON CONFLICT (${key}) DO ${set === '' ? 'NOTHING' : `UPDATE SET ${set}`}`
}

export const sqliteEnd = (database: DatabaseSync): End => ({
  columns: async (table) =>
    database
      .prepare(`PRAGMA table_info(${table})`)
      .all()
      .map(({ name }) => String(name)),
  rows: async (table, order, offset, limit) =>
    database
      .prepare(`SELECT * FROM ${table} ORDER BY ${order} LIMIT ? OFFSET ?`)
      .all(limit, offset) as unknown as readonly Row[],
  async put(table, key, rows) {
    const columns = Object.keys(rows[0] ?? {})
    const marks = columns.map(() => '?').join(', ')
    const insert = `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${marks}) ${upsert(columns, key)}`
    const statement = database.prepare(insert)
    transaction(database, () => {
      for (const row of rows) statement.run(...columns.map((column) => row[column] as SQLInputValue))
    })
  },
  async last(table) {
    return isNumbered(database, table)
      ? Number(database.prepare('SELECT seq FROM sqlite_sequence WHERE name = ?').get(table)?.['seq'] ?? 0)
      : 0
  },
  async finish(table, last) {
    if (!isNumbered(database, table)) return
    const highest = Math.max(last, await this.last(table))
    database.prepare('DELETE FROM sqlite_sequence WHERE name = ?').run(table)
    database.prepare('INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)').run(table, highest)
  },
})

/** Whether a number that was given away is never given again. */
const isNumbered = (database: DatabaseSync, table: string): boolean =>
  database.prepare("SELECT 1 FROM sqlite_master WHERE name = ? AND sql LIKE '%AUTOINCREMENT%'").get(table) !== undefined

const upserted = (columns: readonly string[], rows: readonly Row[]) => {
  const marks = rows.map((_, row) => `(${columns.map((__, at) => `$${row * columns.length + at + 1}`).join(', ')})`)
  return { marks: marks.join(', '), values: rows.flatMap((row) => columns.map((column) => row[column])) }
}

/** @param schema of the tables, which is first in the connection's search path */
export function postgresEnd(sql: PostgresSql, schema: string): End {
  const columnsOf = (table: string) =>
    sql.all<{ name: string; identity: boolean }>(
      `SELECT column_name AS name, is_identity = 'YES' AS identity FROM information_schema.columns
       WHERE table_schema = $1 AND table_name = $2 AND is_generated = 'NEVER' ORDER BY ordinal_position`,
      schema,
      table,
    )
  const numberOf = async (table: string) => (await columnsOf(table)).find(({ identity }) => identity)?.name
  const sequence = 'pg_get_serial_sequence($1, $2)'
  return {
    columns: async (table) => (await columnsOf(table)).map(({ name }) => name),
    rows: (table, order, offset, limit) =>
      sql.all<Row>(`SELECT * FROM ${table} ORDER BY ${order} LIMIT $1 OFFSET $2`, limit, offset),
    async put(table, key, rows) {
      const columns = Object.keys(rows[0] ?? {})
      const size = Math.max(1, Math.floor(MAX_PARAMETERS / columns.length))
      await sql.transaction(async (inside) => {
        for (let at = 0; at < rows.length; at += size) {
          const { marks, values } = upserted(columns, rows.slice(at, at + size))
          const into = `INSERT INTO ${table} (${columns.join(', ')})`
          await inside.run(`${into} VALUES ${marks} ${upsert(columns, key)}`, ...values)
        }
      })
    },
    async last(table) {
      const number = await numberOf(table)
      if (number === undefined) return 0
      const query = `SELECT pg_sequence_last_value(${sequence}::regclass) AS last`
      const row = await sql.get<{ last: number | null }>(query, `${schema}.${table}`, number)
      return row?.last ?? 0
    },
    async finish(table, last) {
      const number = await numberOf(table)
      if (number === undefined) return
      const highest = `greatest((SELECT max(${number}) FROM ${table}), $3::bigint, 1)`
      await sql.get(`SELECT setval(${sequence}, ${highest})`, `${schema}.${table}`, number, last)
    },
  }
}
