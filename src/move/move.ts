import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { openDatabase as openPage } from '#adapters/web/server/store/database.ts'
import { PAGE_SCHEMA, PAGE_STEPS } from '#adapters/web/server/store/schema.ts'
import { createFolderBytes, createRowBytes, type UploadBytes } from '#adapters/web/server/store/upload-bytes.ts'
import type { Originals } from '#bridge/port/store.ts'
import { lockFolder } from '#sql/folder.ts'
import { openPool } from '#sql/postgres/pool.ts'
import { createSql } from '#sql/postgres/sql.ts'
import { createOriginals } from '#store/originals.ts'
import { inSchema, migrateSchema, migrateStore, SCHEMA } from '#store/postgres/migrations.ts'
import { createPostgresOriginals } from '#store/postgres/originals.ts'
import { createPatientSql } from '#store/postgres/patient-sql.ts'
import { openDatabase as openBridge } from '#store/sqlite/database.ts'
import { storableJson } from '#store/tables/json-text.ts'
import { createSqliteSql, createSyncSql } from '#sql/sqlite/sql.ts'
import { type Count, createEnd, type End, type Row } from './ends.ts'
import { copyPlatform, openPlatformFolder, openPlatformServer, type PlatformPlace } from './platform.ts'

const BATCH = 500

/** Tables with the columns that name a row; parents before children. */
const BRIDGE_TABLES: readonly (readonly [table: string, key: string])[] = [
  ['job', 'id'],
  ['outbox', 'send_id'],
  ['channel', 'key'],
  ['file_record', 'id'],
  ['history', 'channel, message_id, role'],
  ['cursor', 'adapter, channel'],
  ['answer', 'id'],
  ['answer_message', 'channel, message_id, answer_id'],
  ['vote', 'answer_id, author'],
  ['button_payload', 'id'],
  ['preference', 'scope, name'],
  ['usage', 'subject, kind, job_id'],
  ['state', 'namespace, key'],
]
const PAGE_TABLES: typeof BRIDGE_TABLES = [
  ['channels', 'id'],
  ['messages', 'id'],
  ['uploads', 'id'],
  ['sessions', 'token_hash'],
  ['devices', 'token_hash'],
  ['password', 'id'],
]

const PLATFORM_TABLES: typeof BRIDGE_TABLES = [
  ['fb_user', 'id'],
  ['fb_api_key', 'id'],
  ['fb_collection', 'id'],
  ['fb_collection_reader', 'collection_id, user_name'],
  ['fb_file', 'id'],
  ['fb_quota_count', 'key_id, span'],
]
const TABLES = { bridge: BRIDGE_TABLES, page: PAGE_TABLES, platform: PLATFORM_TABLES }

interface DataPlace extends PlatformPlace {
  readonly bridge: End
  readonly page: End
  readonly originals: Originals
  readonly uploads: UploadBytes
}

async function openFolder(dataDir: string): Promise<DataPlace> {
  const unlock = lockFolder(
    dataDir,
    'lock',
    (cause) => new Error(`A Footbridge uses ${dataDir}: stop it first.`, { cause }),
  )
  const platform = await openPlatformFolder(dataDir).catch((error: unknown) => {
    unlock()
    throw error
  })
  const bridge = openBridge(join(dataDir, 'bridge.sqlite'))
  const page = openPage(dataDir)
  return {
    ...platform,
    bridge: createEnd(createSqliteSql(createSyncSql(bridge))),
    page: createEnd(createSqliteSql(createSyncSql(page))),
    originals: createOriginals(join(dataDir, 'originals')),
    uploads: createFolderBytes(dataDir),
    async close() {
      bridge.close()
      page.close()
      await platform.close()
      unlock()
    },
  }
}

async function openServer(url: string, dataDir: string): Promise<DataPlace> {
  await migrateStore(url)
  await migrateSchema(url, PAGE_SCHEMA, PAGE_STEPS)
  const [bridge, page] = await Promise.all([SCHEMA, PAGE_SCHEMA].map((schema) => openPool(url, inSchema(schema))))
  if (bridge === undefined || page === undefined) throw new Error('The database was not opened.')
  const sql = createSql(bridge)
  const closeStore = async () => {
    await bridge.end()
    await page.end()
  }
  const row = await sql.get<{ count: number }>('SELECT count(*) AS count FROM process WHERE lease_until > now()')
  if ((row?.count ?? 0) > 0) {
    await closeStore()
    throw new Error('A Footbridge uses this database: stop all of them first.')
  }
  const pages = createSql(page)
  const platform = await openPlatformServer(url, dataDir)
  return {
    ...platform,
    bridge: createEnd(sql),
    page: createEnd(pages),
    originals: createPostgresOriginals(sql),
    uploads: createRowBytes(createPatientSql(pages)),
    async close() {
      await platform.close()
      await closeStore()
    },
  }
}

const isServer = (place: string) => /^postgres(?:ql)?:\/\//.test(place)

/**
 * Carries all that a Footbridge keeps from a data folder to PostgreSQL, or back: the bridge, the page and the embedded
 * platform. One that broke off is started again; the source stays as it is.
 *
 * @param from data folder or address
 * @returns lines for people; the last one says whether both ends are the same
 * @throws {Error} a sentence, when a Footbridge uses either end
 */
