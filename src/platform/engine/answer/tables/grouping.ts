import { allPhrases, matchWhole } from '#lexicon/match.ts'
import { hasDays } from './column.ts'
import type { Computed } from './computed.ts'
import { isNaming, type Prepared, toKey } from './prepare.ts'
import type { TableRow } from './read-tables.ts'
import { stemsOf } from './stems.ts'
import type { TableQuestion } from './table-question.ts'

const MONTH = matchWhole(allPhrases('tables', 'monthGroups'))
const YEAR = matchWhole(allPhrases('tables', 'yearGroups'))

/** Letters of an ISO date that name its month or its year. */
const DATE_LETTERS = { month: 7, year: 4 } as const

export interface Grouping {
  readonly by: string
  /** Groups of dates come in their order, others by their value. `by` is `month` or `year` then. */
  readonly isDate: boolean
  /** Empty: the row belongs to no group that is known. */
  readonly keyOf: (row: TableRow) => string
  /** A group is named by its first row. */
  readonly nameOf: (row: TableRow) => string
}

export function toGrouping(
  { headers, columns, cells, placeOf }: Prepared,
  group: string,
  measured: unknown,
): Grouping | undefined {
  const stems = stemsOf(group)
  const named = headers.flatMap((header, at) => (stems.every((stem) => header.includes(stem)) ? [at] : []))
  const at = named.length > 1 ? named.find((one) => headers[one]?.length === stems.length) : named[0]
  const column = columns[at ?? -1]
  if (at !== undefined && column !== undefined && column !== measured && column.kind !== 'date') {
    // `Price per night` is a quotient, if there is a number of nights.
    if (column.kind === 'number' && !isNaming(column)) return undefined
    const nameOf = (row: TableRow) => (cells[at]?.[placeOf.get(row) ?? -1] ?? '').trim()
    return { by: column.header, isDate: false, keyOf: (row) => toKey(nameOf(row)), nameOf }
  }
  const unit = MONTH.test(group) ? 'month' : YEAR.test(group) ? 'year' : undefined
  const [dates, ...more] = columns.filter(hasDays)
  if (unit === undefined || dates === undefined || more.length > 0) return undefined
  const nameOf = (row: TableRow) => {
    const time = dates.amounts[placeOf.get(row) ?? -1]?.digits
    return time === undefined ? '' : new Date(Number(time)).toISOString().slice(0, DATE_LETTERS[unit])
  }
  return { by: unit, isDate: true, keyOf: nameOf, nameOf }
}

export const TIME_KEY = /^\d{4}(?:-\d\d)?$/

/** Months or years from the first one to the last. */
export function monthsFrom(names: readonly string[]): number {
  const numbers = names.map((name) => {
    const [year = 0, month] = name.split('-').map(Number)
    return month === undefined ? year : year * 12 + month
  })
  return Math.max(...numbers) - Math.min(...numbers) + 1
}

/** Whether the chosen rows cover every month of the table, or a period is asked for. A month that they leave out may count as zero. */
export function coversTimes(
  { rows }: Prepared,
  made: Computed,
  { keyOf }: Grouping,
  { period }: TableQuestion,
): boolean {
  if (period !== undefined) return made.choices <= 1
  return new Set(made.rows.map(keyOf)).size === new Set(rows.map(keyOf)).size
}
