import { analyse } from '../text/analyse.ts'
import type { Concept } from './question.ts'

/** BM25's saturation and length norm, as in the full-text table; a heading counts three times. */
const saturation = 1.2
const lengthNorm = 0.75
const headingWeight = 3

function count(terms: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1)
  return counts
}

const sum = (concept: Concept, counts: ReadonlyMap<string, number>) =>
  concept.terms.reduce((total, term) => total + (counts.get(term) ?? 0), 0)

const totalWeight = (concepts: readonly Concept[]) =>
  concepts.reduce((total, concept) => total + concept.weight, 0)

/**
 * BM25 of a chunk over the most that the question could reach, and the weighted part of the question that stands in
 * it; both 0…1. The full-text table's own figure has no upper bound and is 0 where every chunk holds the word.
 */
export function scoreChunk(
  concepts: readonly Concept[],
  chunk: { readonly headings: string; readonly body: string; readonly language: string },
  average: number,
): { readonly score: number; readonly coverage: number } {
  const headings = count(analyse(chunk.headings, chunk.language))
  const terms = analyse(chunk.body, chunk.language)
  const body = count(terms)
  const length = terms.length / Math.max(1, average)
  let score = 0
  let covered = 0
  for (const concept of concepts) {
    const frequency = headingWeight * sum(concept, headings) + sum(concept, body)
    if (frequency === 0) continue
    covered += concept.weight
    score += (concept.weight * frequency) / (frequency + saturation * (1 - lengthNorm + lengthNorm * length))
  }
  const most = totalWeight(concepts)
  return most === 0 ? { score: 0, coverage: 0 } : { score: score / most, coverage: covered / most }
}

/** Weighted part of the question that stands in a sentence; a word that only its headings have counts half. */
export function coverSentence(
  concepts: readonly Concept[],
  sentence: string,
  headings: string,
  language: string,
): number {
  const own = count(analyse(sentence, language))
  const above = count(analyse(headings, language))
  const covered = concepts.reduce((total, concept) => {
    if (sum(concept, own) > 0) return total + concept.weight
    return sum(concept, above) > 0 ? total + concept.weight / 2 : total
  }, 0)
  const most = totalWeight(concepts)
  return most === 0 ? 0 : covered / most
}