export async function move(
  from: string,
  to: string,
): Promise<{ readonly lines: readonly string[]; readonly same: boolean }> {
  if (isServer(from) === isServer(to)) throw new Error('One end is a data folder, the other one postgres://…')
  const folder = isServer(from) ? to : from
  if (!isServer(from) && !existsSync(join(folder, 'bridge.sqlite')))
    throw new Error(`There is no ${join(folder, 'bridge.sqlite')}: nothing was moved.`)
  const server = await openServer(isServer(from) ? from : to, folder)
  let local: DataPlace | undefined
  try {
    local = await openFolder(folder)
    const [source, target] = isServer(from) ? [server, local] : [local, server]
    return await moveAll(source, target)
  } finally {
    await local?.close()
    await server.close()
  }
}

async function moveAll(source: DataPlace, target: DataPlace) {
  const lines: string[] = []
  let same = true
  const note = (what: string, before: Count, after: Count) => {
    const isSame = before.count === after.count && before.digest === after.digest
    same &&= isSame
    const digest = before.digest.slice(0, 12)
    lines.push(`${isSame ? 'ok  ' : 'DIFF'} ${what}: ${before.count} → ${after.count} (${digest})`)
  }
  for (const part of ['bridge', 'page', 'platform'] as const) {
    for (const [table, key] of TABLES[part]) {
      const shared = await sharedColumns(source[part], target[part], table)
      await copyTable(source[part], target[part], table, key, shared)
      note(
        `${part} ${table}`,
        await countOf(source[part], table, key, shared),
        await countOf(target[part], table, key, shared),
      )
    }
  }
  note('originals', ...(await copyOriginals(source.originals, target.originals)))
  note('uploads', ...(await copyUploads(source, target)))
  for (const [what, ends] of await copyPlatform(source.storage, target.storage)) note(what, ...ends)
  lines.push(same ? 'Both ends are the same.' : 'The ends differ: look at the lines with DIFF.')
  return { lines, same }
}

async function sharedColumns(source: End, target: End, table: string): Promise<readonly string[]> {
  const there = new Set(await target.columns(table))
  // In one order, so that the digest is the same in both directions.
  return (await source.columns(table)).filter((column) => there.has(column)).toSorted()
}

/** A job that was running is queued: whoever ran it does not any more. PostgreSQL holds no NUL in text. */
function normalized(table: string, row: Row, columns: readonly string[]): Row {
  const entries = columns.map((column) => {
    const value = row[column] ?? null
    if (table === 'job' && column === 'state' && value === 'running') return [column, 'queued']
    if (table === 'job' && column === 'owner') return [column, null]
    if (typeof value !== 'string') return [column, value]
    // PostgreSQL reads fields of these.
    if (['answer', 'entry'].includes(column)) return [column, storableJson(value)]
    return [column, value.replaceAll('\0', '\u{fffd}')]
  })
  return Object.fromEntries(entries) as Row
}

async function* batches(end: End, table: string, order: string): AsyncGenerator<readonly Row[]> {
  for (let offset = 0; ; offset += BATCH) {
    const rows = await end.rows(table, order, offset, BATCH)
    if (rows.length > 0) yield rows
    if (rows.length < BATCH) return
  }
}

async function copyTable(
  source: End,
  target: End,
  table: string,
  key: string,
  shared: readonly string[],
): Promise<void> {
  const own = (await source.columns(table)).includes('seq') ? 'seq' : key
  for await (const rows of batches(source, table, own))
    await target.put(
      table,
      key,
      rows.map((row) => normalized(table, row, shared)),
    )
  await target.finish(table, await source.last(table))
}

async function countOf(end: End, table: string, key: string, shared: readonly string[]): Promise<Count> {
  const hash = createHash('sha256')
  let count = 0
  for await (const rows of batches(end, table, key))
    for (const row of rows) {
      const values = Object.values(normalized(table, row, shared))
      hash.update(JSON.stringify(values.map((value) => (value instanceof Uint8Array ? [...value] : value))))
      count += 1
    }
  return { count, digest: hash.digest('hex') }
}

async function listOriginals(originals: Originals): Promise<readonly (readonly [string, string])[]> {
  const found: (readonly [string, string])[] = []
  for (const collection of (await originals.collections()).toSorted())
    for (const sha of (await originals.list(collection)).toSorted()) found.push([collection, sha])
  return found
}

async function copyOriginals(source: Originals, target: Originals): Promise<readonly [Count, Count]> {
  const all = await listOriginals(source)
  for (const [collection, sha] of all) {
    const bytes = await source.read(collection, sha)
    // The bytes are checked against their hash while they are written.
    if (bytes !== undefined) await target.keep(collection, sha, bytes)
  }
  const toCount = (list: typeof all): Count => ({
    count: list.length,
    digest: createHash('sha256').update(JSON.stringify(list)).digest('hex'),
  })
  return [toCount(all), toCount(await listOriginals(target))]
}

async function copyUploads(source: DataPlace, target: DataPlace): Promise<readonly [Count, Count]> {
  const [before, after] = [createHash('sha256'), createHash('sha256')]
  let [read, written] = [0, 0]
  for await (const rows of batches(source.page, 'uploads', 'id'))
    for (const { id } of rows) {
      const bytes = await source.uploads.read(String(id))
      if (bytes === undefined) continue
      read += 1
      const [kept, counted] = bytes.tee()
      const digest = digestInto(before, counted)
      await target.uploads.write(String(id), kept, Number.MAX_SAFE_INTEGER)
      await digest
      const copy = await target.uploads.read(String(id))
      if (copy === undefined) continue
      written += 1
      await digestInto(after, copy)
    }
  return [
    { count: read, digest: before.digest('hex') },
    { count: written, digest: after.digest('hex') },
  ]
}

async function digestInto(hash: ReturnType<typeof createHash>, bytes: ReadableStream<Uint8Array>): Promise<void> {
  for await (const piece of bytes) hash.update(piece)
}
