/** The question as a vector, and its model; `alpha` (0…1) is the weight of the words. */
export interface QuestionVector {
  readonly model: string
  readonly values: Float32Array
  readonly alpha: number
}

/** Other words by word, in small letters: translations, words for the same thing. */
export type OtherWords = ReadonlyMap<string, readonly string[]>

/** Most terms with one beginning that a mistyped word is compared with. */
export const MAX_BEGINNING = 20_000
/** Added to a beginning, it sorts after every term that begins so. */
export const LAST_LETTER = '\u{10ffff}'

export interface SearchRequest {
  readonly question: string
  readonly limit: number
  /** Also find the sentences that answer. */
  readonly quotes?: boolean
  /** Words that count as those of the question. */
  readonly others?: OtherWords | undefined
  /** Only this file. */
  readonly fileId?: number
  readonly vector?: QuestionVector
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
  /** BM25 relative to its maximum for the question, 0…1; with a vector: fused with its cosine. */
  readonly score: number
  /**
   * Share of the question's words in the chunk, weighted by rarity: 0…1. At least 0.5 where the vector alone makes the
   * chunk relevant.
   */
  readonly coverage: number
  /** The same share of the eight most telling words: 0…1. */
  readonly reach: number
}

/** A sentence that may answer the question; `hit` is the position of its chunk in the search result. */
export interface Quote {
  readonly hit: number
  readonly text: string
  /** It has no word of the question: those around it and its headings have. */
  readonly isBeside?: boolean
  readonly score: number
  readonly coverage: number
  /** Words of the question that name something: all, those in the sentence and its headings, and those in its chunk. */
  readonly words?: { readonly asked: number; readonly held: number; readonly near: number }
  /** Evidence that the sentence answers: from the sentence, its chunk, and the chunk's lead. */
  readonly evidence: number
}

export interface SearchResult {
  readonly hits: readonly Hit[]
  readonly quotes: readonly Quote[]
  /** Language of the question, `und` when it can't be told. */
  readonly language: string
}
