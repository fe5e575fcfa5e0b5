import type { Catalog } from './catalog.ts'
import type { Blobs } from './sqlite/blobs.ts'
import type { IndexStore } from './sqlite/index/store.ts'

/** What the main thread and the index thread say to each other: plain data. */

/** What is to be indexed: a stored file as it is, or the converted pages of one (one JSON line a page). */
export type IndexSource =
  | { readonly kind: 'markdown' | 'text'; readonly path: string }
  | { readonly kind: 'pages'; readonly path: string }

export interface IndexFile {
  readonly id: number
  readonly revision: number
  readonly name: string
  readonly source: IndexSource
}

/** The question as a vector, and which model made it; `alpha` (0…1) is the part that words have beside it. */
export interface QuestionVector {
  readonly model: string
  readonly values: Float32Array
  readonly alpha: number
}

export interface SearchRequest {
  readonly question: string
  readonly limit: number
  /** Look for sentences that answer, too. */
  readonly quotes?: boolean
  /** Only this file. */
  readonly fileId?: number
  readonly vector?: QuestionVector
}

/** A chunk without a vector, and the text that stands for it. */
export interface BareChunk {
  readonly id: number
  readonly fileId: number
  readonly text: string
}

export interface NewVector {
  readonly id: number
  readonly fileId: number
  readonly vector: Float32Array
}

export interface Hit {
  readonly fileId: number
  readonly revision: number
  readonly body: string
  readonly lead: string
  readonly headings: readonly string[]
  readonly page: number | null
  readonly lineFrom: number
  readonly lineTo: number
  /** BM25 over its own upper bound for the question, 0…1; 1 is best. With a vector: fused with its cosine. */
  readonly score: number
  /**
   * Part of the question's words, weighted by how telling they are, that stands in the chunk: 0…1. At
   * least 0.5 where the chunk's vector alone shows that it belongs to the question.
   */
  readonly coverage: number
  /** The same, of a question of no more than its eight most telling words: 0…1. */
  readonly reach: number
}

/** A sentence that may answer the question; `hit` is the position of its chunk in the search result. */
export interface Quote {
  readonly hit: number
  readonly text: string
  readonly score: number
  readonly coverage: number
  /** How sure it is that the question is answered there: what the sentence and its chunk hold, and the chunk's lead. */
  readonly evidence: number
}

export interface SearchResult {
  readonly hits: readonly Hit[]
  readonly quotes: readonly Quote[]
  /** Language of the question, `und` when it can't be told. */
  readonly language: string
}

/** Every operation: what it takes and what it gives. `index` is the name of a collection's index. */
export interface IndexOperations {
  /** Puts the chunks of a file in, in place of those of any other revision. */
  put: { readonly request: IndexFile; readonly result: { readonly chunks: number } }
  /** Takes the chunks of these files out. */
  remove: { readonly request: { readonly fileIds: readonly number[] }; readonly result: null }
  /** Takes out what is no longer in the list: left by a process that died half-way. Gives how many files that were. */
  keep: {
    readonly request: { readonly files: readonly { readonly id: number; readonly revision: number }[] }
    readonly result: number
  }
  search: { readonly request: SearchRequest; readonly result: SearchResult }
  /** Chunks behind `after` without a vector of this model. Vectors of any other model are deleted first. */
  bare: {
    readonly request: { readonly model: string; readonly after: number; readonly limit: number }
    readonly result: readonly BareChunk[]
  }
  /** Keeps vectors of chunks that are still there. */
  vectors: {
    readonly request: { readonly model: string; readonly vectors: readonly NewVector[] }
    readonly result: null
  }
  /** Deletes the whole index. */
  drop: { readonly request: null; readonly result: null }
}

export type OperationName = keyof IndexOperations

export type IndexCall = {
  [Name in OperationName]: {
    readonly id: number
    readonly operation: Name
    readonly index: string
    readonly request: IndexOperations[Name]['request']
  }
}[OperationName]

/** A pass that this process may run. */
export interface PassHold {
  /** Aborted, with a sentence, when the hold was lost: another process may run a pass then. */
  readonly lost: AbortSignal
  /** Waits for the changes that other processes are making, or for `signal`; further ones wait for this pass. */
  whenAlone(signal: AbortSignal): Promise<void>
  release(): Promise<void>
}

/** What keeps the processes on one store from indexing the same collection at once, or from changing it meanwhile. */
export interface PassLocks {
  /** Undefined: another process has a pass. */
  pass(collectionId: number): Promise<PassHold | undefined>
  /** Gives what ends the change; undefined when another process had a pass for all of `waitMs`. */
  change(collectionId: number, waitMs: number): Promise<(() => Promise<void>) | undefined>
  /** Whether another process has a pass. */
  isElsewhere(collectionId: number): Promise<boolean>
  close(): Promise<void>
}

const never = new AbortController().signal
const nothing = () => Promise.resolve()

/** For a store that one process holds alone. */
export const noOtherProcess: PassLocks = {
  pass: () => Promise.resolve({ lost: never, whenAlone: nothing, release: nothing }),
  change: () => Promise.resolve(nothing),
  isElsewhere: () => Promise.resolve(false),
  close: nothing,
}

/** Everything that must survive a restart, behind ports. */
export interface Stores {
  readonly catalog: Catalog
  readonly blobs: Blobs
  readonly index: IndexStore
  /** Name and version of the kind of index. */
  readonly indexVersion: string
  readonly locks: PassLocks
  /** Of all but the index, which goes first, so that what is being put into it ends. */
  close(): Promise<void>
}
