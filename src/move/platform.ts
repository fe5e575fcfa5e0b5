import { createHash } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { lockStorage, openStorage } from '#platform/engine/storage/open-storage.ts'
import type { FileRow } from '#platform/engine/storage/catalog.ts'
import type { EngineStorage, IndexedFile } from '#platform/engine/storage/types.ts'
import type { EngineLog } from '#platform/engine/types.ts'
import { openPool } from '#sql/postgres/pool.ts'
import { createSql, type PostgresSql } from '#sql/postgres/sql.ts'
import { createSqliteSql, createSyncSql } from '#sql/sqlite/sql.ts'
import { type Count, createEnd, type End, type Row } from './ends.ts'

/** The embedded platform's tables, bytes and index at one end. */
export interface PlatformPlace {
  readonly platform: End
  readonly storage: EngineStorage
  close(): Promise<void>
}

const nothing = () => undefined
const noLog: EngineLog = { debug: nothing, info: nothing, warn: nothing, error: nothing }

async function openEngineStorage(dataDir: string, databaseUrl?: string): Promise<EngineStorage> {
  const folder = join(dataDir, 'platform')
  return openStorage({ folder, work: join(folder, 'work'), databaseUrl, log: noLog })
}

async function closeStorage({ index, ...storage }: EngineStorage): Promise<void> {
  await index.close()
  await storage.close()
}

export async function openPlatformFolder(dataDir: string): Promise<PlatformPlace> {
  const folder = join(dataDir, 'platform')
  mkdirSync(folder, { recursive: true })
  const unlock = lockStorage(folder)
  try {
    const storage = await openEngineStorage(dataDir)
    const database = new DatabaseSync(join(folder, 'platform.sqlite'))
    return {
      platform: createEnd(createSqliteSql(createSyncSql(database))),
      storage,
      async close() {
        database.close()
        await closeStorage(storage)
        unlock()
      },
    }
  } catch (error) {
    unlock()
    throw error
  }
}

export async function openPlatformServer(url: string, dataDir: string): Promise<PlatformPlace> {
  const storage = await openEngineStorage(dataDir, url)
  const pool = await openPool(url)
  const sql = createSql(pool)
  return {
    platform: catalogEnd(sql),
    storage,
    async close() {
      await pool.end()
      await closeStorage(storage)
    },
  }
}

const COUNTED = ['key_id', 'span', 'starts_at', 'used']
const COUNTS = `
  SELECT key_id, span, starts_at, one.used FROM fb_quota_count, unnest(spans, starts, used) AS one (span, starts_at, used)
  ORDER BY key_id, span COLLATE "C" LIMIT $1 OFFSET $2`
const PUT_COUNT = `
  INSERT INTO fb_quota_count (key_id, spans, starts, used) VALUES ($1, ARRAY[$2], ARRAY[$3::bigint], ARRAY[$4::int])
  ON CONFLICT (key_id) DO UPDATE SET (spans, starts, used) = (
    SELECT array_agg(span), array_agg(starts_at), array_agg(one.used) FROM (
      SELECT * FROM unnest(fb_quota_count.spans, fb_quota_count.starts, fb_quota_count.used) AS kept (span, starts_at, used)
      WHERE span <> excluded.spans[1]
      UNION ALL SELECT excluded.spans[1], excluded.starts[1], excluded.used[1]) AS one)`

const isCount = (table: string) => table === 'fb_quota_count'

/** Counts as SQLite has them, a row for each window. */
function catalogEnd(sql: PostgresSql): End {
  const end = createEnd(sql)
  return {
    ...end,
    columns: async (table) => (isCount(table) ? COUNTED : end.columns(table)),
    rows: (table, order, offset, limit) =>
      isCount(table) ? sql.all<Row>(COUNTS, limit, offset) : end.rows(table, order, offset, limit),
    async put(table, key, rows) {
      if (!isCount(table)) return end.put(table, key, rows)
      for (const row of rows) await sql.run(PUT_COUNT, ...COUNTED.map((column) => row[column]))
    },
  }
}

type Both = readonly [Count, Count]

