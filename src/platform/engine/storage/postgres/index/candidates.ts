import { findBest, type Postings } from '#platform/engine/search/postings.ts'
import { toLengthNorm } from '#platform/engine/search/score.ts'
import { readNumbers } from './block.ts'

/** One word of the question and the lists of its terms, each with all its blocks joined. */
export interface WordLists {
  readonly weight: number
  readonly lists: readonly Uint8Array[]
}

interface Part {
  readonly firstId: number
  readonly chunks: number
  /** Position among all chunks that hold the term. */
  readonly from: number
  readonly to: number
}

/** A decoded list: for each chunk with the term its position in the block, the count, and the chunk's length. */
interface Decoded {
  readonly parts: readonly Part[]
  readonly offsets: Uint32Array
  readonly counts: Uint8Array
  readonly lengths: Uint32Array
}

const MAX_COUNT = 255

function decode(list: Uint8Array): Decoded {
  const numbers = readNumbers(list)
  const parts: Part[] = []
  // An entry takes at least three bytes.
  const most = Math.ceil(list.length / 3)
  const offsets = new Uint32Array(most)
  const counts = new Uint8Array(most)
  const lengths = new Uint32Array(most)
  let size = 0
  while (!numbers.atEnd) {
    const firstId = numbers.next()
    const chunks = numbers.next()
    const to = size + numbers.next()
    parts.push({ firstId, chunks, from: size, to })
    for (let offset = 0; size < to; size += 1) {
      offset += numbers.next()
      offsets[size] = offset
      counts[size] = Math.min(numbers.next(), MAX_COUNT)
      lengths[size] = numbers.next()
    }
  }
  // The database joins the lists in any order.
  parts.sort((one, other) => one.firstId - other.firstId)
  return { parts, offsets, counts, lengths }
}

/** The blocks found, in chunk order, as one range of positions without gaps. */
function layOut(all: readonly Decoded[]) {
  const sizes = new Map(all.flatMap(({ parts }) => parts.map(({ firstId, chunks }) => [firstId, chunks])))
  const starts = new Map<number, number>()
  const firstIds: number[] = []
  let total = 0
  for (const firstId of [...sizes.keys()].toSorted((one, other) => one - other)) {
    starts.set(firstId, total)
    firstIds.push(firstId)
    total += sizes.get(firstId) ?? 0
  }
  return {
    total,
    startOf: (firstId: number) => starts.get(firstId) ?? 0,
    idAt: (place: number): number => {
      let [low, high] = [0, firstIds.length - 1]
      while (low < high) {
        const middle = (low + high + 1) >> 1
        if ((starts.get(firstIds[middle] ?? 0) ?? 0) <= place) low = middle
        else high = middle - 1
      }
      const firstId = firstIds[low] ?? 0
      return firstId + place - (starts.get(firstId) ?? 0)
    },
  }
}

function toPostings(
  { parts, offsets, counts, lengths }: Decoded,
  startOf: (firstId: number) => number,
  noteLength: (place: number, length: number) => void,
): Postings {
  const size = parts.reduce((sum, { from, to }) => sum + to - from, 0)
  const places = new Uint32Array(size)
  const sorted = new Uint8Array(size)
  let at = 0
  for (const { firstId, from, to } of parts) {
    const start = startOf(firstId)
    for (let row = from; row < to; row += 1, at += 1) {
      const place = start + (offsets[row] ?? 0)
      places[at] = place
      sorted[at] = counts[row] ?? 0
      noteLength(place, lengths[row] ?? 0)
    }
  }
  return { places, counts: sorted }
}

/** Numbers of the `wanted` best chunks, best first; on a tie the older chunk first. */
export function findCandidates(words: readonly WordLists[], averageTerms: number, wanted: number): number[] {
  const decoded = words.map(({ weight, lists }) => ({ weight, lists: lists.map(decode) }))
  const { total, startOf, idAt } = layOut(decoded.flatMap(({ lists }) => lists))
  const norms = new Float32Array(total)
  const noteLength = (place: number, length: number) => {
    norms[place] = toLengthNorm(length, averageTerms)
  }
  const lookups = decoded.map(({ weight, lists }) => ({
    weight,
    postings: lists.map((list) => toPostings(list, startOf, noteLength)),
  }))
  return findBest(norms, lookups, wanted, { from: 0, to: total }).map((place) => idAt(place))
}
