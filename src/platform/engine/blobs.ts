import { randomUUID } from 'node:crypto'
import { mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * Bytes of uploaded files, one file each under a generated name: what a user called it never becomes a path.
 */
export interface Blobs {
  /** Writes and syncs; the name is on disk for good when it resolves. */
  write(bytes: Uint8Array): Promise<string>
  read(name: string): Promise<Uint8Array<ArrayBuffer>>
  path(name: string): string
  /** Already gone is success. */
  remove(name: string): Promise<void>
  /** Removes what no record names: left by a process that died between the bytes and the record. */
  sweep(known: ReadonlySet<string>): Promise<number>
}

export async function openBlobs(folder: string): Promise<Blobs> {
  await mkdir(folder, { recursive: true })
  const path = (name: string) => join(folder, name)
  return {
    path,
    async write(bytes) {
      const name = randomUUID()
      const temporary = path(`${name}.part`)
      const file = await open(temporary, 'wx', 0o600)
      try {
        await file.writeFile(bytes)
        await file.sync()
      } finally {
        await file.close()
      }
      await rename(temporary, path(name))
      return name
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
