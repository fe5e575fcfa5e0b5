import { allPhrases, allSet, allWords, matchWhole, matchWithin, namesByPlace, oneOf } from '#lexicon/match.ts'
import { ownWords } from '#lexicon/follow-up.ts'
import type { Passage } from '#platform/engine/api/retrieve.ts'
import { normalize } from '#platform/engine/text/words.ts'
import { otherWordsOf } from '../other-words.ts'
import { hasOneOf } from './fit-quotes.ts'

/** The kind of fact that a question asks for, as far as a sentence can be seen to have it. */
interface Asked {
  readonly kind: 'number' | 'person' | 'time' | 'code'
  /** The number is a sum of money. */
  readonly isSum: boolean
  /** Words for the code: `serial number`. */
  readonly label: readonly string[]
}

const SLOTS = { word: String.raw`[\p{L}\p{N}-]{1,30}`, some: '.{1,80}' }
const BEFORE = oneOf([
  ...allWords('requests', 'beforeQuestions'),
  ...allWords('talk', 'prepositions'),
  ...allWords('tables', 'placing'),
])
/** A question that begins so, with a small word or two before: `from when`. */
const asking = (phrases: readonly string[]) =>
  new RegExp(String.raw`^\W{0,9}(?:${BEFORE}\s{1,3}){0,2}${oneOf(phrases, SLOTS)}(?!\p{L})`, 'iu')

const ASKS: readonly (readonly [Asked['kind'], RegExp])[] = [
  ['person', asking(allPhrases('requests', 'who'))],
  ['time', asking(allPhrases('requests', 'when'))],
  ['number', matchWithin(allPhrases('requests', 'howMany'))],
  ['number', asking(allPhrases('requests', 'amounts'))],
  ['code', asking(allPhrases('requests', 'codes'))],
]

const SMALL = allSet('search', 'stopWords')
const ASKS_SUM = matchWithin(allPhrases('requests', 'sums'))
const TELLS_SUM = new RegExp(
  String.raw`\p{Sc}|\d[.,]\d\d(?!\d)|\d\s?(?:%|${oneOf(allPhrases('requests', 'currencies'))})`,
  'iu',
)

/** Undefined where a question asks for several kinds, or for none that a sentence shows. */
export function toAsked(question: string): Asked | undefined {
  const found = ASKS.flatMap(([kind, pattern]) => {
    const words = pattern.exec(question)?.[0]
    return words === undefined
      ? []
      : [
          {
            kind,
            isSum: kind === 'number' && ASKS_SUM.test(question),
            label: ownWords(normalize(words)).filter((word) => word.length > 1 && !SMALL.has(word)),
          },
        ]
  })
  const [first] = found
  // `When the alarm rings, …` is no question for a time.
  const isClause = first?.kind === 'time' && question.includes(',')
  return isClause || found.some(({ kind }) => kind !== first?.kind) ? undefined : first
}

/** Numbers, times and codes, with their letters and signs. */
const FIGURES = /[\p{L}\p{N}@][\p{L}\p{N}.,:/@+-]*/gu
const figuresIn = (text: string): readonly string[] =>
  Array.from(text.matchAll(FIGURES), ([word]) => word.replace(/[.,:]+$/, '')).filter((word) => /[\d@]/.test(word))

const isYear = (figure: string) => /^(?:19|20)\d\d(?:\/\d\d)?$/.test(figure)
/** A number that is neither a code nor a year. */
const isNumber = (figure: string) => /^\d/.test(figure) && !isYear(figure)
/** A number that looks like a year: `2000 guests`. */
const COUNTED = /(?<![\d.,/])(?:19|20)\d\d\s\p{Ll}{3}/u
const [, ...NUMBERS] = namesByPlace('numbers', 15)
const TELLS_NUMBER = matchWithin([...NUMBERS.flat(), ...allPhrases('requests', 'numberWords')])
const TELLS_OFTEN = matchWithin(allPhrases('requests', 'oftenWords'))

const TIME_FIGURE = new RegExp(
  String.raw`^\d{1,4}(?:[:./-]\d{1,2}(?:[./-]\d{1,4})?|${oneOf(allWords('tables', 'ordinalEndings'))})$`,
  'u',
)
const isTime = (figure: string) =>
  isYear(figure) || /^\d{3,4}\p{Ll}?$|^\d{1,3}[.,]\d{3}$/u.test(figure) || TIME_FIGURE.test(figure)
