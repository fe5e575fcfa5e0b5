import { type AddressInfo, createServer } from 'node:net'
import { Client } from 'pg'
import { describe, expect, it } from 'vitest'
import { openPool, transaction, checkConnection } from '#sql/postgres/pool.ts'
import { openPostgresCatalog } from '#platform/engine/storage/postgres/storage.ts'
import { startOldServer } from '#test/support/postgres/old-server.ts'
import { usePostgres } from '#test/support/postgres/postgres.ts'

const secret = 'se-cret-5f1c'

async function sayWhy(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => new Error('it worked'),
    (thrown: unknown) => thrown,
  )
  const told = String(error instanceof Error ? error.message : error)
  expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toContain(secret)
  return told
}

function change(url: string, by: (address: URL) => void): string {
  const address = new URL(url)
  by(address)
  return address.href
}

describe('a database that can not be used', () => {
  const postgres = usePostgres()

  it('says that nothing listens there', async () => {
    expect(await sayWhy(openPool(`postgres://anna:${secret}@127.0.0.1:1/notes`))).toBe(
      "PostgreSQL at 127.0.0.1:1/notes (DATABASE_URL) can't be reached: nothing listens there; start it, or correct the address.",
    )
  })

  it('says that user or password is wrong', async () => {
    const url = change(await postgres.database(), (address) => (address.password = secret))
    expect(await sayWhy(openPool(url))).toMatch(
      /^PostgreSQL at 127\.0\.0\.1:\d+\/fb_test_\w+ refused the user owner: check user and password in DATABASE_URL\.$/,
    )
    const none = change(url, (address) => (address.password = ''))
    expect(await sayWhy(openPool(none))).toMatch(/refused the user owner/)
  })

  it('says that there is no such database', async () => {
    const url = change(postgres.url, (address) => (address.pathname = '/nowhere'))
    expect(await sayWhy(openPool(url))).toMatch(/^PostgreSQL at .*\/nowhere has no such database: make it/)
  })

  it('says that something else answers there', async () => {
    const server = createServer((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const told = await sayWhy(openPool(`postgres://anna:${secret}@127.0.0.1:${port}/notes`))
    server.close()
    expect(told).toMatch(/^PostgreSQL at 127\.0\.0\.1:\d+\/notes \(DATABASE_URL\) can't be reached: /)
  })

  it('says that it does not answer', async () => {
    const server = createServer((socket) => void socket.resume())
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const told = await sayWhy(openPool(`postgres://anna:${secret}@127.0.0.1:${port}/notes`))
    await new Promise((resolve) => server.close(resolve))
    expect(told).toMatch(/can't be reached: it does not answer\.$/)
  })

  it('says that it is too old', async () => {
    const server = await startOldServer()
    const told = await sayWhy(openPool(`postgres://anna:${secret}@127.0.0.1:${server.port}/notes`))
    await server.close()
    expect(told).toBe('The server of DATABASE_URL is PostgreSQL 14: Footbridge needs 15 or newer.')
  })

  it('says that it can not hold every text', async () => {
    const url = await postgres.database("ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0")
    expect(await sayWhy(openPool(url))).toMatch(/is encoded in LATIN1, .* createdb --encoding UTF8/)
  })

  it('says that it is read-only', async () => {
    const url = await postgres.database()
    const client = new Client({ connectionString: url })
    await client.connect()
    const name = new URL(url).pathname.slice(1)
    await client.query(`ALTER DATABASE "${name}" SET default_transaction_read_only = on`)
    await client.end()
    expect(await sayWhy(openPostgresCatalog(url))).toMatch(/is read-only, as a standby is: name the primary/)
  })

  it('says that the user may not make tables, before and at the start', async () => {
    const url = await postgres.database()
    const client = new Client({ connectionString: url })
    await client.connect()
    await client.query(`CREATE USER guest_${process.pid} PASSWORD 'guest'`)
    await client.end()
    const guest = change(url, (address) => {
      address.username = `guest_${process.pid}`
      address.password = 'guest'
    })
    const refused = /^The user guest_\d+ may not make tables in .*: make it the owner of the database, or GRANT CREATE/
    expect(await sayWhy(checkConnection(guest))).toMatch(refused)
    expect(await sayWhy(openPostgresCatalog(guest))).toMatch(refused)
    await expect(checkConnection(url)).resolves.toBeUndefined()
  })
})

describe('transaction', () => {
  const postgres = usePostgres()

  it('is tried again when another one got in its way', async () => {
    const pool = await openPool(await postgres.database())
    await pool.query('CREATE TABLE a (id INTEGER PRIMARY KEY, n INTEGER); INSERT INTO a VALUES (1, 0), (2, 0)')
    // Locks in opposite order: the server ends one of each pair that waits for the other.
    const swap = (first: number, second: number) =>
      transaction(pool, async (client) => {
        for (const id of [first, second]) await client.query('UPDATE a SET n = n + 1 WHERE id = $1', [id])
      })
    await Promise.all(Array.from({ length: 8 }, (_, turn) => (turn % 2 === 0 ? swap(1, 2) : swap(2, 1))))
    expect((await pool.query('SELECT n FROM a ORDER BY id')).rows).toEqual([{ n: 8 }, { n: 8 }])
    await pool.end()
  })

  it('leaves nothing behind when its work fails, and gives its connection back', async () => {
    const pool = await openPool(await postgres.database())
    await pool.query('CREATE TABLE a (n BIGINT)')
    for (let turn = 0; turn < 12; turn += 1) {
      const failing = transaction(pool, async (client) => {
        await client.query('INSERT INTO a VALUES (1)')
        throw new Error('no')
      })
      await expect(failing).rejects.toThrow('no')
    }
    expect((await pool.query('SELECT count(*) AS n FROM a')).rows).toEqual([{ n: 0 }])
    await pool.end()
  })
})
