/** Range of chunk positions, `from` inclusive, `to` exclusive. */
export interface Range {
  readonly from: number
  readonly to: number
}

/**
 * The chunks that hold a term, by position, and how often each does; a word in a heading counts with the heading's
 * weight.
 */
export interface CountedPostings {
  readonly places: Uint32Array
  readonly counts: Uint8Array
}

/** Postings of a very common word: one bit for each position, no counts. */
export interface CommonPostings {
  readonly size: number
  readonly bits: Uint32Array
}

export type Postings = CountedPostings | CommonPostings

export const isCommon = (postings: Postings): postings is CommonPostings => 'bits' in postings

export const sizeOf = (postings: Postings): number => (isCommon(postings) ? postings.size : postings.places.length)

export const bytesOf = (postings: Postings): number =>
  isCommon(postings) ? postings.bits.byteLength : postings.places.byteLength + postings.counts.byteLength

export const MAX_COUNT = 255

/** Calls `take` with each position in order. */
function eachPlace(bits: Uint32Array, take: (place: number) => void): void {
  for (let at = 0; at < bits.length; at += 1) {
    for (let rest = bits[at] ?? 0; rest !== 0; rest &= rest - 1) take(at * 32 + 31 - Math.clz32(rest & -rest))
  }
}

function toCounted(postings: Postings): CountedPostings {
  if (!isCommon(postings)) return postings
  const places = new Uint32Array(postings.size)
  let size = 0
  eachPlace(postings.bits, (place) => {
    places[size++] = place
  })
  return { places, counts: new Uint8Array(size).fill(1) }
}

/** Merges the postings of several terms; counts are added. */
function merge(one: CountedPostings, given: Postings): CountedPostings {
  const other = toCounted(given)
  const places = new Uint32Array(one.places.length + other.places.length)
  const counts = new Uint8Array(places.length)
  let size = 0
  for (let [left, right] = [0, 0]; left < one.places.length || right < other.places.length; size += 1) {
    const first = one.places[left] ?? Number.POSITIVE_INFINITY
    const second = other.places[right] ?? Number.POSITIVE_INFINITY
    places[size] = Math.min(first, second)
    const count =
      (first <= second ? (one.counts[left++] ?? 0) : 0) + (second <= first ? (other.counts[right++] ?? 0) : 0)
    counts[size] = Math.min(count, MAX_COUNT)
  }
  return { places: places.subarray(0, size), counts: counts.subarray(0, size) }
}

const NO_POSTINGS: CountedPostings = { places: new Uint32Array(), counts: new Uint8Array() }

export interface Lookup {
  readonly weight: number
  /** One list for each form that the word has in the index. */
  readonly postings: readonly Postings[]
}

/** Reused for every question; only one is answered at a time. */
let scores = new Float32Array()

/**
 * BM25 of all chunks in the range that hold a word of the question; returns the positions of the best, best first.
 *
 * @param norms BM25's length norm by position
 */
export function findBest(
  norms: Float32Array,
  lookups: readonly Lookup[],
  wanted: number,
  { from, to }: Range,
): number[] {
  if (scores.length < to - from) scores = new Float32Array(norms.length)
  scores.fill(0, 0, to - from)
  for (const { weight, postings } of lookups) {
    const [only] = postings
    const one = postings.length === 1 && only !== undefined ? only : postings.reduce(merge, NO_POSTINGS)
    const add = (place: number, count: number) => {
      if (place < from || place >= to) return
      scores[place - from] = (scores[place - from] ?? 0) + (weight * count) / (count + (norms[place] ?? 1))
    }
    if (isCommon(one)) eachPlace(one.bits, (place) => add(place, 1))
    else for (let at = 0; at < one.places.length; at += 1) add(one.places[at] ?? 0, one.counts[at] ?? 0)
  }
  return largest(scores.subarray(0, to - from), wanted).map((place) => place + from)
}

/** Positions of the largest values above 0, largest first. */
function largest(values: Float32Array, wanted: number): number[] {
  const best: number[] = []
  let least = 0
  for (let place = 0; place < values.length; place += 1) {
    const value = values[place] ?? 0
    if (value <= least) continue
    let at = best.length
    while (at > 0 && (values[best[at - 1] ?? 0] ?? 0) < value) at -= 1
    best.splice(at, 0, place)
    if (best.length > wanted) best.pop()
    if (best.length === wanted) least = values[best.at(-1) ?? 0] ?? 0
  }
  return best
}
