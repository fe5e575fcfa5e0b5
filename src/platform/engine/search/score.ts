import type { ChunkMatches, Matches } from './match.ts'
import type { Concept, Pair, Question } from './question.ts'
import { type TermRuns, toRuns, toTermNumbers } from './term-numbers.ts'

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

/** Weight of a word found only in the headings above, or in the sentence before or after. */
const HEADING_PART = 0.5
const NEIGHBOUR_PART = 0.4

/**
 * Number of words that make a full question for the relevance floor: longer ones ask several things or repeat one, and
 * no chunk holds a fifth of all.
 */
const MAX_ASKED = 8

const totalWeight = (concepts: readonly Concept[]) => concepts.reduce((total, concept) => total + concept.weight, 0)

/** Weight of a word that is mistyped in the question, as a share of the word's. */
const TYPO_PART = 0.8

const pairWeight = ({ first, second }: Pair) =>
  (first.inflected && second.inflected ? PAIR_PART : CHARACTERS_PART) * Math.min(first.weight, second.weight)

/** The terms of a chunk in order, as numbers. */
export interface AnalysedChunk {
  /** Generation of the numbers: `forgetTerms`. */
  readonly generation: number
  readonly above: Int32Array
  readonly terms: Int32Array
  readonly runs: TermRuns
  /** Its sentences, once a question asked for them. */
  quotable?: Quotable
}

/** Sentences of a chunk, to be quoted. */
export interface Quotable {
  readonly headings: Int32Array
  readonly name: Int32Array
  /** In order; `text` is empty where it answers nothing. */
  readonly sentences: readonly { readonly text: string; readonly terms: Int32Array }[]
}

export function analyseChunk(
  { headings, body, language }: { readonly headings: string; readonly body: string; readonly language: string },
  generation: number,
): AnalysedChunk {
  const [above, terms] = [toTermNumbers(headings, language), toTermNumbers(body, language)]
  return { generation, above, terms, runs: toRuns([above, terms]) }
}

const foundPart = ({ isMeant }: Concept) => (isMeant === true ? TYPO_PART : 1)

/** Share of the weight of a word for a term in its place: a relative, or the word as it should be typed. */
function relativePart({ inflected, isUnknown }: Concept, word: number, { relatives, meant }: Matches): number {
  if (!inflected) return 0
  if (isUnknown === true && meant[word] === 1) return TYPO_PART
  return relatives[word] === 1 ? RELATIVE_PART : 0
}

/** Weight of the word pairs that are adjacent in the chunk. */
function scorePairs(pairs: readonly Pair[], matches: ChunkMatches): number {
  let found = 0
  for (const [at, pair] of pairs.entries()) if (matches.pairs[at] === 1) found += pairWeight(pair)
  return found
}

/**
 * BM25 of a chunk relative to its maximum for the question, the weighted share of the question in it (`coverage`), and
 * that share of eight words (`reach`): all 0…1. A plain BM25 has no bound.
 *
 * @param length number of terms in its body
 */
export function scoreChunk(
  { concepts, pairs }: Question,
  matches: ChunkMatches,
  length: number,
  average: number,
): { readonly score: number; readonly coverage: number; readonly reach: number } {
  const norm = toLengthNorm(length, average)
  let score = 0
  let covered = 0
  for (const [word, concept] of concepts.entries()) {
    const frequency = matches.counts[word] ?? 0
    if (frequency === 0) {
      covered += concept.weight * relativePart(concept, word, matches)
      continue
    }
    const weight = concept.weight * foundPart(concept)
    covered += weight
    score += (weight * frequency) / (frequency + norm)
  }
  const most = totalWeight(concepts)
  if (most === 0) return { score: 0, coverage: 0, reach: 0 }
  const mostPairs = pairs.reduce((total, pair) => total + pairWeight(pair), 0)
  return {
    score: (score + scorePairs(pairs, matches)) / (most + mostPairs),
    coverage: covered / most,
    reach: Math.min(1, covered / totalWeight(concepts.slice(0, MAX_ASKED))),
  }
}

/** Place of a sentence. */
export interface Surroundings {
  readonly headings: Matches
  readonly before: Matches | undefined
  readonly behind: Matches | undefined
}

const has = (matches: Matches | undefined, word: number) => matches !== undefined && (matches.counts[word] ?? 0) > 0

function presence(concept: Concept, word: number, own: Matches, { headings, before, behind }: Surroundings): number {
  if (has(own, word)) return foundPart(concept)
  const near = has(before, word) || has(behind, word)
  return Math.min(
    1,
    relativePart(concept, word, own) + Math.max(has(headings, word) ? HEADING_PART : 0, near ? NEIGHBOUR_PART : 0),
  )
}

/** Whether a sentence has a word of the question itself, or one that is related to it. */
export const touchesQuestion = ({ counts, relatives, meant }: Matches): boolean =>
  [counts, relatives, meant].some((found) => found.some((count) => count > 0))

/** Words of a question that are told apart in a text: a longer question has enough of them. */
export const MAX_TOUCHED = 30

/** The bits of the words, by their places here, that a text has in a form of its own, related or mistyped. */
export function touchedBits(words: readonly number[], { counts, relatives, meant }: Matches): number {
  let bits = 0
  for (let at = 0; at < words.length && at < MAX_TOUCHED; at += 1) {
    const word = words[at] ?? 0
    if ((counts[word] ?? 0) + (relatives[word] ?? 0) + (meant[word] ?? 0) > 0) bits |= 1 << at
  }
  return bits
}

export function countBits(bits: number): number {
  let count = 0
  for (let left = bits; left !== 0; left &= left - 1) count += 1
  return count
}

/** Weighted share of the question in a sentence; words from its surroundings count less. */
export function coverSentence(concepts: readonly Concept[], own: Matches, around: Surroundings): number {
  let covered = 0
  for (const [word, concept] of concepts.entries()) covered += concept.weight * presence(concept, word, own, around)
  const most = totalWeight(concepts)
  return most === 0 ? 0 : covered / most
}
