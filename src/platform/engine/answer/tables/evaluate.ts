import { allPhrases, matchWhole } from '#lexicon/match.ts'
import { averageOf, type Amount, type Column, compare, medianOf, showAmount, sumOf, toColumn } from './column.ts'
import { holds, toLimit } from './comparisons.ts'
import type { Computed } from './computed.ts'
import type { Measure } from './measure.ts'
import { peopleColumn, type Prepared } from './prepare.ts'
import type { TableRow } from './read-tables.ts'
import { isSumOfLast } from './sum-rows.ts'
import { ADDED, type TableQuestion } from './table-question.ts'
import { topicsOfHeader } from './topics.ts'
import { columnOf } from './understand.ts'

/** The number in the row of the total, where it is not the sum of all rows. */
function otherTotal({ total }: Prepared, { column, at }: Measure, amounts: readonly Amount[]): Computed['otherTotal'] {
  const value = total?.cells[at] ?? ''
  const [amount] = toColumn('', [value], column.notation).amounts
  // The last row may sum up the last group alone.
  if (amount === undefined || isSumOfLast(amount, amounts)) return undefined
  return { label: total?.cells.find((cell) => cell !== '') ?? '', value }
}

/** A date is latest where a number is most, and the oldest is the first. */
function toDirection(asked: TableQuestion, column: Column): 'max' | 'min' {
  const isAge = asked.topics.has('age') && column.kind === 'number' && topicsOfHeader(column.header).includes('age')
  return (asked.aggregate === 'max') !== isAge ? 'max' : 'min'
}

/** The column that names the rows of the answer: `which supplier`, `who`. */
function columnOfNames(asked: TableQuestion, data: Prepared): number | undefined {
  // `Top 3 boats by fee`.
  const isOfText = (at: number | undefined) => data.columns[at ?? -1]?.kind === 'text'
  const named =
    asked.form?.kind === 'first' ? asked.words.map(({ stem }) => columnOf(data, stem)).find(isOfText) : undefined
  const people = asked.asksWho ? peopleColumn(data) : -1
  return (
    asked.heads.map((head) => columnOf(data, head)).find((at) => at !== undefined) ??
    named ??
    (people === -1 ? undefined : people)
  )
}

const NONE = matchWhole(allPhrases('tables', 'emptyCells'))

/** Most rows that answer `what does it cost`. */
const MAX_VALUES = 5

// oxlint-disable-next-line complexity -- one branch for each kind of question
export function evaluate(
  asked: TableQuestion,
  data: Prepared,
  found: Measure | undefined,
  chosen: readonly TableRow[],
  known: number,
): Computed | undefined {
  const { table } = data
  const column = found?.column
  const amountOf = (row: TableRow) => column?.amounts[data.placeOf.get(row) ?? -1]
  const limits = column === undefined ? [] : asked.comparisons.map((one) => ({ one, than: toLimit(one, column) }))
  if (asked.comparisons.length > 0 && (column === undefined || limits.some(({ than }) => than === undefined)))
    return undefined
  const rows = chosen.filter((row) => limits.every(({ one, than }) => holds(amountOf(row), one, than)))
  const valued = rows.filter((row) => amountOf(row) !== undefined)
  const amounts = valued.flatMap((row) => amountOf(row) ?? [])
  const made = {
    table,
    column,
    asked: columnOfNames(asked, data),
    outOf: chosen.length,
    all: data.rows.length,
    leftOut: rows.length - valued.length,
    valued,
    named: found?.named ?? 0,
    choices: asked.comparisons.length,
    known,
  }
  // `Who was hired before 2020?` asks for rows.
  const aggregate = asked.aggregate === 'value' && limits.length > 0 ? 'rows' : asked.aggregate
  if (aggregate === 'count' || aggregate === 'rows') return { ...made, aggregate, value: undefined, rows, leftOut: 0 }
  if (column === undefined || found === undefined) return undefined
  if (aggregate === 'value') {
    // `How much` asks for an amount.
    const isAnswer = (cell: string) =>
      /[\p{L}\d]/u.test(cell) && !NONE.test(cell) && (!asked.asksMuch || (/\d/.test(cell) && column.kind !== 'date'))
    const [only, ...others] = amounts
    const amountOfOne = only === undefined || others.length > 0 ? {} : { amount: only }
    return rows.length === 0 || rows.length > MAX_VALUES || !rows.some((row) => isAnswer(row.cells[found.at] ?? ''))
      ? undefined
      : { ...made, ...amountOfOne, aggregate, value: rows[0]?.cells[found.at], rows, leftOut: 0 }
  }
  if (amounts.length === 0) return undefined
  if (ADDED.has(aggregate)) {
    if (column.kind !== 'number') return undefined
    const least = Math.max(0, ...amounts.map(({ scale }) => scale))
    const value =
      aggregate === 'sum'
        ? showAmount(sumOf(amounts), column)
        : showAmount(aggregate === 'median' ? medianOf(amounts) : averageOf(amounts), column, least)
    const isWholeSum = aggregate === 'sum' && valued.length === data.rows.length
    const other = isWholeSum ? otherTotal(data, found, amounts) : undefined
    const sum = aggregate === 'sum' ? { amount: sumOf(amounts) } : {}
    return { ...made, ...sum, aggregate, value, rows: valued, ...(other === undefined ? {} : { otherTotal: other }) }
  }
  const direction = toDirection(asked, column)
  const sign = direction === 'max' ? 1 : -1
  const best = amounts.reduce((one, other) => (compare(other, one) * sign > 0 ? other : one))
  const winners = valued.filter((row) => compare(amountOf(row) ?? best, best) === 0)
  return { ...made, aggregate: direction, value: winners[0]?.cells[found.at], rows: winners }
}
