import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { Pool } from 'pg'
import { openPool } from '#sql/postgres/pool.ts'
import { createSql, type PostgresSql } from '#sql/postgres/sql.ts'
import { eventually } from '#test/support/eventually.ts'
import { usePostgres } from '#test/support/postgres/postgres.ts'
import { watchWire, type WatchedWire } from '#test/support/postgres/wire.ts'

const postgres = usePostgres()
let wire: WatchedWire
let pool: Pool
let sql: PostgresSql

beforeAll(async () => {
  wire = await watchWire(await postgres.database())
  pool = await openPool(wire.url)
  sql = createSql(pool)
  await sql.run('CREATE TABLE a (id INTEGER PRIMARY KEY, text TEXT)')
})
beforeEach(async () => {
  await sql.run('TRUNCATE a')
  await sql.all('SELECT 1')
  wire.statements()
  wire.waits()
})
afterAll(async () => {
  await pool.end()
  await wire.close()
})

const add = (id: number, text = 'x') => sql.run('INSERT INTO a VALUES ($1, $2)', id, text)
const ids = async () => (await sql.all<{ id: number }>('SELECT id FROM a ORDER BY id')).map(({ id }) => id)

it('statements that come together share a wait, and each gets its own answer', async () => {
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, at) => sql.get<{ n: number; none: null }>('SELECT $1::int AS n, null AS none', at)),
  )
  expect(answers).toEqual(Array.from({ length: 20 }, (_, n) => ({ n, none: null })))
  expect(wire.statements()).toHaveLength(20)
  expect(wire.waits()).toBe(1)
  expect(await Promise.all([add(1), add(2, 'a\0b'), sql.run('UPDATE a SET text = $1 WHERE id = $2', 'y', 9)])).toEqual([
    1, 1, 0,
  ])
  expect(wire.waits()).toBe(1)
  expect(await sql.all('SELECT text FROM a ORDER BY id')).toEqual([{ text: 'x' }, { text: 'a\u{fffd}b' }])
})

it('one that fails does so alone, and is carried out by nobody else', async () => {
  await add(2)
  const outcomes = await Promise.allSettled([add(1), add(2), add(3), add(4, 'y')])
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled'])
  expect(outcomes[1]).toMatchObject({ reason: { code: '23505' } })
  expect(await ids()).toEqual([1, 2, 3, 4])
  await expect(sql.all('SELECT nothing')).rejects.toMatchObject({ code: '42703' })
})

it('changes of one call are made all or none, whatever comes beside them', async () => {
  await add(2)
  const insert = 'INSERT INTO a VALUES ($1, $2)'
  const both = (one: number, other: number) => sql.write([insert, one, 'x'], [insert, other, 'x'])
  const outcomes = await Promise.allSettled([both(5, 6), both(1, 2), add(3)])
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect(await ids()).toEqual([2, 3, 5, 6])
})

it('a connection that broke off fails what was under way, and the next call has another one', async () => {
  const slow = Promise.allSettled([sql.all('SELECT pg_sleep(60)'), sql.all('SELECT 1')])
  const end = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
               WHERE datname = current_database() AND query LIKE '%pg_sleep%' AND pid <> pg_backend_pid()`
  await eventually(async () => (await pool.query(end)).rowCount === 1)
  expect((await slow).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(await sql.get('SELECT 1 AS one')).toEqual({ one: 1 })
})

const WAYS = {
  read: () => sql.all<{ id: number }>('SELECT * FROM a WHERE id = $1', 1),
  change: () => sql.all<{ id: number }>('UPDATE a SET text = $1 WHERE id = 1 RETURNING *', 'y'),
  withBytes: () => sql.all<{ id: number }>('SELECT * FROM a WHERE text::bytea <> $1', Buffer.from('z')),
}

it('statements go on when a newer version adds a column, whether they go together or by themselves', async () => {
  await add(1)
  for (const ask of Object.values(WAYS)) expect(await ask()).toHaveLength(1)
  await pool.query("ALTER TABLE a ADD COLUMN later TEXT NOT NULL DEFAULT 'new'")
  for (const ask of Object.values(WAYS)) expect(await ask()).toMatchObject([{ id: 1, later: 'new' }])
})

const change = async (id: number) => {
  const [, [row] = []] = await sql.together<{ transaction: string }>(
    ['SELECT 1 FROM a WHERE id = $1 FOR NO KEY UPDATE', id],
    [`UPDATE a SET text = 'y' WHERE id = $1 RETURNING pg_current_xact_id()::text AS transaction`, id],
  )
  return row?.transaction
}

it('calls that lock rows are transactions of their own: those of two batches could wait for each other', async () => {
  await Promise.all([add(1), add(2), add(3)])
  expect(new Set(await Promise.all([change(1), change(2), change(3)])).size).toBe(3)
})
