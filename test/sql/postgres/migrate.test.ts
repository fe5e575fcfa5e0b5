import type { Pool } from 'pg'
import { afterEach, describe, expect, it } from 'vitest'
import { migrate } from '#sql/postgres/migrate.ts'
import { openPool } from '#sql/postgres/pool.ts'
import { usePostgres } from '#test/support/postgres/postgres.ts'

describe('migrate', () => {
  const postgres = usePostgres()
  const open: Pool[] = []
  afterEach(async () => {
    await Promise.all(open.splice(0).map((pool) => pool.end()))
  })
  const start = async (url: string) => {
    const pool = await openPool(url)
    open.push(pool)
    return pool
  }
  const first = 'CREATE TABLE a (x INTEGER)'
  const steps = [first, 'ALTER TABLE a ADD COLUMN y TEXT; CREATE INDEX a_y ON a (y)']

  it('takes every step once, also from half-way', async () => {
    const pool = await start(await postgres.database())
    await migrate(pool, 'one', [first])
    await pool.query('INSERT INTO a VALUES (7)')
    await migrate(pool, 'one', steps)
    await migrate(pool, 'one', steps)
    expect((await pool.query('SELECT * FROM a')).rows).toEqual([{ x: 7, y: null }])
  })

  it('counts each part by itself', async () => {
    const pool = await start(await postgres.database())
    await migrate(pool, 'one', steps)
    await migrate(pool, 'other', ['CREATE TABLE b (x INTEGER)'])
    expect((await pool.query('SELECT * FROM fb_schema ORDER BY room')).rows).toEqual([
      { room: 'one', version: 2, oldest: 0 },
      { room: 'other', version: 1, oldest: 0 },
    ])
  })

  it('leaves nothing of steps of which one fails', async () => {
    const pool = await start(await postgres.database())
    await expect(migrate(pool, 'one', [first, 'SELECT nonsense'])).rejects.toThrow('nonsense')
    await expect(pool.query('SELECT * FROM a')).rejects.toThrow('does not exist')
    await migrate(pool, 'one', steps)
  })

  it('lets processes that start at once take turns', async () => {
    const url = await postgres.database()
    const pools = await Promise.all(Array.from({ length: 5 }, () => start(url)))
    await Promise.all(pools.map((pool) => migrate(pool, 'one', [...steps, 'INSERT INTO a VALUES (1)'])))
    expect((await pools[0]?.query('SELECT x FROM a'))?.rows).toEqual([{ x: 1 }])
  })

  it('uses newer tables as they are, and refuses those that say it is too old', async () => {
    const pool = await start(await postgres.database())
    await migrate(pool, 'one', steps)
    await migrate(pool, 'one', [first])
    expect((await pool.query('SELECT version FROM fb_schema')).rows).toEqual([{ version: 2 }])
    await migrate(pool, 'one', [...steps, 'ALTER TABLE a DROP COLUMN x'], 3)
    await expect(migrate(pool, 'one', steps)).rejects.toThrow(/newer Footbridge \(one 3, this one knows 2\)/)
    await migrate(pool, 'one', [...steps, 'ALTER TABLE a DROP COLUMN x', 'ALTER TABLE a ADD COLUMN z TEXT'], 3)
  })
})
