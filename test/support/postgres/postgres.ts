import { randomUUID } from 'node:crypto'
import { env } from 'node:process'
import { Client } from 'pg'
import { afterAll, beforeAll } from 'vitest'
import { startCluster, type Cluster } from './cluster.ts'

export interface TestPostgres {
  /** Address of a new, empty database, made with further words of SQL where it has to be another one; it is dropped with the server, or at the end of the file. */
  readonly database: (settings?: string) => Promise<string>
  /** The server's own address, on the database `postgres`. */
  readonly url: string
  /** Ends the server at once; only where the file has one of its own. */
  readonly halt: () => Promise<void>
  readonly resume: () => Promise<void>
}

/**
 * A PostgreSQL server for the tests of one file: a throw-away cluster, or the one that TEST_DATABASE_URL names, on which
 * databases are made and dropped. `own`: never that one, because it is to be ended.
 */
export function usePostgres(wanted: { readonly own?: boolean } = {}): TestPostgres {
  let cluster: Cluster | undefined
  const given = wanted.own === true ? undefined : env['TEST_DATABASE_URL'] || undefined
  const made: string[] = []
  const own = () => {
    if (cluster === undefined) throw new Error('this needs a server of its own: usePostgres({ own: true })')
    return cluster
  }
  const url = () => given ?? own().url

  async function ask(sql: string): Promise<void> {
    const client = new Client({ connectionString: url() })
    await client.connect()
    try {
      await client.query(sql)
    } finally {
      await client.end()
    }
  }

  beforeAll(async () => {
    if (given === undefined) cluster = await startCluster()
  })
  afterAll(async () => {
    if (cluster === undefined) for (const name of made) await ask(`DROP DATABASE "${name}" WITH (FORCE)`)
    await cluster?.remove()
  })

  return {
    get url() {
      return url()
    },
    async database(settings = '') {
      const name = `fb_test_${randomUUID().replaceAll('-', '')}`
      await ask(`CREATE DATABASE "${name}" ${settings}`)
      made.push(name)
      const address = new URL(url())
      address.pathname = `/${name}`
      return address.href
    },
    halt: () => own().halt(),
    resume: () => own().resume(),
  }
}
