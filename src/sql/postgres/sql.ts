import type { Pool } from 'pg'
import { isRead, type Sql, toPostgres } from '../sql.ts'
import { isStalePlan } from './errors.ts'
import { retryRaces, transaction, types } from './pool.ts'
import { type Answer, createSendSoon, planName, type Statement } from './together.ts'

// oxlint-disable typescript/no-unnecessary-type-parameters -- a row's type is next to its SELECT

type AnyStatement = readonly [text: string, ...values: readonly unknown[]]

/** Statements in PostgreSQL's own words, with lists and truth values, too. */
export interface Statements {
  all<Row>(text: string, ...values: readonly unknown[]): Promise<readonly Row[]>
  get<Row>(text: string, ...values: readonly unknown[]): Promise<Row | undefined>
  /** Number of rows changed. */
  run(text: string, ...values: readonly unknown[]): Promise<number>
}

/** Statements that are each sent alone, and transactions. */
export interface SeparateSql extends Statements {
  /** A transaction. `work` may run again, so it must only use this database. Not to be nested. */
  transaction<Result>(work: (sql: Statements) => Promise<Result>): Promise<Result>
}

/**
 * A pool with retries after conflicts, and transactions. Statements that come in the same moment share a round trip and
 * a commit; one that fails does so alone.
 */
export interface PostgresSql extends SeparateSql, Omit<Sql, keyof Statements | 'together'> {
  together<Row>(...statements: readonly AnyStatement[]): Promise<readonly (readonly Row[])[]>
}

type Query = (text: string, values: unknown[]) => Promise<Answer>

/** PostgreSQL text cannot contain NUL: it is replaced in parameters. */
const storable = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(storable)
  return typeof value === 'string' ? value.replaceAll('\0', '\u{fffd}') : value
}

const toStored = ([text, ...values]: AnyStatement): Statement => ({
  text: toPostgres(text),
  values: values.map(storable),
})

function toStatements(query: Query): Statements {
  const ask = (text: string, values: readonly unknown[]) => query(toPostgres(text), values.map(storable))
  return {
    all: async <Row>(text: string, ...values: readonly unknown[]) => (await ask(text, values)).rows as readonly Row[],
    get: async <Row>(text: string, ...values: readonly unknown[]) =>
      (await ask(text, values)).rows[0] as Row | undefined,
    run: async (text, ...values) => (await ask(text, values)).rowCount ?? 0,
  }
}

const LOCKING = / FOR (?:(?:NO KEY )?UPDATE|(?:KEY )?SHARE)\b/

/** Undefined: it goes by itself. A commit that need not wait for the disk must not speak for others; bytes are long. */
function laneOf(text: string, values: readonly unknown[]): 'read' | 'write' | undefined {
  if (/synchronous_commit/.test(text) || values.some((value) => value instanceof Uint8Array)) return undefined
  if (isRead(text)) return 'read'
  return /^\s*(?:INSERT|UPDATE|DELETE|WITH)\b/.test(text) ? 'write' : undefined
}

async function inTurn(by: Pick<Pool, 'query'>, statements: readonly Statement[]): Promise<readonly Answer[]> {
  const answers: Answer[] = []
  for (const { text, values } of statements) answers.push(await by.query(text, [...values]))
  return answers
}

/** With a plan that the connection keeps; without one, where it does not fit the tables any more. */
async function askAlone(pool: Pool, text: string, values: unknown[]): Promise<Answer> {
  try {
    return await pool.query({ name: values.length > 0 ? planName(text) : undefined, text, values })
  } catch (error) {
    if (!isStalePlan(error)) throw error
    return pool.query(text, values)
  }
}

const inTransaction =
  (pool: Pool): SeparateSql['transaction'] =>
  (work) =>
    transaction(pool, (client) => work(toStatements((text, values) => client.query(text, values))))

export function createSql(pool: Pool): PostgresSql {
  const sendSoon = createSendSoon(pool, types, (statements) =>
    statements.length === 1 ? inTurn(pool, statements) : transaction(pool, (client) => inTurn(client, statements)),
  )
  const ask: Query = async (text, values) => {
    const lane = laneOf(text, values)
    if (lane === undefined) return askAlone(pool, text, values)
    const [answer = { rows: [], rowCount: 0 }] = await sendSoon(lane, [{ text, values }])
    return answer
  }
  const together = async <Row>(...statements: readonly AnyStatement[]) => {
    const stored = statements.map(toStored)
    const lane = stored.some(({ text }) => LOCKING.test(text)) ? 'lock' : 'write'
    const answers = await retryRaces(() => sendSoon(lane, stored))
    return answers.map(({ rows }) => rows as readonly Row[])
  }
  return {
    dialect: 'postgres',
    ...toStatements((text, values) => retryRaces(() => ask(text, values))),
    together,
    async write(...statements) {
      await together(...statements)
    },
    transaction: inTransaction(pool),
  }
}

/** For long statements, and those whose best plan depends on their values. */
export const createSeparateSql = (pool: Pool): SeparateSql => ({
  ...toStatements((text, values) => pool.query(text, values)),
  transaction: inTransaction(pool),
})
