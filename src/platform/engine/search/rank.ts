import { fuse } from './fuse.ts'
import { toHeadingText } from './heading-text.ts'
import type { SearchRequest, SearchResult } from '../storage/index-types.ts'
import type { Question } from './question.ts'
import { toQuotes, type QuotedHit } from './quotes.ts'
import { analyseChunk, scoreChunk, type AnalysedChunk } from './score.ts'
import type { Near } from '../storage/sqlite/index/vectors.ts'

// The ranking that every index has in common, wherever its candidates were found.

/** A candidate as the index keeps it. */
export interface ChunkRow {
  readonly id: number
  readonly fileId: number
  readonly revision: number
  readonly name: string
  readonly language: string
  readonly body: string
  readonly lead: string
  /** JSON: the titles, outermost first. */
  readonly headings: string
  readonly page: number | null
  readonly lineFrom: number
  readonly lineTo: number
}

export interface Totals {
  /** Chunks of the index. */
  readonly total: number
  /** Terms of a body, on average. */
  readonly averageTerms: number
  /** Remembers what was made of a chunk. */
  readonly recall?: (chunkId: number, make: () => AnalysedChunk) => AnalysedChunk
}

/** Candidates are found by another measure: this many more than wanted are asked for, because ours may order them anew. */
const SPARE_CANDIDATES = 10

/** How many candidates are needed for so many hits. */
export const toWanted = (limit: number) => limit + Math.max(SPARE_CANDIDATES, limit)

type Scored = Omit<QuotedHit, 'score'> & { readonly id: number }

function scoreRows(
  question: Question,
  { averageTerms, recall = (_, make) => make() }: Totals,
  rows: readonly ChunkRow[],
): Scored[] {
  return rows.map(({ name, ...row }) => {
    const headings = JSON.parse(row.headings) as readonly string[]
    const chunk = recall(row.id, () =>
      analyseChunk({
        headings: toHeadingText(name, headings),
        body: `${row.lead}${row.body}`,
        language: row.language,
      }),
    )
    const { score, coverage, reach } = scoreChunk(question, chunk, averageTerms)
    return { ...row, headings, coverage, reach, words: score, wordCoverage: coverage }
  })
}

/** Coverage of a chunk whose vector alone shows that it belongs to the question. */
const NEAR_COVERAGE = 0.5

function fuseHits(scored: readonly Scored[], near: Near, alpha: number): QuotedHit[] {
  const fused = fuse(
    scored.map(({ id, words, coverage }) => ({ words, coverage, cosine: near.cosineOf(id) })),
    near,
    alpha,
  )
  return scored.map((hit, index) => {
    const one = fused[index]
    const least = one?.near === true ? NEAR_COVERAGE : 0
    const [coverage, reach] = [Math.max(hit.coverage, least), Math.max(hit.reach, least)]
    return { ...hit, coverage, reach, score: one?.score ?? 0 }
  })
}

/** The candidates that answer best, best first, with the sentences in them that do. */
export function rankRows(
  question: Question,
  totals: Totals,
  rows: readonly ChunkRow[],
  near: Near | undefined,
  request: SearchRequest,
): SearchResult {
  const scored = scoreRows(question, totals, rows)
  const ranked =
    near === undefined
      ? scored.map((hit): QuotedHit => ({ ...hit, score: hit.words }))
      : fuseHits(scored, near, request.vector?.alpha ?? 1)
  const hits = ranked.toSorted((one, other) => other.score - one.score).slice(0, request.limit)
  const quotes = request.quotes === true ? toQuotes(question.concepts, hits, totals.total) : []
  return { hits, quotes, language: question.language }
}
