import { allPhrases, allWords, namesByPlace, oneOf } from '#lexicon/match.ts'
import type { Condition } from './conditions.ts'
import { type Prepared, stemsOf } from './prepare.ts'
import { type TableQuestion, toStem } from './table-question.ts'

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

/** The ranges of a column, by row; undefined where one of its cells is not a range. */
function rangesOf({ rows }: Prepared, column: number): readonly Holds[] | undefined {
  const ranges: Holds[] = []
  for (const { cells } of rows) {
    const range = toRange(cells[column] ?? '')
    if (range === undefined) return undefined
    ranges.push(range)
  }
  return ranges.length > 1 ? ranges : undefined
}

const NUMBERS = new Map(
  namesByPlace('numbers', 15).flatMap((words, at) => words.map((word) => [word, at + 1] as const)),
)

/** Words before the number: `after four years`. */
const COMPARING = new Set(allWords('tables', 'comparing').map(toStem))

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
  const at = numbers.findIndex((number) => number !== undefined)
  const value = numbers[at] ?? 0
  const unit = asked.stems[at + 1]
  if (at < 0 || unit === undefined) return undefined
  const column = data.headers.findIndex(
    (header, place) =>
      (header.includes(unit) || stemsOf(data.rows[0]?.cells[place] ?? '').includes(unit)) &&
      rangesOf(data, place) !== undefined,
  )
  const ranges = rangesOf(data, column)
  if (ranges === undefined) return undefined
  const before = asked.stems[at - 1] ?? ''
  const said = new Set([asked.stems[at], unit, ...(COMPARING.has(before) ? [before] : [])])
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
      isChosen: (row) => ranges[data.placeOf.get(row) ?? -1]?.(value) === true,
    },
  }
}
