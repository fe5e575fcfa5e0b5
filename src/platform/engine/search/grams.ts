import type { Concept } from './question.ts'

// The second score of words: runs of four characters. It sees what a stemmer does not: parts of compounds, other
// derivations, slips of the pen.

const SIZE = 4
/** Most runs of a question. */
const MAX_GRAMS = 512
/** Table of hashes: a power of 2, at least four times the runs. */
const SLOT_COUNT = 2048

const SATURATION = 1.2

export interface Grams {
  /** Position in `weights` plus 1 by slot; 0 marks a free one. */
  readonly slots: Uint16Array
  readonly hashes: Int32Array
  readonly weights: readonly number[]
}

/** Text whose runs are compared: the terms, parted by one blank, which marks where a word begins. */
export const toGramText = (terms: readonly string[]): string => ` ${terms.join(' ')} `

const mix = (hash: number) => (hash ^ (hash >>> 15)) & (SLOT_COUNT - 1)

const hashAt = (text: string, at: number): number =>
  (text.charCodeAt(at) | (text.charCodeAt(at + 1) << 16)) ^
  Math.imul(text.charCodeAt(at + 2) | (text.charCodeAt(at + 3) << 16), 0x9e3779b1)

function slotOf({ slots, hashes }: Pick<Grams, 'slots' | 'hashes'>, hash: number): number {
  let slot = mix(Math.imul(hash, 0x85ebca6b))
  while (slots[slot] !== 0 && hashes[slot] !== hash) slot = (slot + 1) & (SLOT_COUNT - 1)
  return slot
}

/** Runs of the question's words that have forms; the weight of a word is spread over its runs. */
export function toGrams(concepts: readonly Concept[]): Grams {
  const slots = new Uint16Array(SLOT_COUNT)
  const hashes = new Int32Array(SLOT_COUNT)
  const weights: number[] = []
  for (const { terms, weight, inflected } of concepts) {
    if (!inflected) continue
    for (const term of terms) {
      const text = ` ${term} `
      const count = text.length - SIZE + 1
      for (let at = 0; at < count && weights.length < MAX_GRAMS; at += 1) {
        const hash = hashAt(text, at)
        const slot = slotOf({ slots, hashes }, hash)
        const known = slots[slot] ?? 0
        const part = weight / count / terms.length
        if (known > 0) weights[known - 1] = (weights[known - 1] ?? 0) + part
        else {
          hashes[slot] = hash
          weights.push(part)
          slots[slot] = weights.length
        }
      }
    }
  }
  return { slots, hashes, weights }
}

/** How often each run of the question stands in the text. */
export function countGrams(grams: Grams, text: string): Uint8Array {
  const counts = new Uint8Array(grams.weights.length)
  for (let at = 0; at + SIZE <= text.length; at += 1) {
    const position = grams.slots[slotOf(grams, hashAt(text, at))] ?? 0
    if (position > 0 && (counts[position - 1] ?? 0) < 255) counts[position - 1] = (counts[position - 1] ?? 0) + 1
  }
  return counts
}

/** Scores of the texts by their runs, 0…1: runs that many of the texts have say less. */
export function scoreGrams({ weights }: Grams, texts: readonly Uint8Array[], norms: readonly number[]): number[] {
  const rarity = weights.map((weight, at) => {
    const holders = texts.reduce((sum, counts) => sum + (counts[at] === 0 ? 0 : 1), 0)
    return weight * Math.sqrt(Math.log(1 + (texts.length + 1 - holders + 0.5) / (holders + 0.5)))
  })
  const most = rarity.reduce((sum, weight) => sum + weight, 0)
  return texts.map((counts, text) => {
    if (most === 0) return 0
    let score = 0
    for (const [at, count] of counts.entries()) {
      if (count > 0) score += ((rarity[at] ?? 0) * count) / (count + SATURATION * (norms[text] ?? 1))
    }
    return score / most
  })
}
