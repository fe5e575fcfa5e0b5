import { allPhrases, allWords, namesByPlace, oneOf } from '#lexicon/match.ts'
import { byText } from './by-text.ts'

/** A cell as a number: `digits / 10 ** scale`, exactly. Dates are milliseconds, times of day minutes. */
export interface Amount {
  readonly digits: bigint
  readonly scale: number
}

export interface Column {
  readonly header: string
  readonly kind: 'number' | 'date' | 'text'
  /** Undefined where the cell is empty or of no use, such as `n/a`. */
  readonly amounts: readonly (Amount | undefined)[]
  /** `€`, `kg`, `%`: the same in every cell that has one. */
  readonly unit: string
  readonly notation: Notation
  /** Its numbers of four digits are written in groups: 1,200. */
  readonly isGrouped?: boolean
}

/** Minutes of a day, where a date has milliseconds since 1970. */
const isTimeOfDay = (amount: Amount | undefined) =>
  amount !== undefined && amount.digits >= 0n && amount.digits <= 2000n

/** Whether a column has dates, not times of day. */
export const hasDays = ({ kind, amounts }: Column): boolean => kind === 'date' && !amounts.some(isTimeOfDay)

/** Sign before the decimals. */
export type Notation = 'point' | 'comma'

const NUMBER = new RegExp(
  String.raw`^(?<before>[^\d+\-−.,(]{0,12})(?<open>\()?(?<sign>[+\-−])?\s{0,2}(?<middle>[€$£¥]?)\s{0,2}` +
    String.raw`(?<digits>\d(?:[\d.,'’ \u00a0\u202f]{0,40}\d)?)\)?\s{0,3}(?<after>[^\d]{0,16})$`,
  'u',
)

