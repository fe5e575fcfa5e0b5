import type { Pool } from 'pg'
import { retryRaces, transaction } from './pool.ts'

// oxlint-disable typescript/no-unnecessary-type-parameters -- a row's type stands where its SELECT stands

/** Thin cover over a pool: rows as the caller's type, statements again after a race, transactions. */
export interface Sql {
  all<Row>(text: string, ...values: readonly unknown[]): Promise<readonly Row[]>
  get<Row>(text: string, ...values: readonly unknown[]): Promise<Row | undefined>
  /** Number of rows changed. */
  run(text: string, ...values: readonly unknown[]): Promise<number>
  /** All or nothing; `work` may run again and must do nothing but ask this database. Not to be nested. */
  transaction<Result>(work: (sql: Statements) => Promise<Result>): Promise<Result>
}

export type Statements = Pick<Sql, 'all' | 'get' | 'run'>

type Query = (
  text: string,
  values: unknown[],
) => Promise<{ readonly rows: readonly unknown[]; readonly rowCount: number | null }>

/** PostgreSQL has no NUL in its text: a question for one finds nothing, and what is kept is still readable. */
const storable = (value: unknown) => (typeof value === 'string' ? value.replaceAll('\0', '\u{fffd}') : value)

function toStatements(query: Query): Statements {
  const ask = (text: string, values: readonly unknown[]) => query(text, values.map(storable))
  return {
    all: async <Row>(text: string, ...values: readonly unknown[]) =>
      (await ask(text, values)).rows as readonly Row[],
    get: async <Row>(text: string, ...values: readonly unknown[]) =>
      (await ask(text, values)).rows[0] as Row | undefined,
    run: async (text, ...values) => (await ask(text, values)).rowCount ?? 0,
  }
}

export function createSql(pool: Pool): Sql {
  return {
    ...toStatements((text, values) => retryRaces(() => pool.query(text, values))),
    transaction: (work) =>
      transaction(pool, (client) => work(toStatements((text, values) => client.query(text, values)))),
  }
}
