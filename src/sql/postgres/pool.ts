import { setTimeout as delay } from 'node:timers/promises'
import { Client, type ClientBase, Pool, type PoolClient, types as textTypes } from 'pg'
import { isRace, PostgresError, tablesRefused, toPostgresError } from './errors.ts'

export type { Pool }

const INT8 = 20
const MIN_VERSION = 15

/** Times are milliseconds and counts stay far below 2^53: `bigint` comes as a number, not as pg's string. */
export const types = {
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
    // For a server that vanished silently; no statement of Footbridge takes as long.
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
export async function retryRaces<Result>(work: () => Promise<Result>): Promise<Result> {
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
