import { allSet } from '#lexicon/match.ts'
import { isSameWord, stemsOf } from './stems.ts'
import { type Amount, type Column, compare, percentOf, showAmount, sumOf } from './column.ts'
import type { Computed } from './computed.ts'
import { byPeriod } from './conditions.ts'
import type { Form } from './form.ts'
import { byGroups, repeatedColumn, sortRows, topGroups } from './groups.ts'
import { findMeasure, isNamed, isOfColumn } from './measure.ts'
import { isNaming, isOfPeople, isWordForPeople, type Prepared } from './prepare.ts'
import type { TableRow } from './read-tables.ts'
import { findSumColumn } from './sum-rows.ts'
import { readTableQuestion, type TableQuestion } from './table-question.ts'
import { mayBeOfOne } from './worth.ts'

/** `And what do theirs add up to`. */
const POINTING = allSet('talk', 'pointing')

type First = Form & { kind: 'first' }

/** Most rows of `the three cheapest`, where several cost the same. */
const MAX_FIRST_ROWS = 20

/** Whether the question names another column of numbers: which one is meant is not told. */
function namesAnother({ columns, headers }: Prepared, column: Column, { stems }: TableQuestion): boolean {
  // `Price` next to `Total price` is not named by the words of this one, nor are all months by their year.
  const own = headers[columns.indexOf(column)] ?? []
  const others = stems.filter((stem) => !/^\d+$/.test(stem) && !isNamed(own, [stem]))
  return columns.some(
    (other, at) => other !== column && other.kind === 'number' && !isNaming(other) && isNamed(headers[at], others),
  )
}

/** The first rows and all that have the value of the last one of them. */
function firstRows(data: Prepared, made: Computed, first: First, asked: TableQuestion): Computed | undefined {
  const { count, thing } = first
  const { aggregate, column, valued } = made
  if ((aggregate !== 'max' && aggregate !== 'min') || column === undefined) return undefined
  // Two bedrooms are no two flats.
  const isNumberOf = (header: readonly string[], at: number) =>
    data.columns[at]?.kind === 'number' && isNamed(header, stemsOf(thing ?? ''))
  if (data.headers.some(isNumberOf)) return undefined
  if (repeatedColumn(data, valued, column, asked) !== undefined) return topGroups(data, made, first, asked)
  const sign = aggregate === 'max' ? -1 : 1
  const sorted = sortRows(data, valued, column, sign)
  const last = sorted[count - 1] ?? sorted.at(-1)
  const rows = sorted.filter(({ amount }) => last !== undefined && compare(amount, last.amount) * sign <= 0)
  if (rows.length > MAX_FIRST_ROWS) return undefined
  return { ...made, rows: rows.map(({ row }) => row), value: String(rows.length), shape: { kind: 'first' } }
}

/** The share of one column in the column that sums up all of them. */
function shareOfColumns({ columns, rows }: Prepared, made: Computed, column: Column): Computed | undefined {
  const numbers = columns.filter((each) => each.kind === 'number' && !isNaming(each))
  const total = findSumColumn(numbers, rows.length)
  if (total === undefined || total === column || made.named === 0 || made.leftOut > 0) return undefined
  const [part, whole] = [column, total].map(({ amounts }) => sumOf(amounts.flatMap((amount) => amount ?? [])))
  if (part === undefined || whole === undefined || part.digits < 0n || whole.digits <= 0n) return undefined
  const value = showAmount(percentOf(part, whole), { ...column, unit: '%' })
  return { ...made, value, shape: { kind: 'share', part: made.value ?? '', whole: showAmount(whole, total) } }
}

/** Whether a word is the header of a column in which each row has a name of its own: a batch in a log of batches. */
const isOfOwnName = ({ cells, columns, headers, rows }: Prepared, stem: string): boolean =>
  headers.some(
    (header, at) => isNamed(header, [stem]) && columns[at]?.kind === 'text' && new Set(cells[at]).size === rows.length,
  )

/** Whether a word is that for the rows: that of the column that names them, or of the sheet. */
const isNameOfRows = (data: Prepared, stem: string, text: string): boolean =>
  isNamed(data.headers[0], [stem]) ||
  isOfOwnName(data, stem) ||
  (data.title.length > 0 && isSameWord(data.title.at(-1) ?? '', stem)) ||
  (isWordForPeople(text) && isOfPeople(data))

/** The share of the rows that one choice takes of all; `what percentage of the drivers …` is no share of all. */
function shareOfRows(data: Prepared, made: Computed, { words }: TableQuestion): Computed | undefined {
  const { chosen = [], rows, all, value, choices } = made
  const isOfSome = words.some(({ isHead, isCounted, stem }) => (isHead || isCounted) && chosen.includes(stem))
  const isOfRows = words.some(({ isCounted, stem, text }) => isCounted && isNameOfRows(data, stem, text))
  if (value !== undefined || choices !== 1 || isOfSome || !isOfRows || rows.length === all) return undefined
  const [part, whole] = [rows.length, all].map((one): Amount => ({ digits: BigInt(one), scale: 0 }))
  const [column] = data.columns
  if (part === undefined || whole === undefined || column === undefined) return undefined
  const share = showAmount(percentOf(part, whole), { ...column, unit: '%', isGrouped: false })
  return { ...made, value: share, shape: { kind: 'share', part: String(rows.length), whole: String(all) } }
}

