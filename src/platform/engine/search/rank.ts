import { toSentences } from '../../../lib/sentences.ts'
import { analyse } from '../text/terms.ts'
import { fuse } from './fuse.ts'
import { countGrams, scoreGrams, toGrams } from './grams.ts'
import type { Near } from './nearest.ts'
import type { Concept, Question } from './question.ts'
import {
  analyseChunk,
  type AnalysedChunk,
  countTerms,
  coverSentence,
  scoreChunk,
  toHeadingText,
  toLengthNorm,
} from './score.ts'
import type { Hit, Quote, SearchRequest, SearchResult } from './types.ts'

/** Chunks whose sentences are scored; others hold the answer in one case of a hundred. */
const CHUNKS_READ = 5
const QUOTES_KEPT = 12
/** Weight of the chunk's score relative to the sentence's coverage. */
const CHUNK_PART = 0.4
// Weights of what is evidence for an answer, fitted on the tuning halves of XQuAD in twelve languages: docs/retrieval.md.

/** Share of the question in the sentence, and in its chunk. */
const SENTENCE_PART = 0.25
const CHUNK_COVERAGE_PART = 0.17
/**
 * Lead of the chunk over the next one: an answerable question has one chunk that stands out, a question from another
 * field many equals.
 */
const LEAD_PART = 0.71
/**
 * How much of the question was found at all: half of two words may be chance, half of eight is not. From so many rare
 * words on it counts fully.
 */
const TELLING_PART = 0.25
const ENOUGH_TELLING = 2
/** Score of the chunk: frequent words, or words side by side as in the question. */
const WORDS_PART = 1
/** Below this size hardly any chunk can stand out. */
const FULL_TOTAL = 100
/** Replaces the lead in small collections, the more the smaller: people ask a few files about what is in them. */
const SMALL_PART = 0.085

/** Headings, table rules and code fences answer nothing. */
const NO_SENTENCE = /^\s*(?:#{1,6}\s|[|:\-\s]+$|`{3,}|~{3,})/

const toText = (raw: string) =>
  raw
    .replace(/^\s*(?:[-*+•>]|\d{1,3}[.)])\s+/, '')
    .replace(/\s+/g, ' ')
    .trim()

/** A hit with its score by words alone: sentences are chosen by words. */
export type QuotedHit = Hit & { readonly language: string; readonly words: number; readonly wordCoverage: number }

function quotesOf(concepts: readonly Concept[], hit: QuotedHit): { text: string; coverage: number }[] {
  const headings = countTerms(analyse([...hit.headings, hit.lead].join(' '), hit.language))
  const sentences = toSentences(hit.body).map((span) => {
    const raw = hit.body.slice(span.start, span.end)
    return { raw, terms: countTerms(analyse(raw, hit.language)) }
  })
  return sentences.flatMap(({ raw, terms }, index) => {
    const text = toText(raw)
    if (text === '' || NO_SENTENCE.test(raw)) return []
    const around = { headings, before: sentences[index - 1]?.terms, behind: sentences[index + 1]?.terms }
    return [{ text, coverage: coverSentence(concepts, terms, around) }]
  })
}

/** The sentences of the best chunks that cover the question best, best first. */
function toQuotes(concepts: readonly Concept[], hits: readonly QuotedHit[], total: number): Quote[] {
  const scores = hits.map((hit) => hit.words).toSorted((one, other) => other - one)
  const [best = 0, next = 0] = scores
  const full = Math.min(1, total / FULL_TOTAL)
  const leads = LEAD_PART * full
  const small = SMALL_PART * (1 - full)
  const asked = concepts.reduce((sum, concept) => sum + concept.weight, 0) / Math.log(1 + Math.max(total, FULL_TOTAL))
  const quotes = hits.slice(0, CHUNKS_READ).flatMap((hit, position) =>
    quotesOf(concepts, hit).map(({ text, coverage }): Quote => {
      const score = coverage + (best === 0 ? 0 : (CHUNK_PART * hit.words) / best)
      const evidence =
        SENTENCE_PART * coverage +
        CHUNK_COVERAGE_PART * hit.wordCoverage +
        leads * (hit.words - next) +
        TELLING_PART * Math.min(1, (coverage * asked) / ENOUGH_TELLING) +
        WORDS_PART * hit.words +
        small
      return { hit: position, text, score, coverage, evidence }
    }),
  )
  return quotes.toSorted((one, other) => other.score - one.score).slice(0, QUOTES_KEPT)
}

// The ranking of every index, however its candidates were found.

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
  /** Cache of analysed chunks. */
  readonly recall?: (chunkId: number, make: () => AnalysedChunk) => AnalysedChunk
}

/** Extra candidates: another measure finds them, so the ranking may reorder them. */
const SPARE_CANDIDATES = 10
const SPARE_PART = 2

/** How many candidates are needed for so many hits. */
export const toWanted = (limit: number) => limit + Math.max(SPARE_CANDIDATES, SPARE_PART * limit - 2)

type Scored = Omit<QuotedHit, 'score'> & { readonly id: number }

function scoreRows(
  question: Question,
  { averageTerms, recall = (_, make) => make() }: Totals,
  rows: readonly ChunkRow[],
): Scored[] {
  const chunks: AnalysedChunk[] = []
  const scored = rows.map(({ name, ...row }) => {
    const headings = JSON.parse(row.headings) as readonly string[]
    const chunk = recall(row.id, () =>
      analyseChunk({ headings: toHeadingText(name, headings), body: `${row.lead}${row.body}`, language: row.language }),
    )
    chunks.push(chunk)
    const { score, coverage, reach } = scoreChunk(question, chunk, averageTerms)
    return { ...row, headings, coverage, reach, words: score, wordCoverage: coverage }
  })
  return withGrams(question, scored, chunks, averageTerms)
}

/** Weight of the score of runs relative to that of whole words. */
const GRAM_PART = 0.3

function withGrams(
  question: Question,
  scored: Scored[],
  chunks: readonly AnalysedChunk[],
  averageTerms: number,
): Scored[] {
  const grams = toGrams(question.concepts)
  if (grams.weights.length === 0) return scored
  const scores = scoreGrams(
    grams,
    chunks.map(({ gramText }) => countGrams(grams, gramText)),
    chunks.map(({ terms }) => toLengthNorm(terms.length, averageTerms)),
  )
  return scored.map((one, at) => ({ ...one, words: (1 - GRAM_PART) * one.words + GRAM_PART * (scores[at] ?? 0) }))
}

/** Coverage given to a chunk whose vector alone makes it relevant. */
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
    const reached = one?.likely === true ? NEAR_COVERAGE : least
    const [coverage, reach] = [Math.max(hit.coverage, least), Math.max(hit.reach, reached)]
    return { ...hit, coverage, reach, score: one?.score ?? 0 }
  })
}

/** The best candidates, best first, with their sentences that answer. */
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
