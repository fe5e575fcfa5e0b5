import { randomUUID } from 'node:crypto'
import { env } from 'node:process'
import { Client } from 'pg'
import { afterAll, beforeAll } from 'vitest'
import { shareCluster, startCluster, type Cluster } from './cluster.ts'

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
 * A PostgreSQL server on which databases are made and dropped: a throw-away one for the test files of this process, or
 * the one that TEST_DATABASE_URL names. `own`: one for this file alone, because it is to be ended.
 */
export function usePostgres(wanted: { readonly own?: boolean } = {}): TestPostgres {
  let cluster: Cluster | undefined
  const isOwn = wanted.own === true
  const given = isOwn ? undefined : env['TEST_DATABASE_URL'] || undefined
  const made: string[] = []
  const own = () => {
    if (!isOwn || cluster === undefined) throw new Error('this needs a server of its own: usePostgres({ own: true })')
    return cluster
  }
  const url = () => {
    const known = given ?? cluster?.url
    if (known === undefined) throw new Error('the server runs from the first test on')
    return known
  }

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
    if (given === undefined) cluster = await (isOwn ? startCluster() : shareCluster())
  })
  afterAll(async () => {
    if (isOwn) await cluster?.remove()
    else for (const name of made.splice(0)) await ask(`DROP DATABASE "${name}" WITH (FORCE)`)
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