/** Files whose bytes are in memory together. */
const MAX_AT_ONCE = 64

/** Bytes of the files, then their passages and vectors. Existing ones are not written again. */
export async function copyPlatform(
  source: EngineStorage,
  target: EngineStorage,
): Promise<readonly (readonly [what: string, ends: Both])[]> {
  const tally = { bytes: createTally(), passages: createTally(), vectors: createTally() }
  for (const { id, indexName } of await source.catalog.collections.all()) {
    const files = await source.catalog.files.list(id)
    const size = Math.min(target.index.filesAtOnce ?? 1, MAX_AT_ONCE)
    for (let at = 0; at < files.length; at += size) {
      const copies = files
        .slice(at, at + size)
        .map(async (file) => ({
          bytes: await copyBytes(source, target, file),
          indexed: await copyIndexed(source, target, indexName, file.id),
        }))
      for (const { bytes, indexed } of await Promise.all(copies)) {
        tally.bytes.add(bytes.map((sha) => (sha === undefined ? [] : [sha])))
        tally.passages.add(indexed.map((one) => (one === null ? [] : passagesOf(one))))
        tally.vectors.add(indexed.map((one) => (one === null ? [] : vectorsOf(one))))
      }
    }
  }
  return Object.entries(tally).map(([what, one]) => [`platform ${what}`, one.ends()])
}

async function hashOf(storage: EngineStorage, blob: string): Promise<string | undefined> {
  const bytes = await storage.blobs.read(blob).catch(() => undefined)
  return bytes === undefined ? undefined : createHash('sha256').update(bytes).digest('hex')
}

async function copyBytes(source: EngineStorage, target: EngineStorage, { blob, sha256 }: FileRow) {
  const before = await hashOf(source, blob)
  if (before === undefined || (await hashOf(target, blob)) === before) return [before, before]
  await target.blobs.write([await source.blobs.read(blob)], blob)
  return [before === sha256 ? before : undefined, await hashOf(target, blob)]
}

async function copyIndexed(source: EngineStorage, target: EngineStorage, index: string, fileId: number) {
  const before = await source.index.read(index, fileId)
  const there = await target.index.read(index, fileId)
  if (before === null || (there !== null && isSame(before, there))) return [before, there]
  const { revision, name, model, vectors } = before
  await target.index.put(index, { id: fileId, revision, name, source: before.source })
  const ids = (await target.index.read(index, fileId))?.ids ?? []
  const found = vectors.flatMap((vector, at) => {
    const id = ids[at]
    return vector === null || id === undefined ? [] : [{ id, fileId, vector }]
  })
  if (found.length > 0) await target.index.vectors(index, { model, vectors: found })
  return [before, await target.index.read(index, fileId)]
}

/** PostgreSQL holds no NUL in text. */
const passagesOf = ({ revision, name, source }: IndexedFile) =>
  source.chunks.map((chunk) =>
    JSON.stringify([revision, name, source.language, source.analyser, chunk]).replaceAll(
      String.raw`\u0000`,
      '\u{fffd}',
    ),
  )

const vectorsOf = ({ model, vectors }: IndexedFile) =>
  vectors.flatMap((vector) => (vector === null ? [] : [`${model} ${Buffer.from(vector.buffer).toString('base64')}`]))

const isSame = (one: IndexedFile, other: IndexedFile): boolean =>
  JSON.stringify([passagesOf(one), vectorsOf(one)]) === JSON.stringify([passagesOf(other), vectorsOf(other)])

/** Counts and hashes the rows and files of both ends. */
function createTally() {
  const sides = [0, 1].map(() => ({ count: 0, hash: createHash('sha256') }))
  return {
    add(both: readonly (readonly string[])[]): void {
      for (const [at, side] of sides.entries())
        for (const text of both[at] ?? []) {
          side.count += 1
          side.hash.update(`${text}\n`)
        }
    },
    ends(): Both {
      const [one, other] = sides.map(({ count, hash }) => ({ count, digest: hash.digest('hex') }))
      const none = { count: -1, digest: '' }
      return [one ?? none, other ?? none]
    },
  }
}
