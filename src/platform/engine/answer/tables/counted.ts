import { toWordList } from './stems.ts'
import type { Column } from './column.ts'
import type { Computed } from './computed.ts'
import { isUnit } from './limits.ts'
import { isNaming, isRate, type Prepared } from './prepare.ts'
import type { TableQuestion } from './table-question.ts'
import { isTopicWord, topicsOfHeader } from './topics.ts'
import { columnOf, isHeader, isWhole } from './understand.ts'

/** Numbers that are names are at most 20 apart, on average. */
const MAX_STEP = 20n

/** Close numbers with as many digits each that do not repeat are names: orders 1041 to 1097. */
function isNumbering({ amounts }: Column): boolean {
  const digits = amounts.flatMap((amount) => amount?.digits ?? []).toSorted((one, other) => (one < other ? -1 : 1))
  const [least = 0n] = digits
  const { length } = String(least)
  const isClose = (digits.at(-1) ?? 0n) - least < MAX_STEP * BigInt(digits.length)
  const isAlike = digits.every((one) => String(one).length === length)
  return length > 2 && isClose && isAlike && new Set(digits).size === digits.length
}

/** The column of counted things; `seats` of Seats offered and Seats sold with the word that tells them apart. */
function countedColumn({ words }: TableQuestion, data: Prepared, stem: string): number | undefined {
  const [only, ...more] = data.headers.flatMap((header, at) =>
    header.includes(stem) && header.every((one) => words.some((word) => word.stem === one)) ? [at] : [],
  )
  return columnOf(data, stem) ?? (more.length === 0 ? only : undefined)
}

/** Whether `how many pupils` asks for the numbers of a column Pupils. */
export function isCountedNumber(asked: TableQuestion, data: Prepared): boolean {
  const [only, ...more] = asked.words.filter(({ isPlace }) => !isPlace)
  // `Number of pupils in Ulm` has no other word.
  // `Places` is a verb, too.
  const counted = asked.words.find(({ isCounted }) => isCounted) ?? asked.words.find((one) => one.isHead && one.isLight)
  const word = counted ?? (more.length === 0 ? only : undefined)
  const at = word === undefined ? undefined : countedColumn(asked, data, word.stem)
  const column = data.columns[at ?? -1]
  if (at === 0 || column?.kind !== 'number') return false
  const head = asked.words.find(({ isHead }) => isHead)
  const headAt = head === undefined ? undefined : countedColumn(asked, data, head.stem)
  // `How many guests paid?` counts guests.
  if (headAt !== undefined && headAt !== at) return false
  const isName = asked.aggregate !== 'sum' && isNumbering(column)
  return !isNaming(column) && !isRate(column) && column.unit !== '%' && !isName
}

/** `How many are there in total?` counts rows, but numbers of such things are added up. */
export function readCounting(asked: TableQuestion, isNumber: boolean): TableQuestion {
  if (!asked.aggregates.has('count')) return asked
  if (asked.aggregate === 'sum' && !isNumber) return { ...asked, aggregate: 'count' }
  return asked.aggregate === 'count' && isNumber && asked.comparisons.length === 0 && !asked.asksStock
    ? { ...asked, aggregate: 'sum' }
    : asked
}

const isTime = ({ kind, header }: Column) =>
  kind === 'date' || topicsOfHeader(header).includes('date') || toWordList(header).some(isUnit)

const isUnique = (cells: readonly string[]) => new Set(cells).size === cells.length

/** Whether its numbers may be those of a day, week, month or year each. Bookings with a number of their own are added up. */
export const hasTimes = ({ columns, cells }: Prepared) =>
  columns.some(isTime) && (columns[0] === undefined || isTime(columns[0]) || !isUnique(cells[0] ?? []))

/** The name of the counted things, as the question says it: `products` of `how many products cost …`. */
function nameOfCounted({ words }: TableQuestion): string | undefined {
  const counted = words.find(({ isCounted, text }) => isCounted && !isTopicWord(text))
  return (counted ?? words.find(({ isHead, text }) => isHead && !isTopicWord(text)))?.text
}

/** Counts the things that the question names: rows, or the different cells of another column. */
function countOf(asked: TableQuestion, data: Prepared, rows: Computed): Computed | undefined {
  const word = asked.words.find(({ isCounted }) => isCounted)
  const at = word === undefined ? undefined : columnOf(data, word.stem)
  if (word === undefined || at === undefined)
    return word !== undefined && isHeader(data, word) && !isWhole(data.table, word) ? undefined : rows
  const column = data.columns[at]
  if (column === undefined || (column.kind === 'number' && !isNaming(column))) return undefined
  // Two people may have one name.
  if (at === 0 && data.headers[0]?.some((header) => header[0] === word.stem[0]) !== true) return rows
  // Each booking has a number of its own, though several have one name.
  const isNumbered = at > 0 && data.headers[0]?.includes(word.stem) === true && isUnique(data.cells[0] ?? [])
  if (isNumbered && !asked.asksDifferent) return rows
  const first = new Map(rows.rows.toReversed().map((row) => [row.cells[at] ?? '', row]))
  first.delete('')
  if (first.size === rows.rows.length) return rows
  const different = new Set(first.values())
  return { ...rows, column, value: String(first.size), rows: rows.rows.filter((row) => different.has(row)) }
}

/** The number of rows, or of different things in them. */
export function countRows(
  asked: TableQuestion,
  data: Prepared,
  rows: Computed | undefined,
  chosen: readonly string[],
  isNamed: boolean,
) {
  const counted = nameOfCounted(asked)
  if (rows === undefined) return undefined
  const made = { ...rows, chosen, ...(counted === undefined ? {} : { counted }) }
  const isOfDoer = asked.form?.kind === 'by' && asked.form.isDoer === true
  return isNamed || isOfDoer ? made : countOf(asked, data, made)
}
