import { analyse } from '../text/terms.ts'
import { toGramText } from './grams.ts'
import type { Concept, Pair, Question } from './question.ts'

/** The words of the file's name count as a heading of each of its chunks. */
export function toHeadingText(fileName: string, headings: readonly string[]): string {
  return [fileName.replace(/\.[^.]*$/, ''), ...headings].join(' \n ')
}

/**
 * BM25's saturation and length norm, tuned on halves of SciFact and XQuAD (docs/retrieval.md); a heading counts three
 * times.
 */
const SATURATION = 1
const LENGTH_NORM = 0.6
export const HEADING_WEIGHT = 3

/** BM25's length norm: long chunks contain any word more easily. */
export const toLengthNorm = (terms: number, average: number): number =>
  SATURATION * (1 - LENGTH_NORM + (LENGTH_NORM * terms) / Math.max(1, average))

/** Weight of two adjacent words in question and chunk, as a share of the rarer word's. */
const PAIR_PART = 0.2

/** Weight of a related word (`verteidigen` and `Verteidigung`, a compound and its part), as a share of the word's. */
const RELATIVE_PART = 0.6
const RELATIVE_LENGTH = 5
const RELATIVE_PREFIX = 0.7

/** Weight of a word found only in the headings above, or in the sentence before or after. */
const HEADING_PART = 0.5
const NEIGHBOUR_PART = 0.4

export type Terms = ReadonlyMap<string, number>

export function countTerms(terms: readonly string[]): Terms {
  const counts = new Map<string, number>()
  for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1)
  return counts
}

const sum = (concept: Concept, counts: Terms) =>
  concept.terms.reduce((total, term) => total + (counts.get(term) ?? 0), 0)

const has = (concept: Concept, counts: Terms) => concept.terms.some((term) => counts.has(term))

/**
 * Number of words that make a full question for the relevance floor: longer ones ask several things or repeat one, and
 * no chunk holds a fifth of all.
 */
const MAX_ASKED = 8

const totalWeight = (concepts: readonly Concept[]) => concepts.reduce((total, concept) => total + concept.weight, 0)

function areRelated(one: string, other: string): boolean {
  const short = one.length < other.length ? one : other
  const long = short === one ? other : one
  if (short.length < RELATIVE_LENGTH) return false
  if (long.includes(short)) return true
  // Most words differ in their first letter: this check needs no substring.
  if (long.charCodeAt(0) !== short.charCodeAt(0)) return false
  const least = Math.max(RELATIVE_LENGTH, Math.ceil(short.length * RELATIVE_PREFIX))
  return long.startsWith(short.slice(0, least))
}

function hasRelative(concept: Concept, counts: Terms): boolean {
  if (!concept.inflected) return false
  const terms = concept.terms.filter((term) => term.length >= RELATIVE_LENGTH)
  if (terms.length === 0) return false
  for (const there of counts.keys()) if (terms.some((term) => areRelated(term, there))) return true
  return false
}

const pairWeight = ({ first, second }: Pair) => PAIR_PART * Math.min(first.weight, second.weight)

/** Weight of the word pairs that are adjacent in one of these texts. */
function scorePairs(pairs: readonly Pair[], texts: readonly (readonly string[])[]): number {
  let found = 0
  for (const pair of pairs) {
    const { first, second } = pair
    const isThere = texts.some((terms) =>
      terms.some((term, at) => second.terms.includes(term) && first.terms.includes(terms[at - 1] ?? '')),
    )
    if (isThere) found += pairWeight(pair)
  }
  return found
}

/** The terms of a chunk in order, and how often each is there. */
export interface AnalysedChunk {
  readonly above: readonly string[]
  readonly terms: readonly string[]
  readonly headings: Terms
  readonly body: Terms
  /** Heading and body for the comparison of runs. */
  readonly gramText: string
}

export function analyseChunk(chunk: {
  readonly headings: string
  readonly body: string
  readonly language: string
}): AnalysedChunk {
  const above = analyse(chunk.headings, chunk.language)
  const terms = analyse(chunk.body, chunk.language)
  const gramText = toGramText([...above, ...terms])
  return { above, terms, headings: countTerms(above), body: countTerms(terms), gramText }
}

/**
 * BM25 of a chunk relative to its maximum for the question, the weighted share of the question in it (`coverage`), and
 * that share of eight words (`reach`): all 0…1. FTS5's own score has no bound and is 0 where every chunk has the word.
 */
export function scoreChunk(
  { concepts, pairs }: Question,
  { above, terms, headings, body }: AnalysedChunk,
  average: number,
): { readonly score: number; readonly coverage: number; readonly reach: number } {
  const isThere = (concept: Concept) => has(concept, headings) || has(concept, body)
  const norm = toLengthNorm(terms.length, average)
  let score = 0
  let covered = 0
  for (const concept of concepts) {
    const frequency = HEADING_WEIGHT * sum(concept, headings) + sum(concept, body)
    if (frequency === 0) {
      if (hasRelative(concept, body)) covered += concept.weight * RELATIVE_PART
      continue
    }
    covered += concept.weight
    score += (concept.weight * frequency) / (frequency + norm)
  }
  const most = totalWeight(concepts)
  if (most === 0) return { score: 0, coverage: 0, reach: 0 }
  const both = pairs.filter(({ first, second }) => isThere(first) && isThere(second))
  const mostPairs = pairs.reduce((total, pair) => total + pairWeight(pair), 0)
  return {
    score: (score + scorePairs(both, [above, terms])) / (most + mostPairs),
    coverage: covered / most,
    reach: Math.min(1, covered / totalWeight(concepts.slice(0, MAX_ASKED))),
  }
}

/** Place of a sentence. */
export interface Surroundings {
  readonly headings: Terms
  readonly before: Terms | undefined
  readonly behind: Terms | undefined
}

function presence(concept: Concept, own: Terms, { headings, before, behind }: Surroundings): number {
  if (has(concept, own)) return 1
  const near = (before !== undefined && has(concept, before)) || (behind !== undefined && has(concept, behind))
  return Math.min(
    1,
    (hasRelative(concept, own) ? RELATIVE_PART : 0) +
      Math.max(has(concept, headings) ? HEADING_PART : 0, near ? NEIGHBOUR_PART : 0),
  )
}

/** Weighted share of the question in a sentence; words from its surroundings count less. */
export function coverSentence(concepts: readonly Concept[], own: Terms, around: Surroundings): number {
  const covered = concepts.reduce((total, concept) => total + concept.weight * presence(concept, own, around), 0)
  const most = totalWeight(concepts)
  return most === 0 ? 0 : covered / most
}
