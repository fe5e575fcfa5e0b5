import { LANGUAGES } from '#lexicon/languages.ts'
import { matchWithin, phrasesIn, wordsIn } from '#lexicon/match.ts'
import { isAscii } from '#lib/unicode.ts'
import { detectLanguage, toLanguage } from '../text/languages.ts'
import { nearestWords, slipsIn, smallWordOf, stemsOfSlip, swapsOf } from '../text/slips.ts'
import { toTerm } from '../text/terms.ts'
import { tellingPart, toWords, type Word } from '../text/words.ts'
import type { OtherWords } from './types.ts'

/** One word of the question: its possible index terms, and its weight. */
export interface Concept {
  readonly terms: readonly string[]
  readonly weight: number
  /** It may have another form in the file: false for pairs of characters and words by dictionary. */
  readonly inflected: boolean
  /** No chunk has it, so it may be mistyped. */
  readonly isUnknown?: boolean
  /** Its terms are near to it: it may be meant to be them. */
  readonly isMeant?: boolean
  /** It names nothing by itself. */
  readonly isLight?: boolean
}

/** Two adjacent words of the question. */
export interface Pair {
  readonly first: Concept
  readonly second: Concept
}

export interface Question {
  readonly concepts: readonly Concept[]
  readonly pairs: readonly Pair[]
  readonly language: string
}

/** A German question has its verb before this word. */
const LAST_VERB = 2
/** Most words of a question that are used: more cost time and add no precision. */
const MAX_CONCEPTS = 48
/**
 * Factor on the weight of a pair of characters that the collection does not contain: it is more often the seam between
 * two words than a word.
 */
const SEAM_PART = 0.3
/** Most words among which the most telling are chosen. */
const MAX_WORDS = 400
/** Most characters of a question that are read. */
const MAX_QUESTION_LENGTH = 8_000

/**
 * Rarity is counted as in a collection of at least this size: in a smaller one, one missing word would outweigh all
 * that are found.
 */
const MIN_TOTAL = 100

/** Weight of a word that `found` of `total` chunks hold: Lucene's form, which is never below 0. */
function toWeight(total: number, found: number): number {
  return Math.log(1 + (Math.max(total, MIN_TOTAL) - found + 0.5) / (found + 0.5))
}

/** From this many different words on, a repeated word is the subject of a question. */
const LONG_QUESTION = 15

/** Factor on the weight of a word said so often. */
const toRepeatPart = (times: number, words: number): number => (words < LONG_QUESTION ? 1 : 1 + Math.log2(times))

/** Words that ask for a time or a place without naming anything: as rare words they would tell most. */
const EMPTY: ReadonlyMap<string, readonly RegExp[]> = new Map(
  LANGUAGES.map(({ code, search }) => [
    code,
    phrasesIn(search?.saysNothing).map((phrase) => matchWithin([phrase], 'giu', { gap: '(?<gap>.{1,300})' })),
  ]),
)

const LIGHT: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  LANGUAGES.map(({ code, search }) => [code, new Set(wordsIn(search?.light))]),
)

const isLight = ({ text }: Word, language: string) => LIGHT.get(language)?.has(text) === true

/** Factor on their weight. */
const EMPTY_PART = 0.35

/** The words of the question that say nothing in its language. */
function emptyWords(asked: string, language: string): ReadonlySet<string> {
  const found = (EMPTY.get(language) ?? []).flatMap((pattern) => [...asked.matchAll(pattern)])
  const texts = found.map(({ 0: text, groups }) => text.replace(groups?.['gap'] ?? '', ' '))
  return new Set(texts.flatMap((text) => toWords(text)).map((word) => word.text))
}

