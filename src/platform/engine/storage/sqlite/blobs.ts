import { createHash, randomUUID } from 'node:crypto'
import { mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Blobs, Content, StoredBlob } from '../types.ts'

/** One file each in a folder of this machine. */
export interface FolderBlobs extends Blobs {
  /** Removes bytes without a record: leftovers of a process that died. */
  sweep(known: ReadonlySet<string>): Promise<number>
}

async function writeTo(temporary: string, content: Content): Promise<Omit<StoredBlob, 'blob'>> {
  const hash = createHash('sha256')
  let sizeBytes = 0
  const file = await open(temporary, 'wx', 0o600)
  try {
    for await (const bytes of content) {
      hash.update(bytes)
      sizeBytes += bytes.byteLength
      await file.writeFile(bytes)
    }
    await file.sync()
  } finally {
    await file.close()
  }
  return { sizeBytes, sha256: hash.digest('hex') }
}

export async function openBlobs(folder: string): Promise<FolderBlobs> {
  await mkdir(folder, { recursive: true })
  const path = (name: string) => join(folder, name)
  return {
    local: (name) => Promise.resolve({ path: path(name), done: () => Promise.resolve() }),
    async write(content, blob = randomUUID()) {
      const temporary = path(`${blob}.part`)
      try {
        const written = await writeTo(temporary, content)
        await rename(temporary, path(blob))
        return { blob, ...written }
      } catch (error) {
        await rm(temporary, { force: true })
        throw error
      }
    },
    async read(name) {
      return new Uint8Array(await readFile(path(name)))
    },
    async remove(name) {
      await rm(path(name), { force: true })
    },
    async sweep(known) {
      const stray = (await readdir(folder)).filter((name) => !known.has(name))
      await Promise.all(stray.map((name) => rm(path(name), { force: true })))
      return stray.length
    },
  }
}
