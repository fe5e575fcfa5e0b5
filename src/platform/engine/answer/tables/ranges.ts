import { toStem, toWordList } from './stems.ts'
import { allPhrases, allWords, matchWhole, namesByPlace, oneOf } from '#lexicon/match.ts'
import type { Condition } from './condition.ts'
import type { Prepared } from './prepare.ts'
import type { TableRow } from './read-tables.ts'
import type { TableQuestion } from './table-question.ts'

type Holds = (value: number) => boolean

const NUMBER = String.raw`(\d{1,6}(?:[.,]\d{1,2})?)`
const UNIT = String.raw`(?:\s?\p{L}[\p{L} ]{0,30})?`
const of = (source: string) => new RegExp(`^${source}$`, 'iu')
const BOTH = of(
  String.raw`(?:${oneOf(allWords('tables', 'from'))}\s)?${NUMBER}${UNIT}\s?` +
    String.raw`(?:[-–—]|${oneOf([...allWords('tables', 'to'), ...allWords('tables', 'rangeTo')])})\s?${NUMBER}${UNIT}`,
)
const FROM_ON = of(String.raw`(?:(?:≥|>=|${oneOf(allPhrases('tables', 'atLeast'))})\s?)${NUMBER}${UNIT}`)
const OR_MORE = of(String.raw`${NUMBER}${UNIT}\s?(?:\+|${oneOf(allPhrases('tables', 'orMore'))})${UNIT}`)
const MORE = of(String.raw`(?:>|${oneOf(allPhrases('tables', 'moreThan'))})\s?${NUMBER}${UNIT}`)
const UP_TO = of(String.raw`(?:≤|<=|${oneOf(allPhrases('tables', 'atMost'))})\s?${NUMBER}${UNIT}`)
const LESS = of(String.raw`(?:<|${oneOf(allPhrases('tables', 'lessThan'))})\s?${NUMBER}${UNIT}`)

const toNumber = (text = '') => Number(text.replace(',', '.'))

/** A cell such as `3 to 5 years`, `10 years and more` or `< 2`; undefined: it is no range. */
export function toRange(cell: string): Holds | undefined {
  const [, low, high] = BOTH.exec(cell) ?? []
  if (high !== undefined) {
    const [from, to] = [toNumber(low), toNumber(high)]
    return from < to ? (value) => value >= from && value <= to : undefined
  }
  const kinds: readonly (readonly [RegExp, (limit: number) => Holds])[] = [
    [FROM_ON, (limit) => (value) => value >= limit],
    [OR_MORE, (limit) => (value) => value >= limit],
    [MORE, (limit) => (value) => value > limit],
    [UP_TO, (limit) => (value) => value <= limit],
    [LESS, (limit) => (value) => value < limit],
  ]
  for (const [pattern, toHolds] of kinds) {
    const limit = pattern.exec(cell)?.[1]
    if (limit !== undefined) return toHolds(toNumber(limit))
  }
  return undefined
}

function readRanges(rows: readonly TableRow[], column: number): readonly Holds[] | undefined {
  const ranges: Holds[] = []
  for (const { cells } of rows) {
    const range = toRange(cells[column] ?? '')
    if (range === undefined) return undefined
    ranges.push(range)
  }
  return ranges.length > 1 ? ranges : undefined
}

const known = new WeakMap<Prepared, readonly (readonly Holds[] | undefined)[]>()

/** The ranges of a column, by row, read once for a table; undefined where one of its cells is no range. */
function rangesOf(data: Prepared, column: number): readonly Holds[] | undefined {
  const ranges = known.get(data) ?? data.headers.map((_, at) => readRanges(data.rows, at))
  known.set(data, ranges)
  return ranges[column]
}

const NUMBERS = new Map(
  namesByPlace('numbers', 15).flatMap((words, at) => words.map((word) => [toStem(word), at + 1] as const)),
)
const TIME = matchWhole(allPhrases('tables', 'units'))
/** Comparisons that name a place of a range: `after four years`. */
const REACHING = new Set(allWords('tables', 'reaching').map(toStem))

/** Words before the number: `after four years`. */
const COMPARING = new Set(allWords('tables', 'comparing').map(toStem))

/** Whether the numbers of a column have this unit, and no other one. */
function isIn({ rows }: Prepared, column: number, header: readonly string[], unit: string): boolean {
  const words = rows.map(({ cells }) => toWordList(cells[column] ?? ''))
  const isOther = (word: string) => TIME.test(word) && toStem(word) !== unit
  return (
    words.every((cell) => cell.map(toStem).includes(unit)) ||
    (header.includes(unit) && !words.some((cell) => cell.some(isOther)))
  )
}

/** A question whose number chooses a row by the range in which it lies. */
export interface Ranged {
  /** Without the number: it is no comparison. */
  readonly asked: TableQuestion
  readonly column: number
  readonly condition: Condition
}

/**
 * The row of `four years` is that of `3 to 5 years`, where the unit is in the column or above it.
 *
 * @returns undefined where the question has no such number, or the table no such column
 */
export function readRanged(asked: TableQuestion, data: Prepared): Ranged | undefined {
  const numbers = asked.stems.map((stem) => NUMBERS.get(stem) ?? (/^\d{1,6}$/.test(stem) ? Number(stem) : undefined))
  const columnOfUnit = (unit: string) =>
    /^\d/.test(unit)
      ? -1
      : data.headers.findIndex(
          (header, place) => rangesOf(data, place) !== undefined && isIn(data, place, header, unit),
        )
  const at = numbers.findIndex(
    (number, place) => number !== undefined && columnOfUnit(asked.stems[place + 1] ?? '0') >= 0,
  )
  const value = numbers[at] ?? 0
  const unit = asked.stems[at + 1]
  const column = columnOfUnit(unit ?? '0')
  const ranges = rangesOf(data, column)
  if (at < 0 || unit === undefined || ranges === undefined) return undefined
  const before = asked.stems[at - 1] ?? ''
  const said = new Set([asked.stems[at], unit, ...(COMPARING.has(before) ? [before] : [])])
  // `5.5 years` has two numbers, and `less than 3 years` more than one place.
  const isPart = /^\d/.test(before)
  const isCompared = asked.comparisons.some(({ text }) => Number.parseFloat(text) === value) && !REACHING.has(before)
  const held = new Set(
    data.rows.flatMap(({ cells }, place) => (ranges[place]?.(value) === true ? [cells[column]] : [])),
  )
  const isTold = !isPart && !isCompared && (held.size === 1 || asked.aggregate === 'rows')
  const isAmount = asked.aggregate === 'count' || asked.aggregate === 'sum'
  return {
    column,
    asked: {
      ...asked,
      aggregate: isAmount ? 'value' : asked.aggregate,
      comparisons: asked.comparisons.filter(({ text }) => Number.parseFloat(text) !== value),
      words: asked.words.filter(({ stem }) => !said.has(stem)),
    },
    condition: {
      isSaid: () => false,
      takesNegation: false,
      isChosen: (row) => isTold && ranges[data.placeOf.get(row) ?? -1]?.(value) === true,
    },
  }
}
