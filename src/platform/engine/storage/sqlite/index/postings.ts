import {
  type CommonPostings,
  type CountedPostings,
  MAX_COUNT,
  type Postings,
  type Range,
} from '../../../search/postings.ts'
import { HEADING_WEIGHT, toLengthNorm } from '../../../search/score.ts'
import type { IndexReader } from './database.ts'

/** All chunks of an index by id, without the gaps of deleted files. Their data is in arrays, by position. */
export interface Places {
  readonly total: number
  /** BM25's length norm. */
  readonly norms: Float32Array
  idAt(place: number): number
  /** Positions of a file's chunks, from…to; empty where the file is not indexed. */
  rangeOf(fileId: number): Range
  /** Positions of ids in rising order; a deleted chunk has none. */
  createFinder(): (id: number) => number | undefined
}

interface Run {
  readonly fileId: number
  /** Id of its first chunk; the other ids follow. */
  readonly first: number
  readonly from: number
  readonly to: number
}

/** The chunks of a file have consecutive ids. */
export function readPlaces(database: IndexReader, averageTerms: number): Places {
  const runs: Run[] = []
  const lengths: Uint8Array[] = []
  let total = 0
  for (const row of database.read('SELECT id, first_chunk, lengths FROM file ORDER BY first_chunk').iterate()) {
    const bytes = row['lengths']
    if (!(bytes instanceof Uint8Array) || bytes.length === 0) continue
    const [from, to] = [total, total + bytes.length / Uint16Array.BYTES_PER_ELEMENT]
    runs.push({ fileId: Number(row['id']), first: Number(row['first_chunk']), from, to })
    lengths.push(bytes)
    total = to
  }
  const terms = new Uint16Array(total)
  const bytes = new Uint8Array(terms.buffer)
  for (const [at, one] of lengths.entries()) bytes.set(one, (runs[at]?.from ?? 0) * Uint16Array.BYTES_PER_ELEMENT)
  return {
    total,
    norms: Float32Array.from(terms, (length) => toLengthNorm(length, averageTerms)),
    idAt(place) {
      let [low, high] = [0, runs.length - 1]
      while (low < high) {
        const middle = (low + high + 1) >> 1
        if ((runs[middle]?.from ?? 0) <= place) low = middle
        else high = middle - 1
      }
      const run = runs[low]
      return run === undefined ? 0 : run.first + place - run.from
    },
    rangeOf: (fileId) => runs.find((run) => run.fileId === fileId) ?? { from: 0, to: 0 },
    createFinder() {
      let at = 0
      return (id) => {
        for (let run = runs[at]; run !== undefined; run = runs[(at += 1)]) {
          const place = id - run.first + run.from
          if (place < run.to) return id < run.first ? undefined : place
        }
        return undefined
      }
    },
  }
}

/** Number of chunks from which a word counts as common. */
export const COMMON_SIZE = 50_000
const DIGIT_ZERO = 48

/** Calls `take` with each number of a JSON array; parsing it whole would make megabytes for a common word. */
function readNumbers(json: string, take: (number: number) => void): void {
  let number = -1
  for (let at = 1; at < json.length; at += 1) {
    const digit = json.charCodeAt(at) - DIGIT_ZERO
    if (digit >= 0 && digit <= 9) {
      number = Math.max(0, number) * 10 + digit
      continue
    }
    if (number >= 0) take(number)
    number = -1
  }
}

/**
 * FTS5's own ranking is twenty times slower than reading its data, as it looks up the length of each chunk. One JSON
 * text is read, since a row for each chunk would be slower still.
 *
 * @param found number of chunks that hold the term
 */
export function readPostings(database: IndexReader, places: Places, term: string, found: number): Postings {
  return found < COMMON_SIZE ? readCounted(database, places, term) : readCommon(database, places, term)
}

function readCounted(database: IndexReader, places: Places, term: string): CountedPostings {
  const row = database
    .read("SELECT json_group_array(doc * 2 + (col = 'heading')) AS found FROM instance WHERE term = ?")
    .get(term)
  const json = String(row?.['found'] ?? '[]')
  // An upper bound: the numbers between commas.
  const at = new Uint32Array((json.length >> 1) + 1)
  const counts = new Uint8Array(at.length)
  const placeOf = places.createFinder()
  let size = 0
  readNumbers(json, (mark) => {
    const isHeading = mark % 2
    const place = placeOf((mark - isHeading) / 2)
    if (place === undefined) return
    if (size === 0 || at[size - 1] !== place) at[size++] = place
    const count = (counts[size - 1] ?? 0) + (isHeading === 1 ? HEADING_WEIGHT : 1)
    counts[size - 1] = Math.min(count, MAX_COUNT)
  })
  // Copied to size: the buffer is mostly empty for a word that is frequent in few chunks.
  return { places: at.slice(0, size), counts: counts.slice(0, size) }
}

function readCommon(database: IndexReader, places: Places, term: string): CommonPostings {
  // Quoted, so that no part of a term is an operator.
  const row = database
    .read('SELECT json_group_array(rowid) AS found FROM term WHERE term MATCH ?')
    .get(`"${term.replaceAll('"', '""')}"`)
  const bits = new Uint32Array(Math.ceil(places.total / 32))
  const placeOf = places.createFinder()
  let size = 0
  readNumbers(String(row?.['found'] ?? '[]'), (id) => {
    const place = placeOf(id)
    if (place === undefined) return
    bits[place >>> 5] = (bits[place >>> 5] ?? 0) | (1 << (place & 31))
    size += 1
  })
  return { size, bits }
}
