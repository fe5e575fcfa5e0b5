import { isNear } from './stems.ts'
import { allPhrases, allSet, matchPart, matchWhole } from '#lexicon/match.ts'
import type { Condition } from './condition.ts'
import { byColumns } from './compared-columns.ts'
import { byEmpty } from './empty-cells.ts'
import { isByTime } from './grouping.ts'
import { IN_STOCK, OUT_OF_STOCK } from './limits.ts'
import { isWithin, yearOf } from './period.ts'
import { columnOfDates, isYes, namesColumn, type Prepared } from './prepare.ts'
import type { TableRow } from './read-tables.ts'
import { type AskedWord, type TableQuestion } from './table-question.ts'
import { isOfStock, STOCK } from './stock.ts'

const PAID = allSet('tables', 'paid')
const OWED = matchWhole(allPhrases('tables', 'owed'))

/** `Unpaid` and `outstanding` are not paid. */
const isNo = (header: string, { stem, text }: AskedWord) =>
  stem === `un${header}` || (PAID.has(header) && OWED.test(text))

/** Columns of yes and no whose header the question says: `which ones are organic`, `what is not paid yet`. */
function byHeader(asked: TableQuestion, { headers, marked, columns }: Prepared): Condition[] {
  // `How much deposit` asks for a column Deposit, not for those with `Deposit returned`; customers are those of a column
  // Customer, not the rows that were `Charged to customer`.
  const isOfOther = ({ stem, isNegated }: AskedWord) =>
    !isNegated &&
    columns.some(({ kind }, at) => {
      const isWhole = kind === 'number' || (marked[at] !== true && headers[at]?.length === 1)
      return isWhole && headers[at]?.includes(stem) === true
    })
  return headers.flatMap((header, at): Condition[] => {
    if (marked[at] !== true) return []
    const isSaid = (word: AskedWord) => header.some((one) => isNear(one, word.stem) || isNo(one, word))
    const words = asked.words.filter(isSaid)
    const [word] = words
    if (word === undefined || words.every(isOfOther)) return []
    const isWanted = words.some(({ isNegated }) => isNegated) === header.some((one) => isNo(one, word))
    // A cell with a mark means yes, an empty one no.
    return [{ isSaid, takesNegation: true, isChosen: (row) => isYes(row.cells[at] ?? '') === isWanted }]
  })
}

const NO_STOCK = matchPart(allPhrases('tables', 'noStockHeaders'))

export const isStockWord = ({ text }: AskedWord): boolean => text === IN_STOCK || text === OUT_OF_STOCK

/** The column of numbers that says how many there are. */
export function findStockColumn({ columns }: Prepared): number {
  const stocks = columns.flatMap((column, at) => (column.kind === 'number' && isOfStock(column) ? [at] : []))
  return stocks.find((at) => STOCK.test(columns[at]?.header ?? '')) ?? stocks[0] ?? -1
}

/** Rows of which there are some, or none: by a number, or by a column of yes and no. */
function byStock({ words }: TableQuestion, data: Prepared): Condition[] {
  const word = words.find(isStockWord)
  if (word === undefined) return []
  const isWanted = (word.text === IN_STOCK) !== word.isNegated
  const at = findStockColumn(data)
  const amounts = data.columns[at]?.amounts
  if (amounts !== undefined) {
    const isChosen = (row: TableRow) => {
      const amount = amounts[data.placeOf.get(row) ?? -1]
      return amount !== undefined && amount.digits > 0n === isWanted
    }
    return [{ isSaid: isStockWord, takesNegation: true, isChosen }]
  }
  const mark = data.columns.findIndex(
    ({ header }, column) => data.marked[column] === true && (STOCK.test(header) || NO_STOCK.test(header)),
  )
  if (mark === -1) return []
  const isSome = NO_STOCK.test(data.columns[mark]?.header ?? '') !== isWanted
  return [{ isSaid: isStockWord, takesNegation: true, isChosen: (row) => isYes(row.cells[mark] ?? '') === isSome }]
}

/** The period that the question names, where one column holds dates or the question names one of them. */
export function byPeriod(asked: TableQuestion, data: Prepared): Condition[] {
  const { period, stems } = asked
  const column = period === undefined ? undefined : columnOfDates(stems, data, isByTime(asked))
  if (period === undefined || column === undefined) return []
  const years = new Set(column.amounts.flatMap((amount) => (amount === undefined ? [] : yearOf(amount.digits))))
  if (period.isRange && period.year === undefined && years.size > 1) return []
  return [
    {
      isSaid: ({ text, stem }) => period.words.has(text) || namesColumn(data, column, stem),
      takesNegation: false,
      isChosen(row) {
        const time = column.amounts[data.placeOf.get(row) ?? -1]?.digits
        return time !== undefined && isWithin(period, time)
      },
    },
  ]
}

/** Conditions of the question that this table knows. */
export function findConditions(asked: TableQuestion, data: Prepared): readonly Condition[] {
  // `Is this one organic?` asks for the cell itself.
  const named = asked.aggregate === 'value' && !asked.asksWho ? [] : byHeader(asked, data)
  return [
    ...named,
    ...byStock(asked, data),
    ...byColumns(asked, data),
    ...byEmpty(asked, data),
    ...byPeriod(asked, data),
  ]
}
