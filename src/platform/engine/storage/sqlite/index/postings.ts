import type { Postings, Range } from '#platform/engine/search/postings.ts'
import { toLengthNorm } from '#platform/engine/search/score.ts'
import type { IndexReader } from './database.ts'
import { createEntries, type Entries, readList } from './lists/list.ts'

/** All chunks of an index by id, without the gaps of deleted files. Their data is in arrays, by position. */
export interface Places {
  readonly total: number
  /** BM25's length norm. */
  readonly norms: Float32Array
  idAt(place: number): number
  /** Positions of a file's chunks, from…to; empty where the file is not indexed. */
  rangeOf(fileId: number): Range
  /** Puts positions in the place of the first `size` ids, which rise; deleted chunks have none. @returns how many are left. */
  place(entries: Entries, size: number): number
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
    place({ ids, counts }, size) {
      let left = 0
      let run = runs[0]
      for (let at = 0, next = 1; at < size && run !== undefined; at += 1) {
        const id = ids[at] ?? 0
        while (run !== undefined && id - run.first >= run.to - run.from) run = runs[next++]
        if (run === undefined || id < run.first) continue
        ids[left] = id - run.first + run.from
        counts[left] = counts[at] ?? 1
        left += 1
      }
      return left
    },
  }
}

/** Number of chunks from which a word counts as common. */
const COMMON_SIZE = 50_000

/** The chunks that hold a term; without counts where there are too many. */
export function readPostings(
  database: IndexReader,
  places: Places,
  term: string,
  commonSize: number = COMMON_SIZE,
): Postings {
  const rows = database
    .read(
      `SELECT found, list FROM segment CROSS JOIN posting ON posting.segment = segment.first AND term = ?
       ORDER BY segment.first`,
    )
    .all(term) as unknown as readonly { readonly found: number; readonly list: Uint8Array }[]
  const entries = createEntries(rows.reduce((sum, row) => sum + row.found, 0))
  const size = places.place(
    entries,
    rows.reduce((end, { list }) => readList(list, entries, end), 0),
  )
  if (size >= commonSize) return { size, bits: toBits(entries.ids, size, places.total) }
  // Copied where some are gone: a cached list should take no more memory than it needs.
  return size === entries.ids.length
    ? { places: entries.ids, counts: entries.counts }
    : { places: entries.ids.slice(0, size), counts: entries.counts.slice(0, size) }
}

function toBits(places: Uint32Array, size: number, total: number): Uint32Array {
  const bits = new Uint32Array(Math.ceil(total / 32))
  for (let at = 0; at < size; at += 1) {
    const place = places[at] ?? 0
    bits[place >>> 5] = (bits[place >>> 5] ?? 0) | (1 << (place & 31))
  }
  return bits
}
