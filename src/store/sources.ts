import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { SourceCache } from '#bridge/port/store.ts'
import { storageTrouble } from '#lib/storage-trouble.ts'

/** Default limit of all texts, bytes. */
const MAX_BYTES = 500_000_000
/** Cleaning removes a little more than needed, so that it is rare. */
const LEFT_PART = 0.9

/**
 * Texts, one file each under `directory`, named by a hash of their key. Beyond `mostBytes` the least recently used go;
 * the platform still has them.
 */
export function createSourceCache(directory: string, mostBytes: number = MAX_BYTES): SourceCache {
  const pathOf = (key: string) => join(directory, createHash('sha256').update(key).digest('hex'))
  /** Total size, known after the first scan of the folder. */
  let bytes: number | undefined
  let parts = 0

  async function list() {
    const names = await readdir(directory)
    const files = await Promise.all(
      names.map(async (name) => {
        const path = join(directory, name)
        const there = await stat(path).catch(() => undefined)
        return there === undefined ? [] : [{ path, size: there.size, usedAt: there.mtimeMs }]
      }),
    )
    return files.flat()
  }

  async function evict(): Promise<void> {
    const files = (await list()).toSorted((one, other) => one.usedAt - other.usedAt)
    let left = files.reduce((sum, { size }) => sum + size, 0)
    if (left > mostBytes) {
      for (const { path, size } of files) {
        if (left <= mostBytes * LEFT_PART) break
        await rm(path, { force: true })
        left -= size
      }
    }
    bytes = left
  }

  return {
    async put(key, text) {
      await mkdir(directory, { recursive: true, mode: 0o700 })
      const path = pathOf(key)
      const part = `${path}.${(parts += 1)}.part`
      try {
        await writeFile(part, text, { mode: 0o600 })
        // Written under another name first: a reader takes the file for the whole text.
        await rename(part, path)
      } catch (error) {
        await rm(part, { force: true })
        // Without room it is read from the platform each time.
        if (storageTrouble(error) !== undefined) return
        throw error
      }
      bytes = (bytes ?? Infinity) + Buffer.byteLength(text)
      if (bytes > mostBytes) await evict()
    },
    async get(key) {
      const path = pathOf(key)
      const text = await readFile(path, 'utf8').catch(() => undefined)
      const now = new Date()
      if (text !== undefined) await utimes(path, now, now).catch(() => undefined)
      return text
    },
    async remove(key) {
      await rm(pathOf(key), { force: true })
    },
  }
}
