import { isMeasuring, toStem, toWordList } from './stems.ts'
import { HIGHEST, HIGHEST_AT_END, LOWEST, LOWEST_AT_END } from '#lexicon/follow-up.ts'
import { LANGUAGES } from '#lexicon/languages.ts'
import { allPhrases, allSet, allWords, matchStart, matchWhole, matchWithin, oneOf } from '#lexicon/match.ts'
import type { Topic } from '#lexicon/table-words.ts'
import { stopWordsOf } from '#platform/engine/text/stop-words.ts'
import { normalize } from '#platform/engine/text/words.ts'
import { type Comparison, readComparisons } from './comparisons.ts'
import { type Flow, flowOf } from './flow.ts'
import type { Form } from './form.ts'
import {
  findNegated,
  hasOpenLimit,
  isBeyondTables,
  isLimit,
  isNegation,
  needsNext,
  sayCompared,
  sayNothing,
  sayStock,
  spellOut,
} from './limits.ts'
import { type Period, readPeriod } from './period.ts'
import { isTopicWord, topicsOfWord } from './topics.ts'

export type Aggregate = 'max' | 'min' | 'sum' | 'average' | 'median' | 'count' | 'rows' | 'value'

/** Values of several rows together. */
export const ADDED: ReadonlySet<Aggregate> = new Set(['sum', 'average', 'median'])

export interface AskedWord {
  readonly text: string
  /** Endings cut off. */
  readonly stem: string
  /** It follows `in`, `of`, `für` …, so it names which rows. */
  readonly isPlace: boolean
  /** It follows `which`, `how many` …, so it names the kind of the rows. */
  readonly isHead: boolean
  /** The word after `not`. */
  readonly isNegated: boolean
  /** It limits or changes the computation, so a table has to know it. */
  readonly isLimit: boolean
  /** A name of the rows with an extreme (`the cheapest product`): a table may lack it. */
  readonly isName: boolean
  /** Last word of the things that `which`, `how many` … ask for: `categories` of `product categories`. */
  readonly isCounted: boolean
  /** A verb that chooses no rows. */
  readonly isLight: boolean
  /** It follows `by`: `total by category`. */
  readonly isGroup: boolean
  /** Stem of the next word, where this one means something with it only: `last name`. */
  readonly next: string | undefined
}

/** A question as a table understands it. */
export interface TableQuestion {
  /** As it is written, in small letters. */
  readonly text: string
  readonly aggregate: Aggregate
  readonly comparisons: readonly Comparison[]
  /** Kinds of columns that its words point to: `expensive` to prices. */
  readonly topics: ReadonlySet<Topic>
  /** Words that are neither common nor name a computation. */
  readonly words: readonly AskedWord[]
  /** Stems of the things that `which`, `how many` … ask for, common words too. */
  readonly heads: readonly string[]
  /** The same as they are written. */
  readonly things: readonly string[]
  /** All words in order, for values of several words. */
  readonly stems: readonly string[]
  /** Its words are among `words`, too. */
  readonly period: Period | undefined
  /** Each aggregate that the question says, with the stems of its words. */
  readonly aggregates: ReadonlyMap<Aggregate, readonly string[]>
  /** Part of it is not understood: nothing is computed. */
  readonly isUnclear: boolean
  /** `or` joins two parts of it. */
  readonly hasOr: boolean
  /** `How many … are in stock?` */
  readonly asksStock: boolean
  /** It asks what things are worth. */
  readonly asksWorth: boolean
  /** `Who …?` asks for rows where no row is named. */
  readonly asksWho: boolean
  /** `How much`: an amount, most likely of money. */
  readonly asksMuch: boolean
  readonly flow: Flow | undefined
  /** `How many different …?` */
  readonly asksDifferent: boolean
  /** `Paid nothing`: not even a part. */
  readonly saysNothing: boolean
  /** Absent: one value, or rows. */
  readonly form?: Form
}

const MAX_QUESTION = 500

const WORD = { word: String.raw`(?<word>\p{L}{1,20})` }
const find = (list: 'average' | 'median' | 'count' | 'rows' | 'spent' | 'sum') =>
  matchWithin(allPhrases('tables', list), 'giu', WORD)
const SPENT_APART = new RegExp(
  String.raw`(?<!\p{L})${oneOf(allPhrases('tables', 'spentHead'))}(?!\p{L})` +
    String.raw`(?=.{1,100}(?<!\p{L})${oneOf(allWords('tables', 'spentTail'))}(?!\p{L}))`,
  'giu',
)
/** `How much is still outstanding?` is a sum, whose rows the word chooses. */
const OWED = new RegExp(
  String.raw`(?<!\p{L})${oneOf(allPhrases('tables', 'spentHead'))}(?!\p{L})` +
    String.raw`(?=.{1,100}(?<!\p{L})${oneOf(allPhrases('tables', 'owed'))}(?!\p{L}))`,
  'giu',
)
const OWN_EARNING = matchWithin(allPhrases('tables', 'ownEarning'))
const SPENT = find('spent')
const HOW_LONG = oneOf(allPhrases('tables', 'howLong'))
const AT_END = String.raw`(?=\s?\?|\W*$)`

