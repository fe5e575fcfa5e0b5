import { allPhrases, allWords, oneOf } from '#lexicon/match.ts'
import { type Span, toSentences } from '#lexicon/sentences.ts'
import { fuse } from './fuse.ts'
import { scoreGrams } from './grams.ts'
import { matchChunk, matchTerms } from './match.ts'
import type { Near } from './nearest.ts'
import type { Concept, Question } from './question.ts'
import { createRelations, type Relations } from './relations.ts'
import {
  analyseChunk,
  type AnalysedChunk,
  countBits,
  coverSentence,
  HEADING_WEIGHT,
  MAX_TOUCHED,
  type Quotable,
  scoreChunk,
  toHeadingText,
  toLengthNorm,
  touchedBits,
  touchesQuestion,
} from './score.ts'
import { forgetTerms, toTermNumbers } from './term-numbers.ts'
import type { Hit, Quote, SearchRequest, SearchResult } from './types.ts'

/** Chunks whose sentences are scored; others hold the answer in one case of a hundred. */
const CHUNKS_READ = 5
const QUOTES_KEPT = 12
/** Weight of the chunk's score relative to the sentence's coverage. */
const CHUNK_PART = 0.4
// Weights of the evidence for an answer, fitted on the tuning halves of XQuAD in twelve languages: docs/retrieval.md.

/** Share of the question in the sentence, and in its chunk. */
const SENTENCE_PART = 0.25
const CHUNK_COVERAGE_PART = 0.17
/**
 * Lead of the chunk over the next one: an answerable question has one chunk that stands out, a question from another
 * field many equals.
 */
const LEAD_PART = 0.71
/**
 * How much of the question was found at all: half of two words may be chance, half of eight is not. From this many rare
 * words on it counts fully.
 */
const TELLING_PART = 0.25
const ENOUGH_TELLING = 2
/** Score of the chunk: frequent words, or words side by side as in the question. */
const WORDS_PART = 1
/** Below this size hardly any chunk can stand out. */
const FULL_TOTAL = 100
/** Replaces the lead in small collections, the more the smaller: people ask a few files about their contents. */
const SMALL_PART = 0.085

/**
 * Evidence that a question must have more for each e-fold above this many chunks: the larger a collection, the more of a
 * question chance finds in it. On 8,339 paragraphs, .015 prevents 3.2 of 14.4 (tuning) and 3.2 of 12.8 (held out) wrong
 * answers in a hundred, and loses 1.6 and 2.0 right ones: docs/bench.md.
 */
const SIZE_PART = 0.015
const USUAL_TOTAL = 240

/** Headings, table rules and code fences answer nothing. */
const NO_SENTENCE = /^\s*(?:#{1,6}\s|[|:\-\s]+$|`{3,}|~{3,})/
/** A row with text in its first cell alone: a title, or a paragraph that was taken for a row. */
const ONE_CELL = /^\s*\|[^|\n]{1,2000}(?:\|\s*){2,60}$/
/** The line below the head of a table. */
const TABLE_RULE = /^\s*\|[|:\-\s]*-[|:\-\s]*(?:\n|$)/
const MAX_RULE_CHARS = 2_000

/** The head or foot of a page. */
const PAGE = oneOf(allPhrases('documents', 'page'))
const PAGE_OF = oneOf([...allWords('documents', 'pageOf'), '/'])
const PAGE_LINE = new RegExp(String.raw`^.{0,100}(?<!\p{L})${PAGE}\s?\d{1,4}(?:\s?${PAGE_OF}\s?\d{1,4})?\s*$`, 'iu')

const toText = (raw: string) =>
  raw
    .replace(/^\s*(?:[-*+•>]|\d{1,3}[.)])\s+/, '')
    .replace(/\s+/g, ' ')
    .trim()

