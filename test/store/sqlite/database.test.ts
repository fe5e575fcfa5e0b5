import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openDatabase, openDisk, type Disk } from '../../../src/store/sqlite/database.ts'

interface Sync {
  readonly end: () => void
  readonly fail: (error: Error) => void
  /** What stood in the log when it began. */
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
    syncs.push({ end: resolve, fail: reject, seen: ids() })
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

describe('a write', () => {
  it('is seen at once, and resolves when the disk has it', async () => {
    const write = add(1)
    expect(ids()).toEqual([1])
    expect(await resolved([write])).toEqual([])
    syncs[0]?.end()
    expect(await write).toBe(1)
  })

  it('does not trust a wait that began before it; all that come meanwhile share the next', async () => {
    const writes = [add(1), add(2), add(3)]
    expect(syncs.map(({ seen }) => seen)).toEqual([[1]])
    syncs[0]?.end()
    expect(await resolved(writes)).toEqual([0])
    expect(syncs.map(({ seen }) => seen)).toEqual([[1], [1, 2, 3]])
    syncs[1]?.end()
    expect(await resolved(writes)).toEqual([0, 1, 2])
  })

  it('fails alone', async () => {
    const [one, again, two] = [add(1), add(1), add(2)]
    await expect(again).rejects.toThrow('UNIQUE')
    syncs[0]?.end()
    await one
    syncs[1]?.end()
    await two
    expect(ids()).toEqual([1, 2])
  })

  it('fails when the disk does, and the next one is tried anew', async () => {
    const [one, two] = [add(1), add(2)]
    syncs[0]?.fail(new Error('EIO'))
    await expect(one).rejects.toThrow('EIO')
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
    syncs[0]?.end()
    expect(await write).toBe(1)
  })
})

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
})
