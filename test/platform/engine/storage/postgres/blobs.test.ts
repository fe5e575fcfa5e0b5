import { createHash } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Pool } from 'pg'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openContent } from '#platform/engine/api/content.ts'
import { createPostgresBlobs, type PostgresBlobs } from '#platform/engine/storage/postgres/blobs.ts'
import { migrate } from '#sql/postgres/migrate.ts'
import { CATALOG_STEPS } from '#platform/engine/storage/postgres/migrations.ts'
import { openPool } from '#sql/postgres/pool.ts'
import { createSql } from '#sql/postgres/sql.ts'
import { usePostgres } from '#test/support/postgres/postgres.ts'

const megabyte = 1024 * 1024

/** Bytes that repeat after no round number. */
const noise = Buffer.from(Array.from({ length: 100_003 }, (_, index) => (index * 2_654_435_761) >>> 24))
const sea = Buffer.alloc(4 * megabyte, noise)

/** As many of them, in pieces of this size. */
function* pieces(total: number, size: number): Generator<Uint8Array> {
  for (let at = 0; at < total; at += size) yield sea.subarray(at, Math.min(at + size, total))
}
async function* broken() {
  yield* pieces(3 * megabyte, megabyte)
  throw new Error('the caller left')
}
const hashOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

describe('bytes in PostgreSQL', () => {
  const postgres = usePostgres()
  let pool: Pool
  let work: string
  let blobs: PostgresBlobs
  beforeEach(async () => {
    pool = await openPool(await postgres.database())
    await migrate(pool, 'catalog', CATALOG_STEPS)
    work = await mkdtemp(join(tmpdir(), 'footbridge-blobs-'))
    blobs = createPostgresBlobs(createSql(pool), work)
  })
  afterEach(async () => {
    await pool.end()
    await rm(work, { recursive: true })
  })
  const count = async (table: string) => (await pool.query(`SELECT count(*) AS n FROM ${table}`)).rows[0]?.n

  it.each([
    ['one byte', 1, 1],
    ['one part', megabyte, 1000],
    ['a byte more', megabyte + 1, megabyte + 1],
    ['pieces larger than a part', 3 * megabyte + 17, 2 * megabyte + 5],
    ['small pieces', 2 * megabyte + 7, 4099],
  ])('come back as they were: %s', async (_, total, size) => {
    const expected = Buffer.concat([...pieces(total, size)])
    const stored = await blobs.write(pieces(total, size))
    expect(stored).toMatchObject({ sizeBytes: total, sha256: hashOf(expected) })
    expect(hashOf(await blobs.read(stored.blob))).toBe(stored.sha256)
    const local = await blobs.local(stored.blob)
    expect(hashOf(await readFile(local.path))).toBe(stored.sha256)
    await local.done()
    expect(await readdir(work)).toEqual([])
    const content = await openContent(blobs, stored.blob, total)
    expect(hashOf(new Uint8Array(await new Response(content).arrayBuffer()))).toBe(stored.sha256)
    expect(await readdir(work)).toEqual([])
  })

  it('are read to their end when they are deleted meanwhile, and leave nothing when nobody reads on', async () => {
    const total = 3 * megabyte
    const { blob, sha256 } = await blobs.write(pieces(total, megabyte))
    const [read, left] = [await openContent(blobs, blob, total), await openContent(blobs, blob, total)]
    await blobs.remove(blob)
    await left.cancel()
    expect(hashOf(new Uint8Array(await new Response(read).arrayBuffer()))).toBe(sha256)
    expect(await readdir(work)).toEqual([])
    await expect(blobs.read(blob)).rejects.toThrow('there are no stored bytes')
    await expect(openContent(blobs, blob, total)).rejects.toThrow('there are no stored bytes')
  })

  it('leave nothing behind when their content breaks off', async () => {
    await expect(blobs.write(broken())).rejects.toThrow('the caller left')
    expect([await count('fb_blob'), await count('fb_blob_part')]).toEqual([0, 0])
  })

  it('hold no connection while they come slowly', async () => {
    const gate = Promise.withResolvers<void>()
    async function* slow() {
      yield* pieces(megabyte, megabyte)
      await gate.promise
      yield* pieces(megabyte, megabyte)
    }
    const writing = Array.from({ length: 30 }, () => blobs.write(slow()))
    while ((await count('fb_blob_part')) < 30) await new Promise((resolve) => setImmediate(resolve))
    expect(pool.waitingCount).toBe(0)
    gate.resolve()
    const sizes = (await Promise.all(writing)).map((one) => one.sizeBytes)
    expect(new Set(sizes)).toEqual(new Set([2 * megabyte]))
  })

  it('are never removed while a record names them', async () => {
    const { blob } = await blobs.write(pieces(10, 10))
    await pool.query(
      `INSERT INTO fb_user (name, email, first_name, surname, created_at) VALUES ('a', '', '', '', 1);
       INSERT INTO fb_collection (owner_id, name, index_name, created_at, updated_at) VALUES (1, 'a', 'a', 1, 1)`,
    )
    await pool.query(
      `INSERT INTO fb_file (collection_id, name, format, blob, size, sha256, created_at, updated_at)
       VALUES (1, 'a.md', 'markdown', $1, 10, '', 1, 1)`,
      [blob],
    )
    await blobs.remove(blob)
    expect((await blobs.read(blob)).byteLength).toBe(10)
  })

  it('are swept when nothing named them for a day', async () => {
    const [old, fresh] = [await blobs.write(pieces(10, 10)), await blobs.write(pieces(10, 10))]
    await pool.query("UPDATE fb_blob SET written_at = now() - interval '25 hours' WHERE name = $1", [old.blob])
    expect(await blobs.sweep()).toBe(1)
    await expect(blobs.read(old.blob)).rejects.toThrow('there are no stored bytes')
    expect((await blobs.read(fresh.blob)).byteLength).toBe(10)
  })
})
