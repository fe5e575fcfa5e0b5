import { Client } from 'pg'

/**
 * Keeps every index pass from getting past this file of a collection, and lets all others read: the middle of a pass
 * lasts until the test has seen it, however slow that is.
 *
 * @returns lets the passes go on
 */
export async function holdFile(databaseUrl: string, name: string): Promise<() => Promise<void>> {
  const client = new Client({ connectionString: databaseUrl })
  // The server may be ended meanwhile.
  client.on('error', () => undefined)
  await client.connect()
  await client.query('BEGIN')
  await client.query('SELECT FROM fb_file WHERE name = $1 FOR UPDATE', [name])
  return () => client.end()
}
