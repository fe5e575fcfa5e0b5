import { stemmer as arabic } from '@orama/stemmers/arabic'
import { stemmer as danish } from '@orama/stemmers/danish'
import { stemmer as dutch } from '@orama/stemmers/dutch'
import { stemmer as english } from '@orama/stemmers/english'
import { stemmer as finnish } from '@orama/stemmers/finnish'
import { stemmer as french } from '@orama/stemmers/french'
import { stemmer as german } from '@orama/stemmers/german'
import { stemmer as hungarian } from '@orama/stemmers/hungarian'
import { stemmer as italian } from '@orama/stemmers/italian'
import { stemmer as norwegian } from '@orama/stemmers/norwegian'
import { stemmer as portuguese } from '@orama/stemmers/portuguese'
import { stemmer as romanian } from '@orama/stemmers/romanian'
import { stemmer as russian } from '@orama/stemmers/russian'
import { stemmer as spanish } from '@orama/stemmers/spanish'
import { stemmer as swedish } from '@orama/stemmers/swedish'
import { stemmer as turkish } from '@orama/stemmers/turkish'
import { stopwords as arabicWords } from '@orama/stopwords/arabic'
import { stopwords as danishWords } from '@orama/stopwords/danish'
import { stopwords as dutchWords } from '@orama/stopwords/dutch'
import { stopwords as englishWords } from '@orama/stopwords/english'
import { stopwords as finnishWords } from '@orama/stopwords/finnish'
import { stopwords as frenchWords } from '@orama/stopwords/french'
import { stopwords as germanWords } from '@orama/stopwords/german'
import { stopwords as hungarianWords } from '@orama/stopwords/hungarian'
import { stopwords as italianWords } from '@orama/stopwords/italian'
import { stopwords as norwegianWords } from '@orama/stopwords/norwegian'
import { stopwords as portugueseWords } from '@orama/stopwords/portuguese'
import { stopwords as romanianWords } from '@orama/stopwords/romanian'
import { stopwords as russianWords } from '@orama/stopwords/russian'
import { stopwords as spanishWords } from '@orama/stopwords/spanish'
import { stopwords as swedishWords } from '@orama/stopwords/swedish'
import { stopwords as turkishWords } from '@orama/stopwords/turkish'
import { createLanguageDetector, type LanguageDetector } from '../../../lib/language.ts'
import { toWords } from './words.ts'

/** Stemmer and stop words of a language. Loaded in the index thread only. */
export interface Language {
  readonly stem: (word: string) => string
  readonly stopWords: ReadonlySet<string>
}

const language = (stem: (word: string) => string, words: readonly string[], more: readonly string[] = []) => ({
  stem,
  stopWords: new Set([...words, ...more].map((word) => word.normalize('NFKC').toLowerCase())),
})

// Stop word lists are made for documents. They miss question words and auxiliaries, which would look rare and so
// telling in a question.
const ENGLISH_MORE = [
  'a',
  'us',
  'would',
  'could',
  'should',
  'shall',
  'may',
  'might',
  'must',
  'please',
  'tell',
  'also',
  'many',
  'much',
  'within',
  'among',
  'since',
  'per',
  'via',
  'however',
  'thus',
  'done',
]
const GERMAN_MORE = [
  'bitte',
  'wurde',
  'wurden',
  'wird',
  'werden',
  'gibt',
  'welche',
  'welcher',
  'welches',
  'wieviel',
  'wieviele',
  'wer',
  'wann',
  'warum',
  'viele',
]

/**
 * All endings that the English stemmer handles. It builds some twenty patterns for each word; words without such an
 * ending skip it.
 */
const ENGLISH_ENDING = /(?:ed|ing|ion|[ceilmrstuy])$/

const stemEnglish = (word: string) => (ENGLISH_ENDING.test(word) ? english(word) : word)

const UNKNOWN_LANGUAGE: Language = { stem: (word) => word, stopWords: new Set() }

/** Languages by ISO 639-1 code. */
const LANGUAGES: ReadonlyMap<string, Language> = new Map([
  ['en', language(stemEnglish, englishWords, ENGLISH_MORE)],
  ['de', language(german, germanWords, GERMAN_MORE)],
  ['fr', language(french, frenchWords)],
  ['es', language(spanish, spanishWords)],
  ['it', language(italian, italianWords)],
  ['pt', language(portuguese, portugueseWords)],
  ['nl', language(dutch, dutchWords)],
  ['sv', language(swedish, swedishWords)],
  ['da', language(danish, danishWords)],
  ['no', language(norwegian, norwegianWords)],
  ['fi', language(finnish, finnishWords)],
  ['hu', language(hungarian, hungarianWords)],
  ['ro', language(romanian, romanianWords)],
  ['ru', language(russian, russianWords)],
  ['tr', language(turkish, turkishWords)],
  ['ar', language(arabic, arabicWords)],
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

/** Created on first use, in the index thread. */
let detect: LanguageDetector | undefined

/**
 * ISO 639-1 code of the language with the most stop words in the text; `und` when it has none, as in unspaced scripts.
 */
export function detectLanguage(text: string): string {
  // On a tie the first language in the order (English) wins.
  detect ??= createLanguageDetector(
    Array.from(LANGUAGES, ([code, { stopWords }]) => [code, stopWords]),
    MIN_PART,
  )
  return detect(toWords(text.slice(0, SAMPLE_LENGTH)).map((word) => word.text)) ?? 'und'
}