const AGGREGATES: readonly (readonly [RegExp, Aggregate])[] = [
  [find('median'), 'median'],
  [find('average'), 'average'],
  [matchWithin(LOWEST, 'giu'), 'min'],
  [matchWithin(HIGHEST, 'giu'), 'max'],
  // `How long does it last?` asks for no end.
  [new RegExp(String.raw`(?<!\p{L}|${HOW_LONG} .{0,200})${oneOf(HIGHEST_AT_END)}${AT_END}`, 'gu'), 'max'],
  [new RegExp(String.raw`(?<!\p{L})${oneOf(LOWEST_AT_END)}${AT_END}`, 'gu'), 'min'],
  [find('sum'), 'sum'],
  // Payments over time are several rows.
  [SPENT, 'sum'],
  [SPENT_APART, 'sum'],
  [OWED, 'sum'],
  [find('count'), 'count'],
  [find('rows'), 'rows'],
]

/** Languages in which tables are asked. */
const OF_TABLES = LANGUAGES.filter(({ tables }) => tables !== undefined).map(({ code }) => code)
const ASKING = allSet('tables', 'asking')
let common: ReadonlySet<string> | undefined
const isCommon = (word: string) => (common ??= new Set(OF_TABLES.flatMap(stopWordsOf).map(normalize))).has(word)
const isStopWord = (word: string) => ASKING.has(word) || isCommon(word)

/** Whether a word says nothing about rows or columns: `a`, `have`. */
export const isSmallWord = (word: string): boolean => isStopWord(word) || LIGHT.has(word)

const HEAD = new RegExp(
  String.raw`(?<!\p{L})${oneOf(allPhrases('tables', 'heads'))}\s(?:${oneOf(allWords('tables', 'afterHeads'))}\s){0,3}` +
    String.raw`([\p{L}\p{N}]+)`,
  'gu',
)
const PLACING = allSet('tables', 'placing')
const ARTICLE = matchWhole(allPhrases('tables', 'articles'))
const GROUPING = allSet('tables', 'grouping')
const LIGHT = allSet('tables', 'light')
const SHARING = matchWhole(allPhrases('tables', 'sharing'))
export const isSharing = (word: string): boolean => SHARING.test(word)
/** `Hours per week` are hours. */
const isBreak = (word: string) => LIGHT.has(word) || isSharing(word)

/** Words in order; `;` is a comparison or an aggregate, `^` an extreme, `^^` one of a number: `most`. */
const toTokens = (text: string): string[] => text.match(/[\p{L}\p{N}]+|[;,]|\^+/gu) ?? []

/** `The most visitors` is a number of them, `the cheapest product` a row. */
const MANY = matchWhole([...allPhrases('tables', 'mostRows'), ...allPhrases('tables', 'fewestRows')])

const OR = matchWithin(allWords('tables', 'or'))
const WORTH = matchWithin(allPhrases('tables', 'worth'))
export const isWorthWord = (word: string): boolean => WORTH.test(word)
const DIFFERENT = new RegExp(
  String.raw`(?<=(?<!\p{L})${oneOf(allPhrases('tables', 'heads'))}\s)${oneOf(allPhrases('tables', 'different'))}\s`,
  'gu',
)
const MUCH = matchWithin(allPhrases('tables', 'spentHead'))
const WHO = matchStart(allWords('tables', 'who'))

const BEFORE_LIMIT = new RegExp(
  String.raw`(?<!\p{L})${oneOf([...allWords('tables', 'below'), ...allWords('tables', 'above')])}\s(?:${oneOf(allPhrases('tables', 'owning'))}\s)?$`,
  'u',
)

/** Takes the words of aggregates out of the question; a word in the place of another one stays: `feed` of `did feed cost`. */
function readAggregates(text: string) {
  const aggregates = new Map<Aggregate, readonly string[]>()
  let rest = text
  for (const [pattern, one] of AGGREGATES) {
    rest = rest.replace(pattern, (match: string, ...more: unknown[]) => {
      const offset = more.find((each): each is number => typeof each === 'number') ?? 0
      // `Below the minimum` names a column.
      if ((one === 'min' || one === 'max') && BEFORE_LIMIT.test(rest.slice(0, offset))) return match
      // `What did we spend on average` is no sum.
      const isOther =
        (pattern === SPENT || pattern === SPENT_APART) && (aggregates.has('average') || aggregates.has('median'))
      if (!isOther) aggregates.set(one, [...(aggregates.get(one) ?? []), ...toWordList(match).map(toStem)])
      if (one === 'max' || one === 'min') return MANY.test(match) ? ' ^^ ' : ' ^ '
      const groups = more.at(-1) as string | { readonly word?: string }
      return one === 'sum' && typeof groups === 'object' ? ` ; ${groups.word ?? ''} ` : ' ; '
    })
  }
  return { aggregates, rest }
}

