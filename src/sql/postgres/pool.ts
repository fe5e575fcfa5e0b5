import { setTimeout as delay } from 'node:timers/promises'
import { Client, type ClientBase, Pool, type PoolClient, types as textTypes } from 'pg'
import { isRace, isStalePlan, PostgresError, tablesRefused, toPostgresError } from './errors.ts'
import { type Answer, createSendSoon, planName, type Statement } from './together.ts'

const INT8 = 20
const MIN_VERSION = 15

/** Times are milliseconds and counts stay far below 2^53: `bigint` comes as a number, not as pg's string. */
const types = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    oid === INT8 && format !== 'binary'
      ? Number
      : textTypes.getTypeParser(oid, format)) as typeof textTypes.getTypeParser,
}

/** A dead machine must not hold locks for hours: the server probes it and gives up after 25 s. */
const SESSION_SETTINGS = `
  SET tcp_keepalives_idle = 10; SET tcp_keepalives_interval = 5; SET tcp_keepalives_count = 3;
  SET idle_in_transaction_session_timeout = '60s'`

export function connectionOptions(url: string) {
  return {
    connectionString: url,
    application_name: 'footbridge',
    connectionTimeoutMillis: 5000,
    // For a server that vanished silently; no statement of ours takes as long.
    query_timeout: 120_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    types,
  }
}

export async function prepareSession(client: ClientBase): Promise<void> {
  // Without a listener a dropped connection would end the process; its user gets a rejection anyway.
  client.on('error', () => undefined)
  await client.query(SESSION_SETTINGS)
}

/**
 * Connections to one PostgreSQL server, at most ten. A dropped one is replaced with the next query.
 *
 * @param settings SQL that each connection begins with
 * @throws {PostgresError} `unavailable` with a remedy when the server is out of reach, refuses, or is too old
 */
export async function openPool(url: string, settings?: string): Promise<Pool> {
  try {
    await requireFit(url)
    const prepare = async (client: ClientBase) => {
      await prepareSession(client)
      if (settings !== undefined) await client.query(settings)
    }
    const pool = new Pool({ ...connectionOptions(url), max: 10, onConnect: prepare })
    pool.on('error', () => undefined)
    return pool
  } catch (error) {
    throw toPostgresError(error, url)
  }
}

/**
 * Uses its own connection: the pool forgets one that fails on our side (an address without a password) and leaves it
 * open.
 */
async function requireFit(url: string): Promise<void> {
  const client = new Client(connectionOptions(url))
  client.on('error', () => undefined)
  try {
    await client.connect()
    await checkFit(client)
  } finally {
    await client.end()
  }
}

async function checkFit(client: Client): Promise<void> {
  const { rows } = await client.query<{ version: number; encoding: string }>(
    `SELECT current_setting('server_version_num')::int / 10000 AS version,
            current_setting('server_encoding') AS encoding`,
  )
  const { version = 0, encoding } = rows[0] ?? {}
  if (version < MIN_VERSION) {
    throw new PostgresError(
      'unavailable',
      `The server of DATABASE_URL is PostgreSQL ${version}: Footbridge needs ${MIN_VERSION} or newer.`,
    )
  }
  if (encoding !== 'UTF8') {
    throw new PostgresError(
      'unavailable',
      `The database of DATABASE_URL is encoded in ${encoding}, which can't hold every text: make one with ` +
        'createdb --encoding UTF8 --template template0.',
    )
  }
}

const MAX_ATTEMPTS = 6

/** Retries after a conflict with another process: a deadlock, or a serialisation failure. */
async function retryRaces<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work()
    } catch (error) {
      if (!isRace(error) || attempt === MAX_ATTEMPTS) throw error
      await delay(Math.random() * 20 * attempt)
    }
  }
}

/** A transaction on one connection, run again after a conflict with another process. Not to be nested. */
export function transaction<Result>(pool: Pool, work: (client: PoolClient) => Promise<Result>): Promise<Result> {
  return retryRaces(async () => {
    const client = await pool.connect()
    let broken: Error | undefined
    try {
      await client.query('BEGIN')
      const result = await work(client)
      await client.query('COMMIT')
      return result
    } catch (error) {
      await client.query('ROLLBACK').catch((failure: Error) => (broken = failure))
      throw error
    } finally {
      client.release(broken)
    }
  })
}

