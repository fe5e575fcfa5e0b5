import type { IndexSource } from '../chunk/document.ts'
import type { Converter } from '../convert/converter.ts'
import { EngineError, errorText, toRoomError } from '../errors.ts'
import type { Catalog, CollectionRow, FileRow } from '../storage/catalog.ts'
import type { Blobs, IndexStore, PassLocks } from '../storage/types.ts'
import type { EngineClock, EngineLog } from '../types.ts'
import type { Embedder } from './embedder.ts'

export interface PassResult {
  /** Files that this pass put into the index. */
  readonly indexed: number
  readonly failed: number
  readonly chunks: number
}

export interface PassParts {
  readonly catalog: Catalog
  readonly blobs: Blobs
  readonly converter: Converter
  readonly index: IndexStore
  /** Absent: no vectors. */
  readonly embedder?: Embedder | undefined
  readonly locks: PassLocks
  readonly log: EngineLog
  readonly clock: EngineClock
  readonly writeWaitMs: number
  /** The page that is being recognized, by file id; kept while a file is read. */
  readonly reading: ReadingProgress
}

export type ReadingProgress = Map<number, { readonly page: number; readonly pages: number }>

/** Larger files get a transaction of their own, and are read piece by piece. */
const SMALL_BYTES = 512 * 1024
/** Most bytes of a group: their text is in memory together. */
const GROUP_BYTES = 8 * 1024 * 1024

const isSmall = (file: FileRow) => file.format !== 'pdf' && file.sizeBytes <= SMALL_BYTES

/** Files in order; up to `most` consecutive small ones form a group. */
export function* toGroups(files: readonly FileRow[], most: number): Generator<readonly FileRow[]> {
  let group: FileRow[] = []
  let bytes = 0
  for (const file of files) {
    bytes += file.sizeBytes
    if (group.length > 0 && (group.length >= most || bytes > GROUP_BYTES || !isSmall(file))) {
      yield group
      group = []
      bytes = file.sizeBytes
    }
    if (isSmall(file)) {
      group.push(file)
      continue
    }
    yield [file]
    bytes = 0
  }
  if (group.length > 0) yield group
}

/** Indexes the pending files of a collection. */
export async function runPass(parts: PassParts, collection: CollectionRow, signal: AbortSignal): Promise<PassResult> {
  const { catalog, index } = parts
  signal.throwIfAborted()
  const files = await catalog.files.list(collection.id)
  // Leftover chunks of files that were removed or replaced while a process died.
  const indexedFiles = files.filter((file) => file.status === 'INDEXED')
  await index.keep(collection.indexName, indexedFiles)
  const outdated = new Set(await index.outdated(collection.indexName, indexedFiles))
  const wanted = [...(await catalog.files.pending(collection.id)), ...indexedFiles.filter(({ id }) => outdated.has(id))]
  const sum = { indexed: 0, failed: 0, chunks: 0 }
  const count = (results: readonly PromiseSettledResult<Outcome>[]) => {
    for (const result of results) {
      if (result.status === 'rejected') throw result.reason
      if ('error' in result.value) sum.failed += 1
      else {
        sum.indexed += 1
        sum.chunks += result.value.chunks
      }
    }
  }
  let running: ReturnType<typeof indexGroup> = Promise.resolve([])
  try {
    for (const group of toGroups(wanted, index.filesAtOnce ?? 1)) {
      const before = running
      // Small files are read while those before them are written.
      const readsAhead = index.readsAhead === true && group.every(isSmall)
      if (!readsAhead) count(await before)
      signal.throwIfAborted()
      running = indexGroup(parts, collection, group, signal)
      if (readsAhead) count(await before)
    }
    count(await running)
  } finally {
    // The pass ends after all of its files, even when one of them aborts it.
    await running
  }
  await parts.embedder?.fill(collection.indexName, signal)
  return sum
}

const indexGroup = (parts: PassParts, collection: CollectionRow, group: readonly FileRow[], signal: AbortSignal) =>
  Promise.allSettled(
    group.map(async (file) => {
      const outcome = await indexFile(parts, collection, file, signal)
      // Put in parallel: PostgreSQL then shares one disk sync among several.
      await parts.catalog.files.indexed(file, outcome)
      return outcome
    }),
  )

type Outcome = { readonly chunks: number; readonly note?: string } | { readonly error: string }

/** A failure of the engine, its machine or its database, not of the file: the next pass resumes it. */
const isStopping = (error: unknown) =>
  error instanceof EngineError && ['closed', 'aborted', 'unavailable', 'no-resources', 'no-room'].includes(error.code)

/** Indexes one file. A fault of the file becomes its result; an internal fault ends the pass. */
async function indexFile(
  { blobs, converter, index, log, reading }: PassParts,
  collection: CollectionRow,
  file: FileRow,
  signal: AbortSignal,
): Promise<Outcome> {
  const put = async (source: IndexSource): Promise<Outcome> => {
    const request = { id: file.id, revision: file.revision, name: file.name, source }
    const { chunks } = await index.put(collection.indexName, request)
    return chunks === 0 ? { error: 'The file holds no text to search, perhaps only front matter.' } : { chunks }
  }
  async function read(path: string): Promise<Outcome> {
    if (file.format !== 'pdf') return put({ kind: file.format, path })
    const pages = await converter.convertPdf(path, signal, `collection ${collection.id}`, (page, of) => {
      reading.set(file.id, { page, pages: of })
    })
    try {
      return { ...(await put({ kind: 'pages', path: pages.path })), note: pages.note }
    } finally {
      await pages.done()
    }
  }
  try {
    const local = await blobs.local(file.blob)
    try {
      return await read(local.path)
    } finally {
      reading.delete(file.id)
      await local.done()
    }
  } catch (thrown) {
    const error = toRoomError(thrown)
    if (signal.aborted || isStopping(error)) throw error
    // Logged at info: the state of the file tells its owner why.
    log.info(
      { err: error, collection: collection.name, file: file.name },
      'File could not be indexed; its state says why',
    )
    return { error: error instanceof EngineError ? error.message : `The file cannot be indexed: ${errorText(error)}` }
  }
}
