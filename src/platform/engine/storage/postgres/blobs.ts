import { createHash, randomUUID } from 'node:crypto'
import { mkdir, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Blobs, Content } from '../types.ts'
import type { PostgresSql } from '#sql/postgres/sql.ts'

const PART_BYTES = 1024 * 1024

/** Regroups pieces of any size into parts of one size, and a rest. */
async function* toParts(content: Content): AsyncGenerator<Buffer> {
  let pieces: Uint8Array[] = []
  let held = 0
  for await (const bytes of content) {
    for (let at = 0; at < bytes.byteLength;) {
      const piece = bytes.subarray(at, at + PART_BYTES - held)
      pieces.push(piece)
      held += piece.byteLength
      at += piece.byteLength
      if (held < PART_BYTES) continue
      yield Buffer.concat(pieces)
      pieces = []
      held = 0
    }
  }
  if (held > 0) yield Buffer.concat(pieces)
}

export interface PostgresBlobs extends Blobs {
  /** Removes bytes without a record that are at least a day old: leftovers of a process that died. */
  sweep(): Promise<number>
}

/**
 * Bytes as rows of a megabyte, one statement each, so that a slow upload holds no connection. Only the last statement
 * waits for the disk; before it the bytes do not count.
 *
 * @param work folder of temporary files
 */
// oxlint-disable-next-line max-lines-per-function -- a factory: it only returns methods
export function createPostgresBlobs(sql: PostgresSql, work: string): PostgresBlobs {
  const partOf = (name: string, part: number) =>
    sql.get<{ bytes: Buffer }>('SELECT bytes FROM fb_blob_part WHERE name = $1 AND part = $2', name, part)

  async function sizeOf(name: string): Promise<number> {
    const row = await sql.get<{ size: number | null }>('SELECT size FROM fb_blob WHERE name = $1', name)
    if (row === undefined || row.size === null) throw new Error(`there are no stored bytes ${name}`)
    return row.size
  }

  /** @throws {Error} when the bytes are removed meanwhile */
  async function* parts(name: string): AsyncGenerator<Buffer> {
    let left = await sizeOf(name)
    for (let part = 0; left > 0; part += 1) {
      const row = await partOf(name, part)
      if (row === undefined) throw new Error(`the stored bytes ${name} are gone`)
      left -= row.bytes.byteLength
      yield row.bytes
    }
  }

  // Bytes with a record stay: a process that lost its connection may not know that the record was made.
  const remove = (name: string) =>
    sql.run('DELETE FROM fb_blob WHERE name = $1 AND NOT EXISTS (SELECT 1 FROM fb_file WHERE blob = $1)', name)

  return {
    async write(content, blob = randomUUID()) {
      const hash = createHash('sha256')
      let sizeBytes = 0
      await sql.run('DELETE FROM fb_blob WHERE name = $1', blob)
      await sql.run('INSERT INTO fb_blob (name) VALUES ($1)', blob)
      try {
        let part = 0
        for await (const bytes of toParts(content)) {
          hash.update(bytes)
          sizeBytes += bytes.byteLength
          await sql.run(
            `INSERT INTO fb_blob_part (name, part, bytes)
             SELECT $1, $2, $3 FROM (SELECT set_config('synchronous_commit', 'off', true)) AS lazy`,
            blob,
            part,
            bytes,
          )
          part += 1
        }
        await sql.run('UPDATE fb_blob SET size = $1, written_at = now() WHERE name = $2', sizeBytes, blob)
      } catch (error) {
        // Without the database this fails, too: the daily cleaning removes the bytes.
        await remove(blob).catch(() => undefined)
        throw error
      }
      return { blob, sizeBytes, sha256: hash.digest('hex') }
    },
    async read(name) {
      const bytes = new Uint8Array(await sizeOf(name))
      let at = 0
      for await (const part of parts(name)) {
        bytes.set(part, at)
        at += part.byteLength
      }
      return bytes
    },
    async local(name) {
      await mkdir(work, { recursive: true })
      const path = join(work, randomUUID())
      const done = () => rm(path, { force: true })
      try {
        const file = await open(path, 'wx', 0o600)
        try {
          for await (const part of parts(name)) await file.writeFile(part)
        } finally {
          await file.close()
        }
        return { path, done }
      } catch (error) {
        await done()
        throw error
      }
    },
    async remove(name) {
      await remove(name)
    },
    sweep: () =>
      sql.run(
        `DELETE FROM fb_blob WHERE written_at < now() - interval '1 day'
           AND NOT EXISTS (SELECT 1 FROM fb_file WHERE blob = fb_blob.name)`,
      ),
  }
}
