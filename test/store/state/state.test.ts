import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Pool } from 'pg'
import { Keyv, type KeyvStorageAdapter } from 'keyv'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openDatabase, openDisk } from '#store/sqlite/database.ts'
import { migrateStore, SCHEMA } from '#store/postgres/migrations.ts'
import { createEncryption } from '#store/state/encryption.ts'
import { openState } from '#store/state/open-state.ts'
import { createTableState } from '#store/state/table-state.ts'
import { createSql } from '#sql/postgres/sql.ts'
import { createSqliteSql, createSyncSql } from '#sql/sqlite/sql.ts'
import { usePostgres } from '#test/support/postgres/postgres.ts'

const postgres = usePostgres()

const KINDS = ['sqlite', 'postgres'] as const
const makers = new Map<string, (clock?: () => number) => KeyvStorageAdapter>()
const closing: (() => unknown)[] = []

beforeAll(async () => {
  const folder = mkdtempSync(join(tmpdir(), 'footbridge-state-'))
  const database = openDatabase(join(folder, 'bridge.sqlite'))
  const disk = openDisk(database)
  makers.set('sqlite', (clock) => createTableState(createSqliteSql(createSyncSql(database), disk), clock))
  const url = await postgres.database()
  await migrateStore(url)
  const pool = new Pool({ connectionString: url, options: `-c search_path=${SCHEMA}` })
  // The server goes first.
  pool.on('error', () => {})
  makers.set('postgres', (clock) => createTableState(createSql(pool), clock))
  closing.push(
    () => disk.close(),
    () => database.close(),
    () => rmSync(folder, { recursive: true }),
    () => pool.end(),
  )
})
afterAll(async () => {
  for (const close of closing) await close()
})

let serial = 0

describe.each(KINDS)('the storage adapter on %s', (kind) => {
  const open = (clock?: () => number) => {
    const storage = makers.get(kind)?.(clock)
    if (storage === undefined) throw new Error(kind)
    storage.namespace = `n${(serial += 1)}`
    return storage
  }

  it('keeps, replaces, lists and deletes entries of its namespace only', async () => {
    const [one, other] = [open(), open()]
    expect([await one.get('a'), await one.has('a'), await one.delete('a')]).toEqual([undefined, false, false])
    expect([await one.set('a', '1'), await one.set('a', '2'), await other.set('a', '9')]).toEqual([true, true, true])
    expect(
      await one.setMany([
        { key: 'b', value: '3' },
        { key: "c'; --", value: 'ü\u{1F4CC}' },
      ]),
    ).toEqual([true, true])
    expect(await one.getMany(['a', 'none', "c'; --"])).toEqual(['2', undefined, 'ü\u{1F4CC}'])
    expect(await one.hasMany(['a', 'none'])).toEqual([true, false])
    const listed: unknown[] = []
    for await (const entry of one.iterator?.() ?? []) listed.push(entry)
    expect(listed).toEqual([
      ['a', '2'],
      ['b', '3'],
      ["c'; --", 'ü\u{1F4CC}'],
    ])
    expect(await one.deleteMany(['a', 'none'])).toEqual([true, false])
    await one.clear()
    expect([await one.get('b'), await other.get('a')]).toEqual([undefined, '9'])
    for (const none of [one.getMany([]), one.hasMany([]), one.deleteMany([]), one.setMany([])])
      expect(await none).toEqual([])
    one.namespace = undefined
    expect(one.namespace).toBeUndefined()
    await one.disconnect?.()
  })

  it('returns nothing that has expired, and gets rid of it', async () => {
    let now = Date.now()
    const storage = open(() => now)
    await storage.set('past', 'x', now - 1)
    await storage.setMany([
      { key: 'short', value: 'x', expires: now + 1000 },
      { key: 'long', value: 'x' },
    ])
    expect(await storage.hasMany(['past', 'short', 'long'])).toEqual([false, true, true])
    now += 1000
    expect([await storage.get('short'), await storage.delete('short')]).toEqual([undefined, false])
    now += 60_000
    await storage.set('other', 'x')
    now = 0
    expect(await storage.hasMany(['short', 'long'])).toEqual([false, true])
  })

  it('gives an entry to one of many who delete it at once', async () => {
    const state = openState(open(), { namespace: `once${kind}` })
    await state.set('state', 'x', 60_000)
    const taken = await Promise.all(Array.from({ length: 40 }, () => state.delete('state')))
    expect(taken.filter(Boolean)).toHaveLength(1)
  })
})

const storage = () => makers.get('sqlite')?.() as KeyvStorageAdapter
const choices = (...secrets: string[]) => ({ namespace: 'sealed', encryption: createEncryption(secrets) })

describe('state', () => {
  it('is refused where Keyv would silently keep it in memory', () => {
    expect(new Keyv('sqlite://data/bridge.sqlite').store.constructor.name).toBe('KeyvMemoryAdapter')
    for (const wrong of ['sqlite://data/bridge.sqlite', new Map(), {}, undefined])
      expect(() => openState(wrong as never, { namespace: 'x' })).toThrow(TypeError)
  })

  it('that can’t be reached is an error, never an empty answer', async () => {
    const database = openDatabase(join(mkdtempSync(join(tmpdir(), 'footbridge-gone-')), 'bridge.sqlite'))
    const state = openState(createTableState(createSqliteSql(createSyncSql(database))), { namespace: 'x' })
    await state.set('a', 1)
    database.close()
    for (const act of [() => state.get('a'), () => state.set('a', 2), () => state.delete('a'), () => state.keys()])
      await expect(act()).rejects.toThrow(/not open|finalized/)
    const gone = new Pool({ host: 'localhost', port: 1 })
    const far = openState(createTableState(createSql(gone)), { namespace: 'x' })
    for (const act of [() => far.get('a'), () => far.set('a', 2), () => far.delete('a'), () => far.keys()])
      await expect(act()).rejects.toThrow('ECONNREFUSED')
  })

  it('is encrypted, readable under an earlier key, and an error under a wrong one', async () => {
    const raw = storage()
    raw.namespace = 'sealed'
    const [old, next] = ['the first key of all, long enough', 'the second key, which is as long']
    await openState(storage(), choices(old)).set('T1', { token: 'xoxb-1' })
    expect(await raw.get('T1')).toMatch(/^1\.[0-9a-f]{16}\.[\w-]+$/)
    expect(await openState(storage(), choices(next, old)).get('T1')).toEqual({ token: 'xoxb-1' })
    await expect(openState(storage(), choices(next)).get('T1')).rejects.toThrow(/another SECRET_KEY/)
    const sealed = (await raw.get('T1')) as string
    await raw.set('T1', `${sealed.slice(0, -4)}AAAA`)
    await expect(openState(storage(), choices(old)).get('T1')).rejects.toThrow(/authenticate/)
    await raw.set('T1', '{"value":{"token":"xoxb-of-a-forger"}}')
    await expect(openState(storage(), choices(old)).get('T1')).rejects.toThrow(/must be encrypted/)
  })
})
