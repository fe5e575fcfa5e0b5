import type { DatabaseSync } from 'node:sqlite'
import { createStatements, transaction } from '#sql/sqlite/file.ts'
import type { Tables } from '../tables/tables.ts'
import type { Disk } from './database.ts'

/** Each statement is prepared once. */
export function createSqliteTables(database: DatabaseSync, disk: Pick<Disk, 'write' | 'durably'>): Tables {
  const prepare = createStatements(database)
  return {
    all: async (sql, ...values) => prepare(sql).all(...values),
    get: async (sql, ...values) => prepare(sql).get(...values),
    run: (sql, ...values) => disk.durably(() => prepare(sql).get(...values)),
    write(...statements) {
      const runAll = () => {
        for (const [sql, ...values] of statements) prepare(sql).run(...values)
      }
      return disk.write(() => (statements.length === 1 ? runAll() : transaction(database, runAll)))
    },
    field: (column, name) => `json_extract(${column}, '$.${name}')`,
  }
}
