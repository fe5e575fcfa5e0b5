import { MAX_COUNT } from '../../../../search/postings.ts'
import { HEADING_WEIGHT } from '../../../../search/score.ts'
import { createEntries, toList } from './list.ts'
import { addSegment, byTerm, type Statements, type TermList } from './segments.ts'

/** Postings in memory before they are written: those of some 10,000 chunks. */
const MAX_HELD = 2 ** 20
const COUNT_SIZE = MAX_COUNT + 1

/** Collects the terms of new chunks, in rising order of their numbers, and stores them as a segment. */
export interface ListWriter {
  add(chunkId: number, heading: readonly string[], body: readonly string[]): void
  /** Stores what was added. */
  flush(): void
}

// oxlint-disable-next-line max-lines-per-function -- a factory: it only returns methods
export function createListWriter(write: Statements): ListWriter {
  const numbers = new Map<string, number>()
  /** Chunks that hold a term, and its count in the chunk under way, by its number. */
  const found: number[] = []
  const counts: number[] = []
  /** Terms of the chunk under way. */
  const own: number[] = []
  const chunks: number[] = []
  /** End of each chunk's postings among those held: numbers of terms with their counts. */
  const ends: number[] = []
  let held = new Uint32Array(2 ** 12)
  let size = 0

  function count(term: string, weight: number): void {
    let number = numbers.get(term)
    if (number === undefined) {
      number = found.length
      numbers.set(term, number)
      found.push(0)
      counts.push(0)
    }
    const before = counts[number] ?? 0
    if (before === 0) own.push(number)
    counts[number] = before + weight
  }

  function hold(): void {
    if (size + own.length > held.length) {
      const larger = new Uint32Array(2 * (held.length + own.length))
      larger.set(held)
      held = larger
    }
    for (const number of own) {
      held[size++] = number * COUNT_SIZE + Math.min(counts[number] ?? 0, MAX_COUNT)
      found[number] = (found[number] ?? 0) + 1
      counts[number] = 0
    }
    own.length = 0
  }

  /** Lists by term of what is held by chunk. */
  function* toLists(): Generator<TermList> {
    const next = new Uint32Array(found.length)
    let sum = 0
    for (const [number, many] of found.entries()) {
      next[number] = sum
      sum += many
    }
    const entries = createEntries(size)
    let at = 0
    for (const [index, end] of ends.entries()) {
      for (; at < end; at += 1) {
        const number = Math.floor((held[at] ?? 0) / COUNT_SIZE)
        const place = next[number] ?? 0
        entries.ids[place] = chunks[index] ?? 0
        entries.counts[place] = (held[at] ?? 0) % COUNT_SIZE
        next[number] = place + 1
      }
    }
    for (const [term, number] of [...numbers].toSorted(byTerm)) {
      const many = found[number] ?? 0
      const end = next[number] ?? 0
      yield { term, found: many, list: toList(entries, end - many, end) }
    }
  }

  function flush(): void {
    const [first, last] = [chunks[0], chunks.at(-1)]
    if (first === undefined || last === undefined) return
    addSegment(write, { first, last, chunks: chunks.length }, toLists())
    numbers.clear()
    for (const list of [found, counts, chunks, ends]) list.length = 0
    size = 0
  }

  return {
    add(chunkId, heading, body) {
      for (const term of heading) count(term, HEADING_WEIGHT)
      for (const term of body) count(term, 1)
      hold()
      chunks.push(chunkId)
      ends.push(size)
      if (size >= MAX_HELD) flush()
    },
    flush,
  }
}
