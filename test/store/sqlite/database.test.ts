import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { transaction } from '#sql/sqlite/file.ts'
import { openDatabase, openDisk, type Disk } from '#store/sqlite/database.ts'

interface Sync {
  readonly end: () => void
  readonly fail: (error: Error) => void
  /** The contents of the log when it began. */
  readonly seen: readonly unknown[]
}

let folder: string
let database: DatabaseSync
let disk: Disk
let syncs: Sync[]

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'footbridge-disk-'))
  database = openDatabase(join(folder, 'some.sqlite'))
  database.exec('CREATE TABLE note (id INTEGER PRIMARY KEY)')
  syncs = []
  disk = openDisk(database, () => {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    syncs.push({ end: resolve, fail: reject, seen: database.isOpen ? ids() : [] })
    return promise
  })
})
afterEach(() => {
  disk.close()
  if (database.isOpen) database.close()
  for (const { end } of syncs) end()
  rmSync(folder, { recursive: true })
})

const ids = () =>
  database
    .prepare('SELECT id FROM note ORDER BY id')
    .all()
    .map(({ id }) => id)
const add = (id: number) =>
  disk.durably(() => Number(database.prepare('INSERT INTO note (id) VALUES (?)').run(id).lastInsertRowid))

/** The promises that have resolved so far. */
async function resolved(writes: readonly Promise<unknown>[]): Promise<readonly number[]> {
  const done: number[] = []
  for (const [index, write] of writes.entries())
    void write.then(
      () => done.push(index),
      () => {},
    )
  await new Promise((resolve) => setImmediate(resolve))
  return done.toSorted((one, other) => one - other)
}

const insert = (id: number) => database.prepare('INSERT INTO note (id) VALUES (?)').run(id)
const pair = (one: number, other: number) => () => transaction(database, () => [insert(one), insert(other)])

function seenByOthers(): number {
  using other = new DatabaseSync(database.location() ?? '', { readOnly: true })
  return other.prepare('SELECT id FROM note ORDER BY id').all().length
}

const nextTurn = () => new Promise((resolve) => setImmediate(resolve))

describe('a write', () => {
  it('is seen at once, and resolves when the disk has it', async () => {
    const write = add(1)
    expect(ids()).toEqual([1])
    expect(await resolved([write])).toEqual([])
    await nextTurn()
    syncs[0]?.end()
    expect(await write).toBe(1)
  })

  it('does not trust a wait that began before it; all of one turn share the next', async () => {
    const writes = [add(1), add(2)]
    expect(syncs).toEqual([])
    expect(await resolved(writes)).toEqual([])
    writes.push(add(3))
    expect(syncs.map(({ seen }) => seen)).toEqual([[1, 2]])
    syncs[0]?.end()
    expect(await resolved(writes)).toEqual([0, 1])
    await nextTurn()
    expect(syncs.map(({ seen }) => seen)).toEqual([
      [1, 2],
      [1, 2, 3],
    ])
    syncs[1]?.end()
    expect(await resolved(writes)).toEqual([0, 1, 2])
  })

  it('fails alone', async () => {
    const [one, again, two] = [add(1), add(1), add(2)]
    await expect(again).rejects.toThrow('UNIQUE')
    await nextTurn()
    syncs[0]?.end()
    await Promise.all([one, two])
    expect(ids()).toEqual([1, 2])
  })

  it('fails when the disk does, and the next one is tried anew', async () => {
    const one = add(1)
    one.catch(() => {})
    await nextTurn()
    const two = add(2)
    syncs[0]?.fail(new Error('EIO'))
    await expect(one).rejects.toThrow('EIO')
    await nextTurn()
    syncs[1]?.end()
    expect(await two).toBe(2)
  })

  it('is refused, not forgotten, when the database is closed', async () => {
    database.close()
    await expect(add(1)).rejects.toThrow('not open')
  })

  it('that waits when the disk is closed ends all the same', async () => {
    const write = add(1)
    disk.close()
    database.close()
    await nextTurn()
    syncs[0]?.end()
    expect(await write).toBe(1)
  })
})

describe('the writes of one turn', () => {
  it('are one commit, at the end of it or when it is wanted', async () => {
    const writes = [disk.write(() => insert(1)), disk.write(() => insert(2))]
    expect([seenByOthers(), syncs.length]).toEqual([0, 0])
    await Promise.all(writes)
    expect([seenByOthers(), syncs.length]).toEqual([2, 0])
    const third = disk.write(() => insert(3))
    disk.flush()
    expect(seenByOthers()).toBe(3)
    await third
  })

  it('fail alone, also one of several statements', async () => {
    const ends = await Promise.allSettled([
      disk.write(() => insert(1)),
      disk.write(pair(2, 1)),
      disk.write(() => insert(1)),
      disk.write(pair(3, 4)),
    ])
    expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'fulfilled'])
    expect(ids()).toEqual([1, 3, 4])
  })

  it('fail together, also those that wait for the disk, when their commit does', async () => {
    const writes = [disk.write(() => insert(1)), add(2)]
    const stored = disk.stored()
    database.exec('ROLLBACK')
    const ends = await Promise.allSettled([...writes, stored])
    expect(ends.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
    await disk.write(() => insert(4))
    expect(ids()).toEqual([4])
  })
})

const pages = () => database.prepare('PRAGMA wal_checkpoint(NOOP)').get() as { log: number; checkpointed: number }
const fill = (count: number) => {
  const row = database.prepare('INSERT INTO filling (bytes) VALUES (zeroblob(3900))')
  for (let index = 0; index < count; index += 1) row.run()
}

describe('the log', () => {
  it('is there as soon as the database is open, also when nothing is new in it', () => {
    const path = join(folder, 'some.sqlite')
    disk.close()
    database.close()
    expect(existsSync(`${path}-wal`)).toBe(false)
    database = openDatabase(path)
    disk = openDisk(database)
    expect(statSync(`${path}-wal`).size).toBeGreaterThan(0)
  })

  it('is waited for by the real disk', async () => {
    const real = openDisk(database)
    await real.durably(() => database.exec('INSERT INTO note (id) VALUES (7)'))
    real.close()
    expect(ids()).toEqual([7])
  })

  it('has its checkpoint in a quiet moment, not during a burst', async () => {
    database.exec('CREATE TABLE filling (bytes BLOB)')
    for (let turn = 0; turn < 30; turn += 1) await disk.write(() => fill(50))
    const busy = pages()
    expect(busy.log).toBeGreaterThan(1500)
    expect(busy.checkpointed).toBe(0)
    await expect.poll(() => pages().checkpointed, { timeout: 10_000 }).toBe(busy.log)
    // The next write begins the log anew.
    await disk.write(() => fill(1))
    expect(pages().log).toBeLessThan(100)
  })

  it('has its checkpoint during a burst when it becomes large', async () => {
    database.exec('CREATE TABLE filling (bytes BLOB)')
    for (let turn = 0; turn < 100; turn += 1) await disk.write(() => fill(50))
    expect(pages().log).toBeLessThan(4000)
  })

  it('is left as it is while it is short', async () => {
    await disk.write(() => insert(1))
    await new Promise((resolve) => setTimeout(resolve, 700))
    expect(pages().checkpointed).toBe(0)
  })

  it('has no checkpoint by a timer once the disk is closed', async () => {
    database.exec('CREATE TABLE filling (bytes BLOB)')
    await disk.write(() => fill(1000))
    disk.close()
    await new Promise((resolve) => setTimeout(resolve, 700))
    expect(pages().checkpointed).toBe(0)
  })
})
