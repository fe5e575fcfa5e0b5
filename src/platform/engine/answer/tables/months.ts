import { namesByPlace, oneOf } from '#lexicon/match.ts'
import { isNaming, type Prepared, prepare } from './prepare.ts'
import type { Table } from './read-tables.ts'

/** Fewer columns that begin like months may be other words. */
const MIN_MONTHS = 3
const STARTS = namesByPlace('monthStarts', 12)
/** Whole names and short ones: `Margin` is no March. */
const MONTHS = namesByPlace('months', 12).map(
  (names, at) =>
    new RegExp(String.raw`(?<!\p{L})${oneOf([...names, ...(STARTS[at] ?? [])])}\.?(?:\s(?<year>\d{4}))?$`, 'iu'),
)
const YEAR = /(?<!\d)(?:19|20)\d\d(?!\d)/g

/** The columns of months of one amount, by their places. */
function monthsIn({
  columns,
}: Prepared): readonly { readonly at: number; readonly month: number; readonly year?: string }[] {
  return columns.flatMap(({ header, kind }, at) => {
    const found = kind === 'number' ? MONTHS.map((name) => name.exec(header)) : []
    const month = found.findIndex((one) => one !== null)
    const year = found[month]?.groups?.['year']
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
