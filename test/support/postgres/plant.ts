import { Client } from 'pg'
import { codeOf } from '#sql/postgres/errors.ts'

const ROOMS: Readonly<Record<string, string>> = { catalog: 'public', index: 'public' }

/** A migration that meets writes in another order is begun anew, as ours is. */
async function inTransaction(client: Client, statements: string): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await client.query(`BEGIN; ${statements}; COMMIT`)
      return
    } catch (error) {
      await client.query('ROLLBACK')
      if (codeOf(error) !== '40P01' || attempt === 6) throw error
    }
  }
}

/**
 * Migrates every part of a database to a schema that this version does not know yet, as the next one would: a column
 * with a value in each table, a table, an index.
 */
export async function plantNextSchema(url: string): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query<{ room: string; version: number }>('SELECT room, version FROM fb_schema')
    for (const { room, version } of rows) {
      const schema = ROOMS[room] ?? room
      const planted = `planted_${version + 1}`
      const tables = await client.query<{ name: string }>(
        `SELECT tablename AS name FROM pg_tables
         WHERE schemaname = $1 AND tablename <> 'fb_schema' AND tablename NOT LIKE 'planted%'`,
        [schema],
      )
      const columns = tables.rows.map(
        ({ name }) => `ALTER TABLE ${schema}.${name} ADD COLUMN IF NOT EXISTS ${planted} TEXT NOT NULL DEFAULT 'new';`,
      )
      const table = `CREATE TABLE IF NOT EXISTS ${schema}.${planted} (id INTEGER PRIMARY KEY, text TEXT);`
      const index = `CREATE INDEX ON ${schema}.${planted} (text);`
      const done = `UPDATE fb_schema SET version = version + 1 WHERE room = '${room}'`
      await inTransaction(client, `${columns.join(' ')} ${table} ${index} ${done}`)
    }
  } finally {
    await client.end()
  }
}
