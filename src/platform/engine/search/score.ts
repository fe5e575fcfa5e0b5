import { analyse } from '../text/terms.ts'
import { type Grams, type GramSource, toGramText, wordsSharingFive } from './grams.ts'
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

/** Weight of two adjacent words in question and chunk, as a share of the rarer word's; the same for pairs of characters. */
const PAIR_PART = 0.3
const CHARACTERS_PART = 0.2

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

function sum({ terms }: Concept, counts: Terms): number {
  let total = 0
  for (const term of terms) total += counts.get(term) ?? 0
  return total
}

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

/** Weight of a word that is mistyped in the question, as a share of the word's. */
const TYPO_PART = 0.8
const TYPO_LENGTH = 4

/** One letter more, less, other, or two swapped; the first one is the same. */
function isMistyped(one: string, other: string): boolean {
  const [short, long] = one.length < other.length ? [one, other] : [other, one]
  if (short.length < TYPO_LENGTH || long.length === TYPO_LENGTH || long.length - short.length > 1) return false
  if (short.charCodeAt(0) !== long.charCodeAt(0)) return false
  let at = 1
  while (at < short.length && short[at] === long[at]) at += 1
  if (long.length > short.length) return short.slice(at) === long.slice(at + 1)
  const isSwapped = short[at] === long[at + 1] && short[at + 1] === long[at]
  return short.slice(at + 1) === long.slice(at + 1) || (isSwapped && short.slice(at + 2) === long.slice(at + 2))
}

/**
 * Words of a chunk's body that are related to a word of the question.
 *
 * @param runs how often each run of the question stands in the chunk.
 */
export function findRelatives(
  { terms, inflected }: Concept,
  { body, gramText }: Pick<AnalysedChunk, 'body' | 'gramText'>,
  grams: Grams,
  runs: Uint8Array,
): readonly string[] {
  const long = inflected ? terms.filter((term) => term.length >= RELATIVE_LENGTH) : []
  return long.flatMap((term) =>
    [...(wordsSharingFive(grams, runs, term, gramText) ?? body.keys())].filter(
      (there) => body.has(there) && areRelated(term, there),
    ),
  )
}

/** Words of a chunk by word of the question: a sentence of it has no others. */
export type RelativesOf = (concept: Concept) => readonly string[]

/** Share of the weight of a word for what stands in its place: a relative, or the word as it should be typed. */
function relativePart(concept: Concept, counts: Terms, relativesOf: RelativesOf): number {
  const { terms, inflected, isUnknown } = concept
  if (!inflected) return 0
  if (isUnknown === true) {
    for (const there of counts.keys()) if (terms.some((term) => isMistyped(term, there))) return TYPO_PART
  }
  return relativesOf(concept).some((there) => counts.has(there)) ? RELATIVE_PART : 0
}

const pairWeight = ({ first, second }: Pair) =>
  (first.inflected && second.inflected ? PAIR_PART : CHARACTERS_PART) * Math.min(first.weight, second.weight)

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
export interface AnalysedChunk extends GramSource {
  readonly above: readonly string[]
  readonly terms: readonly string[]
  readonly headings: Terms
  readonly body: Terms
  /** Its sentences, once a question asked for them. */
  quotable?: Quotable
}

/** Sentences of a chunk, to be quoted. */
export interface Quotable {
  readonly headings: Terms
  /** In order; `text` is empty where it answers nothing. */
  readonly sentences: readonly { readonly text: string; readonly terms: Terms }[]
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
 * that share of eight words (`reach`): all 0…1. A plain BM25 has no bound.
 */
export function scoreChunk(
  { concepts, pairs }: Question,
  { above, terms, headings, body }: AnalysedChunk,
  average: number,
  relativesOf: RelativesOf,
): { readonly score: number; readonly coverage: number; readonly reach: number } {
  const isThere = (concept: Concept) => has(concept, headings) || has(concept, body)
  const norm = toLengthNorm(terms.length, average)
  let score = 0
  let covered = 0
  for (const concept of concepts) {
    const frequency = HEADING_WEIGHT * sum(concept, headings) + sum(concept, body)
    if (frequency === 0) {
      covered += concept.weight * relativePart(concept, body, relativesOf)
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

function presence(concept: Concept, own: Terms, around: Surroundings, relativesOf: RelativesOf): number {
  const { headings, before, behind } = around
  if (has(concept, own)) return 1
  const near = (before !== undefined && has(concept, before)) || (behind !== undefined && has(concept, behind))
  return Math.min(
    1,
    relativePart(concept, own, relativesOf) +
      Math.max(has(concept, headings) ? HEADING_PART : 0, near ? NEIGHBOUR_PART : 0),
  )
}

/** Weighted share of the question in a sentence; words from its surroundings count less. */
export function coverSentence(
  concepts: readonly Concept[],
  own: Terms,
  around: Surroundings,
  relativesOf: RelativesOf,
): number {
  const covered = concepts.reduce(
    (total, concept) => total + concept.weight * presence(concept, own, around, relativesOf),
    0,
  )
  const most = totalWeight(concepts)
  return most === 0 ? 0 : covered / most
}