const MONTHS_AND_DAYS = [
  ...namesByPlace('months', 12).flat(),
  ...namesByPlace('monthStarts', 12).flat(),
  ...allWords('requests', 'weekdays'),
]
const IS_PRONOUN = matchWhole(allPhrases('requests', 'pronouns'))
const IS_DATE = matchWithin(MONTHS_AND_DAYS)
const TELLS_TIME = matchWithin([...MONTHS_AND_DAYS, ...allPhrases('requests', 'timeWords')])

const TELLS_PERSON = matchWithin(allPhrases('requests', 'people'))
const CAPITALISED = /(?<before>\S\s{1,9}|\S)?(?<!\p{L})(?<name>\p{Lu}\p{L}+)(?<next>\s+\p{Lu})?/gu

const wordsOf = (text: string): ReadonlySet<string> => new Set(normalize(text).match(/[\p{L}\p{N}]+/gu))

/** @param small words in small letters: a word with a capital letter that begins a sentence may be one of them. */
function namesSomebody(text: string, asked: ReadonlySet<string>, small?: ReadonlySet<string>): boolean {
  return Array.from(text.matchAll(CAPITALISED)).some(({ groups }) => {
    const { before = '', name = '', next } = groups ?? {}
    const word = normalize(name)
    const isWithin = /[\p{L},]\s+$/u.test(before)
    // `Tom` is a small word in another language; within a sentence and before another name it is a name.
    const isSmall = SMALL.has(word) && !(isWithin && next !== undefined)
    if (asked.has(word) || isSmall || IS_DATE.test(name) || IS_PRONOUN.test(name)) return false
    return next !== undefined || isWithin || small?.has(word) === false
  })
}

/**
 * Whether a sentence of a passage has the kind of fact.
 *
 * @param surely a doubtful one does not count
 */
export type Holds = (text: string, passage: Passage, surely?: boolean) => boolean

/** A sentence with its headings; a row also with the names of its columns. */
const withHeads = (text: string, { headings, lead, body }: Passage): string =>
  [...headings, text, ...(text.startsWith('|') ? [lead, body.slice(0, body.indexOf(text))] : [])].join('\n')

const ADDS_UP = matchWithin(
  (['sum', 'average', 'median', 'made', 'differences'] as const).flatMap((list) => allPhrases('tables', list)),
)

/** Whether a question asks for a sum, and the quotation is one row that is no sum. */
export const isOneOfSum = (question: string, text: string, passage: Passage): boolean =>
  text.startsWith('|') && ADDS_UP.test(question) && !ADDS_UP.test(withHeads(text, passage))

/** Facts that the question says itself do not count. */
export function createHolds(question: string, { kind, isSum, label }: Asked, passages: readonly Passage[]): Holds {
  const figures = new Set(figuresIn(question))
  const newFigures = (text: string) => figuresIn(text).filter((figure) => !figures.has(figure))
  if (kind === 'number') {
    // A question with such a word asks how often.
    const isOften = TELLS_OFTEN.test(question)
    return (text, passage) => {
      if (TELLS_NUMBER.test(text) || (isOften && TELLS_OFTEN.test(text))) return true
      // A row has its units above it.
      const telling = text.startsWith('|') ? withHeads(text, passage) : text
      if (isSum && !TELLS_SUM.test(telling) && (telling === text || !ASKS_SUM.test(telling))) return false
      return newFigures(text).some(isNumber) || COUNTED.test(text)
    }
  }
  if (kind === 'time') return (text) => newFigures(text).some(isTime) || TELLS_TIME.test(text)
  if (kind === 'code') {
    // `serial`, since each invoice has a number.
    const words = (label.length > 1 ? label.slice(0, -1) : label).flatMap((word) => [word, ...otherWordsOf(word)])
    return (text, passage) => newFigures(text).length > 0 && hasOneOf(withHeads(text, passage), words)
  }
  const asked = wordsOf(question)
  const small = new Set(passages.flatMap(({ body }) => body.match(/(?<![\p{L}\p{N}])\p{Ll}+/gu) ?? []))
  const unasked = (text: string) => text.replaceAll(/\p{L}+/gu, (word) => (asked.has(normalize(word)) ? '' : word))
  return (text, _, surely) =>
    TELLS_PERSON.test(unasked(text)) || namesSomebody(text, asked, surely === true ? undefined : small)
}