function shareOf(data: Prepared, made: Computed, isOfTotal: boolean, asked: TableQuestion): Computed | undefined {
  const { aggregate, column, value = '' } = made
  if (aggregate === 'count') return shareOfRows(data, made, asked)
  if (aggregate === 'sum' && column !== undefined && made.choices === 0) return shareOfColumns(data, made, column)
  // A share of two conditions leaves open which whole is meant; a period of all rows limits nothing.
  const limits = byPeriod(asked, data)
  if (aggregate !== 'sum' || column === undefined || made.choices !== 1 + limits.length || made.outOf === made.all)
    return undefined
  // `What percentage of the people …` counts people, that of the expenses adds up.
  if ((made.named === 0 && asked.flow === undefined && !isOfTotal) || namesAnother(data, column, asked))
    return undefined
  // `What share of the batches was charged`: rows are meant, and the verb is that of a column.
  if (made.named === 0 && !isOfTotal && asked.words.some(({ stem }) => isOfOwnName(data, stem))) return undefined
  if (!data.rows.every((row) => limits.every(({ isChosen }) => isChosen(row)))) return undefined
  const all = column.amounts.flatMap((amount) => amount ?? [])
  const part = sumOf(made.rows.flatMap((row) => column.amounts[data.placeOf.get(row) ?? -1] ?? []))
  if (data.doubtful.size > 0 || all.some(({ digits }) => digits < 0n)) return undefined
  const whole = sumOf(all)
  if (whole.digits === 0n) return undefined
  const share = showAmount(percentOf(part, whole), { ...column, unit: '%' })
  return { ...made, value: share, shape: { kind: 'share', part: value, whole: showAmount(whole, column) } }
}

/** The difference of the only two columns of one kind of amount, in one row. */
function columnsOf({ columns, placeOf }: Prepared, made: Computed, column: Column): Computed | undefined {
  const [one, other, ...more] = columns.filter(
    (each) => each.kind === 'number' && !isNaming(each) && each.unit === column.unit,
  )
  const at = placeOf.get(made.rows[0] as TableRow) ?? -1
  const [first, second] = [one?.amounts[at], other?.amounts[at]]
  if (made.named === 0 || more.length > 0 || first === undefined || second === undefined) return undefined
  const { digits, scale } = sumOf([first, { ...second, digits: -second.digits }])
  const value = showAmount({ digits: digits < 0n ? -digits : digits, scale }, column)
  return { ...made, value, shape: { kind: 'columns', of: [one?.header ?? '', other?.header ?? ''] } }
}

/** The row of a place; undefined where two rows have one value, so that their places are open. */
function nthRow(data: Prepared, made: Computed, place: number, asked: TableQuestion): Computed | undefined {
  const { aggregate, column, valued } = made
  if (
    (aggregate !== 'max' && aggregate !== 'min') ||
    column === undefined ||
    repeatedColumn(data, valued, column, asked) !== undefined
  )
    return undefined
  const sorted = sortRows(data, valued, column, aggregate === 'max' ? -1 : 1)
  const found = sorted[place - 1]
  const isTold = sorted.slice(0, place + 1).every(({ amount }, at, all) => {
    const before = all[at - 1]
    return before === undefined || compare(amount, before.amount) !== 0
  })
  if (found === undefined || !isTold) return undefined
  const value = found.row.cells[data.columns.indexOf(column)]
  return { ...made, rows: [found.row], value, shape: { kind: 'nth', place } }
}

/** The highest value of a column that the question names, less the lowest one. */
function spreadOf(data: Prepared, made: Computed): Computed | undefined {
  const { column, valued, named, leftOut } = made
  if (made.aggregate !== 'max' || column?.kind !== 'number' || named === 0 || leftOut > 0) return undefined
  const sorted = sortRows(data, valued, column, -1)
  const [highest, lowest] = [sorted[0], sorted.at(-1)]
  if (highest === undefined || lowest === undefined || highest === lowest) return undefined
  const value = sumOf([highest.amount, { ...lowest.amount, digits: -lowest.amount.digits }])
  return { ...made, rows: [highest.row, lowest.row], value: showAmount(value, column), shape: { kind: 'difference' } }
}

