import { randomUUID } from 'node:crypto'
import { Client } from 'pg'
import { openPostgresIndexStore } from '#platform/engine/storage/postgres/index/store.ts'
import { openPool } from '#sql/postgres/pool.ts'
import type { IndexStore } from '#platform/engine/storage/types.ts'

const quiet = { debug() {}, info() {}, warn() {}, error() {} }

async function ask(url: string, sql: string): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}

/** The server that DATABASE_URL names; undefined where it is not set. */
export function givenServer(): string | undefined {
  // oxlint-disable-next-line node/no-process-env -- the machine's; nothing of the program depends on it
  return process.env['DATABASE_URL'] || undefined
}

/**
 * An index in a new database on a server; closing it drops the database.
 *
 * @throws {Error} when there is no server, or its user may make no database
 */
export async function openTemporaryIndex(server: string | undefined): Promise<IndexStore> {
  if (server === undefined) throw new Error('Set DATABASE_URL to a PostgreSQL whose user may make databases.')
  const name = `fb_bench_${randomUUID().replaceAll('-', '')}`
  await ask(server, `CREATE DATABASE ${name}`)
  const address = new URL(server)
  address.pathname = `/${name}`
  const pool = await openPool(address.href)
  const store = await openPostgresIndexStore(pool, { log: quiet })
  return {
    ...store,
    async close() {
      await store.close()
      await pool.end()
      await ask(server, `DROP DATABASE ${name} WITH (FORCE)`)
    },
  }
}
