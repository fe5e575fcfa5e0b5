import type { Nearness } from '#platform/engine/search/fuse.ts'
import type { ChunkRow, Totals } from '#platform/engine/search/rank.ts'
import type { SearchRequest, SearchResult } from '#platform/engine/search/types.ts'
import { createThread } from '#platform/engine/storage/thread.ts'
import type { IndexFile } from '#platform/engine/storage/types.ts'
import type { Block } from './block.ts'
import type { WordLists } from './candidates.ts'

/** Facts of an index, valid until its next change. */
export interface Facts extends Totals {
  /** Languages of its files, the one with the most chunks first. */
  readonly languages: readonly string[]
}

/** A word of the question: its weight, and its possible index terms. */
export interface Lookup {
  readonly weight: number
  readonly terms: readonly string[]
}

/** Number of chunks that hold a term. */
export type Found = ReadonlyMap<string, number>

/** Cosines to the question: their distribution over all chunks, the nearest chunks, and the requested chunks. */
export interface Nearby {
  readonly nearness: Nearness
  readonly nearest: readonly number[]
  readonly cosines: ReadonlyMap<number, number>
}

/** The vectors of a file, and their version. */
export interface VectorSegment {
  readonly segment: number
  readonly stamp: number
}

export interface SegmentVectors extends VectorSegment {
  readonly fileId: number
  readonly ids: readonly number[]
  /** As stored: 32-bit floats. */
  readonly data: readonly Uint8Array[]
}

/** A file to read. `firstId`: number of its first chunk. */
export interface NumberedFile extends IndexFile {
  readonly firstId: number
}

/** A question, and words that count as its own. */
export type AskedWords = Pick<SearchRequest, 'question' | 'others'>

/** Every call of the analysing thread with its arguments and result. No call asks the database. */
export interface AnalystOperations {
  /** Starts reading a file. */
  open: { readonly request: NumberedFile; readonly result: null }
  /** The next chunks of the file with this `firstId`; null at its end; `gone`: the thread was replaced meanwhile. */
  next: { readonly request: number; readonly result: (Block & { readonly language: string }) | null | 'gone' }
  close: { readonly request: number; readonly result: null }
  /** All possible index terms of the question's words. */
  terms: {
    readonly request: AskedWords & { readonly languages: readonly string[] }
    readonly result: readonly string[]
  }
  /** The words that find candidates. `beginnings`: of terms that could be meant by a word, not counted yet. */
  lookups: {
    readonly request: AskedWords & { readonly facts: Facts; readonly found: Found }
    readonly result: { readonly lookups: readonly Lookup[]; readonly beginnings: readonly string[] }
  }
  candidates: {
    readonly request: { readonly words: readonly WordLists[]; readonly averageTerms: number; readonly wanted: number }
    readonly result: readonly number[]
  }
  rank: {
    readonly request: {
      readonly request: SearchRequest
      readonly facts: Facts
      readonly found: Found
      readonly rows: readonly ChunkRow[]
      readonly nearby: Nearby | undefined
    }
    readonly result: SearchResult
  }
  /** Drops vectors that are not in the list; returns the entries that are missing or outdated. */
  missing: {
    readonly request: { readonly index: number; readonly model: string; readonly segments: readonly VectorSegment[] }
    readonly result: readonly VectorSegment[]
  }
  hold: {
    readonly request: { readonly index: number; readonly segments: readonly SegmentVectors[] }
    readonly result: null
  }
  near: {
    readonly request: {
      readonly index: number
      readonly question: Float32Array
      readonly wanted: number
      readonly fileId: number | undefined
      readonly ids: readonly number[]
    }
    /** Null: no vector compares with the question's. */
    readonly result: Nearby | null
  }
}

export type AnalystOperation = keyof AnalystOperations

export type AnalystCall = {
  [Name in AnalystOperation]: {
    readonly id: number
    readonly operation: Name
    readonly request: AnalystOperations[Name]['request']
  }
}[AnalystOperation]

/** Calls the analysing thread. */
export type Analyse = <Name extends AnalystOperation>(
  operation: Name,
  request: AnalystOperations[Name]['request'],
) => Promise<AnalystOperations[Name]['result']>

export interface Analysis {
  /** The thread for files. */
  readonly files: Analyse
  /** The thread for questions, which must not wait for a long file. */
  readonly questions: Analyse
  close(): Promise<void>
}

function startAnalyst() {
  const thread = createThread(new URL('./analyst.ts', import.meta.url))
  const analyse = ((operation, request) => thread.ask({ operation, request })) as Analyse
  return { analyse, close: () => thread.close() }
}

/** Two threads; each starts with the first call. */
export function createAnalysis(): Analysis {
  const files = startAnalyst()
  const questions = startAnalyst()
  return {
    files: files.analyse,
    questions: questions.analyse,
    async close() {
      await Promise.all([files.close(), questions.close()])
    },
  }
}
