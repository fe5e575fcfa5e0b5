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
