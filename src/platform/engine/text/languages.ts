import { stemmer as arabic } from '@orama/stemmers/arabic'
import { stemmer as danish } from '@orama/stemmers/danish'
import { stemmer as dutch } from '@orama/stemmers/dutch'
import { stemmer as english } from '@orama/stemmers/english'
import { stemmer as finnish } from '@orama/stemmers/finnish'
import { stemmer as french } from '@orama/stemmers/french'
import { stemmer as german } from '@orama/stemmers/german'
import { stemmer as greek } from '@orama/stemmers/greek'
import { stemmer as hungarian } from '@orama/stemmers/hungarian'
import { stemmer as hindi } from '@orama/stemmers/indian'
import { stemmer as indonesian } from '@orama/stemmers/indonesian'
import { stemmer as italian } from '@orama/stemmers/italian'
import { stemmer as norwegian } from '@orama/stemmers/norwegian'
import { stemmer as portuguese } from '@orama/stemmers/portuguese'
import { stemmer as romanian } from '@orama/stemmers/romanian'
import { stemmer as russian } from '@orama/stemmers/russian'
import { stemmer as serbian } from '@orama/stemmers/serbian'
import { stemmer as spanish } from '@orama/stemmers/spanish'
import { stemmer as swedish } from '@orama/stemmers/swedish'
import { stemmer as turkish } from '@orama/stemmers/turkish'
import { stemmer as ukrainian } from '@orama/stemmers/ukrainian'
import { czech, persian, polish } from 'multilingual-stemmer'
import { LANGUAGES as LEXICONS } from '#lexicon/languages.ts'
import { createLanguageDetector, type LanguageDetector } from '#lib/language.ts'
import { isAscii } from '#lib/unicode.ts'
import { withoutAccents } from './accents.ts'
import { stopWordsOf } from './stop-words.ts'
import { toWords } from './words.ts'

/** Stemmer and stop words of a language. Loaded in the index thread only. */
export interface Language {
  readonly stem: (word: string) => string
  readonly stopWords: ReadonlySet<string>
  /** The same as they are typed without accents. */
  readonly bareStopWords: ReadonlySet<string>
}

/** Its stop words are read as the words of a text are. */
function toEntry(code: string, stem: (word: string) => string): readonly [string, Language] {
  const stopWords = toWords(stopWordsOf(code).join('\n')).map((word) => word.text)
  return [code, { stem, stopWords: new Set(stopWords), bareStopWords: new Set(stopWords.map(withoutAccents)) }]
}

/**
 * All endings that the English stemmer handles. It builds some twenty patterns for each word; words without such an
 * ending skip it.
 */
const ENGLISH_ENDING = /(?:ed|ing|ion|[ceilmrstuy])$/

const stemEnglish = (word: string) => (ENGLISH_ENDING.test(word) ? english(word) : word)

const unstemmed = (word: string) => word

/** Persian is also typed with the Arabic letters for yeh and kaf. */
const stemPersian = (word: string) => persian(word.replaceAll('\u064a', '\u06cc').replaceAll('\u0643', '\u06a9'))

const UNKNOWN_LANGUAGE: Language = { stem: unstemmed, stopWords: new Set(), bareStopWords: new Set() }

/** Languages by ISO 639-1 code. */
const LANGUAGES: ReadonlyMap<string, Language> = new Map([
  toEntry('en', stemEnglish),
  toEntry('de', german),
  toEntry('fr', french),
  toEntry('es', spanish),
  toEntry('it', italian),
  toEntry('pt', portuguese),
  toEntry('nl', dutch),
  toEntry('sv', swedish),
  toEntry('da', danish),
  toEntry('no', norwegian),
  toEntry('fi', finnish),
  toEntry('hu', hungarian),
  toEntry('ro', romanian),
  toEntry('ru', russian),
  toEntry('tr', turkish),
  toEntry('ar', arabic),
  toEntry('el', greek),
  toEntry('hi', hindi),
  toEntry('vi', unstemmed),
  toEntry('th', unstemmed),
  toEntry('pl', polish),
  toEntry('cs', czech),
  toEntry('uk', ukrainian),
  toEntry('sr', serbian),
  // Slovak and Croatian have no stemmer in either package: that of a related language cuts most of their endings.
  toEntry('sk', czech),
  toEntry('hr', serbian),
  toEntry('he', unstemmed),
  toEntry('id', indonesian),
  toEntry('fa', stemPersian),
])

export function toLanguage(code: string): Language {
  return LANGUAGES.get(code) ?? UNKNOWN_LANGUAGE
}

/** Characters that suffice to detect a language by its stop words. */
const SAMPLE_LENGTH = 20_000

/**
 * Least share of stop words for a language to be detected (usual: a third to a half). Below it they are names or
 * borrowed words.
 */
const MIN_PART = 0.1

/** Words with a letter of a script, or of hardly another language, tell a language as a stop word does. */
const TELLING_LETTERS: readonly (readonly [RegExp, readonly string[]])[] = [
  ...LEXICONS.flatMap(({ code, tells }) =>
    tells?.letters === undefined ? [] : [[new RegExp(`[${tells.letters}]`, 'u'), [code]] as const],
  ),
  [/\p{sc=Greek}/u, ['el']],
  [/\p{sc=Devanagari}/u, ['hi']],
  [/\p{sc=Thai}/u, ['th']],
  [/\p{sc=Hebrew}/u, ['he']],
  [/\p{sc=Arabic}/u, ['ar', 'fa']],
  [/\p{sc=Cyrillic}/u, ['ru', 'uk', 'sr']],
]
const LETTER = /[\u00df-\uffff]/

/** Weight of a language that the files are in, relative to others: a short question is most often in one of these. */
const EXPECTED_PART = 1.3

/** Created on first use, in the index thread. */
let detect: LanguageDetector | undefined
let detectBare: LanguageDetector | undefined

/**
 * ISO 639-1 code of the language with the most stop words in the text; `und` when it has none, as in unspaced scripts.
 *
 * @param expected languages that a short text is more often in, also without its accents
 */
export function detectLanguage(text: string, expected: readonly string[] = []): string {
  // On a tie the first language in the order (English) wins.
  detect ??= createLanguageDetector(
    Array.from(LANGUAGES, ([code, { stopWords }]) => [code, stopWords]),
    MIN_PART,
    (word) => (LETTER.test(word) ? TELLING_LETTERS.find(([letters]) => letters.test(word))?.[1] : undefined) ?? [],
  )
  const words = toWords(text.slice(0, SAMPLE_LENGTH)).map((word) => word.text)
  const weigh = (code: string) => (expected.includes(code) ? EXPECTED_PART : 1)
  const found = detect(words, weigh) ?? 'und'
  if (expected.length === 0 || expected.includes(found) || !isAscii(text)) return found
  detectBare ??= createLanguageDetector(
    Array.from(LANGUAGES, ([code, { bareStopWords }]) => [code, bareStopWords]),
    MIN_PART,
  )
  const bare = detectBare(words, weigh) ?? 'und'
  return expected.includes(bare) ? bare : found
}
