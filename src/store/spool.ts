import { createHash } from 'node:crypto'
import { openAsBlob, readdirSync, rmSync } from 'node:fs'
import { mkdir, open, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Spool } from '#bridge/port/store.ts'
import { TooLargeError } from '#bridge/port/errors.ts'

/** Attachments under way, one file each under `directory`, named by a hash of their id. */
export function createSpool(directory: string): Spool {
  const pathOf = (id: string) => join(directory, createHash('sha256').update(id).digest('hex'))
  return {
    async write(id, bytes, maxBytes) {
      await mkdir(directory, { recursive: true, mode: 0o700 })
      const path = pathOf(id)
      const part = `${path}.part`
      const file = await open(part, 'w', 0o600)
      const hash = createHash('sha256')
      let sizeBytes = 0
      try {
        // The announced size may be wrong: the received bytes count.
        for await (const piece of bytes) {
          sizeBytes += piece.byteLength
          if (sizeBytes > maxBytes) throw new TooLargeError(`more than ${maxBytes} bytes`)
          hash.update(piece)
          // On a nearly full disk `write` may write a part only, without an error.
          await file.appendFile(piece)
        }
        await file.sync()
      } catch (error) {
        await file.close()
        await rm(part, { force: true })
        throw error
      }
      await file.close()
      // Written under another name first: a crash during the download leaves only a `.part`.
      await rename(part, path)
      return { sizeBytes, sha256: hash.digest('hex') }
    },
    async read(id) {
      try {
        return await openAsBlob(pathOf(id))
      } catch (error) {
        if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
        throw error
      }
    },
    async remove(id) {
      await rm(pathOf(id), { force: true })
    },
  }
}

/** Removes unfinished files of a process that died: they may be large. Only while nothing is being written there. */
export function removeParts(directory: string): void {
  let names: readonly string[]
  try {
    names = readdirSync(directory, { recursive: true, encoding: 'utf8' })
  } catch {
    // The folder does not exist yet.
    return
  }
  for (const name of names) if (name.endsWith('.part')) rmSync(join(directory, name), { force: true })
}
