import type { IndexDatabase } from './database.ts'
import { toLengthNorm } from '../../../search/score.ts'

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

export interface Range {
  readonly from: number
  readonly to: number
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
  for (const row of database
    .read('SELECT id, first_chunk, lengths FROM file ORDER BY first_chunk')
    .iterate()) {
    const bytes = row['lengths']
    if (!(bytes instanceof Uint8Array) || bytes.length === 0) continue
    const [from, to] = [total, total + bytes.length / Uint16Array.BYTES_PER_ELEMENT]
    runs.push({ fileId: Number(row['id']), first: Number(row['first_chunk']), from, to })
    lengths.push(bytes)
    total = to
  }
  const terms = new Uint16Array(total)
  const bytes = new Uint8Array(terms.buffer)
  for (const [at, one] of lengths.entries())
    bytes.set(one, (runs[at]?.from ?? 0) * Uint16Array.BYTES_PER_ELEMENT)
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
