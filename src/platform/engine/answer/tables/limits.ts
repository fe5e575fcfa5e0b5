import { LOWEST, HIGHEST } from '#lexicon/follow-up.ts'
import { allPhrases, allWords, matchWhole, matchWithin, oneOf, allSet } from '#lexicon/match.ts'

/** Words in place of `in stock` and `out of stock`, so that a negation can precede them. */
export const IN_STOCK = 'in0stock0'
export const OUT_OF_STOCK = 'out0stock0'

const OUT = matchWithin(allPhrases('tables', 'outOfStock'), 'giu')
const SOME = matchWithin(allPhrases('tables', 'inStock'), 'giu')
const AVAILABLE = matchWithin(allPhrases('tables', 'available'), 'giu')
const HOW_MANY = matchWithin(allPhrases('tables', 'howMany'))

/** The question with one word for each phrase about a stock; the number itself may be asked for instead. */
export function sayStock(text: string): { readonly said: string; readonly asksStock: boolean } {
  const said = text.replace(OUT, ` ${OUT_OF_STOCK} `)
  const asksStock = HOW_MANY.test(text) && said.search(SOME) >= 0
  return {
    said: HOW_MANY.test(text) ? said : said.replace(SOME, ` ${IN_STOCK} `).replace(AVAILABLE, ` ${IN_STOCK} `),
    asksStock,
  }
}

/** A word in place of `so far`, which only a sheet of months knows: its months are those that there are. */
export const SO_FAR = 'so0far0'
const NEGATED = matchWithin(allPhrases('tables', 'negations'))
const UP_TO_NOW = matchWithin(allPhrases('tables', 'soFar'), 'giu')
const GATHERING = allSet('tables', 'gathering')
/** Whether a word chooses no values of a sheet of months. */
export const isOfMonths = (word: string): boolean => word === SO_FAR || GATHERING.has(word)
/** `Not paid so far` is not paid yet. */
export const saySoFar = (text: string): string => text.replace(UP_TO_NOW, NEGATED.test(text) ? ' ' : ` ${SO_FAR} `)

const NEGATED_VERB = oneOf(allWords('tables', 'negatedVerbs'))
const NOT = new RegExp(String.raw`(?<=\p{L})n['’]t(?!\p{L})|(?<=(?<!\p{L})${NEGATED_VERB})nt(?!\p{L})`, 'gu')

/** `doesn't` and `isnt` as two words. */
export const spellOut = (text: string): string => text.replace(NOT, ' not')

const NOTHING = new RegExp(
  String.raw`(?<!\p{L})(?<verb>\p{L}{3,20})\s${oneOf(allPhrases('tables', 'nothing'))}(?!\p{L})`,
  'u',
)
/** `Paid nothing at all` is not paid; undefined where the question does not say it. */
export const sayNothing = (text: string): string | undefined =>
  NOTHING.test(text) ? text.replace(NOTHING, 'not $<verb>') : undefined

const [ABOVE = '', BELOW = ''] = [
  ...allWords('tables', 'above').slice(0, 1),
  ...allWords('tables', 'below').slice(0, 1),
]
const thanIn = (list: 'lessThan' | 'moreThan') =>
  matchWithin(
    allPhrases('tables', list).filter((phrase) => phrase.includes(' ')),
    'giu',
  )
const [MORE_THAN, LESS_THAN] = [thanIn('moreThan'), thanIn('lessThan')]
/** `Later than due` has one word for the comparison, where no number comes after it. */
export const sayCompared = (text: string): string =>
  text.replace(MORE_THAN, ` ${ABOVE} `).replace(LESS_THAN, ` ${BELOW} `)

const NEGATION = matchWhole(allPhrases('tables', 'negations'))
const AT_END = allSet('tables', 'negationsAtEnd')
const OF_NUMBERS = allSet('tables', 'negationsOfNumbers')
const CLAUSE_ENDS = new Set([';', '^', '^^', ',', ...allWords('tables', 'clauseEnds')])

/**
 * Words after a negation, each the next one of its part of the sentence. A negation that ends a question is for the
 * word before it.
 *
 * @param isContent whether a word says something about a row
 * @returns undefined where a negation has no word of its own
 */
export function findNegated(
  tokens: readonly string[],
  isContent: (at: number) => boolean,
): ReadonlySet<number> | undefined {
  const found = new Set<number>()
  for (const [at, token] of tokens.entries()) {
    if (!NEGATION.test(token) || (OF_NUMBERS.has(token) && /^\d/.test(tokens[at + 1] ?? ''))) continue
    let next = at + 1
    while (next < tokens.length && !isContent(next) && !CLAUSE_ENDS.has(tokens[next] ?? '')) next += 1
    const last = tokens.findLastIndex((_, before) => before < at && isContent(before))
    if (next < tokens.length && isContent(next)) found.add(next)
    else if (AT_END.has(token) && next === tokens.length && last >= 0) found.add(last)
    else return undefined
  }
  return found
}

