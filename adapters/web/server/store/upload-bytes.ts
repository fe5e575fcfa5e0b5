import { createReadStream, createWriteStream, existsSync, mkdirSync } from 'node:fs'
import { open, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { RequestFailure } from '../responses.ts'
import type { Sql } from '#sql/sql.ts'

/** Where the bytes of uploads lie. */
export interface UploadBytes {
  /** Resolves with the number of bytes, which are on the disk. @throws {RequestFailure} `too-large`. */
  write(id: string, bytes: ReadableStream<Uint8Array>, maxBytes: number): Promise<number>
  /** Undefined when they are gone. */
  read(id: string, signal?: AbortSignal): Promise<ReadableStream<Uint8Array> | undefined>
  remove(id: string): Promise<void>
  /** Removes unfinished uploads that began before this time: their process died. */
  removeUnfinished(before: number): Promise<void>
}

/** One file each in `web-files`. */
export function createFolderBytes(dataDir: string): UploadBytes {
  const folder = join(dataDir, 'web-files')
  mkdirSync(folder, { recursive: true })
  const path = (id: string) => join(folder, id)
  return {
    async write(id, bytes, maxBytes) {
      const part = `${path(id)}.${process.hrtime.bigint()}.part`
      try {
        const sizeBytes = await save(bytes, part, maxBytes)
        await rename(part, path(id))
        return sizeBytes
      } finally {
        await rm(part, { force: true })
      }
    },
    async read(id, signal) {
      if (!existsSync(path(id))) return undefined
      const file = createReadStream(path(id), signal ? { signal } : {})
      return Readable.toWeb(file) as ReadableStream<Uint8Array>
    },
    remove: (id) => rm(path(id), { force: true }),
    async removeUnfinished(before) {
      for (const name of (await readdir(folder)).filter((one) => one.endsWith('.part'))) {
        const there = await stat(path(name)).catch(() => undefined)
        if (there !== undefined && there.mtimeMs < before) await rm(path(name), { force: true })
      }
    },
  }
}

const PART_BYTES = 1024 * 1024

/** Rows of a megabyte, each a statement of its own. Each attempt has its own rows until it is complete: two may overlap. */
// oxlint-disable-next-line max-lines-per-function -- a factory: it only returns methods
export function createRowBytes(sql: Sql): UploadBytes {
  const remove = (id: string) => sql.write(['DELETE FROM upload_parts WHERE upload = ?', id])
  return {
    async write(id, bytes, maxBytes) {
      const attempt = `${id}.${Date.now()}.${crypto.randomUUID()}`
      let sizeBytes = 0
      let part = 0
      const put = (piece: Uint8Array) =>
        sql.write([
          `INSERT INTO upload_parts (upload, part, bytes) VALUES (?, ?, ?)
           ON CONFLICT (upload, part) DO UPDATE SET bytes = excluded.bytes`,
          attempt,
          (part += 1),
          piece,
        ])
      let held: Uint8Array[] = []
      let heldBytes = 0
      try {
        for await (const piece of bytes) {
          sizeBytes += piece.byteLength
          if (sizeBytes > maxBytes) throw tooLarge(maxBytes)
          held.push(piece)
          heldBytes += piece.byteLength
          if (heldBytes < PART_BYTES) continue
          await put(Buffer.concat(held))
          held = []
          heldBytes = 0
        }
        await put(Buffer.concat(held))
        await sql.write(
          // If both are repeated after a lost answer, they change nothing.
          [
            'DELETE FROM upload_parts WHERE upload = ? AND EXISTS (SELECT 1 FROM upload_parts WHERE upload = ?)',
            id,
            attempt,
          ],
          ['UPDATE upload_parts SET upload = ? WHERE upload = ?', id, attempt],
        )
      } catch (error) {
        await remove(attempt).catch(() => undefined)
        throw error
      }
      return sizeBytes
    },
    async read(id, signal) {
      const isThere = await sql.get('SELECT 1 FROM upload_parts WHERE upload = ? AND part = 1', id)
      if (isThere === undefined) return undefined
      let part = 0
      return new ReadableStream<Uint8Array>({
        async pull(controller) {
          signal?.throwIfAborted()
          const piece = 'SELECT bytes FROM upload_parts WHERE upload = ? AND part = ?'
          const row = await sql.get(piece, id, (part += 1))
          if (row === undefined) controller.close()
          else controller.enqueue(row['bytes'] as Uint8Array)
        },
      })
    },
    remove,
    async removeUnfinished(before) {
      const attempts = await sql.all("SELECT upload FROM upload_parts WHERE part = 1 AND upload LIKE '%.%.%'")
      for (const attempt of attempts.map((row) => String(row['upload'])))
        if (Number(attempt.split('.')[1]) < before) await remove(attempt)
    },
  }
}

async function save(bytes: ReadableStream<Uint8Array>, file: string, maxBytes: number): Promise<number> {
  let sizeBytes = 0
  const count = new Transform({
    transform(piece: Uint8Array, _encoding, done) {
      sizeBytes += piece.byteLength
      if (sizeBytes > maxBytes) done(tooLarge(maxBytes))
      else done(null, piece)
    },
  })
  await pipeline(Readable.fromWeb(bytes), count, createWriteStream(file))
  const handle = await open(file, 'r+')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
  return sizeBytes
}

/** The refusal of a file over the cap. */
export function tooLarge(maxBytes: number): RequestFailure {
  const megabytes = Math.floor(maxBytes / 1024 / 1024)
  return new RequestFailure(
    413,
    'too-large',
    `This file is over ${megabytes} MB, the most that one file may have here. Split it, or drop a smaller one.`,
  )
}
