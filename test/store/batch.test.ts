import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createBatch, type Batch } from '../../src/store/sqlite/batch.ts'

let database: DatabaseSync
let durably: Batch
let add: (id: number) => Promise<number>

beforeEach(() => {
  database = new DatabaseSync(':memory:')
  database.exec('CREATE TABLE note (id INTEGER PRIMARY KEY)')
  const insert = database.prepare('INSERT INTO note (id) VALUES (?)')
  durably = createBatch(database)
  add = (id) => durably(() => Number(insert.run(id).lastInsertRowid))
})
afterEach(() => {
  if (database.isOpen) database.close()
})

const ids = () =>
  database
    .prepare('SELECT id FROM note ORDER BY id')
    .all()
    .map(({ id }) => id)

describe('writes of one turn', () => {
  it('are committed together, in order, before any of them resolves', async () => {
    const seen: unknown[] = []
    await Promise.all([3, 1, 2].map(async (id) => seen.push([await add(id), database.isTransaction, ids()])))
    expect(seen).toEqual([3, 1, 2].map((id) => [id, false, [1, 2, 3]]))
  })

  it('fail alone', async () => {
    const [one, again, two] = await Promise.allSettled([add(1), add(1), add(2)])
    expect([one.status, again.status, two.status]).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(ids()).toEqual([1, 2])
  })

  it('are written at once when asked to', async () => {
    const write = add(1)
    durably.flush()
    expect(ids()).toEqual([1])
    await write
  })

  it('are refused, not forgotten, when the database is closed', async () => {
    const write = add(1)
    database.close()
    await expect(write).rejects.toThrow('not open')
  })

  it('can follow each other', async () => {
    await add(1)
    await add(2)
    expect(ids()).toEqual([1, 2])
  })
})