export const isNegation = (word: string): boolean => NEGATION.test(word)

const UNIT = matchWhole(allPhrases('tables', 'units'))
/** Whether a word is one such as `month`. */
export const isUnit = (word: string): boolean => UNIT.test(word)
const DOUBTFUL_MONTH = allSet('tables', 'doubtfulMonths')
const MONTH = matchWhole(allPhrases('tables', 'months').filter((month) => !DOUBTFUL_MONTH.has(month)))
const MADE = matchWhole(allPhrases('tables', 'made'))
const ORDINAL = String.raw`\d{1,3}${oneOf(allWords('tables', 'ordinalEndings'))}`
const COUNTING = new RegExp(`^(?:${ORDINAL}|${oneOf(allPhrases('tables', 'counting'))})$`, 'u')
const LIMITS = [
  UNIT,
  MONTH,
  MADE,
  COUNTING,
  matchWhole(allPhrases('tables', 'relative')),
  matchWhole(allWords('tables', 'comparing')),
  matchWhole(allPhrases('tables', 'sharing')),
  matchWhole(allPhrases('tables', 'others')),
  matchWhole(allPhrases('tables', 'owed')),
]
const SHOWING = matchWhole(allPhrases('tables', 'showing'))
const BEFORE_MONTH = allSet('tables', 'beforeMonths')
const AFTER_MONTH = allSet('tables', 'afterMonths')
const AFTER_VERB = allSet('tables', 'afterVerbs')
const THAN = allSet('tables', 'than')
const COMPARATIVE = matchWhole(allPhrases('tables', 'comparatives'))
const RANGE_TO = allSet('tables', 'rangeTo')
const RANGE_FROM = allSet('tables', 'rangeFrom')
const AFTER_WHEN = allSet('tables', 'afterWhen')
const WHO_OR_WHEN = allSet('tables', 'whoOrWhen')

/** Whether the word asks for a value made of several ones: `share`. */
export const isMade = (word: string): boolean => MADE.test(word)

/** Whether `may` is the month, as in `April and may`; in `and may we` it is the verb. */
function isMonth(tokens: readonly string[], at: number): boolean {
  const [before = '', next] = [tokens[at - 1], tokens[at + 1]]
  if (next === undefined || /^\d{4}$/.test(next) || AFTER_MONTH.has(next)) return true
  if (AFTER_VERB.has(next) && CLAUSE_ENDS.has(before)) return MONTH.test(tokens[at - 2] ?? '')
  return BEFORE_MONTH.has(before)
}

/** Whether a word chooses the rows or the computation, so that it must not be ignored. */
export function isLimit(tokens: readonly string[], at: number): boolean {
  const [word = '', before = '', next = ''] = [tokens[at], tokens[at - 1], tokens[at + 1]]
  if (DOUBTFUL_MONTH.has(word)) return isMonth(tokens, at)
  if (THAN.has(word)) return COMPARATIVE.test(before)
  if (RANGE_TO.has(word)) return tokens.slice(0, at).some((one) => RANGE_FROM.has(one))
  if (AFTER_WHEN.has(word)) return WHO_OR_WHEN.has(tokens[0] ?? '')
  if (SHOWING.test(word)) return UNIT.test(next)
  return LIMITS.some((pattern) => pattern.test(word))
}

/** Whether a word has a meaning of its own only with the next one: `last name`. */
export const needsNext = (word: string): boolean =>
  !DOUBTFUL_MONTH.has(word) && ![UNIT, MONTH, MADE].some((pattern) => pattern.test(word))

const EXTREME = oneOf([...LOWEST, ...HIGHEST])
const SEVERAL = String.raw`(?:${ORDINAL}\.?|\d{1,3}\.?|${oneOf(allPhrases('tables', 'several'))})`
const SHORT_MONTH = oneOf(allPhrases('tables', 'monthStarts'))
const BEYOND = [
  new RegExp(String.raw`(?<![\p{L}\d.,])${SEVERAL}\s${EXTREME}(?!\p{L})`, 'u'),
  new RegExp(String.raw`(?<!\p{L})${EXTREME}\s${SEVERAL}(?![\p{L}\d.,])`, 'u'),
  new RegExp(String.raw`${oneOf(allWords('tables', 'ordinalBeginnings'))}${EXTREME}(?!\p{L})`, 'u'),
  new RegExp(String.raw`(?<!\p{L})${SHORT_MONTH}\p{L}{0,6}\s?[-–/]\s?${SHORT_MONTH}`, 'u'),
  matchWithin(allPhrases('tables', 'beyond')),
]

/** Whether a question is beyond tables: the second highest, the three cheapest, May to July. */
export const isBeyondTables = (text: string): boolean => BEYOND.some((pattern) => pattern.test(text))

const OPEN_LIMIT = matchWithin(allPhrases('tables', 'openLimits'))

/** Whether a comparison is left whose limit is no number: `at least one`. */
export const hasOpenLimit = (rest: string): boolean => OPEN_LIMIT.test(rest)