// oxlint-disable typescript/no-unnecessary-type-parameters -- a row's type stands where its SELECT stands

/**
 * Thin layer over a pool: typed rows, retries after conflicts, transactions. Statements that come in the same moment share
 * a round trip and a commit; one that fails does so alone.
 */
export interface Sql {
  all<Row>(text: string, ...values: readonly unknown[]): Promise<readonly Row[]>
  get<Row>(text: string, ...values: readonly unknown[]): Promise<Row | undefined>
  /** Number of rows changed. */
  run(text: string, ...values: readonly unknown[]): Promise<number>
  /** Changes that need no answer of each other, in order, all or none. Resolves with the rows of the last one. */
  runAll<Row>(statements: readonly (readonly [text: string, ...values: readonly unknown[]])[]): Promise<readonly Row[]>
  /** A transaction. `work` may run again, so it must only use this database. Not to be nested. */
  transaction<Result>(work: (sql: Statements) => Promise<Result>): Promise<Result>
}

export type Statements = Pick<Sql, 'all' | 'get' | 'run'>

type Query = (text: string, values: unknown[]) => Promise<Answer>

/** PostgreSQL text cannot contain NUL: it is replaced in parameters. */
const storable = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(storable)
  return typeof value === 'string' ? value.replaceAll('\0', '\u{fffd}') : value
}

function toStatements(query: Query): Statements {
  const ask = (text: string, values: readonly unknown[]) => query(text, values.map(storable))
  return {
    all: async <Row>(text: string, ...values: readonly unknown[]) => (await ask(text, values)).rows as readonly Row[],
    get: async <Row>(text: string, ...values: readonly unknown[]) =>
      (await ask(text, values)).rows[0] as Row | undefined,
    run: async (text, ...values) => (await ask(text, values)).rowCount ?? 0,
  }
}

/** Undefined: it goes by itself. A commit that need not wait for the disk must not speak for others; bytes are long. */
function laneOf(text: string, values: readonly unknown[]): 'read' | 'write' | undefined {
  if (/synchronous_commit/.test(text) || values.some((value) => value instanceof Uint8Array)) return undefined
  if (/^\s*SELECT\b/i.test(text)) return 'read'
  return /^\s*(?:INSERT|UPDATE|DELETE|WITH)\b/i.test(text) ? 'write' : undefined
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

export function createSql(pool: Pool): Sql {
  const sendSoon = createSendSoon(pool, types, (statements) =>
    statements.length === 1 ? inTurn(pool, statements) : transaction(pool, (client) => inTurn(client, statements)),
  )
  const ask: Query = async (text, values) => {
    const lane = laneOf(text, values)
    if (lane === undefined) return askAlone(pool, text, values)
    const [answer = { rows: [], rowCount: 0 }] = await sendSoon(lane, [{ text, values }])
    return answer
  }
  return {
    ...toStatements((text, values) => retryRaces(() => ask(text, values))),
    async runAll<Row>(statements: Parameters<Sql['runAll']>[0]) {
      const storables = statements.map(([text, ...values]) => ({ text, values: values.map(storable) }))
      const answers = await retryRaces(() => sendSoon('write', storables))
      return (answers.at(-1)?.rows ?? []) as readonly Row[]
    },
    transaction: (work) =>
      transaction(pool, (client) => work(toStatements((text, values) => client.query(text, values)))),
  }
}

/**
 * Connects, and checks the right to make tables without making any.
 *
 * @throws {PostgresError} `unavailable`, a sentence with a remedy
 */
export async function checkConnection(url: string): Promise<void> {
  const pool = await openPool(url)
  try {
    const { rows } = await pool.query<{ may: boolean | null }>(
      "SELECT has_schema_privilege(current_schema(), 'CREATE') AS may",
    )
    if (rows[0]?.may === true) return
    throw new PostgresError('unavailable', tablesRefused(url))
  } finally {
    await pool.end()
  }
}