/** The one word that a verb makes with its particle: `breaks down` is a breakdown, German ones are at the end. */
function joinedForms(words: readonly Word[], at: number, language: string): readonly string[] {
  const { text = '', inflected = false } = words[at] ?? {}
  if (!inflected) return []
  const { particles, verbPrefixes, verbEndings, infinitive } =
    LANGUAGES.find(({ code }) => code === language)?.search ?? {}
  const particle = words[at + 1]?.text ?? ''
  if (wordsIn(particles).includes(particle)) return [`${toLanguage(language).stem(text)}${particle}`]
  const prefix = words.at(-1)?.text ?? ''
  if (at > LAST_VERB || !wordsIn(verbPrefixes).includes(prefix)) return []
  const ending = wordsIn(verbEndings).find((each) => text.endsWith(each)) ?? ''
  return [`${prefix}${text.slice(0, text.length - ending.length)}${infinitive ?? ''}`]
}

/** Counts and words of an index that a question needs. */
export interface Vocabulary {
  readonly total: number
  /** Number of chunks that hold a term. */
  found(term: string): number
  /** The terms that begin so. */
  beginning?(letters: string): readonly string[]
}

/** Letters at the beginning of a word that are typed right: without them all terms would be compared. */
const RIGHT_LETTERS = 2

const termsIn = (words: readonly string[], languages: readonly string[]): readonly string[] =>
  words.flatMap((text) => languages.flatMap((code) => toTerm({ text, inflected: true }, code) ?? []))

/** Beginning of the terms that a word may be meant to be. */
const beginningOf = ({ text, inflected }: Word): string | undefined =>
  inflected && slipsIn(text) > 0 ? text.slice(0, RIGHT_LETTERS) : undefined

/** Terms of the index that a word is with two of its letters swapped. */
const swappedTerms = ({ text, inflected }: Word, languages: readonly string[], index: Vocabulary) =>
  inflected ? termsIn(swapsOf(text), languages).filter((term) => index.found(term) > 0) : []

/** Terms of the index that a word which no chunk has may be meant to be. */
function nearTerms(word: Word, languages: readonly string[], index: Vocabulary): readonly string[] {
  const beginning = beginningOf(word)
  if (beginning === undefined) return []
  const near = index.beginning?.(beginning) ?? []
  const forms = [word.text, ...termsIn([word.text], languages)]
  const found = forms.map((form) => nearestWords(form, near)).find((terms) => terms.length > 0)
  return found ?? stemsOfSlip(word.text, near)
}

interface JoinedOptions {
  readonly languages: readonly string[]
  readonly isSilent: (word: Word) => boolean
  readonly found: (term: string) => number
}

/** Most adjacent words that a name joins, as in `PowerPoint` and `HTTP2`; a longer question is no question for a name. */
const MAX_JOINED = 4
const MAX_JOINED_WORDS = 10
const MIN_JOINED_LENGTH = 5

/** Names that adjacent words make together, as the index has them, by the positions of their words. */
function joinedNames(
  words: readonly Word[],
  { languages, isSilent, found }: JoinedOptions,
): ReadonlyMap<number, readonly string[]> {
  const names = new Map<number, string[]>()
  const isEdge = (word: Word | undefined) => word?.inflected === true && !isSilent(word)
  if (words.length > MAX_JOINED_WORDS) return names
  for (const from of words.keys()) {
    for (let to = from + 1; to < from + MAX_JOINED && isEdge(words[from]); to += 1) {
      if (!isEdge(words[to])) continue
      const text = words
        .slice(from, to + 1)
        .map((word) => word.text)
        .join('')
      if (text.length < MIN_JOINED_LENGTH) continue
      const terms = languages
        .map((code) => toTerm({ text, inflected: true }, code))
        .filter((term): term is string => term !== undefined && found(term) > 0)
      for (let at = from; at <= to && terms.length > 0; at += 1) names.set(at, [...(names.get(at) ?? []), ...terms])
    }
  }
  return names
}

const toTerms = (texts: readonly string[], languages: readonly string[]): readonly string[] =>
  texts.flatMap(toWords).flatMap((word) => languages.flatMap((code) => toTerm(word, code) ?? []))

/**
 * The words of a question with their terms in the languages of the collection. Stop words of the question's language
 * are dropped; if it is unknown, those of all these languages.
 */
