import type { Concept } from './question.ts'

// The second score of words: runs of four characters. It finds words that a stemmer does not: parts of compounds, other
// derivations, slips of the pen.

const SIZE = 4
/** Most runs of a question. */
const MAX_GRAMS = 512
/** Table of runs: a power of 2, at least four times their number. */
const SLOT_COUNT = 2048

const SATURATION = 1.2

export interface Grams {
  /** Position in `weights` plus 1 by slot; 0 marks a free one. The last bits of a run are its first slot. */
  readonly slots: Uint16Array
  readonly runs: Int32Array
  readonly weights: readonly number[]
  /** All runs of the question are held. */
  readonly isWhole: boolean
}

/** It precedes and follows each term: it marks where a word begins. */
const BLANK = 32

/** Spread over all bits, without loss. */
function mix(hash: number): number {
  const mixed = Math.imul(hash, 0x85ebca6b)
  return mixed ^ (mixed >>> 15)
}

/** Calls `take` with the hash of each run of a term. A term of one character has none. */
export function eachRun(term: string, take: (run: number) => void): void {
  let high = BLANK | (term.charCodeAt(0) << 16)
  let last = term.charCodeAt(1)
  // Each character is read once.
  for (let at = 2; at <= term.length; at += 1) {
    const next = at < term.length ? term.charCodeAt(at) : BLANK
    take(mix(high ^ Math.imul(last | (next << 16), 0x9e3779b1)))
    high = (high >>> 16) | (last << 16)
    last = next
  }
}

/** Runs of the question's words that have forms; the weight of a word is spread over its runs. */
export function toGrams(concepts: readonly Concept[]): Grams {
  const slots = new Uint16Array(SLOT_COUNT)
  const runs = new Int32Array(SLOT_COUNT)
  const weights: number[] = []
  let isWhole = true
  for (const { terms, weight, inflected } of concepts) {
    if (!inflected) continue
    for (const term of terms) {
      const part = weight / (term.length + 3 - SIZE) / terms.length
      eachRun(term, (run) => {
        if (weights.length >= MAX_GRAMS) {
          isWhole = false
          return
        }
        let slot = run & (SLOT_COUNT - 1)
        while (slots[slot] !== 0 && runs[slot] !== run) slot = (slot + 1) & (SLOT_COUNT - 1)
        const known = slots[slot] ?? 0
        if (known > 0) weights[known - 1] = (weights[known - 1] ?? 0) + part
        else {
          runs[slot] = run
          weights.push(part)
          slots[slot] = weights.length
        }
      })
    }
  }
  return { slots, runs, weights, isWhole }
}

/** Position of a run in `weights`; -1: the question does not have it. */
export function positionOf({ slots, runs }: Grams, run: number): number {
  let slot = run & (SLOT_COUNT - 1)
  let position = slots[slot] ?? 0
  while (position > 0 && runs[slot] !== run) position = slots[(slot = (slot + 1) & (SLOT_COUNT - 1))] ?? 0
  return position - 1
}

/** Scores of the texts by their runs, 0…1: runs that many of the texts have say less. */
export function scoreGrams({ weights }: Grams, texts: readonly Uint8Array[], norms: readonly number[]): number[] {
  const rarity = weights.map((weight, at) => {
    let holders = 0
    for (const counts of texts) if (counts[at] !== 0) holders += 1
    return weight * Math.sqrt(Math.log(1 + (texts.length + 1 - holders + 0.5) / (holders + 0.5)))
  })
  const most = rarity.reduce((sum, weight) => sum + weight, 0)
  return texts.map((counts, text) => {
    if (most === 0) return 0
    const norm = SATURATION * (norms[text] ?? 1)
    let score = 0
    for (let at = 0; at < counts.length; at += 1) {
      const count = counts[at] ?? 0
      if (count > 0) score += ((rarity[at] ?? 0) * count) / (count + norm)
    }
    return score / most
  })
}
