export type Value = string | number | null | Uint8Array

export type Row = Readonly<Record<string, unknown>>

/** A statement with `?`, or `?1`, `?2` …, for its values. */
export type Statement = readonly [text: string, ...values: readonly Value[]]

// oxlint-disable typescript/no-unnecessary-type-parameters -- a row's type is next to its SELECT

/**
 * One database, SQLite or PostgreSQL. Statements that both carry out are written in PostgreSQL's words: `toSqlite` leaves
 * out casts, collations and locks of rows, and renames functions. A change by `run`, `get`, `all`
 * or `together` is safe from a power cut when it resolves.
 */
export interface Sql {
  readonly dialect: 'sqlite' | 'postgres'
  all<Found = Row>(text: string, ...values: readonly Value[]): Promise<readonly Found[]>
  get<Found = Row>(text: string, ...values: readonly Value[]): Promise<Found | undefined>
  /** Number of rows changed. */
  run(text: string, ...values: readonly Value[]): Promise<number>
  /** Statements that need no answer of each other, in order, all or none. Resolves with the rows of each. */
  together<Found = Row>(...statements: readonly Statement[]): Promise<readonly (readonly Found[])[]>
  /** The same for changes. They are visible when it resolves; a power cut may still undo them in the bridge's file. */
  write(...statements: readonly Statement[]): Promise<void>
}

/** Puts a row in; one that has its `key` already takes the values of `changing`, or stays as it is without any. */
export function upsert(
  table: string,
  key: string,
  fixed: Readonly<Record<string, Value>>,
  changing: Readonly<Record<string, Value>>,
): Statement {
  const row = { ...fixed, ...changing }
  const marks = Object.keys(row).map(() => '?')
  const set = Object.keys(changing).map((column) => `${column} = excluded.${column}`)
  const change = set.length === 0 ? 'NOTHING' : `UPDATE SET ${set.join(', ')}`
  const insert = `INSERT INTO ${table} (${Object.keys(row).join(', ')}) VALUES (${marks.join(', ')})`
  return [`${insert} ON CONFLICT (${key}) DO ${change}`, ...Object.values(row)]
}

/** A SELECT: in SQLite it changes nothing. */
export const isRead = (text: string): boolean => /^\s*SELECT\b/.test(text)

const numbered = new Map<string, string>()

/** The statement with `$1`, `$2` … for its `?`. */
export function toPostgres(text: string): string {
  if (!text.includes('?')) return text
  let known = numbered.get(text)
  if (known === undefined) {
    let count = 0
    known = text.replaceAll(/\?(\d*)/g, (_, number: string) => `$${number || (count += 1)}`)
    numbered.set(text, known)
  }
  return known
}

/**
 * The statement as SQLite reads it. SQLite plans by the value of a bare `LIMIT ?` and compiles the statement anew each
 * time that one is bound, which takes longer than most statements; it does not look into a sum.
 */
export const toSqlite = (text: string): string =>
  text
    .replaceAll(/::\w+(?:\[\])?| COLLATE "C"| FOR (?:NO KEY UPDATE|UPDATE|KEY SHARE)\b/g, '')
    .replaceAll(/\bLIMIT \?\d*/g, '$& + 0')
    .replaceAll('json_array_elements_text(', 'json_each(')
    .replaceAll('json_agg(', 'json_group_array(')
    .replaceAll('strpos(', 'instr(')
    .replaceAll(' least(', ' min(')
