import type { NativePage } from '../native-reader.ts'

/** Words of Latin letters by which a page is judged, and the share of impossible ones; prose has .08 at most. */
const MIN_WORDS = 20
const MAX_SHARE = 0.2
/** The same share where the native reader says that a font lacks a table of its letters. */
const MAX_GARBLED = 0.1
/** Impossible words that a recognized text may have, as a part of the share in the text layer. */
const MAX_LEFT = 0.5
/** Least share of Latin letters: recognition may have no data for other scripts, and would lose their text. */
const MIN_LATIN = 0.9

const countOf = (text: string, pattern: RegExp) => text.match(pattern)?.length ?? 0

const isShort = (word: string) => word.length < 3
/** Addresses, paths and names of programs follow other rules, and so do abbreviations in capitals. */
const isNoWord = (word: string) => /[@/\\_]|[\p{L}\p{N}]\.[\p{L}\p{N}]|^\p{Lu}{1,5}$/u.test(word)
const VOWELS = /[aeiouy\u00e6\u00f8\u0153\u0131]/gi
/** Share of vowels that nearly all words have, also those of languages with many consonants. */
const MIN_VOWELS = 0.17
const MAX_ACCENTED = 0.6
/** A sign or digits between letters, a capital after a small letter, nearly all letters with accents, or hardly a vowel. */
const isImpossible = (word: string) =>
  /\p{L}[^\p{L}\p{M}\p{N}\p{Pd}'\u2019.,:&+\u00ad\u00b7]|\p{L}\p{N}+\p{L}|\p{Ll}\p{Lu}/u.test(word) ||
  countOf(word, /[^\p{ASCII}]/gu) > word.length * MAX_ACCENTED ||
  countOf(word.normalize('NFD'), VOWELS) < word.length * MIN_VOWELS

/** Most control characters in the text of a page, as a share. */
const MAX_CONTROL = 0.05

/** Share of the words of Latin letters that no language has; `few` where there are hardly any. */
export function nonsenseIn(text: string, few = 0): number {
  if (countOf(text, /[^\P{Cc}\s]/gu) > text.length * MAX_CONTROL) return 1
  if (countOf(text, /\p{sc=Latin}/gu) < countOf(text, /\p{L}/gu) * MIN_LATIN) return 0
  const words = (text.match(/\S+/g) ?? [])
    .map((word) => word.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, ''))
    .filter((word) => !isShort(word) && /\p{sc=Latin}/u.test(word) && !isNoWord(word))
  if (words.length < MIN_WORDS) return few
  return words.filter(isImpossible).length / words.length
}

/** Number of letters and digits. */
export const lettersOf = (text: string): number => countOf(text, /[\p{L}\p{N}]/gu)

/**
 * Text layers that say something else than the page shows: a font without a true table of its letters, or an earlier
 * recognition that failed. The page is recognized, and the better text is kept.
 */
export function createNonsense() {
  // Part numbers and code look like nonsense: after one page that is recognized for nothing, no other one is.
  let isDone = false
  return {
    isLikely: ({ text, complexity }: NativePage): boolean =>
      !isDone && nonsenseIn(text) >= (complexity?.isGarbled === true ? MAX_GARBLED : MAX_SHARE),
    /** The better of a page that is likely nonsense and the same one recognized. */
    choose(page: NativePage, recognized: NativePage | undefined): NativePage {
      const isBetter =
        recognized !== undefined &&
        lettersOf(recognized.text) > lettersOf(page.text) / 2 &&
        (lettersOf(page.text) === 0 || nonsenseIn(recognized.text, 1) < nonsenseIn(page.text) * MAX_LEFT)
      isDone = !isBetter
      return isBetter ? recognized : page
    },
  }
}
