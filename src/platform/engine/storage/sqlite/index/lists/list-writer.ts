import { createEntries, toList } from './list.ts'
import { addSegment, isBefore, type Statements, type TermList } from './segments.ts'
import { COUNT_SIZE, type CountedTerms } from './term-counter.ts'

/** Collects the terms of new chunks, in rising order of their numbers, and stores them as segments. */
export interface ListWriter {
  /** @param first number of the first chunk; the others follow. */
  add(first: number, counted: CountedTerms): void
  /** Stores the added postings. */
  flush(): void
}

interface Held extends Pick<CountedTerms, 'postings' | 'ends'> {
  readonly first: number
}

/** Number of chunks that hold each term, by its number. */
function countHolders(held: readonly Held[], terms: number): Uint32Array {
  const found = new Uint32Array(terms)
  for (const { postings } of held) {
    for (let at = 0; at < postings.length; at += 1) {
      const number = Math.floor((postings[at] ?? 0) / COUNT_SIZE)
      found[number] = (found[number] ?? 0) + 1
    }
  }
  return found
}

/** Turns postings by chunk into lists by term. */
function* toLists(held: readonly Held[], terms: readonly string[]): Generator<TermList> {
  const found = countHolders(held, terms.length)
  /** The next free place of each term. */
  const next = new Uint32Array(found.length)
  let sum = 0
  for (let number = 0; number < found.length; number += 1) {
    next[number] = sum
    sum += found[number] ?? 0
  }
  const { ids, counts } = createEntries(sum)
  for (const { first, postings, ends } of held) {
    let at = 0
    for (let chunk = 0; chunk < ends.length; chunk += 1) {
      for (const end = ends[chunk] ?? 0; at < end; at += 1) {
        const posting = postings[at] ?? 0
        const number = Math.floor(posting / COUNT_SIZE)
        const place = next[number] ?? 0
        ids[place] = first + chunk
        counts[place] = posting % COUNT_SIZE
        next[number] = place + 1
      }
    }
  }
  const order = [...terms.keys()].toSorted((one, other) => (isBefore(terms[one] ?? '', terms[other] ?? '') ? -1 : 1))
  for (const number of order) {
    const many = found[number] ?? 0
    const end = next[number] ?? 0
    if (many > 0) yield { term: terms[number] ?? '', found: many, list: toList({ ids, counts }, end - many, end) }
  }
}

export function createListWriter(write: Statements): ListWriter {
  /** Terms by their numbers. */
  const terms: string[] = []
  const held: Held[] = []
  let chunks = 0

  function flush(): void {
    const [first, last] = [held[0], held.at(-1)]
    if (first === undefined || last === undefined) return
    addSegment(write, { first: first.first, last: last.first + last.ends.length - 1, chunks }, toLists(held, terms))
    held.length = 0
    chunks = 0
  }

  return {
    add(first, { terms: fresh, postings, ends, isFull }) {
      for (const term of fresh) terms.push(term)
      if (ends.length > 0) held.push({ first, postings, ends })
      chunks += ends.length
      if (!isFull) return
      flush()
      terms.length = 0
    },
    flush,
  }
}
