import type { IndexSource, PassagesSource } from '../chunk/document.ts'
import type { SearchRequest, SearchResult } from '../search/types.ts'
import type { Catalog } from './catalog.ts'

/** Ports of everything that must survive a restart. */
export interface EngineStorage {
  readonly catalog: Catalog
  readonly blobs: Blobs
  readonly index: IndexStore
  /** Name and version of the index. */
  readonly indexVersion: string
  readonly locks: PassLocks
  /** Closes all but the index, which closes first, so that running writes end. */
  close(): Promise<void>
}

/** A stream of bytes. */
export type Content = AsyncIterable<Uint8Array> | Iterable<Uint8Array>

export interface StoredBlob {
  /** Generated name. */
  readonly blob: string
  readonly sizeBytes: number
  /** Hexadecimal. */
  readonly sha256: string
}

/** Stored bytes as a local file, read-only, valid until `done`. */
export interface LocalBlob {
  readonly path: string
  done(): Promise<void>
}

/** Port of the bytes of uploaded files, each under a generated name: a user's file name never becomes a path. */
export interface Blobs {
  /** Durable when it resolves. Leaves no file when `content` fails. `name`: replaces the blob of this name. */
  write(content: Content, name?: string): Promise<StoredBlob>
  read(name: string): Promise<Uint8Array<ArrayBuffer>>
  local(name: string): Promise<LocalBlob>
  /** Succeeds when the bytes are already gone. */
  remove(name: string): Promise<void>
}

/** The right of this process to run a pass. */
export interface PassHold {
  /** Aborted with a sentence when the lock was lost: another process may then run a pass. */
  readonly lost: AbortSignal
  /** Waits for changes under way in other processes, or for `signal`; new changes wait for this pass. */
  whenAlone(signal: AbortSignal): Promise<void>
  release(): Promise<void>
}

/** Keeps processes that share a storage from indexing or changing one collection at the same time. */
export interface PassLocks {
  /** Undefined: another process runs a pass. */
  pass(collectionId: number): Promise<PassHold | undefined>
  /** Returns a function that ends the change; undefined when another process ran a pass for all of `waitMs`. */
  change(collectionId: number, waitMs: number): Promise<(() => Promise<void>) | undefined>
  /** Whether another process runs a pass. */
  isElsewhere(collectionId: number): Promise<boolean>
  close(): Promise<void>
}

type Request<Name extends OperationName> = IndexOperations[Name]['request']
type Result<Name extends OperationName> = IndexOperations[Name]['result']

/** Port of the index of every collection. A thread of its own answers all calls. */
export interface IndexStore {
  /** Number of small files that may be put at once and are then written together; default 1. */
  readonly filesAtOnce?: number
  /** Files that are put while others are written are read meanwhile. */
  readonly readsAhead?: boolean
  put(index: string, request: Request<'put'>): Promise<Result<'put'>>
  remove(index: string, fileIds: readonly number[]): Promise<void>
  keep(index: string, files: Request<'keep'>['files']): Promise<number>
  /** Ids of the files that are missing here, or that another version of the analyser read; those are found all the same. */
  outdated(index: string, files: Request<'keep'>['files']): Promise<Result<'outdated'>>
  search(index: string, request: Request<'search'>): Promise<Result<'search'>>
  /** Chunks without a vector of this model, in order; vectors of other models are deleted. */
  bare(index: string, request: Request<'bare'>): Promise<Result<'bare'>>
  vectors(index: string, request: Request<'vectors'>): Promise<void>
  read(index: string, fileId: number): Promise<Result<'read'>>
  drop(index: string): Promise<void>
  /** Deletes indexes that belong to no collection. */
  sweep(known: ReadonlySet<string>): Promise<number>
  close(): Promise<void>
}

export interface IndexFile {
  readonly id: number
  readonly revision: number
  readonly name: string
  readonly source: IndexSource
}

/** All that an index holds of a file. */
export interface IndexedFile {
  readonly revision: number
  readonly name: string
  readonly source: PassagesSource
  /** Numbers of the chunks. */
  readonly ids: readonly number[]
  /** Model of the vectors; empty: none. */
  readonly model: string
  /** Vector of each chunk; null: it has none. */
  readonly vectors: readonly (Float32Array | null)[]
}

/** A chunk without a vector, and the text to embed. */
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

/** Every operation with its arguments and result. `index` is the name of a collection's index. */
export interface IndexOperations {
  /** Stores the chunks of a file, in place of those of any other revision. */
  put: { readonly request: IndexFile; readonly result: { readonly chunks: number } }
  /** Removes the chunks of these files. */
  remove: { readonly request: { readonly fileIds: readonly number[] }; readonly result: null }
  /** Removes files that are not in the list: leftovers of a process that died. Returns their number. */
  keep: {
    readonly request: { readonly files: readonly { readonly id: number; readonly revision: number }[] }
    readonly result: number
  }
  /** Ids of the files to be put anew. */
  outdated: { readonly request: IndexOperations['keep']['request']; readonly result: readonly number[] }
  search: { readonly request: SearchRequest; readonly result: SearchResult }
  /** Chunks after `after` without a vector of this model. Vectors of any other model are deleted first. */
  bare: {
    readonly request: { readonly model: string; readonly after: number; readonly limit: number }
    readonly result: readonly BareChunk[]
  }
  /** Stores vectors of chunks that still exist. */
  vectors: {
    readonly request: { readonly model: string; readonly vectors: readonly NewVector[] }
    readonly result: null
  }
  /** Null: the index does not have the file. */
  read: { readonly request: { readonly fileId: number }; readonly result: IndexedFile | null }
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