/** A numbered heading is two sentences: `## 4.` and its title. */
function isQuotable(body: string, { start, end }: Span): boolean {
  const raw = body.slice(start, end)
  if (NO_SENTENCE.test(raw) || PAGE_LINE.test(raw.trim())) return false
  // The head of a table names columns and says nothing.
  const isHead = raw.trimStart().startsWith('|') && TABLE_RULE.test(body.slice(end, end + MAX_RULE_CHARS))
  if (isHead && !ONE_CELL.test(raw)) return false
  const line = body.slice(body.lastIndexOf('\n', start - 1) + 1, start)
  return !/^ {0,3}#{1,6}\s/.test(line)
}

/** A chunk as the question sees it. */
interface Candidate {
  readonly row: ChunkRow
  readonly chunk: AnalysedChunk
  /** Share of the question in it by words alone. */
  readonly wordCoverage: number
  /** Score by words alone: sentences are chosen by words. */
  words: number
  /** As in a hit. */
  score: number
  coverage: number
  reach: number
}

const titlesOf = (row: ChunkRow) => JSON.parse(row.headings) as readonly string[]

function toQuotable(row: ChunkRow): Quotable {
  const { name, lead, body, language } = row
  return {
    name: toTermNumbers(toHeadingText(name, []), language),
    headings: toTermNumbers([...titlesOf(row), lead].join(' '), language),
    sentences: toSentences(body).map((span) => {
      const raw = body.slice(span.start, span.end)
      return { text: isQuotable(body, span) ? toText(raw) : '', terms: toTermNumbers(raw, language) }
    }),
  }
}

function quotesOf(concepts: readonly Concept[], relations: Relations, { row, chunk }: Candidate) {
  const { name, headings, sentences } = (chunk.quotable ??= toQuotable(row))
  const above = matchTerms(relations, headings)
  const matches = sentences.map(({ terms }) => matchTerms(relations, terms))
  const naming = [...concepts.keys()].filter((word) => concepts[word]?.isLight !== true)
  const over = touchedBits(naming, above) | touchedBits(naming, matchTerms(relations, name))
  const touched = matches.map((own) => touchedBits(naming, own) | over)
  const near = countBits(touched.reduce((all, bits) => all | bits, over))
  const asked = Math.min(naming.length, MAX_TOUCHED)
  return sentences.flatMap(({ text }, index) => {
    const own = matches[index]
    if (text === '' || own === undefined) return []
    const around = { headings: above, before: matches[index - 1], behind: matches[index + 1] }
    // A row belongs to the names of its columns.
    const isBeside = !touchesQuestion(own) && !text.startsWith('|')
    const words = { asked, held: countBits(touched[index] ?? 0), near }
    return [{ text, isBeside, words, coverage: coverSentence(concepts, own, around) }]
  })
}

