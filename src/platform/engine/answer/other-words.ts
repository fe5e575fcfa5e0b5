import { LANGUAGES } from '#lexicon/languages.ts'
import { ownWords } from '#lexicon/follow-up.ts'
import { allPhrases, allSet, matchWhole, phrasesIn } from '#lexicon/match.ts'
import { messageLanguage } from '#lexicon/text-language.ts'
import type { Retrieved } from '../api/retrieve.ts'
import { leastEvidence } from './quotes/least-evidence.ts'

interface Term {
  readonly words: string
  /** Undefined: words of several. */
  readonly language?: string
}

/** Words for one thing, in every language. */
function toGroup(thing: string): readonly Term[] {
  const languages = new Map<string, string | undefined>()
  for (const { code, synonyms } of LANGUAGES)
    for (const words of phrasesIn(synonyms?.[thing])) languages.set(words, languages.has(words) ? undefined : code)
  return Array.from(languages, ([words, language]) => ({ words, language }))
}
const THINGS = new Set(LANGUAGES.flatMap(({ synonyms }) => Object.keys(synonyms ?? {})))
const GROUPS = Array.from(THINGS, toGroup)

/** The other words of a word: those of every line that contains it. */
const groupOf = new Map<string, Term & { readonly group: readonly Term[] }>()
for (const group of GROUPS) {
  for (const term of group) {
    const known = groupOf.get(term.words)
    const language = known !== undefined && known.language !== term.language ? undefined : term.language
    groupOf.set(term.words, { words: term.words, language, group: [...(known?.group ?? []), ...group] })
  }
}
/** Words for the same thing as this one. */
export const otherWordsOf = (word: string): readonly string[] =>
  (groupOf.get(word)?.group ?? []).map(({ words }) => words)

/** Longest first, so that `annual leave` is no `leave`; with the ending of a plural. */
const KNOWN = new RegExp(
  String.raw`(?<![\p{L}\p{N}])(${[...groupOf.keys()]
    .toSorted((one, other) => other.length - one.length)
    .map((words) => RegExp.escape(words))
    .join('|')})s?(?![\p{L}\p{N}])`,
  'giu',
)

/** Evidence above which the question's own words are believed. */
const SURE = 0.95
/** Other words must tell so much more than the question's own, where these would be answered. */
const LEAD = 0.2
/** Evidence that other words lose: they may mean something else. */
const DOUBT = 0.03
/** The same where the files have nothing else of the question: the price of gold is no fee. */
const WITHOUT_REST = 0.3
const MAX_REPLACED = 3
const MAX_WORDINGS = 24
/** Longer questions say enough themselves. */
const MAX_QUESTION_CHARS = 500

export const evidenceOf = ({ quotes }: Retrieved) => quotes[0]?.evidence ?? 0

const toAsked = (question: string) => question.normalize('NFC').replaceAll('’', "'")

function isOtherWording(other: Term, own: Term | undefined, isAnswered: boolean): boolean {
  if (own === undefined) return false
  // An answer in the language of the question is believed before one in another language.
  if (isAnswered && own.language !== other.language && own.language !== undefined && other.language !== undefined)
    return false
  // `annual leave` for `leave` would find the same passages, with a word more.
  return !other.words.includes(own.words) && !own.words.includes(other.words)
}

/** Languages that have words here. A question in another one may have the same letters for something else: French `pays`. */
const SPOKEN = new Set(LANGUAGES.flatMap(({ code, synonyms }) => (synonyms === undefined ? [] : [code])))

const isSpoken = (question: string, { language }: Retrieved) =>
  language === 'und' || SPOKEN.has(language) || messageLanguage(question) !== undefined

const STOP_WORDS = allSet('search', 'stopWords')
const COMMON = matchWhole(allPhrases('requests', 'common'))

/** The words of a question that have no other words. */
const toRest = (asked: string) =>
  ownWords(asked.replaceAll(KNOWN, ' ')).filter((word) => !STOP_WORDS.has(word) && !COMMON.test(word))

type Search = (question: string) => Promise<Retrieved>

/**
 * Searches for a question in other words, too, where its own find little: words that offices use for the same thing, if
 * the collection contains them.
 *
 * @param found hits of the question's own words
 * @returns hits of the best wording
 *
 * @param searchWords tells whether a word is in the files: without vectors, since a near meaning is not the word, and
 * each vector is a request to the model.
 */
export async function searchInOtherWords(
  question: string,
  found: Retrieved,
  search: Search,
  searchWords: Search = search,
): Promise<Retrieved> {
  if (found.nothingIndexed || question.length > MAX_QUESTION_CHARS || evidenceOf(found) >= SURE) return found
  const asked = toAsked(question)
  const matches = [...asked.matchAll(KNOWN)].slice(0, MAX_REPLACED)
  if (matches.length === 0 || !isSpoken(question, found)) return found
  const isAnswered = evidenceOf(found) >= leastEvidence(found.language)
  let wordings = [{ text: '', from: 0 }]
  for (const { 0: whole, 1: words = '', index } of matches) {
    const own = groupOf.get(words.toLowerCase())
    const others = (own?.group ?? []).filter((other) => isOtherWording(other, own, isAnswered))
    const there = await Promise.all(others.map(async (other) => (await searchWords(other.words)).passages.length > 0))
    const choices = [whole, ...others.filter((_, at) => there[at]).map((other) => other.words)]
    wordings = wordings
      .flatMap(({ text, from }) =>
        choices.map((choice) => ({ text: `${text}${asked.slice(from, index)}${choice}`, from: index + whole.length })),
      )
      .slice(0, MAX_WORDINGS)
  }
  let best = found
  for (const { text, from } of wordings.slice(1)) {
    const other = await search(`${text}${asked.slice(from)}`)
    if (evidenceOf(other) > evidenceOf(best) + (best === found && isAnswered ? LEAD : 0)) best = other
  }
  if (best === found) return found
  const rest = await Promise.all(toRest(asked).map(searchWords))
  const hasRest = rest.length === 0 || rest.some(({ passages }) => passages.length > 0)
  return lessSure(best, hasRest ? DOUBT : WITHOUT_REST)
}

export const lessSure = (found: Retrieved, doubt: number): Retrieved => ({
  ...found,
  quotes: found.quotes.map((quote) => ({ ...quote, evidence: quote.evidence - doubt })),
})

/**
 * The passages of the question's own words and those of other words for it, by turns: a model judges them itself.
 *
 * @param own hits of the question's own words.
 */
export async function addOtherWords(
  question: string,
  own: Retrieved,
  search: Search,
  searchWords: Search = search,
): Promise<Retrieved> {
  if (question.length > MAX_QUESTION_CHARS || toAsked(question).search(KNOWN) < 0) return own
  const first = await search(question)
  const other = await searchInOtherWords(question, first, search, searchWords)
  if (other === first) return own
  const length = Math.max(own.passages.length, other.passages.length)
  const byTurns = Array.from({ length }, (_, at) => [other.passages[at] ?? [], own.passages[at] ?? []].flat()).flat()
  // A page may hold several passages.
  const passages = new Map(byTurns.map((passage) => [`${passage.file}\n${passage.place}\n${passage.body}`, passage]))
  return { ...own, passages: [...passages.values()].slice(0, length) }
}
