import { allPhrases, allWords, matchWhole, namesByPlace, oneOf } from '#lexicon/match.ts'
import { type Amount, type Column, compare, toColumn, toDate } from './column.ts'

export interface Comparison {
  readonly sign: '>' | '>=' | '<' | '<='
  /** As it was written; its notation is that of the column. */
  readonly text: string
  readonly date: Amount | undefined
  /** A day, a month from 0, or a year, where it is said as one: `after 1 May`. */
  readonly when?: { readonly year?: number; readonly month?: number; readonly day?: number }
}

const UNIT = String.raw`\s?(?:[€$£%]|(?:eur|usd|gbp|chf|kg|h|euros?|dollars?|pounds?)(?!\p{L}))`
const AMOUNT = String.raw`([€$£]?\s?\d[\d.,'’/-]{0,20}(?:${UNIT})?)`
const UNIT_AT_END = new RegExp(`${UNIT}$`, 'iu')
const before = (phrases: readonly string[]) => new RegExp(String.raw`(?<!\p{L})${oneOf(phrases)}\s${AMOUNT}`, 'giu')
const COMPARISONS: readonly (readonly [RegExp, Comparison['sign']])[] = [
  [before([...allPhrases('tables', 'atLeast'), '>=', '≥']), '>='],
  [before([...allPhrases('tables', 'atMost'), '<=', '≤']), '<='],
  [before([...allPhrases('tables', 'moreThan'), '>']), '>'],
  [before([...allPhrases('tables', 'lessThan'), '<']), '<'],
]
const FROM = oneOf(allWords('tables', 'from'))
const TO = oneOf(allWords('tables', 'to'))
const BETWEEN = new RegExp(String.raw`(?<!\p{L})${FROM}\s${AMOUNT}\s${TO}\s${AMOUNT}`, 'giu')

const MONTHS = namesByPlace('months', 12).map((names, at) => [...names, ...(namesByPlace('monthStarts', 12)[at] ?? [])])
const MONTH = String.raw`(?<month>${oneOf(MONTHS.flat())})\.?`
const MONTH_NAMES = MONTHS.map((names) => matchWhole(names))
const YEAR = String.raw`(?<year>(?:19|20)\d\d)`
const DAY = String.raw`(?<day>\d{1,2})(?:\.|${oneOf(allWords('tables', 'ordinalEndings'))})?`
const OF = oneOf(allPhrases('tables', 'monthOf').concat(allWords('tables', 'quarterOf')))
const END_OF = String.raw`(?:(?<end>${oneOf(allPhrases('tables', 'endOf'))})\s)?`
const AFTER = String.raw`(?![\p{L}\d]|[.,/-]\d)`
const ARTICLE = oneOf(allPhrases('tables', 'articles'))
const DATES = [
  String.raw`${DAY}\s(?:${OF}\s)?${MONTH}(?:,?\s${YEAR})?`,
  String.raw`${MONTH}\s${DAY}(?:,?\s${YEAR})?`,
  String.raw`(?<year>\d{4})-(?<number>\d{2})-(?<day>\d{2})`,
  String.raw`(?<day>\d{1,2})\.\s?(?<number>\d{1,2})\.\s?${YEAR}`,
  String.raw`${MONTH}(?:\s(?:${OF}\s)?${YEAR})?`,
]
const WHOLE_YEAR = new RegExp(String.raw`^${END_OF}(?:${ARTICLE}\s)?${YEAR}${AFTER}`, 'iu')
/** `From March` may be all of it. */
const OPEN = new Set(allWords('tables', 'rangeFrom'))
const SAID_DATES = DATES.map((date) => new RegExp(String.raw`^${END_OF}(?:${ARTICLE}\s)?${date}${AFTER}`, 'iu'))
const TIMED = matchWhole(allPhrases('tables', 'timed'))
const SIGNS: readonly (readonly [RegExp, Comparison['sign']])[] = (
  [
    ['atLeast', '>='],
    ['atMost', '<='],
    ['moreThan', '>'],
    ['lessThan', '<'],
  ] as const
).map(([list, sign]) => {
  const phrases = allPhrases('tables', list).filter((phrase) => !OPEN.has(phrase))
  return [new RegExp(String.raw`(?<!\p{L})(${oneOf(phrases)})\s(?=\p{L}|\d)`, 'giu'), sign]
})

/** The day, month or year with which a text begins, and its letters. */
function readWhen(text: string, isTimed: boolean) {
  const match = SAID_DATES.map((one) => one.exec(text)).find((one) => one !== null) ?? WHOLE_YEAR.exec(text)
  if (match?.groups === undefined) return undefined
  const { year, month, number, day, end } = match.groups
  if (month === undefined && number === undefined && !isTimed && end === undefined) return undefined
  const at = month === undefined ? Number(number) - 1 : MONTH_NAMES.findIndex((names) => names.test(month))
  const when = {
    ...(year === undefined ? {} : { year: Number(year) }),
    ...(Number.isNaN(at) ? {} : { month: at }),
    ...(day === undefined ? {} : { day: Number(day) }),
  }
  return { when, length: match[0].length, isEnd: end !== undefined, text: year ?? match[0] }
}

