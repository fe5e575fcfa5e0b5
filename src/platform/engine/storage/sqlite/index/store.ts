import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createThread } from '../../thread.ts'
import type { IndexOperations, OperationName } from '../../types.ts'

type Request<Name extends OperationName> = IndexOperations[Name]['request']
type Result<Name extends OperationName> = IndexOperations[Name]['result']

/**
 * The index of every collection. A port: another database can stand behind it. All calls are answered from a thread of
 * its own, which starts with the first of them.
 */
export interface IndexStore {
  /** So many small files may be put at once, and are then written together; default 1. */
  readonly filesAtOnce?: number
  put(index: string, request: Request<'put'>): Promise<Result<'put'>>
  remove(index: string, fileIds: readonly number[]): Promise<void>
  keep(index: string, files: Request<'keep'>['files']): Promise<number>
  search(index: string, request: Request<'search'>): Promise<Result<'search'>>
  /** Chunks that have no vector of this model yet, in order; those of another model are forgotten. */
  bare(index: string, request: Request<'bare'>): Promise<Result<'bare'>>
  vectors(index: string, request: Request<'vectors'>): Promise<void>
  drop(index: string): Promise<void>
  /** Deletes indexes that belong to no collection. */
  sweep(known: ReadonlySet<string>): Promise<number>
  close(): Promise<void>
}

export async function openIndexStore(folder: string): Promise<IndexStore> {
  await mkdir(folder, { recursive: true })
  const thread = createThread(new URL('./worker.ts', import.meta.url), { folder })
  const call = <Name extends OperationName>(operation: Name, index: string, request: Request<Name>) =>
    thread.ask({ operation, index, request }) as Promise<Result<Name>>

  return {
    filesAtOnce: 64,
    put: (index, request) => call('put', index, request),
    remove: async (index, fileIds) => void (await call('remove', index, { fileIds })),
    keep: (index, files) => call('keep', index, { files }),
    search: (index, request) => call('search', index, request),
    bare: (index, request) => call('bare', index, request),
    vectors: async (index, request) => void (await call('vectors', index, request)),
    drop: async (index) => void (await call('drop', index, null)),
    async sweep(known) {
      const stray = (await readdir(folder)).filter(
        (name) => !known.has(name.replace(/\.sqlite(-wal|-shm)?$/, '')),
      )
      await Promise.all(stray.map((name) => rm(join(folder, name), { force: true })))
      return stray.length
    },
    close: () => thread.close(),
  }
}
