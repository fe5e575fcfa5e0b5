import { LANGUAGES } from '#lexicon/languages.ts'
import { allWords, oneOf, wordsIn } from '#lexicon/match.ts'
import { normalize } from '#platform/engine/text/words.ts'

const ENDING = new RegExp(`${oneOf(allWords('tables', 'endings'))}$`, 'u')

/** Letters that a stem keeps; one that ends with `er` is longer. */
const MIN_STEM = 3
const MIN_STEM_OF_ER = 4

/** Without the endings of plurals and cases; a long compound keeps its parts. */
export function toStem(word: string): string {
  // The `n` of `plan` is no ending.
  if (/^\d/.test(word) || /^\p{L}{2}[^e]n$/u.test(word)) return word
  const cut = word
    .replace(/(?:ies)$/, 'y')
    .replace(ENDING, '')
    // `Kurse` and `Kurs`, whose own end is one.
    .replace(/(?<=\p{L}{3})s$/u, '')
    .normalize('NFD')
    .replace(/\u0308/g, '')
  // Short words lose the plural alone: `fees` is `fee`, and `orders` keeps its `er`, unlike the code `ORD-1`.
  const short = word.replace(/(?<=^\p{L}{3}|er)s$/u, '')
  const least = short.endsWith('er') ? MIN_STEM_OF_ER : MIN_STEM
  // `Produkt` and `product` are one word, and so are `Betrag` and `Beträge`.
  return (cut.length >= least ? cut : short).replace(/c(?!h)/g, 'k')
}

export const toWordList = (text: string): string[] => normalize(text).match(/[\p{L}\p{N}]+/gu) ?? []

/** Kinds of rows, by the stem of a word for them. */
const KIND_OF = new Map(
  LANGUAGES.flatMap(({ tables }) => Object.entries(tables?.kinds ?? {})).flatMap(([kind, words]) =>
    wordsIn(words).flatMap((word) => [[word, kind] as const, [toStem(word), kind] as const]),
  ),
)

const MEASURES: ReadonlySet<string | undefined> = new Set(['kilogram', 'litre', 'tonne'])
/** Whether a word is a unit in which things are measured: `kilos of honey` are no rows. */
export const isMeasuring = (word: string): boolean => MEASURES.has(KIND_OF.get(word))

/** Whether two words are one, or name the same kind of thing. */
export function isSameWord(one: string, other: string): boolean {
  if (one === other) return true
  const kind = KIND_OF.get(one)
  if (kind !== undefined && kind === KIND_OF.get(other)) return true
  const [short, long] = one.length < other.length ? [one, other] : [other, one]
  return short.length >= 4 && (long.startsWith(short) || (short.length >= 5 && long.endsWith(short)))
}

/** Letters of an ending. */
const MAX_ENDING = 4

/** Whether two words are one, or differ by an ending: `deli` is not `delivered`, though it begins so. */
export const isNear = (one: string, other: string): boolean =>
  isSameWord(one, other) && Math.abs(one.length - other.length) < MAX_ENDING

export const stemsOf = (text: string): string[] => toWordList(text).map(toStem)
