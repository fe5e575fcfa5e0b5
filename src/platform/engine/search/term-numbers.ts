import { analyseAsNumbers, MAX_WORDS, type WordNumbers } from '../text/terms.ts'
import { eachRun } from './grams.ts'

// Terms of chunks as numbers: comparing numbers, and the runs of a term that are read once, takes far less than strings.

/** Most terms over all languages, and most of their runs; a question may add more. */
const MAX_TERMS = 50_000
const MAX_RUNS = 600_000

const numbers = new Map<string, number>()
let terms: string[] = ['']
let generation = 0

/** Runs of all terms, one term after the other, and the end of each term's. */
let runs = new Int32Array(2 ** 14)
let ends = new Int32Array(2 ** 12)

function grown(list: Int32Array): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(2 * list.length)
  larger.set(list)
  return larger
}

/** Runs of terms in order, and the end of each term's. */
export interface TermRuns {
  readonly hashes: Int32Array
  readonly ends: Int32Array
}

/** The runs of these terms. */
export function toRuns(lists: readonly Int32Array[]): TermRuns {
  let size = 0
  let count = 0
  for (const list of lists) for (const term of list) size += (ends[term] ?? 0) - (ends[term - 1] ?? 0)
  for (const list of lists) count += list.length
  const found = { hashes: new Int32Array(size), ends: new Int32Array(count) }
  let [end, at] = [0, 0]
  for (const list of lists) {
    for (const term of list) {
      const last = ends[term] ?? 0
      for (let run = ends[term - 1] ?? 0; run < last; run += 1) found.hashes[end++] = runs[run] ?? 0
      found.ends[at++] = end
    }
  }
  return found
}

export function numberOf(term: string): number {
  const known = numbers.get(term)
  if (known !== undefined) return known
  const made = terms.push(term) - 1
  numbers.set(term, made)
  let end = ends[made - 1] ?? 0
  while (runs.length < end + term.length) runs = grown(runs)
  eachRun(term, (run) => {
    runs[end++] = run
  })
  if (ends.length === made) ends = grown(ends)
  ends[made] = end
  return made
}

interface KnownWords {
  /** Number of the term of each word in a memory; 0: not met yet, -1: a stop word. */
  readonly numbers: Int32Array
  timesEmptied: number
}

const words = new Map<WordNumbers['memory'], KnownWords>()

function wordsOf(memory: WordNumbers['memory']): Int32Array {
  const timesEmptied = memory.timesEmptied()
  let known = words.get(memory)
  if (known === undefined) words.set(memory, (known = { numbers: new Int32Array(MAX_WORDS + 2), timesEmptied }))
  if (known.timesEmptied !== timesEmptied) known.numbers.fill(0)
  known.timesEmptied = timesEmptied
  return known.numbers
}

/** Numbers of the terms of a text in order; they hold until `forgetTerms` raises the generation. */
export function toTermNumbers(text: string, language: string): Int32Array {
  const read = analyseAsNumbers(text, language)
  if (!('memory' in read)) return Int32Array.from(read, numberOf)
  const { memory, numbers: wordNumbers, size } = read
  const known = wordsOf(memory)
  const found = new Int32Array(size)
  let end = 0
  for (let at = 0; at < size; at += 1) {
    const word = wordNumbers[at] ?? 0
    let number = known[word] ?? 0
    if (number === 0) {
      const term = memory.termAt(word)
      number = term === '' ? -1 : numberOf(term)
      known[word] = number
    }
    if (number > 0) found[end++] = number
  }
  return found.slice(0, end)
}

export const termAt = (number: number): string => terms[number] ?? ''

/** Forgets the terms where they are too many. @returns the generation: numbers of another one are no terms. */
export function forgetTerms(): number {
  if (terms.length <= MAX_TERMS && (ends[terms.length - 1] ?? 0) <= MAX_RUNS) return generation
  numbers.clear()
  terms = ['']
  for (const known of words.values()) known.numbers.fill(0)
  generation += 1
  return generation
}
