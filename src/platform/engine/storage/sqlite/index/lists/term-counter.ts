import { MAX_COUNT } from '#platform/engine/search/postings.ts'
import { HEADING_WEIGHT } from '#platform/engine/search/score.ts'
import { analyseAsNumbers, MAX_WORDS, type WordNumbers } from '#platform/engine/text/terms.ts'

/** Factor on the number of a term in a posting; the rest of it is how often the term is there. */
export const COUNT_SIZE = MAX_COUNT + 1

/** Postings of a segment: those of some 10,000 chunks. */
const MAX_POSTINGS = 2 ** 20

/** Terms of chunks that follow each other. */
export interface CountedTerms {
  /** Terms that are new in their segment, in the order of their numbers, after those that came before. */
  readonly terms: readonly string[]
  /** Number of a term and how often it is there, chunk after chunk. */
  readonly postings: Uint32Array
  /** End of each chunk's postings. */
  readonly ends: Uint32Array
  /** Number of terms in each body. */
  readonly lengths: Uint32Array
  /** These fill a segment: the numbers begin anew after them. */
  readonly isFull: boolean
}

/** Counts the terms of chunks. */
export interface TermCounter {
  /** @returns whether the segment is full: then `take` comes next. */
  add(heading: string, body: string, language: string): boolean
  /** The terms of the chunks that were added since the last time. */
  take(): CountedTerms
}

/** Terms by the number of a word in a memory: the number of the term plus 1; 0: not met yet, -1: a stop word. */
function createKnownWords() {
  const known = new Map<WordNumbers['memory'], { readonly terms: Int32Array; timesEmptied: number }>()
  return {
    of(memory: WordNumbers['memory']): Int32Array {
      const timesEmptied = memory.timesEmptied()
      let words = known.get(memory)
      if (words === undefined) known.set(memory, (words = { terms: new Int32Array(MAX_WORDS + 2), timesEmptied }))
      if (words.timesEmptied !== timesEmptied) words.terms.fill(0)
      words.timesEmptied = timesEmptied
      return words.terms
    },
    forget() {
      for (const { terms } of known.values()) terms.fill(0)
    },
  }
}

// oxlint-disable-next-line max-lines-per-function -- a factory: it only returns methods
export function createTermCounter(): TermCounter {
  const numbers = new Map<string, number>()
  const words = createKnownWords()
  /** How often each term is in the chunk under way, and those that are. */
  let counts = new Uint32Array(2 ** 12)
  let own = new Uint32Array(2 ** 10)
  let owned = 0
  let postings = new Uint32Array(2 ** 12)
  let size = 0
  /** Postings of the segment that were taken. */
  let taken = 0
  let fresh: string[] = []
  let ends: number[] = []
  let lengths: number[] = []

  function toNumber(term: string): number {
    const known = numbers.get(term)
    if (known !== undefined) return known
    const number = numbers.size
    numbers.set(term, number)
    fresh.push(term)
    if (number >= counts.length) counts = grown(counts, number + 1)
    return number
  }

  function count(number: number, weight: number): void {
    const before = counts[number] ?? 0
    if (before === 0) {
      if (owned === own.length) own = grown(own, owned + 1)
      own[owned++] = number
    }
    counts[number] = before + weight
  }

  function countWords({ memory, numbers: read, size: many }: WordNumbers, weight: number): number {
    const terms = words.of(memory)
    let silent = 0
    for (let at = 0; at < many; at += 1) {
      const word = read[at] ?? 0
      let number = terms[word] ?? 0
      if (number === 0) {
        const term = memory.termAt(word)
        number = term === '' ? -1 : toNumber(term) + 1
        terms[word] = number
      }
      if (number < 0) silent += 1
      else count(number - 1, weight)
    }
    return many - silent
  }

  /** @returns the number of terms. */
  function countText(text: string, language: string, weight: number): number {
    const read = analyseAsNumbers(text, language)
    if ('memory' in read) return countWords(read, weight)
    for (const term of read) count(toNumber(term), weight)
    return read.length
  }

  function hold(): void {
    if (size + owned > postings.length) postings = grown(postings, size + owned)
    for (let at = 0; at < owned; at += 1) {
      const number = own[at] ?? 0
      postings[size++] = number * COUNT_SIZE + Math.min(counts[number] ?? 0, MAX_COUNT)
      counts[number] = 0
    }
    owned = 0
    ends.push(size)
  }

  return {
    add(heading, body, language) {
      countText(heading, language, HEADING_WEIGHT)
      lengths.push(countText(body, language, 1))
      hold()
      return taken + size >= MAX_POSTINGS
    },
    take() {
      const isFull = taken + size >= MAX_POSTINGS
      const counted = {
        terms: fresh,
        postings: postings.slice(0, size),
        ends: Uint32Array.from(ends),
        lengths: Uint32Array.from(lengths),
        isFull,
      }
      taken = isFull ? 0 : taken + size
      size = 0
      fresh = []
      ends = []
      lengths = []
      if (isFull) {
        numbers.clear()
        words.forget()
      }
      return counted
    },
  }
}

function grown(list: Uint32Array<ArrayBuffer>, least: number): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(2 * Math.max(list.length, least))
  larger.set(list)
  return larger
}
