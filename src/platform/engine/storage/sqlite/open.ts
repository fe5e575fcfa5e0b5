import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { migrate } from './migrations.ts'

// oxlint-disable typescript/no-unnecessary-type-parameters -- a row's type stands where its SELECT stands

/** Thin cover over one SQLite file: prepared statements by their text, rows as the caller's type, transactions. */
export interface Sql {
  all<Row>(sql: string, ...values: readonly SQLInputValue[]): readonly Row[]
  get<Row>(sql: string, ...values: readonly SQLInputValue[]): Row | undefined
  /** Number of rows changed. */
  run(sql: string, ...values: readonly SQLInputValue[]): number
  /** All or nothing; not to be nested. */
  transaction<Result>(work: () => Result): Result
  close(): void
}

/**
 * Opens (and migrates) the catalog. `FULL`: an upload that was answered survives a power cut. `NORMAL`: what was
 * written survives the end of the process, however sudden, but not a power cut; it costs no sync.
 */
export function openCatalog(path: string, synchronous: 'FULL' | 'NORMAL' = 'FULL'): Sql {
  const database = new DatabaseSync(path)
  // The command line writes to the same file: short transactions, for which this side waits.
  database.exec(
    `PRAGMA busy_timeout = 5000; PRAGMA journal_mode = WAL; PRAGMA synchronous = ${synchronous}; PRAGMA foreign_keys = ON`,
  )
  migrate(database)
  const statements = new Map<string, ReturnType<DatabaseSync['prepare']>>()
  const statement = (sql: string) => {
    const known = statements.get(sql)
    if (known !== undefined) return known
    const made = database.prepare(sql)
    statements.set(sql, made)
    return made
  }
  return {
    all: <Row>(sql: string, ...values: readonly SQLInputValue[]) =>
      statement(sql).all(...values) as unknown as readonly Row[],
    get: <Row>(sql: string, ...values: readonly SQLInputValue[]) =>
      statement(sql).get(...values) as unknown as Row | undefined,
    run: (sql, ...values) => Number(statement(sql).run(...values).changes),
    transaction(work) {
      database.exec('BEGIN IMMEDIATE')
      try {
        const result = work()
        database.exec('COMMIT')
        return result
      } catch (error) {
        database.exec('ROLLBACK')
        throw error
      }
    },
    close: () => database.close(),
  }
}
