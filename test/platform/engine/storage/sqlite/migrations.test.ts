import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import { migrate } from '#sql/sqlite/file.ts'
import { CATALOG_SCHEMA } from '#platform/engine/storage/sqlite/catalog.ts'

const take = (database: DatabaseSync, steps: readonly string[]) => migrate(database, { ...CATALOG_SCHEMA, steps })
const version = (database: DatabaseSync) => database.prepare('PRAGMA user_version').get()?.['user_version']

describe('migrations', () => {
  it('takes every step once, also from half-way', () => {
    const database = new DatabaseSync(':memory:')
    const steps = ['CREATE TABLE a (x) STRICT', 'ALTER TABLE a ADD COLUMN y TEXT', "INSERT INTO a VALUES (1, 'new')"]
    expect(() => take(database, ['CREATE TABLE a (x INTEGER) STRICT'])).not.toThrow()
    database.exec('INSERT INTO a VALUES (7)')
    take(database, ['CREATE TABLE a (x INTEGER) STRICT', ...steps.slice(1)])
    take(database, ['CREATE TABLE a (x INTEGER) STRICT', ...steps.slice(1)])
    expect(version(database)).toBe(3)
    expect(database.prepare('SELECT x, y FROM a ORDER BY x').all()).toMatchObject([
      { x: 1, y: 'new' },
      { x: 7, y: null },
    ])
  })

  it('leaves nothing of a step that fails', () => {
    const database = new DatabaseSync(':memory:')
    expect(() =>
      take(database, ['CREATE TABLE a (x INTEGER) STRICT', 'CREATE TABLE b (x INTEGER); SELECT nonsense']),
    ).toThrow('nonsense')
    expect(version(database)).toBe(1)
    expect(database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all()).toMatchObject([{ name: 'a' }])
    take(database, ['CREATE TABLE a (x INTEGER) STRICT', 'CREATE TABLE b (x INTEGER)'])
    expect(version(database)).toBe(2)
  })

  it('refuses the data of a newer version', () => {
    const database = new DatabaseSync(':memory:')
    database.exec(`PRAGMA user_version = ${CATALOG_SCHEMA.steps.length + 1}`)
    expect(() => migrate(database, CATALOG_SCHEMA)).toThrow('newer Footbridge')
  })
})
