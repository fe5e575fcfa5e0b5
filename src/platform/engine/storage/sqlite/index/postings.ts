import {
  type CommonPostings,
  type CountedPostings,
  MAX_COUNT,
  type Postings,
  type Range,
} from '../../../search/postings.ts'
import { HEADING_WEIGHT, toLengthNorm } from '../../../search/score.ts'
import type { IndexDatabase } from './database.ts'

/**
 * All chunks of an index in the order of their ids, without the gaps that deleted files leave. What is known of each of
 * them lies in arrays, by its place.
 */
export interface Places {
  readonly total: number
  /** BM25's length norm. */
  readonly norms: Float32Array
  idAt(place: number): number
  /** Places of a file's chunks, from…to; nothing where the index does not hold it. */
  rangeOf(fileId: number): Range
  /** Takes ids in rising order; a chunk that is deleted has no place. */
  createFinder(): (id: number) => number | undefined
}

interface Run {
  readonly fileId: number
  /** Id of its first chunk; those of the others follow. */
  readonly first: number
  readonly from: number
  readonly to: number
}

/** The chunks of a file are written one after the other, so a file is a run of ids. */
export function readPlaces(database: IndexDatabase, averageTerms: number): Places {
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

/** Chunks from which on a word is a common one. */
export const COMMON_SIZE = 50_000
const DIGIT_ZERO = 48

/** Calls `take` with each of the numbers in a JSON array; an array of those of a common word would be megabytes. */
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
 * The full-text table's own ranking takes twenty times as long as reading what it ranks by (it looks up the length of
 * each chunk), so that is read here, as one JSON text: a row each would take longer than all the rest.
 *
 * @param found how many chunks hold the term
 */
export function readPostings(database: IndexDatabase, places: Places, term: string, found: number): Postings {
  return found < COMMON_SIZE ? readCounted(database, places, term) : readCommon(database, places, term)
}

function readCounted(database: IndexDatabase, places: Places, term: string): CountedPostings {
  const row = database
    .read("SELECT json_group_array(doc * 2 + (col = 'heading')) AS found FROM instance WHERE term = ?")
    .get(term)
  const json = String(row?.['found'] ?? '[]')
  // Never more than what stands between commas.
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
  // Copies: of a word that stands often in few chunks most of the room would be empty.
  return { places: at.slice(0, size), counts: counts.slice(0, size) }
}

function readCommon(database: IndexDatabase, places: Places, term: string): CommonPostings {
  // In quotes nothing in a term is read as an operator.
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
