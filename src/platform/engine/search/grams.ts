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
  /** Hashes by position in `weights`. */
  readonly order: readonly number[]
  /** Positions in `weights` of the runs of a term, in order; absent where not all of them are held. */
  readonly runsOf: ReadonlyMap<string, readonly number[]>
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
  const order: number[] = []
  const runsOf = new Map<string, readonly number[]>()
  for (const { terms, weight, inflected } of concepts) {
    if (!inflected) continue
    for (const term of terms) {
      const text = ` ${term} `
      const count = text.length - SIZE + 1
      const runs: number[] = []
      for (let at = 0; at < count && weights.length < MAX_GRAMS; at += 1) {
        const hash = hashAt(text, at)
        const slot = slotOf({ slots, hashes }, hash)
        const known = slots[slot] ?? 0
        const part = weight / count / terms.length
        if (known > 0) weights[known - 1] = (weights[known - 1] ?? 0) + part
        else {
          hashes[slot] = hash
          weights.push(part)
          order.push(hash)
          slots[slot] = weights.length
        }
        runs.push((slots[slot] ?? 0) - 1)
      }
      if (runs.length === count) runsOf.set(term, runs)
    }
  }
  return { slots, hashes, weights, order, runsOf }
}

/** How often each run of the question stands in the text. */
export function countGrams({ slots, hashes, weights }: Grams, text: string): Uint8Array {
  const counts = new Uint8Array(weights.length)
  let [low, high] = [0, text.charCodeAt(0) | (text.charCodeAt(1) << 16)]
  // Each character is read once: this loop takes longest of all in a question.
  let last = text.charCodeAt(2)
  for (let at = 3; at < text.length; at += 1) {
    const next = text.charCodeAt(at)
    low = high
    const hash = low ^ Math.imul(last | (next << 16), 0x9e3779b1)
    high = (low >>> 16) | (last << 16)
    last = next
    let slot = mix(Math.imul(hash, 0x85ebca6b))
    let position = slots[slot] ?? 0
    while (position > 0 && hashes[slot] !== hash) position = slots[(slot = (slot + 1) & (SLOT_COUNT - 1))] ?? 0
    if (position > 0 && (counts[position - 1] ?? 0) < 255) counts[position - 1] = (counts[position - 1] ?? 0) + 1
  }
  return counts
}

/** Runs of a text by hash: a free slot has no count; collisions take the next free one. */
interface GramTable {
  readonly hashes: Int32Array
  readonly counts: Uint8Array
}

/** A text that is asked several times. */
export interface GramSource {
  readonly gramText: string
  /** Made when it is asked again; null when it was asked once. */
  gramTable?: GramTable | null
}

/** Place of a hash in a table of a power of 2. */
function placeOf({ hashes, counts }: GramTable, hash: number): number {
  const last = hashes.length - 1
  const mixed = Math.imul(hash, 0x85ebca6b)
  let place = (mixed ^ (mixed >>> 15)) & last
  while (counts[place] !== 0 && hashes[place] !== hash) place = (place + 1) & last
  return place
}

function toTable(text: string): GramTable {
  const runs = Math.max(0, text.length - SIZE + 1)
  // At least a third stays free.
  const size = 2 ** Math.ceil(Math.log2(1.5 * runs + 1))
  const table = { hashes: new Int32Array(size), counts: new Uint8Array(size) }
  for (let at = 0; at < runs; at += 1) {
    const hash = hashAt(text, at)
    const place = placeOf(table, hash)
    table.hashes[place] = hash
    table.counts[place] = Math.min((table.counts[place] ?? 0) + 1, 255)
  }
  return table
}

/** As `countGrams`, by a table from the second time on. */
export function recountGrams(grams: Grams, source: GramSource): Uint8Array {
  if (source.gramTable === undefined) {
    source.gramTable = null
    return countGrams(grams, source.gramText)
  }
  const table = (source.gramTable ??= toTable(source.gramText))
  const found = new Uint8Array(grams.order.length)
  for (const [at, hash] of grams.order.entries()) found[at] = table.counts[placeOf(table, hash)] ?? 0
  return found
}

/**
 * Words of a text that have five characters in a row in common with the term: two runs that overlap. Undefined where
 * that is not known.
 *
 * @param counts how often each run of the question stands in the text.
 */
export function wordsSharingFive({ runsOf }: Grams, counts: Uint8Array, term: string, text: string) {
  const runs = runsOf.get(term)
  if (runs === undefined) return undefined
  const words = new Set<string>()
  // The first and the last run have the blank around the word.
  for (let at = 1; at + 2 < runs.length; at += 1) {
    if (counts[runs[at] ?? 0] === 0 || counts[runs[at + 1] ?? 0] === 0) continue
    const five = term.slice(at - 1, at + SIZE)
    for (let from = text.indexOf(five); from >= 0;) {
      const end = text.indexOf(' ', from)
      words.add(text.slice(text.lastIndexOf(' ', from) + 1, end))
      from = text.indexOf(five, end)
    }
  }
  return words
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
