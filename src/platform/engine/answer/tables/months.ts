import { matchWhole, namesByPlace, oneOf } from '#lexicon/match.ts'
import { flowOf } from './flow.ts'
import { isNaming, isWordForPeople, type Prepared, prepare } from './prepare.ts'
import type { Table } from './read-tables.ts'
import { isSameWord, stemsOf } from './stems.ts'
import type { TableQuestion } from './table-question.ts'

/** Fewer columns that begin like months may be other words. */
const MIN_MONTHS = 3
const STARTS = namesByPlace('monthStarts', 12)
/** Whole names and short ones: `Margin` is no March. */
const MONTHS = namesByPlace('months', 12).map(
  (names, at) => new RegExp(String.raw`(?<!\p{L})${oneOf([...names, ...(STARTS[at] ?? [])])}\.?(?:\s\d{4})?$`, 'iu'),
)
const NAMES = namesByPlace('months', 12).map((names) => matchWhole(names))
const YEAR = /(?<!\d)(?:19|20)\d\d(?!\d)/g

/** The month from 0 that a header ends with, and that of a word; -1: none. */
export const monthOfHeader = (header: string): number => MONTHS.findIndex((name) => name.test(header))
export const monthOfWord = (word: string): number => NAMES.findIndex((name) => name.test(word))

/** The columns of months of one amount, by their places. */
function monthsIn({
  columns,
}: Prepared): readonly { readonly at: number; readonly month: number; readonly year?: string }[] {
  return columns.flatMap(({ header, kind }, at) => {
    const month = kind === 'number' ? monthOfHeader(header) : -1
    const year = yearIn(header)
    return month === -1 ? [] : [{ at, month, ...(year === undefined ? {} : { year }) }]
  })
}

/** The only year that a text names. */
function yearIn(text: string): string | undefined {
  const [year, ...more] = new Set(text.match(YEAR))
  return more.length === 0 ? year : undefined
}

const known = new WeakMap<Table, Table | null>()

function toRows(table: Table, title: string): Table | null {
  const data = prepare(table).point
  const months = monthsIn(data)
  const common = yearIn(table.headings.join(' ')) ?? yearIn(title)
  const units = new Set(months.map(({ at }) => data.columns[at]?.unit))
  const isTold = months.every(({ year }) => (year ?? common) !== undefined)
  const isOnce = new Set(months.map(({ month, year }) => `${year}-${month}`)).size === months.length
  if (months.length < MIN_MONTHS || units.size !== 1 || !isTold || !isOnce || data.doubtful.size > 0) return null
  const others = data.columns.flatMap((column, at) => (column.kind === 'number' && !isNaming(column) ? [] : [at]))
  const rows = data.rows.flatMap((row, place) =>
    months.flatMap(({ at, month, year }) => {
      const amount = row.cells[at] ?? ''
      const day = `${year ?? common}-${String(month + 1).padStart(2, '0')}-01`
      return amount === ''
        ? []
        : [{ ...row, cells: [...others.map((of) => data.cells[of]?.[place] ?? ''), day, amount] }]
    }),
  )
  const name = table.headings.at(-1) ?? title
  return { ...table, header: [...others.map((at) => table.header[at] ?? ''), 'month', name], rows, wide: table }
}

/** A table with a column for each month as one with a row for each; undefined where the year of its months is not told. */
export function withMonthsAsRows(table: Table, title: string): Table | undefined {
  const made = known.get(table) ?? (known.has(table) ? null : toRows(table, title))
  known.set(table, made)
  return made ?? undefined
}

const isIn = (header: string, stem: string) => stemsOf(header).some((word) => isSameWord(word, stem))

/** Whether a counted word names the values of months, not the things that have them: `nights` of a sheet Nights by kind of guest. */
function namesValues({ words }: TableQuestion, first: string, title: string): boolean {
  const counted = words.find(({ isCounted }) => isCounted)
  return (
    counted !== undefined &&
    first !== '' &&
    isIn(title, counted.stem) &&
    !isIn(first, counted.stem) &&
    flowOf(counted.text) === undefined &&
    !isWordForPeople(counted.text)
  )
}

/** Whether `how many` asks for values of months, which are added up. */
export function countsValues(asked: TableQuestion, { table, columnOfWord, title }: Prepared): boolean {
  // Values within a limit are counted, not added up.
  if (table.wide === undefined || !asked.aggregates.has('count') || asked.comparisons.length > 0) return false
  const isOfExtreme = asked.form?.kind === 'by' && asked.form.extreme !== undefined
  const counted = asked.words.find(({ isCounted }) => isCounted)?.stem ?? ''
  const isHere = columnOfWord.has(counted) || title.some((word) => isSameWord(word, counted))
  return (isOfExtreme && isHere) || namesValues(asked, table.header[0] ?? '', table.header.at(-1) ?? '')
}

/** Whether `how many` may ask for values of columns of months in place of rows. */
export const mayCountValues = (asked: TableQuestion, data: Prepared): boolean =>
  asked.aggregates.has('count') &&
  monthsIn(data).length >= MIN_MONTHS &&
  (asked.period !== undefined || namesValues(asked, data.table.header[0] ?? '', data.table.headings.at(-1) ?? ''))
