import { transaction } from '#sql/sqlite/file.ts'
import { existsSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { workerData } from 'node:worker_threads'
import { ANALYSER_VERSION } from '#platform/engine/text/terms.ts'
import { serveCalls } from '#platform/engine/storage/thread.ts'
import type { IndexCall, IndexFile, IndexOperations } from '#platform/engine/storage/types.ts'
import { type IndexWriter, openIndexWriter } from './database.ts'
import { createReader, ReaderDied, type Reading } from './read/reader.ts'
import { addVectors, findBare } from './vectors.ts'
import { putFiles, readFile, removeFiles } from './write.ts'

// The writing thread, for SQLite calls and analysis, which block. Writes to one index run in order.

type WriteCall = Exclude<IndexCall, { operation: 'search' }>

interface OpenIndex {
  readonly database: IndexWriter
  /** End of the last requested write. */
  writing: Promise<unknown>
  writers: number
  /** Files of the last requested write, while more may join it. */
  puts: WaitingPut[] | undefined
  putBytes: number
}

interface WaitingPut {
  readonly call: number
  readonly file: IndexFile
  readonly bytes: number
  readonly done: PromiseWithResolvers<IndexOperations['put']['result']>
}

/** Most bytes of files that are written together: the next ones are read meanwhile. */
const MAX_BYTES = 8 * 1024 * 1024

/** Most open indexes; the least recently used is closed. */
const MAX_OPEN = 64

const { folder } = workerData as { readonly folder: string }
const open = new Map<string, OpenIndex>()
const reader = createReader()

const pathOf = (index: string) => join(folder, `${index}.sqlite`)

function deleteFiles(index: string): void {
  for (const suffix of ['', '-wal', '-shm']) rmSync(`${pathOf(index)}${suffix}`, { force: true })
}

function close(index: string): void {
  open.get(index)?.database.close()
  open.delete(index)
}

function use(index: string): OpenIndex {
  let entry = open.get(index)
  if (entry === undefined) {
    let database = openIndexWriter(pathOf(index))
    if (database === 'stale') {
      deleteFiles(index)
      database = openIndexWriter(pathOf(index))
    }
    if (database === 'stale') throw new Error(`The index ${index} could not be made anew.`)
    entry = { database, writing: Promise.resolve(), writers: 0, puts: undefined, putBytes: 0 }
  }
  // The last entry of the map is the most recently used.
  open.delete(index)
  open.set(index, entry)
  for (const [name, one] of open) {
    if (open.size <= MAX_OPEN) break
    if (one.writers === 0 && name !== index) close(name)
  }
  return entry
}

async function write<Result>(index: string, work: (database: IndexWriter) => Result | Promise<Result>) {
  const entry = use(index)
  entry.writers += 1
  // Files put from now on belong to the next write.
  entry.puts = undefined
  const before = entry.writing
  const run = (async () => {
    await before.catch(() => undefined)
    try {
      return await work(entry.database)
    } finally {
      entry.writers -= 1
    }
  })()
  entry.writing = run.catch(() => undefined)
  return run
}

function sizeOf({ source }: IndexFile): number {
  return source.kind === 'passages' ? 0 : (statSync(source.path, { throwIfNoEntry: false })?.size ?? 0)
}

/** Files put at the same time are written together. */
function put(index: string, file: IndexFile, call: number) {
  const entry = use(index)
  const done = Promise.withResolvers<IndexOperations['put']['result']>()
  const bytes = sizeOf(file)
  if (entry.puts === undefined || entry.putBytes + bytes > MAX_BYTES) {
    entry.putBytes = 0
    const puts: WaitingPut[] = []
    // They are read while others are still written.
    const read = nextTurn().then(() => {
      // Files that were sent together have all arrived now.
      if (entry.puts === puts) entry.puts = undefined
      return reader.read(puts)
    })
    void write(index, (database) => putWaiting(database, puts, read))
    entry.puts = puts
  }
  entry.puts.push({ call, file, bytes, done })
  entry.putBytes += bytes
  return done.promise
}

/** How often files are read again that are not at fault. */
const MAX_READS = 4

async function putWaiting(
  database: IndexWriter,
  puts: readonly WaitingPut[],
  read: Promise<Reading>,
  reads = 1,
): Promise<void> {
  try {
    const reading = await read
    const files = puts.map(({ file }) => file)
    const results = await putFiles(database, files, reading)
    for (const [at, { done }] of puts.entries()) {
      const result = results[at]
      if (result?.status === 'fulfilled') done.resolve(result.value)
      else done.reject(result?.reason)
    }
  } catch (error) {
    const { atFault, others } = divide(puts, reads < MAX_READS ? error : undefined)
    for (const { done } of atFault) done.reject(error)
    if (others.length > 0) await putWaiting(database, others, Promise.resolve(reader.read(others)), reads + 1)
  }
}

/** Where the reading thread died over a file, the others are not at fault. */
function divide(puts: readonly WaitingPut[], error: unknown) {
  if (!(error instanceof ReaderDied)) return { atFault: puts, others: [] }
  const [atFault, others] = [
    puts.filter(({ call }) => call === error.call),
    puts.filter(({ call }) => call !== error.call),
  ]
  return { atFault, others }
}

function removeAll(database: IndexWriter, fileIds: readonly number[]): void {
  if (fileIds.length === 0) return
  transaction(database.writer, () => {
    removeFiles(database, fileIds)
  })
}

type Keep = IndexOperations['keep']['request']

function keepOnly(database: IndexWriter, files: Keep['files']): number {
  const wanted = new Map(files.map((file) => [file.id, file.revision]))
  const rows = database.write('SELECT id, revision FROM file').all()
  const gone = rows
    .filter((row) => wanted.get(Number(row['id'])) !== Number(row['revision']))
    .map((row) => Number(row['id']))
  removeAll(database, gone)
  return gone.length
}

/** To look does not make a file. */
const isThere = (index: string) => open.has(index) || existsSync(pathOf(index))

function findOutdated(index: string, files: Keep['files']): readonly number[] {
  const rows = isThere(index)
    ? use(index).database.write('SELECT id, revision FROM file WHERE analyser = ?').all(ANALYSER_VERSION)
    : []
  const current = new Map(rows.map((row) => [Number(row['id']), Number(row['revision'])]))
  return files.filter(({ id, revision }) => current.get(id) !== revision).map(({ id }) => id)
}

async function answer(call: WriteCall): Promise<IndexOperations[WriteCall['operation']]['result']> {
  switch (call.operation) {
    case 'put':
      return put(call.index, call.request, call.id)
    case 'remove':
      return write(call.index, (database) => {
        removeAll(database, call.request.fileIds)
        return null
      })
    case 'keep':
      return write(call.index, (database) => keepOnly(database, call.request.files))
    case 'outdated':
      return findOutdated(call.index, call.request.files)
    case 'read':
      return isThere(call.index) ? write(call.index, (database) => readFile(database, call.request.fileId)) : null
    case 'bare':
      return write(call.index, (database) =>
        findBare(database, call.request.model, call.request.after, call.request.limit),
      )
    case 'vectors':
      return write(call.index, (database) => {
        addVectors(database, call.request.model, call.request.vectors)
        return null
      })
    case 'drop':
    default:
      await open.get(call.index)?.writing
      close(call.index)
      deleteFiles(call.index)
      return null
  }
}

function closeAll(): void {
  void reader.close()
  for (const index of open.keys()) close(index)
}

// Files that are put wait for those before them: who reads says when their turn comes.
serveCalls(answer, closeAll, { waitsFirst: (call: WriteCall) => call.operation === 'put' })
