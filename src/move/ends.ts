import { type Sql, upsert, type Value } from '#sql/sql.ts'

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
  /** Called once all rows of the table are in: numbers go on after `last`. */
  finish(table: string, last: number): Promise<void>
}

export function createEnd(sql: Sql): End {
  const { columns, last, finish } = sql.dialect === 'sqlite' ? inFile(sql) : onServer(sql)
  return {
    columns,
    rows: (table, order, offset, limit) =>
      sql.all<Row>(`SELECT * FROM ${table} ORDER BY ${order} LIMIT ? OFFSET ?`, limit, offset),
    async put(table, key, rows) {
      const keys = key.split(', ')
      const part = (row: Row, isKey: boolean) =>
        Object.fromEntries(Object.entries(row).filter(([name]) => keys.includes(name) === isKey))
      await sql.write(...rows.map((row) => upsert(table, key, part(row, true), part(row, false))))
    },
    last,
    finish,
  }
}

type Numbers = Pick<End, 'columns' | 'last' | 'finish'>

function inFile(sql: Sql): Numbers {
  const isNumbered = async (table: string) => {
    const autoincrement = `SELECT 1 FROM sqlite_master WHERE name = ? AND sql LIKE '%AUTOINCREMENT%'`
    return (await sql.get(autoincrement, table)) !== undefined
  }
  const last = async (table: string) => {
    if (!(await isNumbered(table))) return 0
    const row = await sql.get<{ seq: number }>('SELECT seq FROM sqlite_sequence WHERE name = ?', table)
    return row?.seq ?? 0
  }
  return {
    columns: async (table) =>
      (await sql.all<{ name: string }>('SELECT name FROM pragma_table_info(?)', table)).map(({ name }) => name),
    last,
    async finish(table, number) {
      if (!(await isNumbered(table))) return
      await sql.write(
        ['DELETE FROM sqlite_sequence WHERE name = ?', table],
        ['INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)', table, Math.max(number, await last(table))],
      )
    },
  }
}

function onServer(sql: Sql): Numbers {
  const columnsOf = (table: string) =>
    sql.all<{ name: string; identity: boolean }>(
      `SELECT column_name AS name, is_identity = 'YES' AS identity FROM information_schema.columns
       WHERE table_schema = current_schema() AND table_name = ? AND is_generated = 'NEVER' ORDER BY ordinal_position`,
      table,
    )
  const numberOf = async (table: string) => (await columnsOf(table)).find(({ identity }) => identity)?.name
  const sequence = 'pg_get_serial_sequence(?1, ?2)'
  return {
    columns: async (table) => (await columnsOf(table)).map(({ name }) => name),
    async last(table) {
      const number = await numberOf(table)
      if (number === undefined) return 0
      const query = `SELECT pg_sequence_last_value(${sequence}::regclass) AS last`
      return (await sql.get<{ last: number | null }>(query, table, number))?.last ?? 0
    },
    async finish(table, last) {
      const number = await numberOf(table)
      if (number === undefined) return
      const highest = `greatest((SELECT max(${number}) FROM ${table}), ?3::bigint, 1)`
      await sql.get(`SELECT setval(${sequence}, ${highest})`, table, number, last)
    },
  }
}
