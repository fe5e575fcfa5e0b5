import { createHash } from 'node:crypto'
import type { Originals } from '#bridge/port/store.ts'
import type { Sql } from '#sql/sql.ts'
import { SHA256 } from '../originals.ts'

const PART_BYTES = 1024 * 1024

function which(collection: string, sha256: string) {
  if (!SHA256.test(sha256)) throw new Error(`${sha256} is no SHA-256.`)
  return [collection, sha256] as const
}

/** Dropped files in rows of a megabyte, each a statement of its own; they count once the last one is written. */
export function createPostgresOriginals(sql: Sql): Originals {
  const names = async (text: string, ...values: readonly string[]) =>
    (await sql.all<{ name: string }>(text, ...values)).map(({ name }) => name)
  return {
    async keep(collection, sha256, bytes) {
      const id = which(collection, sha256)
      const isThere = `SELECT 1 FROM original WHERE collection = ?1 AND sha256 = ?2 AND size IS NOT NULL`
      if ((await sql.get(isThere, ...id)) !== undefined) return
      await sql.run(`INSERT INTO original (collection, sha256) VALUES (?1, ?2) ON CONFLICT DO NOTHING`, ...id)
      const hash = createHash('sha256')
      for (let at = 0, part = 0; at < bytes.size; at += PART_BYTES, part += 1) {
        const piece = Buffer.from(await bytes.slice(at, at + PART_BYTES).arrayBuffer())
        hash.update(piece)
        // The same bytes may be written by two processes at once: their pieces are the same.
        await sql.run(
          `INSERT INTO original_part (collection, sha256, part, bytes) VALUES (?1, ?2, ?3, ?4) ON CONFLICT DO NOTHING`,
          ...id,
          part,
          piece,
        )
      }
      if (hash.digest('hex') !== sha256) {
        await sql.run(`DELETE FROM original WHERE collection = ?1 AND sha256 = ?2 AND size IS NULL`, ...id)
        throw new Error(`The bytes to keep are not those of ${sha256}.`)
      }
      await sql.run(`UPDATE original SET size = ?3 WHERE collection = ?1 AND sha256 = ?2`, ...id, bytes.size)
    },
    async read(collection, sha256) {
      const id = which(collection, sha256)
      const size = `SELECT size FROM original WHERE collection = ?1 AND sha256 = ?2 AND size IS NOT NULL`
      const row = await sql.get<{ size: number }>(size, ...id)
      if (row === undefined) return undefined
      const pieces: Uint8Array<ArrayBuffer>[] = []
      const part = `SELECT bytes FROM original_part WHERE collection = ?1 AND sha256 = ?2 AND part = ?3`
      for (let at = 0; at < row.size; at += PART_BYTES) {
        const found = await sql.get<{ bytes: Buffer<ArrayBuffer> }>(part, ...id, pieces.length)
        if (found === undefined) return undefined
        pieces.push(found.bytes)
      }
      return new Blob(pieces)
    },
    async remove(collection, sha256) {
      await sql.run(`DELETE FROM original WHERE collection = ?1 AND sha256 = ?2`, ...which(collection, sha256))
    },
    list: (collection) =>
      names(`SELECT sha256 AS name FROM original WHERE collection = ?1 AND size IS NOT NULL ORDER BY 1`, collection),
    collections: () => names(`SELECT DISTINCT collection AS name FROM original ORDER BY 1`),
  }
}
