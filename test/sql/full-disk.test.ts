import { DatabaseSync } from 'node:sqlite'
import { expect, it, onTestFinished } from 'vitest'
import { longTransaction, transaction } from '#sql/sqlite/file.ts'
import { storageTrouble } from '#lib/storage-trouble.ts'

/** A database that can't grow. */
function openSmall(): DatabaseSync {
  const database = new DatabaseSync(':memory:')
  onTestFinished(() => database.close())
  database.exec('CREATE TABLE note (text TEXT); PRAGMA max_page_count = 4')
  return database
}

const tooMuch = `INSERT INTO note VALUES (hex(zeroblob(100000)))`

const caught = async (work: () => unknown): Promise<unknown> => {
  try {
    return await work()
  } catch (error) {
    return error
  }
}

it('a transaction without room fails with that, also where SQLite has undone it by itself', async () => {
  const database = openSmall()
  const works = [
    () => transaction(database, () => database.exec(tooMuch)),
    () => transaction(database, () => transaction(database, () => database.exec(tooMuch))),
    () => longTransaction(database, async () => database.exec(tooMuch)),
  ]
  for (const work of works) {
    const error = await caught(work)
    expect(error).toMatchObject({ message: 'database or disk is full' })
    expect(storageTrouble(error)).toBe('space')
    expect(database.isTransaction).toBe(false)
  }
  transaction(database, () => database.exec(`INSERT INTO note VALUES ('small')`))
  expect(database.prepare('SELECT text FROM note').all()).toEqual([{ text: 'small' }])
})
