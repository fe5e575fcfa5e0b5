import { allPhrases, allWords, matchWhole, namesByPlace, oneOf } from '#lexicon/match.ts'

/** Months of the year from 0, of one year or of any. */
export interface Period {
  readonly months: ReadonlySet<number>
  readonly year: number | undefined
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
const QUARTER = new RegExp(
  String.raw`(?<![\p{L}\d])(?:q(?<number>[1-4])(?!\d)|(?<order>${oneOf(ORDINALS.flat())})${ENDING}?\.?\s${QUARTERS})` +
    String.raw`(?:\s(?:${OF}\s)?(?<year>\d{4}))?`,
  'u',
)
const YEAR = new RegExp(String.raw`(?<!\p{L})${IN_YEAR}\s(?<year>(?:19|20)\d\d)(?![\d.-])`, 'u')

const everyMonth = Array.from({ length: 12 }, (_, at) => at)

function monthsOf({ month, number, order }: Readonly<Record<string, string | undefined>>): readonly number[] {
  if (month !== undefined) return [MONTH_NAMES.findIndex((names) => names.test(month))]
  const quarter =
    number === undefined
      ? ORDINAL_NAMES.findIndex((names) => order !== undefined && names.test(order))
      : Number(number) - 1
  return quarter < 0 ? everyMonth : [0, 1, 2].map((at) => quarter * 3 + at)
}

/** The month, quarter or year that a question names: `in August`, `in the third quarter of 2026`, `in 2025`. */
export function readPeriod(text: string): Period | undefined {
  const match = QUARTER.exec(text) ?? MONTH.exec(text) ?? YEAR.exec(text)
  if (match?.groups === undefined) return undefined
  const { year } = match.groups
  return {
    months: new Set(monthsOf(match.groups)),
    year: year === undefined ? undefined : Number(year),
    words: new Set(match[0].match(/[\p{L}\p{N}]+/gu)),
  }
}

/** @param time milliseconds of a date column */
export function isWithin({ months, year }: Period, time: bigint): boolean {
  const date = new Date(Number(time))
  return months.has(date.getUTCMonth()) && (year === undefined || year === date.getUTCFullYear())
}
