/** Months of the year from 0, of one year or of any. */
export interface Period {
  readonly months: ReadonlySet<number>
  readonly year: number | undefined
  /** The words that name it. */
  readonly words: ReadonlySet<string>
}

const MONTHS = [
  'january|januar|jänner',
  'february|februar',
  'march|märz',
  'april',
  'may|mai',
  'june|juni',
  'july|juli',
  'august',
  'september',
  'october|oktober',
  'november',
  'december|dezember',
].map((names) => new RegExp(`^(?:${names})$`, 'u'))
const MONTH = new RegExp(
  String.raw`(?<!\p{L})(?:in|im|during|for|of|für|from|vom)\s(?:the month of\s|monat\s)?(?<month>${MONTHS.map(({ source }) => source.slice(4, -2)).join('|')})(?!\p{L}|\s\d{1,2}(?!\d))(?:\s(?<year>\d{4}))?`,
  'u',
)
const ORDER = ['1|first|erste[nms]?', '2|second|zweite[nms]?', '3|third|dritte[nms]?', '4|fourth|vierte[nms]?']
const QUARTER = new RegExp(
  String.raw`(?<![\p{L}\d])(?:q(?<number>[1-4])(?!\d)|(?<order>${ORDER.join('|')})(?:st|nd|rd|th)?\.?\s(?:quarter|quartals?))(?:\s(?:of\s)?(?<year>\d{4}))?`,
  'u',
)
const YEAR = /(?<!\p{L})(?:in|during|for|für|im jahre?)\s(?:the year\s)?(?<year>(?:19|20)\d\d)(?![\d.-])/u

const everyMonth = Array.from({ length: 12 }, (_, at) => at)

function monthsOf({ month, number, order }: Readonly<Record<string, string | undefined>>): readonly number[] {
  if (month !== undefined) return [MONTHS.findIndex((names) => names.test(month))]
  const quarter =
    number === undefined
      ? ORDER.findIndex((words) => order !== undefined && new RegExp(`^(?:${words})$`, 'u').test(order))
      : Number(number) - 1
  return quarter < 0 ? everyMonth : [0, 1, 2].map((at) => quarter * 3 + at)
}

/** The month, quarter or year that a question names: `in August`, `im dritten Quartal 2026`, `in 2025`. */
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