/** `Pontoon B`: a capital alone after a word is a name, unlike `I`. A small one is, where it is no word and no ending. */
const LABEL = /(?<!\p{L})\p{L}{3,30} (?:[A-HJ-Z]|[bcfghjklnpqrvwxz])(?![\p{L}\p{N}'’])/gu

function toAskedWords(rest: string, heads: ReadonlySet<string | undefined>, labels: ReadonlySet<string>) {
  const tokens = toTokens(rest)
  const isWord = (at: number) => {
    const word = tokens[at] ?? ''
    if (isLimit(tokens, at)) return true
    // `By the volunteers` groups nothing.
    if (GROUPING.has(tokens[at - 1] ?? '') && !ARTICLE.test(word)) return true
    if (labels.has(`${tokens[at - 1]} ${word}`)) return true
    return !isStopWord(word) && !/^(?:\p{L}|[;,]|\^+)$/u.test(word) && !isNegation(word)
  }
  const negated = findNegated(tokens, (at) => at < tokens.length && isWord(at))
  let isOfHead = false
  const isMeasured = [...heads].some((head) => head !== undefined && isMeasuring(head))
  const words = tokens.flatMap((word, at): AskedWord[] => {
    isOfHead = isWord(at) && !isBreak(word) && (isOfHead || heads.has(word))
    if (!isWord(at)) return []
    const before = (ARTICLE.test(tokens[at - 1] ?? '') ? tokens[at - 2] : tokens[at - 1]) ?? ''
    const isHead = heads.has(word)
    const limits = isLimit(tokens, at)
    const isLast =
      (isHead && isMeasuring(word)) || at + 1 >= tokens.length || !isWord(at + 1) || isBreak(tokens[at + 1] ?? '')
    const behind = (ARTICLE.test(tokens[at + 1] ?? '') ? tokens[at + 2] : tokens[at + 1]) ?? ''
    const next = limits && needsNext(word) ? toStem(behind) : undefined
    const isBest = before === '^' || (tokens[at - 2] === '^' && (isStopWord(before) || isTopicWord(before)))
    return [
      {
        text: word,
        stem: toStem(word),
        isPlace: PLACING.has(before),
        isHead,
        isNegated: negated?.has(at) === true,
        isLimit: limits,
        isName: !limits && isLast && (isHead || isBest),
        isCounted: isOfHead && isLast && (isHead || !isMeasured),
        isGroup: GROUPING.has(before),
        isLight: LIGHT.has(word),
        next,
      },
    ]
  })
  return { words, isUnclear: negated === undefined }
}

/** `-5 degrees`, not `3-5`. */
const NEGATIVE = /(?<![\p{L}\d])[-−]\d/u

const COMPUTING = ['median', 'average', 'min', 'max', 'sum', 'count', 'rows'] as const

/** The question as a table understands it. */
export function readTableQuestion(question: string): TableQuestion {
  const spelled = spellOut(normalize(question.slice(0, MAX_QUESTION)).replaceAll(/[;^]/g, ','))
  const nothing = sayNothing(spelled)
  const whole = nothing ?? spelled
  const text = whole.replace(DIFFERENT, '')
  const { said, asksStock } = sayStock(text)
  const { comparisons, rest: compared } = readComparisons(said)
  const heads = new Set(Array.from(said.matchAll(HEAD), ([, head]) => head))
  const asked = toWordList(said)
  const topics = new Set(asked.flatMap((word) => topicsOfWord(word)))
  // Income of an organisation is no salary.
  const isOwnEarning = OWN_EARNING.test(said)
  if (isOwnEarning) {
    topics.delete('pay')
    topics.add('price')
  }
  const { aggregates, rest } = readAggregates(sayCompared(compared))
  const labels = new Set(question.slice(0, MAX_QUESTION).match(LABEL)?.map(normalize))
  const { words, isUnclear } = toAskedWords(rest, heads, labels)
  return {
    text: whole,
    aggregate: COMPUTING.find((one) => aggregates.has(one)) ?? 'value',
    aggregates,
    comparisons,
    topics,
    words: isOwnEarning ? words.filter(({ text: of }) => !topicsOfWord(of).includes('pay')) : words,
    things: [...heads].flatMap((head) => (head === undefined || isCommon(head) ? [] : head)),
    heads: [...heads].map((head) => toStem(head ?? '')),
    stems: toWordList(text).map(toStem),
    period: readPeriod(rest.replace(/\s+/g, ' ')),
    isUnclear: isUnclear || isBeyondTables(text) || hasOpenLimit(compared) || NEGATIVE.test(text),
    hasOr: OR.test(rest),
    asksStock,
    asksWorth: WORTH.test(text),
    asksWho: WHO.test(text),
    asksMuch: MUCH.test(text),
    flow: flowOf(text),
    asksDifferent: text !== whole,
    saysNothing: nothing !== undefined,
  }
}
