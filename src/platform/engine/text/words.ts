import { allPhrases, allWords, oneOf } from '#lexicon/match.ts'
import { isAscii, normalized } from '#lib/unicode.ts'

const CJK = String.raw`\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}`
/** Scripts without spaces between words that need a dictionary. */
const UNSPACED = String.raw`\p{sc=Thai}\p{sc=Lao}\p{sc=Khmr}\p{sc=Mymr}`

const PLAIN_RUN = /[\p{L}\p{M}\p{N}]+(?:['’]\p{L}+)*/gu
export const PLAIN_WORD = /[\p{L}\p{M}\p{N}]/u
export const NEEDS_CARE = new RegExp(`[[${CJK}${UNSPACED}]&&[\\p{L}\\p{M}\\p{N}]]`, 'v')
const MIXED_RUN = new RegExp(
  `(?<cjk>[[${CJK}]&&[\\p{L}\\p{M}\\p{N}]]+)|(?<unspaced>[[${UNSPACED}]&&[\\p{L}\\p{M}\\p{N}]]+)` +
    `|[[\\p{L}\\p{M}\\p{N}]--[${CJK}${UNSPACED}]]+(?:['’]\\p{L}+)*`,
  'gv',
)

let segmenter: Intl.Segmenter | undefined

function dictionaryWords(run: string): string[] {
  segmenter ??= new Intl.Segmenter('th', { granularity: 'word' })
  const words: string[] = []
  for (const { segment, isWordLike } of segmenter.segment(run)) if (isWordLike === true) words.push(segment)
  return words
}

function bigrams(run: string): string[] {
  const characters = Array.from(run)
  if (characters.length === 1) return characters
  return characters.slice(1).map((character, index) => `${characters[index]}${character}`)
}

/** A word of the text (NFKC, lower case), and whether it may be stemmed. */
export interface Word {
  readonly text: string
  readonly inflected: boolean
}

/** Letters that one language writes in several ways: Greek with accents, Romanian, the Russian e with two dots, the Turkish dotted I in lower case. */
const VARIANT = /[\u0218-\u021b\u0386-\u03ce\u0451]|i\u0307/
const GREEK_MARKS = /(?<=\p{sc=Greek})[\u0300-\u0345]+/gu
/** Romanian s and t with a comma are written with a cedilla, too. */
const CEDILLAS: Readonly<Record<string, string>> = { '\u0219': '\u015f', '\u021b': '\u0163' }

const foldLetters = (text: string): string =>
  text
    .replaceAll('i\u0307', 'i')
    .replace(/[\u0219\u021b]/g, (letter) => CEDILLAS[letter] ?? letter)
    .replaceAll('\u0451', '\u0435')
    .normalize('NFD')
    .replace(GREEK_MARKS, '')
    .replaceAll('\u03c2', '\u03c3')
    .normalize('NFC')

/** An identifier of joined words, as in `maxPoolSize`. YouTube, siRNA and macOS are one word. */
const CAMEL = /(?<![\p{L}\p{N}])\p{Ll}{2,}\p{N}*\p{Lu}\p{Ll}[\p{L}\p{N}]*/gu
const SEAM = /(?<=[\p{Ll}\p{N}])(?=\p{Lu})/gu

const parted = (text: string): string => text.replace(CAMEL, (name) => name.replace(SEAM, ' '))

/** Normalises the ways to write one text: composed or not, full width, capitals, joined words, variants of a letter. */
export function normalize(text: string): string {
  if (isAscii(text)) return parted(text).toLowerCase()
  const lower = parted(normalized(text, 'NFKC')).toLowerCase()
  return VARIANT.test(lower) ? foldLetters(lower) : lower
}

/**
 * Words of a text in order: runs of letters and digits; Chinese, Japanese and Korean as overlapping pairs of
 * characters; Thai, Lao, Khmer and Burmese by dictionary.
 */
export function toWords(text: string): Word[] {
  const normal = normalize(text)
  if (!NEEDS_CARE.test(normal)) {
    return (normal.match(PLAIN_RUN) ?? []).map((word) => ({ text: withoutJoined(word), inflected: true }))
  }
  return [...normal.matchAll(MIXED_RUN)].flatMap((match): Word[] => {
    if (match.groups?.['cjk'] !== undefined) {
      return bigrams(match[0]).map((pair) => ({ text: pair, inflected: false }))
    }
    if (match.groups?.['unspaced'] !== undefined) {
      return dictionaryWords(match[0]).map((word) => ({ text: word, inflected: false }))
    }
    return [{ text: withoutJoined(match[0]), inflected: true }]
  })
}

/** Short words of French, Italian and their neighbours, joined to the next one. */
const ELIDED = new RegExp(String.raw`^${oneOf(allWords('search', 'elided'))}'(?=\p{L}{2})`, 'u')
/** Endings that Turkish joins to a name. */
const JOINED_ENDING = new RegExp(String.raw`(?<=\p{L}{2})'${oneOf(allPhrases('search', 'joinedEndings'))}$`, 'u')

/**
 * The word that an apostrophe joins to a smaller one: `harbour's` → `harbour`, `l'eau` → `eau`, `amazon'da` → `amazon`.
 * `don't` stays whole, as it is a stop word.
 */
export function withoutJoined(word: string): string {
  if (!word.includes('’') && !word.includes("'")) return word
  return word.replaceAll('’', "'").replace(/'s$/, '').replace(ELIDED, '').replace(JOINED_ENDING, '')
}

// Chinese, Japanese and Korean are indexed as pairs of neighbouring characters, so no stop word list fits their
// question words and grammar.

/** Question words: no file answers by repeating them. */
const ASKING_PAIR = new RegExp(oneOf(allWords('search', 'askingPairs')))

/** Characters of grammar: a pair that contains one is rarely a word. */
const GRAMMAR_CHARACTER = new RegExp(`[${allWords('search', 'grammar').join('')}]`)

const PARTICLES = /^\p{sc=Hira}+$/u

/** Factor on the rarity of a pair of characters: 0 for question words, `seam` for pairs that contain grammar. */
export function tellingPart(pair: string, seam: number): number {
  if (ASKING_PAIR.test(pair)) return 0
  return GRAMMAR_CHARACTER.test(pair) || PARTICLES.test(pair) ? seam : 1
}