/** Numbers in groups of three digits, and four digits without a group. */
const GROUPED = { point: /\d[,'’ ]\d{3}(?!\d)/, comma: /\d[.'’ ]\d{3}(?!\d)/ } as const
const UNGROUPED = /(?<![\d.,'’ ])\d{4}(?!\d)/
const GROUPED_FOUR = /(?<![\d.,'’ ])\d[.,'’ ]\d{3}(?!\d)/

/** Whether numbers of four digits have groups: a column may have both `12,000` and `1200`. */
function hasGroups(cells: readonly string[], notation: Notation): boolean {
  const grouped = cells.filter((cell) => GROUPED[notation].test(cell))
  return (
    grouped.some((cell) => GROUPED_FOUR.test(cell)) ||
    (grouped.length > 0 && !cells.some((cell) => UNGROUPED.test(cell)))
  )
}

/** A name of letters and digits, such as `A-001`; a currency may be as close to its number. */
const CODE = /^(?!eur|chf|usd|gbp)\p{L}{1,4}[-–]?\d[\d-]*$/iu

/** Digits after a zero are a name, such as that of a place: `01234`. */
const PADDED = /^0\d+$/

/** Least share of the filled cells that have to be numbers. */
const MIN_SHARE = 0.8

const toGroups = (match: RegExpExecArray | null) => match?.groups as Readonly<Record<string, string | undefined>>

/** Notation that a number shows; undefined where it fits both: `1.234`. */
function notationOf(digits: string): Notation | undefined {
  const [point, comma] = [digits.lastIndexOf('.'), digits.lastIndexOf(',')]
  if (point >= 0 && comma >= 0) return point > comma ? 'point' : 'comma'
  const sign = point >= 0 ? '.' : comma >= 0 ? ',' : undefined
  if (sign === undefined) return undefined
  const other = sign === '.' ? 'comma' : 'point'
  const same = sign === '.' ? 'point' : 'comma'
  if (digits.indexOf(sign) !== digits.lastIndexOf(sign)) return other
  const decimals = digits.length - digits.lastIndexOf(sign) - 1
  // Thousands never begin with a zero.
  return decimals === 3 && !digits.startsWith('0') ? undefined : same
}

function toAmount(digits: string, isNegative: boolean, notation: Notation): Amount {
  const sign = notation === 'point' ? '.' : ','
  const [whole = '', decimals = ''] = digits.replace(sign === '.' ? /[^\d.]/g : /[^\d,]/g, '').split(sign)
  const value = BigInt(whole + decimals)
  return { digits: isNegative ? -value : value, scale: decimals.length }
}

const MONTHS: readonly RegExp[] = namesByPlace('monthStarts', 12).map((names) => new RegExp(`^${oneOf(names)}`, 'iu'))

const toTime = (year: number, month: number, day: number, minutes = 0): Amount | undefined => {
  const date = new Date(Date.UTC(year < 100 ? 2000 + year : year, month - 1, day, 0, minutes))
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day
    ? { digits: BigInt(date.getTime()), scale: 0 }
    : undefined
}

/** A date; `dayFirst` is how the column writes 03/04/2024, undefined where nothing tells. */
export function toDate(text: string, dayFirst?: boolean): Amount | undefined {
  const iso = /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[T ](\d{1,2}):(\d\d).{0,12})?$/.exec(text)
  if (iso !== null)
    return toTime(Number(iso[1]), Number(iso[2]), Number(iso[3]), Number(iso[4] ?? 0) * 60 + Number(iso[5] ?? 0))
  const inMonth = IN_MONTH.exec(text)
  if (inMonth !== null) return toTime(Number(inMonth[1]), Number(inMonth[2]), 1)
  const dotted = /^(\d{1,2})\.\s?(\d{1,2})\.\s?(\d{4}|\d{2})$/.exec(text)
  if (dotted !== null) return toTime(Number(dotted[3]), Number(dotted[2]), Number(dotted[1]))
  const slashed = /^(\d{1,2})\/(\d{1,2})\/(\d{4}|\d{2})$/.exec(text)
  if (slashed !== null && dayFirst !== undefined) {
    const [day, month] = dayFirst ? [slashed[1], slashed[2]] : [slashed[2], slashed[1]]
    return toTime(Number(slashed[3]), Number(month), Number(day))
  }
  const named =
    /^(?:(\d{1,2})(?:\.|st|nd|rd|th)?\s)?\s?(\p{L}{3,10})\.?\s(?:(\d{1,2})(?:st|nd|rd|th)?,?\s)?(\d{4})$/u.exec(text)
  const month = named === null ? -1 : MONTHS.findIndex((name) => name.test(named[2] ?? ''))
  if (named !== null && month >= 0) return toTime(Number(named[4]), month + 1, Number(named[1] ?? named[3] ?? 1))
  const clock = /^([01]?\d|2[0-4]):([0-5]\d)$/.exec(text)
  return clock === null ? undefined : { digits: BigInt(Number(clock[1]) * 60 + Number(clock[2])), scale: 0 }
}

function slashOrder(cells: readonly string[]): boolean | undefined {
  const pairs = cells.flatMap((cell) => {
    const match = /^(\d{1,2})\/(\d{1,2})\//.exec(cell)
    return match === null ? [] : [[Number(match[1]), Number(match[2])] as const]
  })
  const dayFirst = pairs.some(([first]) => first > 12)
  const monthFirst = pairs.some(([, second]) => second > 12)
  return dayFirst === monthFirst ? undefined : dayFirst
}

/** Notations that the cells show. */
export function notationsIn(cells: readonly string[]): ReadonlySet<Notation> {
  const found = cells.map((cell) => notationOf(toGroups(NUMBER.exec(cell))?.['digits'] ?? ''))
  return new Set(found.filter((one) => one !== undefined))
}

const toText = (header: string, notation: Notation, cells: readonly string[]): Column => ({
  header,
  kind: 'text',
  amounts: cells.map(() => undefined),
  unit: '',
  notation,
})

/** Columns of numbers that are names. */
const NAMING = new RegExp(
  String.raw`^${oneOf(allPhrases('tables', 'namingHeaders'))}$|(?<!\p{L})${oneOf(allWords('tables', 'namingEndings'))}\.?$`,
  'iu',
)
export const saysName = byText((header: string): boolean => NAMING.test(header))

const IN_MONTH = /^((?:19|20)\d\d)-(0[1-9]|1[0-2])$/

/** @param otherwise notation where the column itself does not tell. */
export function toColumn(header: string, cells: readonly string[], otherwise: Notation): Column {
  const filled = cells.filter((cell) => cell !== '').length
  const isMost = (amounts: readonly (Amount | undefined)[]) =>
    filled > 0 && amounts.filter((amount) => amount !== undefined).length >= filled * MIN_SHARE
  const dayFirst = slashOrder(cells)
  const dates = cells.map((cell) => toDate(cell, dayFirst))
  // `2026-05` under `Invoice no` is a number.
  const isNumbered = saysName(header) && cells.some((cell) => IN_MONTH.test(cell))
  if (!isNumbered && isMost(dates)) return { header, kind: 'date', amounts: dates, unit: '', notation: otherwise }
  const notations = notationsIn(cells)
  if (notations.size > 1 || cells.some((cell) => PADDED.test(cell))) return toText(header, otherwise, cells)
  const [notation = otherwise] = notations
  const units = new Set<string>()
  const amounts = cells.map((cell) => {
    if (CODE.test(cell)) return undefined
    const { before = '', open, sign = '', middle = '', digits, after = '' } = toGroups(NUMBER.exec(cell)) ?? {}
    if (digits === undefined) return undefined
    const unit = `${before.trim()}${middle}${after.trim()}`
    if (unit !== '') units.add(unit)
    return toAmount(digits, sign === '-' || sign === '−' || open !== undefined, notation)
  })
  // Two currencies or units in one column cannot be compared.
  if (!isMost(amounts) || units.size > 1) return toText(header, notation, cells)
  const isGrouped = hasGroups(cells, notation)
  return { header, kind: 'number', amounts, unit: [...units][0] ?? '', notation, isGrouped }
}

const scaled = ({ digits, scale }: Amount, to: number): bigint => digits * 10n ** BigInt(to - scale)

export const compare = (one: Amount, other: Amount): number => {
  const scale = Math.max(one.scale, other.scale)
  const difference = scaled(one, scale) - scaled(other, scale)
  return difference > 0n ? 1 : difference < 0n ? -1 : 0
}

export function sumOf(amounts: readonly Amount[]): Amount {
  const scale = amounts.reduce((most, amount) => Math.max(most, amount.scale), 0)
  return { digits: amounts.reduce((sum, amount) => sum + scaled(amount, scale), 0n), scale }
}

/** Decimals of an average, at least: those of money. */
const MIN_DECIMALS = 2

/** The average, rounded half away from zero to the decimals that the numbers have. */
export function averageOf(amounts: readonly Amount[]): Amount {
  const { digits, scale } = sumOf(amounts)
  const count = BigInt(amounts.length)
  const decimals = Math.max(MIN_DECIMALS, scale)
  const wide = digits * 10n ** BigInt(decimals - scale)
  const rounded = ((wide < 0n ? -wide : wide) * 2n + count) / (count * 2n)
  return { digits: wide < 0n ? -rounded : rounded, scale: decimals }
}

/** The middle of the amounts; of an even number the average of the two in the middle. */
export function medianOf(amounts: readonly Amount[]): Amount {
  const sorted = amounts.toSorted(compare)
  const middle = sorted.slice(Math.ceil(sorted.length / 2) - 1, Math.floor(sorted.length / 2) + 1)
  return middle.length === 1 ? sumOf(middle) : averageOf(middle)
}

/** A part of a whole in percent, rounded to one decimal. Neither is negative. */
export function percentOf(part: Amount, whole: Amount): Amount {
  const scale = Math.max(part.scale, whole.scale)
  const all = scaled(whole, scale)
  return { digits: (scaled(part, scale) * 2_000n + all) / (all * 2n), scale: 1 }
}

/** A number in the notation of its column, with its unit; trailing zeros beyond `least` decimals are left out. */
export function showAmount({ digits, scale }: Amount, { notation, unit, isGrouped }: Column, least = scale): string {
  const plain = String(digits < 0n ? -digits : digits).padStart(scale + 1, '0')
  const whole = plain.slice(0, plain.length - scale)
  let decimals = plain.slice(plain.length - scale)
  while (decimals.length > least && decimals.endsWith('0')) decimals = decimals.slice(0, -1)
  const grouped =
    whole.length > (isGrouped === true ? 3 : 4)
      ? whole.replace(/\B(?=(?:\d{3})+$)/g, notation === 'point' ? ',' : '.')
      : whole
  const number = `${digits < 0n ? '-' : ''}${grouped}${decimals === '' ? '' : `${notation === 'point' ? '.' : ','}${decimals}`}`
  if (unit === '') return number
  return /^[$£¥€]$/.test(unit) && notation === 'point' ? `${unit}${number}` : `${number} ${unit}`
}
