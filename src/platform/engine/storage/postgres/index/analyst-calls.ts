import type { Nearness } from '../../../search/fuse.ts'
import type { ChunkRow, Totals } from '../../../search/rank.ts'
import type { SearchRequest, SearchResult } from '../../../search/types.ts'
import { createThread } from '../../thread.ts'
import type { IndexFile } from '../../types.ts'
import type { Block } from './block.ts'
import type { WordLists } from './candidates.ts'

/** Facts of an index, true until its next change. */
export interface Facts extends Totals {
  /** Languages of its files, the one with the most chunks first. */
  readonly languages: readonly string[]
}

/** A word of the question: how telling it is, and the terms that it may stand as. */
export interface Lookup {
  readonly weight: number
  readonly terms: readonly string[]
}

/** How many chunks hold a term. */
export type Found = ReadonlyMap<string, number>

/** How the vectors lie to the question: of all of them, the nearest, and those of the chunks that were asked for. */
export interface Nearby {
  readonly nearness: Nearness
  readonly nearest: readonly number[]
  readonly cosines: ReadonlyMap<number, number>
}

/** The vectors of a file, and which state of them. */
export interface VectorSegment {
  readonly segment: number
  readonly stamp: number
}

export interface SegmentVectors extends VectorSegment {
  readonly fileId: number
  readonly ids: readonly number[]
  /** As stored: numbers of four bytes. */
  readonly data: readonly Uint8Array[]
}

/** A file to read: `firstId` is the number of its first chunk; `withWords` asks for its words as texts, too. */
export interface NumberedFile extends IndexFile {
  readonly firstId: number
  readonly withWords: boolean
}

/** Every operation of the analysing thread: what it takes and what it gives. Nothing of it asks the database. */
export interface AnalystOperations {
  /** Begins to read a file. */
  open: { readonly request: NumberedFile; readonly result: null }
  /** The next chunks of the file with this `firstId`; null at its end. */
  next: { readonly request: number; readonly result: (Block & { readonly language: string }) | null }
  close: { readonly request: number; readonly result: null }
  /** Every term that the question's words may stand as. */
  terms: {
    readonly request: { readonly question: string; readonly languages: readonly string[] }
    readonly result: readonly string[]
  }
  /** The words that find candidates. */
  lookups: {
    readonly request: { readonly question: string; readonly facts: Facts; readonly found: Found }
    readonly result: readonly Lookup[]
  }
  candidates: {
    readonly request: {
      readonly words: readonly WordLists[]
      readonly averageTerms: number
      readonly wanted: number
    }
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
  /** Forgets vectors that are no longer in the list; gives those of it that are not held as they are now. */
  missing: {
    readonly request: {
      readonly index: number
      readonly model: string
      readonly segments: readonly VectorSegment[]
    }
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

/** Asks the analysing thread. */
export type Analyse = <Name extends AnalystOperation>(
  operation: Name,
  request: AnalystOperations[Name]['request'],
) => Promise<AnalystOperations[Name]['result']>

export interface Analysis {
  /** For files… */
  readonly files: Analyse
  /** …and for questions, which don't wait while a long file is being read. */
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
