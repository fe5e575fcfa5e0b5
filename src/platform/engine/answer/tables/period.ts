import { allPhrases, allWords, matchWhole, namesByPlace, oneOf } from '#lexicon/match.ts'

/** Months of the year from 0, of one year or of any. */
export interface Period {
  readonly months: ReadonlySet<number>
  readonly year: number | undefined
  /** `From May to August`: of one year, where none is named. */
  readonly isRange: boolean
  /** The words that name it. */
  readonly words: ReadonlySet<string>
}

const MONTHS = namesByPlace('months', 12)
const ORDINALS = namesByPlace('ordinals', 4).map((names, at) => [`${at + 1}`, ...names])
const MONTH_NAMES = MONTHS.map((names) => matchWhole(names))
const ORDINAL_NAMES = ORDINALS.map((names) => matchWhole(names))

const IN_MONTH = oneOf(allPhrases('tables', 'inMonth'))
const MONTH_OF = oneOf(allPhrases('tables', 'monthOf'))
const IN_YEAR = oneOf(allPhrases('tables', 'inYear'))
const ENDING = oneOf(allWords('tables', 'ordinalEndings'))
const QUARTERS = oneOf(allPhrases('tables', 'quarter'))
const OF = oneOf(allWords('tables', 'quarterOf'))

const MONTH = new RegExp(
  String.raw`(?<!\p{L})${IN_MONTH}\s(?:${MONTH_OF}\s)?(?<month>${oneOf(MONTHS.flat())})` +
    String.raw`(?!\p{L}|\s\d{1,2}(?!\d))(?:\s(?<year>\d{4}))?`,
  'u',
)
const MONTH_NAME = oneOf(MONTHS.flat())
/** `From January to March`, `January to March`. */
const RANGE = new RegExp(
  String.raw`(?<!\p{L})(?:(?:${oneOf(allWords('tables', 'from'))}\s)?(?<first>${MONTH_NAME})\s${oneOf(allWords('tables', 'rangeTo'))}|` +
    String.raw`${oneOf(allWords('tables', 'from'))}\s(?<start>${MONTH_NAME})\s${oneOf(allWords('tables', 'to'))})\s` +
    String.raw`(?<last>${MONTH_NAME})(?!\p{L})(?:\s(?<year>\d{4}))?`,
  'u',
)
/** `August and June 2025`: two months that are compared or added. */
const PAIR = new RegExp(
  String.raw`(?<!\p{L})(?:${IN_MONTH}\s)?(?<one>${MONTH_NAME})\s${oneOf(allWords('tables', 'to'))}\s(?:${IN_MONTH}\s)?(?<other>${MONTH_NAME})(?!\p{L})(?:\s(?<year>\d{4}))?`,
  'u',
)
const QUARTER = new RegExp(
  String.raw`(?<![\p{L}\d])(?:q(?<number>[1-4])(?!\d)|(?<order>${oneOf(ORDINALS.flat())})${ENDING}?\.?\s${QUARTERS})` +
    String.raw`(?:\s(?:${OF}\s)?(?<year>\d{4}))?`,
  'u',
)
const YEAR = new RegExp(String.raw`(?<!\p{L})${IN_YEAR}\s(?<year>(?:19|20)\d\d)(?![\d.-])`, 'u')

/** `The 2025 hires`. */
const YEAR_OF = new RegExp(
  String.raw`(?<=(?:^|[^\p{L}])(?:${oneOf(allPhrases('tables', 'articles').concat(allPhrases('tables', 'wholeYear')))}|;)\s)` +
    String.raw`(?<year>(?:19|20)\d\d)(?=\s\p{L}{3})`,
  'u',
)

/** UTC. */
export const yearOf = (time: bigint): number => new Date(Number(time)).getUTCFullYear()

const everyMonth = Array.from({ length: 12 }, (_, at) => at)

const monthOf = (name: string) => MONTH_NAMES.findIndex((names) => names.test(name))

function monthsOf(found: Readonly<Record<string, string | undefined>>): readonly number[] {
  const { month, number, order, start, first = start, last, one, other } = found
  if (one !== undefined && other !== undefined) return [monthOf(one), monthOf(other)]
  if (month !== undefined) return [monthOf(month)]
  if (first !== undefined && last !== undefined) {
    const [from, to] = [monthOf(first), monthOf(last)]
    // Over New Year it is two years: none is taken.
    return everyMonth.filter((at) => at >= from && at <= to)
  }
  const quarter =
    number === undefined
      ? ORDINAL_NAMES.findIndex((names) => order !== undefined && names.test(order))
      : Number(number) - 1
  return quarter < 0 ? everyMonth : [0, 1, 2].map((at) => quarter * 3 + at)
}

const find = (text: string) =>
  QUARTER.exec(text) ?? RANGE.exec(text) ?? PAIR.exec(text) ?? MONTH.exec(text) ?? YEAR.exec(text) ?? YEAR_OF.exec(text)

/** The words of a period in a text, as they are. */
export const periodIn = (text: string): string | undefined => find(text)?.[0]

/** The month, quarter or year that a question names: `in August`, `in the third quarter of 2026`, `in 2025`. */
export function readPeriod(text: string): Period | undefined {
  const match = find(text)
  if (match?.groups === undefined) return undefined
  const { year } = match.groups
  return {
    months: new Set(monthsOf(match.groups)),
    year: year === undefined ? undefined : Number(year),
    isRange: (match.groups['last'] ?? match.groups['other']) !== undefined,
    words: new Set(match[0].match(/[\p{L}\p{N}]+/gu)),
  }
}

/** @param time milliseconds of a date column */
export function isWithin({ months, year }: Period, time: bigint): boolean {
  const date = new Date(Number(time))
  return months.has(date.getUTCMonth()) && (year === undefined || year === date.getUTCFullYear())
}