/** The sentences of the best chunks that cover the question best, best first. */
function toQuotes(
  concepts: readonly Concept[],
  relations: Relations,
  hits: readonly Candidate[],
  total: number,
): Quote[] {
  const scores = hits.map((hit) => hit.words).toSorted((one, other) => other - one)
  const [best = 0, next = 0] = scores
  const full = Math.min(1, total / FULL_TOTAL)
  const leads = LEAD_PART * full
  const small = SMALL_PART * (1 - full) - SIZE_PART * Math.max(0, Math.log(total / USUAL_TOTAL))
  const asked = concepts.reduce((sum, concept) => sum + concept.weight, 0) / Math.log(1 + Math.max(total, FULL_TOTAL))
  const quotes = hits.slice(0, CHUNKS_READ).flatMap((hit, position) =>
    quotesOf(concepts, relations, hit).map(({ text, isBeside, words, coverage }): Quote => {
      const score = coverage + (best === 0 ? 0 : (CHUNK_PART * hit.words) / best)
      const evidence =
        SENTENCE_PART * coverage +
        CHUNK_COVERAGE_PART * hit.wordCoverage +
        leads * (hit.words - next) +
        TELLING_PART * Math.min(1, (coverage * asked) / ENOUGH_TELLING) +
        WORDS_PART * hit.words +
        small
      return { hit: position, text, isBeside, score, coverage, words, evidence }
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
  readonly recall?: (row: ChunkRow, make: (row: ChunkRow) => AnalysedChunk) => AnalysedChunk
}

/** Extra candidates: another measure finds them, so the ranking may reorder them. */
const SPARE_CANDIDATES = 10
const SPARE_PART = 2

/** How many candidates are needed for `limit` hits. */
export const toWanted = (limit: number) => limit + Math.max(SPARE_CANDIDATES, SPARE_PART * limit - 2)

const toAnalysed = (row: ChunkRow, generation: number): AnalysedChunk =>
  analyseChunk(
    { headings: toHeadingText(row.name, titlesOf(row)), body: `${row.lead}${row.body}`, language: row.language },
    generation,
  )

/** Chunks as their terms. One whose terms were forgotten is read anew. */
function createReader({ recall = (row, make) => make(row) }: Totals) {
  const generation = forgetTerms()
  const read = (row: ChunkRow) => toAnalysed(row, generation)
  return (row: ChunkRow): AnalysedChunk => {
    const chunk = recall(row, read)
    return chunk.generation === generation ? chunk : Object.assign(chunk, read(row), { quotable: undefined })
  }
}

/** Weight of the score of runs relative to that of whole words. */
const GRAM_PART = 0.3

/** The candidates with their scores by words. */
function toCandidates(
  question: Question,
  relations: Relations,
  { averageTerms }: Totals,
  chunks: readonly { readonly row: ChunkRow; readonly chunk: AnalysedChunk }[],
): readonly Candidate[] {
  const runs: Uint8Array[] = []
  const norms: number[] = []
  const candidates = chunks.map(({ row, chunk }): Candidate => {
    const matches = matchChunk(relations, chunk, HEADING_WEIGHT)
    runs.push(matches.runs)
    norms.push(toLengthNorm(chunk.terms.length, averageTerms))
    const { score: words, coverage, reach } = scoreChunk(question, matches, chunk.terms.length, averageTerms)
    return { row, chunk, wordCoverage: coverage, words, score: words, coverage, reach }
  })
  if (relations.grams.weights.length === 0) return candidates
  const scores = scoreGrams(relations.grams, runs, norms)
  for (const [at, one] of candidates.entries()) {
    one.words = (1 - GRAM_PART) * one.words + GRAM_PART * (scores[at] ?? 0)
    one.score = one.words
  }
  return candidates
}

/** Coverage given to a chunk whose vector alone makes it relevant. */
const NEAR_COVERAGE = 0.5

function fuseScores(candidates: readonly Candidate[], near: Near, alpha: number): void {
  const fused = fuse(
    candidates.map(({ row, words, coverage }) => ({ words, coverage, cosine: near.cosineOf(row.id) })),
    near,
    alpha,
  )
  for (const [index, one] of candidates.entries()) {
    const of = fused[index]
    const least = of?.near === true ? NEAR_COVERAGE : 0
    one.coverage = Math.max(one.coverage, least)
    one.reach = Math.max(one.reach, of?.likely === true ? NEAR_COVERAGE : least)
    one.score = of?.score ?? 0
  }
}

const toHit = ({ row, score, coverage, reach }: Candidate): Hit => ({
  fileId: row.fileId,
  revision: row.revision,
  body: row.body,
  lead: row.lead,
  headings: titlesOf(row),
  page: row.page,
  lineFrom: row.lineFrom,
  lineTo: row.lineTo,
  score,
  coverage,
  reach,
})

/** The best candidates, best first, with their sentences that answer. */
export function rankRows(
  question: Question,
  totals: Totals,
  rows: readonly ChunkRow[],
  near: Near | undefined,
  request: SearchRequest,
): SearchResult {
  const read = createReader(totals)
  const chunks = rows.map((row) => ({ row, chunk: read(row) }))
  const relations = createRelations(question)
  const candidates = toCandidates(question, relations, totals, chunks)
  if (near !== undefined) fuseScores(candidates, near, request.vector?.alpha ?? 1)
  const best = candidates.toSorted((one, other) => other.score - one.score).slice(0, request.limit)
  const quotes = request.quotes === true ? toQuotes(question.concepts, relations, best, totals.total) : []
  return { hits: best.map(toHit), quotes, language: question.language }
}
