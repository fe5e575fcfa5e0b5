import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { EngineError } from '../errors.ts'
import type { IndexAnswer, IndexOperations, OperationName } from './protocol.ts'

type Request<Name extends OperationName> = IndexOperations[Name]['request']
type Result<Name extends OperationName> = IndexOperations[Name]['result']

/**
 * The index of every collection. A port: another database can stand behind it. All calls are answered from a thread of
 * its own, which starts with the first of them.
 */
export interface IndexStore {
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

interface Waiting {
  resolve(result: never): void
  reject(error: unknown): void
}

function startWorker(folder: string, waiting: Map<number, Waiting>, ended: () => void): Worker {
  // Flags of the process (a debugger, a test runner's loader) are not the thread's.
  const worker = new Worker(new URL('./worker.ts', import.meta.url), { workerData: { folder }, execArgv: [] })
  worker.unref()
  worker.on('message', (answer: IndexAnswer) => {
    const call = waiting.get(answer.id)
    waiting.delete(answer.id)
    if (answer.error === undefined) call?.resolve(answer.result as never)
    else call?.reject(new Error(answer.error))
    if (waiting.size === 0) worker.unref()
  })
  const fail = (error: unknown) => {
    ended()
    for (const call of waiting.values()) call.reject(error)
    waiting.clear()
  }
  worker.on('error', fail)
  worker.on('exit', () => fail(new EngineError('closed', 'The index stopped: try again.')))
  return worker
}

export async function openIndexStore(folder: string): Promise<IndexStore> {
  await mkdir(folder, { recursive: true })
  const waiting = new Map<number, Waiting>()
  let worker: Worker | undefined
  let closed = false
  let lastId = 0

  function call<Name extends OperationName>(operation: Name, index: string, request: Request<Name>) {
    return new Promise<Result<Name>>((resolve, reject) => {
      if (closed) {
        reject(new EngineError('closed', 'Footbridge is stopping: try again in a moment.'))
        return
      }
      worker ??= startWorker(folder, waiting, () => (worker = undefined))
      worker.ref()
      lastId += 1
      waiting.set(lastId, { resolve, reject })
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
      worker.postMessage({ id: lastId, operation, index, request })
    })
  }

  return {
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
    async close() {
      closed = true
      const running = worker
      if (running === undefined) return
      const exited = new Promise<void>((resolve) => running.once('exit', () => resolve()))
      running.ref()
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
      running.postMessage('close')
      await exited
    },
  }
}
