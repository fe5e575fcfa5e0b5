import { close, open, read } from 'node:fs'
import { promisify } from 'node:util'
import type { Blobs } from '../storage/types.ts'

// File descriptors, because a FileHandle that is garbage-collected ends the process.
const openFile = promisify(open)
const closeFile = promisify(close)
const readFile = promisify(read)

const PIECE_BYTES = 256 * 1024

/**
 * Stored bytes as a stream, opened before it resolves: a later deletion does not cut it. A small file is read at once.
 *
 * @throws {Error} when the bytes are gone
 */
export async function openContent(blobs: Blobs, name: string, sizeBytes: number): Promise<ReadableStream<Uint8Array>> {
  const local = await blobs.local(name)
  const file = await openFile(local.path, 'r').catch(async (error: unknown) => {
    await local.done()
    throw error
  })
  let left = sizeBytes
  let isOpen = true
  async function end() {
    if (!isOpen) return
    isOpen = false
    await closeFile(file)
    await local.done()
  }
  async function next(): Promise<Uint8Array> {
    try {
      const wanted = Math.min(left, PIECE_BYTES)
      const { bytesRead, buffer } = await readFile(file, new Uint8Array(wanted), 0, wanted, null)
      if (bytesRead === 0 && wanted > 0) throw new Error(`the stored bytes ${name} are cut short`)
      left -= bytesRead
      if (left === 0) await end()
      return buffer.subarray(0, bytesRead)
    } catch (error) {
      await end()
      throw error
    }
  }
  const first = await next()
  let reading: Promise<Uint8Array> | undefined
  return new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(first)
      if (!isOpen) controller.close()
    },
    async pull(controller) {
      controller.enqueue(await (reading = next()))
      if (!isOpen) controller.close()
    },
    async cancel() {
      // A read under way would go on in whatever file gets this number next.
      await reading?.catch(() => undefined)
      await end()
    },
  })
}
