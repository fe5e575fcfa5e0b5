import type { DatabaseSync } from 'node:sqlite'
import { isRead, type Row, type Sql, type Statement, type Value } from '../sql.ts'
import { closeWhole, createStatements, transaction } from './file.ts'

// oxlint-disable typescript/no-unnecessary-type-parameters -- a row's type is next to its SELECT

/** Statements that are carried out at once, each prepared once. */
export interface SyncSql {
  all<Found = Row>(text: string, ...values: readonly Value[]): readonly Found[]
  get<Found = Row>(text: string, ...values: readonly Value[]): Found | undefined
  /** Number of rows changed. */
  run(text: string, ...values: readonly Value[]): number
  transaction<Result>(work: () => Result): Result
  close(): void
}

export function createSyncSql(database: DatabaseSync): SyncSql {
  const prepare = createStatements(database)
  return {
    all: <Found>(text: string, ...values: readonly Value[]) => prepare(text).all(...values) as unknown as Found[],
    get: <Found>(text: string, ...values: readonly Value[]) => prepare(text).get(...values) as unknown as Found,
    run: (text, ...values) => Number(prepare(text).run(...values).changes),
    transaction: (work) => transaction(database, work),
    close: () => closeWhole(database),
  }
}

type Change = <Result>(change: () => Result) => Promise<Result>

/** How changes reach the disk. `durably`: safe from a power cut when it resolves; `write`: visible to all. */
export interface Changes {
  readonly durably: Change
  readonly write: Change
}

const atOnce: Change = async (change) => change()

/** @param changes default: each is committed at once, as the file's `synchronous` says */
export function createSqliteSql(sync: SyncSql, changes: Changes = { durably: atOnce, write: atOnce }): Sql {
  const ask = <Result>(text: string, work: () => Result) => (isRead(text) ? atOnce(work) : changes.durably(work))
  const inOrder = <Result>(statements: readonly Statement[], work: (statement: Statement) => Result) => {
    const all = () => statements.map((statement) => work(statement))
    return () => (statements.length === 1 ? all() : sync.transaction(all))
  }
  return {
    dialect: 'sqlite',
    all: <Found>(text: string, ...values: readonly Value[]) => ask(text, () => sync.all<Found>(text, ...values)),
    get: <Found>(text: string, ...values: readonly Value[]) => ask(text, () => sync.get<Found>(text, ...values)),
    run: (text, ...values) => ask(text, () => sync.run(text, ...values)),
    together: <Found>(...statements: readonly Statement[]) =>
      changes.durably(inOrder(statements, (statement) => sync.all<Found>(...statement))),
    async write(...statements) {
      await changes.write(inOrder(statements, (statement) => sync.run(...statement)))
    },
  }
}
