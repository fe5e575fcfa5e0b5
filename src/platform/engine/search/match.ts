import { positionOf } from './grams.ts'
import type { Relation, Relations } from './relations.ts'
import type { TermRuns } from './term-numbers.ts'

/** The words of a question in a text, by their positions in the question. */
export interface Matches {
  /** How often each word is there. */
  readonly counts: Uint32Array
  /** Whether the text has a relative of each word, or a word that it may be a slip of. */
  readonly relatives: Uint8Array
  readonly meant: Uint8Array
}

/** The words, pairs and runs of a question in a chunk. */
export interface ChunkMatches extends Matches {
  /** Whether each pair is there. */
  readonly pairs: Uint8Array
  /** How often each run is there. */
  readonly runs: Uint8Array
}

const createMatches = ({ wordCount }: Relations): Matches => ({
  counts: new Uint32Array(wordCount),
  relatives: new Uint8Array(wordCount),
  meant: new Uint8Array(wordCount),
})

function noteOthers({ relatives, meant }: Matches, { related, mistyped }: Relation): void {
  for (const word of related) relatives[word] = 1
  for (const word of mistyped) meant[word] = 1
}

function noteSame({ counts }: Matches, { same }: Relation, weight: number): void {
  for (const word of same) counts[word] = (counts[word] ?? 0) + weight
}

/** The words of a question in a sentence or a heading. */
export function matchTerms(relations: Relations, terms: Int32Array): Matches {
  const matches = createMatches(relations)
  for (let at = 0; at < terms.length; at += 1) {
    const relation = relations.relationOf(terms[at] ?? 0)
    if (relation === undefined) continue
    noteSame(matches, relation, 1)
    noteOthers(matches, relation)
  }
  return matches
}

function notePairs(found: Uint8Array, { pairs }: Relations, before: Relation, relation: Relation): void {
  for (let pair = 0; pair < pairs.length; pair += 1) {
    const { first = -1, second = -1 } = pairs[pair] ?? {}
    if (before.same.includes(first) && relation.same.includes(second)) found[pair] = 1
  }
}

const MAX_RUNS = 255

/** The terms of a chunk in order, and their runs, those of its headings first. */
interface ChunkTerms {
  readonly above: Int32Array
  readonly terms: Int32Array
  readonly runs: TermRuns
}

/** Position of the term that has a run. */
function termWith({ ends }: TermRuns, run: number): number {
  let [low, high] = [0, ends.length - 1]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((ends[middle] ?? 0) <= run) low = middle + 1
    else high = middle
  }
  return low
}

function matchRuns(relations: Relations, { above, terms, runs }: ChunkTerms, matches: ChunkMatches): void {
  const { grams } = relations
  const { hashes } = runs
  const counts = matches.runs
  let before = -1
  let noted = 0
  for (let at = 0; at < hashes.length; at += 1) {
    const position = positionOf(grams, hashes[at] ?? 0)
    if (position < 0) continue
    counts[position] = Math.min((counts[position] ?? 0) + 1, MAX_RUNS)
    // Related words have five letters in a row in common: two runs.
    if (before === at - 1 && at >= noted) {
      const term = termWith(runs, at)
      noted = runs.ends[term] ?? 0
      const relation = term < above.length ? undefined : relations.relationOf(terms[term - above.length] ?? 0)
      if (relation !== undefined) noteOthers(matches, relation)
    }
    before = at
  }
}

function matchWords(relations: Relations, terms: Int32Array, matches: ChunkMatches, headingWeight?: number): void {
  const { marks, isOpen } = relations
  let before: Relation | undefined
  for (let at = 0; at < terms.length; at += 1) {
    const term = terms[at] ?? 0
    const relation = marks[term] === 1 || isOpen ? relations.relationOf(term) : undefined
    if (relation !== undefined) {
      noteSame(matches, relation, headingWeight ?? 1)
      if (headingWeight === undefined) noteOthers(matches, relation)
      if (before !== undefined) notePairs(matches.pairs, relations, before, relation)
    }
    before = relation
  }
}

/**
 * Looks once at each term of a chunk, and at each run. Only its body has relatives and slips.
 *
 * @param headingWeight how often a word of a heading counts
 */
export function matchChunk(relations: Relations, chunk: ChunkTerms, headingWeight: number): ChunkMatches {
  const pairs = new Uint8Array(relations.pairs.length)
  const matches = { ...createMatches(relations), pairs, runs: new Uint8Array(relations.grams.weights.length) }
  matchRuns(relations, chunk, matches)
  matchWords(relations, chunk.above, matches, headingWeight)
  matchWords(relations, chunk.terms, matches)
  return matches
}