/** Limits in time, and the question without them. */
function readTimes(text: string): { readonly comparisons: readonly Comparison[]; readonly rest: string } {
  const comparisons: Comparison[] = []
  let rest = text
  for (const [pattern, sign] of SIGNS) {
    for (const match of [...rest.matchAll(pattern)].toReversed()) {
      const [said, phrase = ''] = match
      const behind = rest.slice(match.index + said.length)
      const found = readWhen(behind, TIMED.test(phrase))
      if (found === undefined) continue
      const { when, isEnd, length } = found
      // Before the end of a year is in it.
      comparisons.push({ sign: isEnd && sign === '<' ? '<=' : sign, text: found.text, date: undefined, when })
      rest = `${rest.slice(0, match.index)} ; ${behind.slice(length)}`
    }
  }
  return { comparisons, rest }
}

/** Comparisons with an amount or a date, and the question without them. */
export function readComparisons(text: string): { readonly comparisons: readonly Comparison[]; readonly rest: string } {
  const times = readTimes(text)
  const comparisons: Comparison[] = [...times.comparisons]
  const add = (sign: Comparison['sign'], amount: string) => comparisons.push(toComparison(sign, amount))
  let rest = times.rest.replace(BETWEEN, (_, low: string, high: string) => {
    add('>=', low)
    add('<=', high)
    return ' ; '
  })
  for (const [pattern, sign] of COMPARISONS) {
    rest = rest.replace(pattern, (_, amount: string) => {
      add(sign, amount)
      return ' ; '
    })
  }
  return { comparisons, rest }
}

/** Most words before a limit that may name its column. */
const MAX_BEFORE = 5

/** A limit in a text, and the words of its clause before it. */
export interface TextLimit {
  readonly start: number
  readonly end: number
  readonly before: readonly string[]
  readonly comparisons: readonly Comparison[]
}

const toComparison = (sign: Comparison['sign'], amount: string): Comparison => ({
  sign,
  text: amount.trim().replace(/[.,]$/, ''),
  date: toDate(amount.trim(), undefined),
})

/** The limits of a text in their order, those in days and months aside. */
export function limitsIn(text: string): readonly TextLimit[] {
  const found = [
    ...Array.from(text.matchAll(BETWEEN), (match) => ({
      match,
      comparisons: [toComparison('>=', match[1] ?? ''), toComparison('<=', match[2] ?? '')],
    })),
    ...COMPARISONS.flatMap(([pattern, sign]) =>
      Array.from(text.matchAll(pattern), (match) => ({ match, comparisons: [toComparison(sign, match[1] ?? '')] })),
    ),
  ].toSorted((one, other) => one.match.index - other.match.index || other.match[0].length - one.match[0].length)
  let last = 0
  return found.flatMap(({ match, comparisons }) => {
    const amount = match.index + match[0].length - (match.at(-1)?.length ?? 0)
    if (match.index < last || readWhen(text.slice(amount), false) !== undefined) return []
    last = match.index + match[0].length
    const clause =
      text
        .slice(0, match.index)
        .split(/[,;.:?!()]/u)
        .at(-1) ?? ''
    const words = clause.match(/[\p{L}\p{N}]+/gu)?.slice(-MAX_BEFORE) ?? []
    return [{ start: match.index, end: last, before: words, comparisons }]
  })
}

const CURRENCY_AT_END = /[€$£]|(?:eur|usd|gbp|chf|euros?|dollars?|pounds?)$/iu
/** Whether a limit is an amount of money. */
export const isOfCurrency = ({ text }: Comparison): boolean => CURRENCY_AT_END.test(text)

const GROUP_DIGITS = 3
const GROUPED = /^[€$£]?\s?[1-9]\d{0,2}(?:[.,]\d{3})+$/

/** The limit of a comparison, read as the column is written. */
export function toLimit({ sign, text, date }: Comparison, column: Column): Amount | undefined {
  if (column.kind === 'date') {
    const year = Number(/^(\d{4})$/.exec(text)?.[1] ?? Number.NaN)
    if (date !== undefined || Number.isNaN(year)) return date
    // After a year begins with the next one.
    const isEnd = sign === '>' || sign === '<='
    return { digits: BigInt(isEnd ? Date.UTC(year + 1, 0, 1) - 1 : Date.UTC(year, 0, 1)), scale: 0 }
  }
  const bare = text.replace(UNIT_AT_END, '')
  // `5.000` of a column without three decimals is five thousand, in any notation.
  const isGrouped = GROUPED.test(bare) && !column.amounts.some((one) => one?.scale === GROUP_DIGITS)
  const [amount] = toColumn('', [isGrouped ? bare.replace(/[.,]/g, '') : bare], column.notation).amounts
  return amount
}

export function holds(amount: Amount | undefined, { sign }: Comparison, than: Amount | undefined): boolean {
  if (amount === undefined || than === undefined) return false
  const order = compare(amount, than)
  return sign === '>' ? order > 0 : sign === '<' ? order < 0 : sign === '>=' ? order >= 0 : order <= 0
}
