import { LANGUAGES } from '#lexicon/languages.ts'
import { editsBetween } from '#lib/closest-names.ts'

// Slips of typing, and the words that were meant.

/** Words that questions are made of, in every language: `how many`, `average`, `annual leave`. None is a slip. */
export const ASKING = new Set(
  LANGUAGES.flatMap(({ search, tables, requests, synonyms, talk }) =>
    [search, tables, requests, synonyms, talk].flatMap((lists) => Object.values(lists ?? {}).map(String)),
  ).flatMap((list) => list.toLowerCase().match(/\p{L}{3,}/gu) ?? []),
)

/** Length of a word in which letters may be swapped, and of one with another slip. */
const MIN_SWAPPED_LENGTH = 4
const MIN_SLIP_LENGTH = 5
/** From this length on a word may have two slips. */
const MIN_LENGTH_OF_TWO = 8
const MAX_LENGTH = 30

/** The word with each pair of neighbouring letters swapped. */
export const swapsOf = (word: string): readonly string[] =>
  word.length < MIN_SWAPPED_LENGTH || word.length > MAX_LENGTH
    ? []
    : Array.from({ length: word.length - 1 }, (_, at) =>
        [word.slice(0, at), word[at + 1], word[at], word.slice(at + 2)].join(''),
      )

/** Most slips that a word of this length has; 0: it is taken as it is. */
export const slipsIn = (word: string): number =>
  word.length < MIN_SLIP_LENGTH || word.length > MAX_LENGTH || /\d/.test(word) || ASKING.has(word)
    ? 0
    : word.length < MIN_LENGTH_OF_TWO
      ? 1
      : 2

const slipsBetween = (one: string, other: string, most: number): number =>
  Math.abs(one.length - other.length) > most ? most + 1 : editsBetween(one, other)

/** The nearest of these words that this one may be meant to be: several where they are equally near. */
export function nearestWords(word: string, words: Iterable<string>): readonly string[] {
  let most = slipsIn(word)
  let found: string[] = []
  if (most === 0) return found
  for (const other of words) {
    const slips = other.length < MIN_SWAPPED_LENGTH || /\d/.test(other) ? most + 1 : slipsBetween(word, other, most)
    if (slips > most) continue
    if (slips < most) found = []
    found.push(other)
    most = slips
  }
  return found
}

const MIN_STEM_LENGTH = 7
const MAX_ENDING_LENGTH = 4

/** The stems of which one slip makes the beginning of a word: a slip may hide its ending from the stemmer. */
export const stemsOfSlip = (word: string, stems: readonly string[]): readonly string[] =>
  slipsIn(word) === 0
    ? []
    : stems.filter((stem) => {
        const ending = word.length - stem.length
        if (
          word.startsWith(stem) ||
          stem.length < MIN_STEM_LENGTH ||
          ending < 1 ||
          ending > MAX_ENDING_LENGTH ||
          stem[0] !== word[0]
        )
          return false
        return [-1, 0, 1].some((more) => slipsBetween(word.slice(0, stem.length + more), stem, 1) === 1)
      })

const MIN_SMALL_LENGTH = 3
/** A small word that lacks a letter, or has one twice, is told from other words from this length on. */
const MIN_MISSING_LENGTH = 4

/** The small word that this one may be meant to be: `wehn`, `mcuh`, `wich`, `thhe`. */
export function smallWordOf(word: string, words: ReadonlySet<string>): string | undefined {
  if (word.length < MIN_SMALL_LENGTH || word.length > MAX_LENGTH) return undefined
  const swaps = word.length < MIN_SWAPPED_LENGTH ? [`${word[0]}${word[2]}${word[1]}`] : swapsOf(word)
  const single = word.replace(/(.)\1/u, '$1')
  const found = [...swaps, ...(single.length < MIN_SMALL_LENGTH ? [] : [single])].find((one) => words.has(one))
  if (found !== undefined || word.length < MIN_MISSING_LENGTH) return found
  for (const one of words)
    if (one.length === word.length + 1 && one[0] === word[0] && slipsBetween(word, one, 1) === 1) return one
  return undefined
}