/** Rows by the two values of a column that the question names, or by its two months. */
function twoGroups(data: Prepared, { rows }: Computed, { stems, period }: TableQuestion) {
  const said = ` ${stems.join(' ')} `
  const groups = data.columns.flatMap((column, at) => {
    const keyOf = (row: TableRow) => {
      const place = data.placeOf.get(row) ?? -1
      const time = column.kind === 'date' && period?.months.size === 2 ? column.amounts[place]?.digits : undefined
      return time === undefined ? (data.keys[at]?.[place] ?? '') : monthNameOf(time)
    }
    const byKey = [...Map.groupBy(rows, keyOf)]
    const isSaid = byKey.every(([key]) => /^\d\d$/.test(key) || (key !== '' && said.includes(` ${key} `)))
    const [one, other, ...more] = byKey
    return isSaid && one !== undefined && other !== undefined && more.length === 0 ? [[one[1], other[1]] as const] : []
  })
  return groups.length === 1 ? groups[0] : undefined
}

const monthNameOf = (time: bigint) => new Date(Number(time)).toISOString().slice(5, 7)

/** The difference of the sums of two groups: `how far apart are Ulm and Bonn in total charge`. */
function differenceOfSums(data: Prepared, made: Computed, column: Column, asked: TableQuestion): Computed | undefined {
  const groups = made.leftOut > 0 ? undefined : twoGroups(data, made, asked)
  if (groups === undefined) return undefined
  const [first, second] = groups.map((rows) =>
    sumOf(rows.flatMap((row) => column.amounts[data.placeOf.get(row) ?? -1] ?? [])),
  )
  if (first === undefined || second === undefined) return undefined
  const { digits, scale } = sumOf([first, { ...second, digits: -second.digits }])
  const value = showAmount({ digits: digits < 0n ? -digits : digits, scale }, column)
  return { ...made, value, shape: { kind: 'sums', of: [first, second].map((one) => showAmount(one, column)) } }
}

function differenceOf(data: Prepared, made: Computed, asked: TableQuestion): Computed | undefined {
  const { aggregate, column, rows } = made
  if (aggregate === 'sum' && column?.kind === 'number') return differenceOfSums(data, made, column, asked)
  if (aggregate !== 'value' || column?.kind !== 'number') return undefined
  if (rows.length === 1) return columnsOf(data, made, column)
  if (rows.length !== 2) return undefined
  if (namesAnother(data, column, asked)) return undefined
  const [one, other] = rows.map((row) => column.amounts[data.placeOf.get(row) ?? -1])
  if (one === undefined || other === undefined) return undefined
  const difference = sumOf([one, { ...other, digits: -other.digits }])
  const { digits } = difference
  const value = showAmount({ ...difference, digits: digits < 0n ? -digits : digits }, column)
  return { ...made, value, shape: { kind: 'difference' } }
}

/** Whether each row is a thing of this name. */
function isOfEach({ headers, cells, title }: Prepared, thing: string): boolean {
  const [stem = ''] = stemsOf(thing)
  const isKey = headers[0]?.includes(stem) === true && new Set(cells[0]).size === cells[0]?.length
  return isKey || title.at(-1) === stem
}

/** The number of rows, and the sum of the column that the second part of the question names. */
function withSum(data: Prepared, made: Computed, text: string): Computed | undefined {
  if (made.aggregate !== 'count' || made.value !== undefined) return undefined
  const asked = readTableQuestion(text)
  const found = findMeasure({ ...asked, aggregate: 'sum' }, data, ({ kind }) => kind === 'number')
  if (found === undefined || mayBeOfOne(data, found.column, false)) return undefined
  const header = data.headers[found.at]
  const isTold = isNamed(header, [...(asked.aggregates.get('sum') ?? []), ...asked.words.map(({ stem }) => stem)])
  const isKnown = asked.words.every(
    ({ stem, isLight, text: word }) =>
      isLight || POINTING.has(word) || isNamed(header, [stem]) || isOfColumn(asked, word, found.column),
  )
  if (!isTold || !isKnown) return undefined
  const amounts = made.rows.flatMap((row) => found.column.amounts[data.placeOf.get(row) ?? -1] ?? [])
  const sum = showAmount(sumOf(amounts), found.column)
  const leftOut = made.rows.length - amounts.length
  return { ...made, leftOut, shape: { kind: 'counted-sum', of: found.column.header, sum } }
}

/** The value in the form that the question wants; undefined where it can't be told. */
export function toShape(data: Prepared, made: Computed, form: Form, asked: TableQuestion): Computed | undefined {
  // Percentages of different things have no sum.
  if (made.aggregate === 'sum' && made.column?.unit === '%') return undefined
  switch (form.kind) {
    case 'by':
      return byGroups(data, made, form, asked)
    case 'first':
      return firstRows(data, made, form, asked)
    case 'nth':
      return nthRow(data, made, form.place, asked)
    case 'share':
      return shareOf(data, made, form.isOfTotal === true, asked)
    case 'spread':
      return spreadOf(data, made)
    case 'counted-sum':
      return withSum(data, made, form.sum)
    case 'each':
      return isOfEach(data, form.thing) ? made : undefined
    case 'difference':
    default:
      return differenceOf(data, made, asked)
  }
}
