import { EventEmitter } from 'node:events'
import { keyvStorageCapability, type KeyvStorageAdapter, type KeyvStorageEntry } from 'keyv'
import type { Sql } from '#sql/sql.ts'

const LIVE = `(expires IS NULL OR expires > ?1)`
const GET = `SELECT value FROM state WHERE ${LIVE} AND namespace = ?2 AND key = ?3`
const SET = `INSERT INTO state (namespace, key, value, expires) VALUES (?1, ?2, ?3, ?4)
  ON CONFLICT (namespace, key) DO UPDATE SET value = excluded.value, expires = excluded.expires`
const DELETE = `DELETE FROM state WHERE ${LIVE} AND namespace = ?2 AND key = ?3`
const CLEAR = `DELETE FROM state WHERE namespace = ?1`
const ALL = `SELECT key, value FROM state WHERE ${LIVE} AND namespace = ?2 ORDER BY key`
const EXPIRED = `DELETE FROM state WHERE expires <= ?1`

/** Sweeping with every write would make each of them two. */
const SWEEP_MS = 60_000

/** Keyv's storage interface over one table; an entry that expired is never returned, and deleted within a minute of use. */
// oxlint-disable-next-line max-lines-per-function -- a factory: it only returns methods
export function createTableState(sql: Sql, clock = Date.now): KeyvStorageAdapter {
  let sweptAt = 0
  async function sweep(): Promise<void> {
    if (clock() - sweptAt < SWEEP_MS) return
    sweptAt = clock()
    await sql.run(EXPIRED, sweptAt)
  }
  const adapter = {
    namespace: undefined as string | undefined,
    async get(key: string) {
      const row = await sql.get(GET, clock(), adapter.namespace ?? '', key)
      return row === undefined ? undefined : String(row['value'])
    },
    async set(key: string, value: unknown, expires?: number) {
      if (typeof value !== 'string') throw new TypeError('State is stored as text.')
      await sweep()
      await sql.run(SET, adapter.namespace ?? '', key, value, expires ?? null)
      return true
    },
    async delete(key: string) {
      return (await sql.run(DELETE, clock(), adapter.namespace ?? '', key)) > 0
    },
    async clear() {
      await sql.run(CLEAR, adapter.namespace ?? '')
    },
    has: async (key: string) => (await adapter.get(key)) !== undefined,
    getMany: (keys: string[]) => Promise.all(keys.map((key) => adapter.get(key))),
    setMany: (entries: KeyvStorageEntry[]) =>
      Promise.all(entries.map(({ key, value, expires }) => adapter.set(key, value, expires))),
    hasMany: (keys: string[]) => Promise.all(keys.map((key) => adapter.has(key))),
    deleteMany: (keys: string[]) => Promise.all(keys.map((key) => adapter.delete(key))),
    async *iterator() {
      for (const row of await sql.all(ALL, clock(), adapter.namespace ?? ''))
        yield [String(row['key']), String(row['value'])]
    },
    /** The owner of the file or the pool closes it. */
    async disconnect() {},
  }
  const storage = Object.assign(new EventEmitter(), adapter)
  // Keyv sets the namespace on the object that it was given.
  Object.defineProperty(storage, 'namespace', {
    get: () => adapter.namespace,
    set(namespace: string | undefined) {
      adapter.namespace = namespace
    },
  })
  return Object.assign(storage, { capabilities: keyvStorageCapability(storage) })
}
