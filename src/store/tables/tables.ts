export type Value = string | number | null | Uint8Array

// oxlint-disable typescript/no-unnecessary-type-parameters -- a row's type stands where its SELECT stands

export type Row = Readonly<Record<string, unknown>>

/** A statement with `?` for each value. */
export type Statement = readonly [sql: string, ...values: readonly Value[]]

/** Puts a row in; where one has its `key` already, that one takes the values of `changing`. */
export function upsert(
  table: string,
  key: string,
  fixed: Readonly<Record<string, Value>>,
  changing: Readonly<Record<string, Value>>,
): Statement {
  const row = { ...fixed, ...changing }
  const marks = Object.keys(row).map(() => '?')
  const set = Object.keys(changing).map((column) => `${column} = excluded.${column}`)
  const insert = `INSERT INTO ${table} (${Object.keys(row).join(', ')}) VALUES (${marks.join(', ')})`
  return [`${insert} ON CONFLICT (${key}) DO UPDATE SET ${set.join(', ')}`, ...Object.values(row)]
}

/** One set of tables behind SQLite and PostgreSQL: statements are written in what both understand. */
export interface Tables {
  all(sql: string, ...values: readonly Value[]): Promise<readonly Row[]>
  get(sql: string, ...values: readonly Value[]): Promise<Row | undefined>
  /** A change that a power cut does not undo; the first row that it returns. */
  run(sql: string, ...values: readonly Value[]): Promise<Row | undefined>
  /** Changes that are visible at once, all or none; a power cut may undo them. */
  write(...statements: readonly Statement[]): Promise<void>
  /** SQL of a field of a JSON column. */
  field(column: string, name: string): string
}
