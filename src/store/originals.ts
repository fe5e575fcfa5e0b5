import { createHash } from 'node:crypto'
import { openAsBlob } from 'node:fs'
import { mkdir, open, readdir, rename, rm, rmdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Originals } from '#bridge/port/store.ts'

export const SHA256 = /^[0-9a-f]{64}$/

const names = async (folder: string) => readdir(folder).catch(() => [])

/** One folder for each collection, one file for each content, named by its SHA-256. */
export function createOriginals(directory: string): Originals {
  const folderOf = (collection: string) => join(directory, encodeURIComponent(collection))
  const pathOf = (collection: string, sha256: string) => {
    if (!SHA256.test(sha256)) throw new Error(`${sha256} is no SHA-256.`)
    return join(folderOf(collection), sha256)
  }
  return {
    async keep(collection, sha256, bytes) {
      const path = pathOf(collection, sha256)
      if (await exists(path)) return
      await mkdir(folderOf(collection), { recursive: true, mode: 0o700 })
      const part = `${path}.${process.hrtime.bigint()}.part`
      try {
        await writeChecked(part, bytes, sha256)
        // Written under another name first: the file is complete or absent.
        await rename(part, path)
      } finally {
        await rm(part, { force: true })
      }
    },
    async read(collection, sha256) {
      const path = pathOf(collection, sha256)
      return (await exists(path)) ? openAsBlob(path) : undefined
    },
    async remove(collection, sha256) {
      await rm(pathOf(collection, sha256), { force: true })
      // The folder is usually not empty.
      await rmdir(folderOf(collection)).catch(() => undefined)
    },
    async list(collection) {
      return (await names(folderOf(collection))).filter((name) => SHA256.test(name))
    },
    async collections() {
      return (await names(directory)).map(decodeURIComponent)
    },
  }
}

async function exists(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined)) !== undefined
}

/** Checks the hash while writing, so that a full disk is noticed now, not years later. */
async function writeChecked(path: string, bytes: Blob, sha256: string): Promise<void> {
  const file = await open(path, 'w', 0o600)
  try {
    const hash = createHash('sha256')
    for await (const piece of bytes.stream()) {
      hash.update(piece)
      // On a nearly full disk `write` may write a part only, without an error.
      await file.appendFile(piece)
    }
    if (hash.digest('hex') !== sha256) throw new Error(`The bytes to keep are not those of ${sha256}.`)
    await file.sync()
  } finally {
    await file.close()
  }
}
