import { join } from 'node:path'
import { workerData } from 'node:worker_threads'
import type { Matrix } from '#platform/engine/search/nearest.ts'
import type { SearchRequest, SearchResult } from '#platform/engine/search/types.ts'
import { serveCalls } from '#platform/engine/storage/thread.ts'
import { type IndexReader, openIndexReader } from './database.ts'
import { type IndexFacts, readFacts, search, searchNothing } from './search.ts'
import { readMatrix } from './vectors.ts'

// The searching thread: a question waits for other questions, never for an index pass.

interface OpenIndex {
  readonly database: IndexReader
  /** Version of the index that `facts` and `matrix` belong to. */
  version: number
  facts: IndexFacts | undefined
  /** Loaded by the first question that needs it; null: no vectors. */
  matrix: Matrix | null | undefined
}

/** A question to an index, or `null` when its file was deleted. */
export interface SearchCall {
  readonly id: number
  readonly index: string
  readonly request: SearchRequest | null
}

/** Most open indexes; the least recently used is closed. */
const MAX_OPEN = 64

/**
 * Most bytes of vectors in memory, over all indexes; the least recently used are evicted. A larger index is searched by
 * words: its vectors would be read again for every question.
 */
const VECTOR_BYTES = 512 * 1024 * 1024

const { folder } = workerData as { readonly folder: string }
const open = new Map<string, OpenIndex>()

function close(index: string): void {
  open.get(index)?.database.close()
  open.delete(index)
}

function use(index: string): OpenIndex | undefined {
  let entry = open.get(index)
  if (entry === undefined) {
    const database = openIndexReader(join(folder, `${index}.sqlite`))
    if (database === undefined) return undefined
    entry = { database, version: -1, facts: undefined, matrix: undefined }
  }
  // The last entry of the map is the most recently used.
  open.delete(index)
  open.set(index, entry)
  for (const name of open.keys()) {
    if (open.size <= MAX_OPEN) break
    close(name)
  }
  return entry
}

function matrixOf(entry: OpenIndex): Matrix | undefined {
  if (entry.matrix !== undefined) return entry.matrix ?? undefined
  const matrix = readMatrix(entry.database, VECTOR_BYTES)
  entry.matrix = matrix ?? null
  let bytes = 0
  // Most recently used first: indexes beyond the limit are evicted.
  for (const one of [...open.values()].toReversed()) {
    bytes += one.matrix?.values.byteLength ?? 0
    if (bytes > VECTOR_BYTES) one.matrix = undefined
  }
  return matrix
}

async function answer({ index, request }: SearchCall): Promise<SearchResult | null> {
  if (request === null) {
    close(index)
    return null
  }
  const entry = use(index)
  if (entry === undefined) return searchNothing(request)
  return entry.database.atOnce((version) => {
    if (entry.version !== version) {
      entry.version = version
      entry.facts = undefined
      entry.matrix = undefined
    }
    entry.facts ??= readFacts(entry.database, () => matrixOf(entry))
    return search(entry.facts, request)
  })
}

function closeAll(): void {
  for (const index of open.keys()) close(index)
}

serveCalls(answer, closeAll, { isInOrder: true })
