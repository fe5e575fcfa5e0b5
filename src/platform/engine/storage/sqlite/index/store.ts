import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createThread } from '#platform/engine/storage/thread.ts'
import type { IndexOperations, IndexStore, OperationName } from '#platform/engine/storage/types.ts'

type Request<Name extends OperationName> = IndexOperations[Name]['request']
type Result<Name extends OperationName> = IndexOperations[Name]['result']

/** A thread holds some 25 MB. */
const IDLE_MS = 8_000

export async function openIndexStore(folder: string): Promise<IndexStore> {
  await mkdir(folder, { recursive: true })
  const data = { folder }
  const writing = createThread(new URL('./worker.ts', import.meta.url), { data, idleMs: IDLE_MS })
  const searching = createThread(new URL('./search-worker.ts', import.meta.url), {
    data,
    idleMs: IDLE_MS,
    isInOrder: true,
  })
  const call = <Name extends OperationName>(operation: Name, index: string, request: Request<Name>) =>
    writing.ask({ operation, index, request }) as Promise<Result<Name>>

  return {
    filesAtOnce: 256,
    readsAhead: true,
    put: (index, request) => call('put', index, request),
    remove: async (index, fileIds) => void (await call('remove', index, { fileIds })),
    keep: (index, files) => call('keep', index, { files }),
    outdated: (index, files) => call('outdated', index, { files }),
    search: (index, request) => searching.ask({ index, request }) as Promise<Result<'search'>>,
    bare: (index, request) => call('bare', index, request),
    vectors: async (index, request) => void (await call('vectors', index, request)),
    read: (index, fileId) => call('read', index, { fileId }),
    async drop(index) {
      await call('drop', index, null)
      // Its file is gone, but open until the searching thread closes it.
      await searching.ask({ index, request: null })
    },
    async sweep(known) {
      const stray = (await readdir(folder)).filter((name) => !known.has(name.replace(/\.sqlite(-wal|-shm)?$/, '')))
      await Promise.all(stray.map((name) => rm(join(folder, name), { force: true })))
      return stray.length
    },
    async close() {
      // The last connection of an index clears its log away.
      await searching.close()
      await writing.close()
    },
  }
}