export function toQuestion(
  text: string,
  languages: readonly string[],
  index: Vocabulary,
  others: OtherWords = new Map(),
): Question {
  const asked = text.slice(0, MAX_QUESTION_LENGTH)
  const language = detectLanguage(asked, languages)
  const isBare = isAscii(asked)
  const silent = (language === 'und' ? languages : [language])
    .map(toLanguage)
    .map(({ stopWords, bareStopWords }) => (isBare ? bareStopWords : stopWords))
  const terms = new Map<string, readonly string[]>()
  const times = new Map<string, number>()
  const said: { readonly word: Word; readonly key: string; readonly isMeant: boolean }[] = []
  const all = toWords(asked).slice(0, MAX_WORDS)
  const empty = emptyWords(asked, language)
  const isSilent = (word: Word) => silent.some((words) => words.has(word.text))
  const isSmallSlip = ({ text: typed }: Word) => silent.some((words) => smallWordOf(typed, words) !== undefined)
  const names = joinedNames(all, { languages, isSilent, found: (term) => index.found(term) })
  for (const [at, word] of all.entries()) {
    if (isSilent(word)) continue
    const joined = joinedForms(all, at, language)
      .map((form) => toTerm({ text: form, inflected: true }, language))
      .filter((term): term is string => term !== undefined && index.found(term) > 0)
    const own = languages.flatMap((code) => toTerm(word, code) ?? [])
    const isKnown = own.some((term) => index.found(term) > 0)
    const swapped = isKnown ? [] : swappedTerms(word, languages, index)
    const near = isKnown || swapped.length > 0 ? [] : nearTerms(word, languages, index)
    const meant = [...swapped, ...near]
    if (!isKnown && meant.length === 0 && word.inflected && isSmallSlip(word)) continue
    const translated = toTerms(others.get(word.text) ?? [], languages).filter((term) => index.found(term) > 0)
    const found = [...new Set([...own, ...meant, ...joined, ...(names.get(at) ?? []), ...translated])]
    // `cell` and `cells` are one word, said twice.
    const key = found.join(' ')
    if (found.length === 0) continue
    times.set(key, (times.get(key) ?? 0) + 1)
    if (terms.has(key)) continue
    terms.set(key, found)
    said.push({ word, key, isMeant: near.length > 0 })
  }
  const concepts = said.flatMap(({ word, key, isMeant }): Concept[] => {
    const known = terms.get(key) ?? []
    const found = Math.max(...known.map((term) => index.found(term)))
    const weight = toWeight(index.total, Math.min(found, index.total)) * toRepeatPart(times.get(key) ?? 1, said.length)
    const part = word.inflected ? 1 : Math.min(tellingPart(word.text, SEAM_PART), found === 0 ? SEAM_PART : 1)
    if (part <= 0) return []
    const telling = part * (empty.has(word.text) ? EMPTY_PART : 1)
    const kind = { inflected: word.inflected, isUnknown: found === 0, isMeant, isLight: isLight(word, language) }
    return [{ terms: known, weight: weight * telling, ...kind }]
  })
  const pairs = concepts.flatMap((second, at) => {
    const first = concepts[at - 1]
    return first === undefined ? [] : [{ first, second }]
  })
  const telling = concepts.toSorted((one, other) => other.weight - one.weight)
  return { concepts: telling.slice(0, MAX_CONCEPTS), pairs: pairs.slice(0, MAX_CONCEPTS), language }
}

/** Number of words that are always looked up, however common. */
const MIN_LOOKED_UP = 3
/**
 * Words below this share of the largest weight are not looked up: they change little, and have the longest postings.
 */
const MIN_PART = 0.35

/**
 * The words that find candidates. Common words are left out where the question has rarer ones, since they cost most;
 * they count again in the ranking.
 */
export function toTelling({ concepts }: Question): readonly Concept[] {
  const least = (concepts[0]?.weight ?? 0) * MIN_PART
  return concepts.filter((concept, at) => at < MIN_LOOKED_UP || concept.weight >= least)
}
