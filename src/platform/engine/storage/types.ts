import type { IndexSource } from '../chunk/document.ts'
import type { SearchRequest, SearchResult } from '../search/types.ts'
import type { Catalog } from './catalog.ts'

/** Everything that must survive a restart, behind ports. */
export interface EngineStorage {
  readonly catalog: Catalog
  readonly blobs: Blobs
  readonly index: IndexStore
  /** Name and version of the kind of index. */
  readonly indexVersion: string
  readonly locks: PassLocks
  /** Closes all but the index, which is closed before, so that puts under way end. */
  close(): Promise<void>
}

/** Bytes as they come, piece by piece. */
export type Content = AsyncIterable<Uint8Array> | Iterable<Uint8Array>

export interface StoredBlob {
  /** Generated name. */
  readonly blob: string
  readonly sizeBytes: number
  /** Hexadecimal. */
  readonly sha256: string
}

/** Stored bytes as a file of this machine, to be read and left alone, until `done`. */
export interface LocalBlob {
  readonly path: string
  done(): Promise<void>
}

/**
 * Bytes of uploaded files, each under a generated name: what a user called it never becomes a path. A port: another
 * store can stand behind it.
 */
export interface Blobs {
  /** There for good when it resolves. Leaves nothing behind where `content` breaks off. */
  write(content: Content): Promise<StoredBlob>
  read(name: string): Promise<Uint8Array<ArrayBuffer>>
  local(name: string): Promise<LocalBlob>
  /** Already gone is success. */
  remove(name: string): Promise<void>
}

/** A pass that this process may run. */
export interface PassHold {
  /** Aborted, with a sentence, when the hold was lost: another process may run a pass then. */
  readonly lost: AbortSignal
  /** Waits for the changes that other processes are making, or for `signal`; further ones wait for this pass. */
  whenAlone(signal: AbortSignal): Promise<void>
  release(): Promise<void>
}

/** Keeps processes on one storage from indexing the same collection at once, or changing it meanwhile. */
export interface PassLocks {
  /** Undefined: another process has a pass. */
  pass(collectionId: number): Promise<PassHold | undefined>
  /** Gives what ends the change; undefined when another process had a pass for all of `waitMs`. */
  change(collectionId: number, waitMs: number): Promise<(() => Promise<void>) | undefined>
  /** Whether another process has a pass. */
  isElsewhere(collectionId: number): Promise<boolean>
  close(): Promise<void>
}

type Request<Name extends OperationName> = IndexOperations[Name]['request']
type Result<Name extends OperationName> = IndexOperations[Name]['result']

/**
 * The index of every collection. A port: another database can stand behind it. All calls are answered from a thread of
 * its own, which starts with the first of them.
 */
export interface IndexStore {
  /** Small files that may be put at once, and are then written together; default 1. */
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

export interface IndexFile {
  readonly id: number
  readonly revision: number
  readonly name: string
  readonly source: IndexSource
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
