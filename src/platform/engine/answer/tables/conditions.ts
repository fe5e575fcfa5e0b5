import { isSameWord } from './stems.ts'
import { allPhrases, allSet, matchPart, matchWhole } from '#lexicon/match.ts'
import { type Column, compare } from './column.ts'
import { IN_STOCK, OUT_OF_STOCK } from './limits.ts'
import { isWithin, yearOf } from './period.ts'
import { columnOfDates, isNaming, isYes, namesColumn, type Prepared } from './prepare.ts'
import type { TableRow } from './read-tables.ts'
import { type AskedWord, type TableQuestion } from './table-question.ts'
import { topicsOfHeader } from './topics.ts'

/** A choice of rows that no cell names: by a column of yes and no, by a stock, or by a month, quarter or year. */
export interface Condition {
  readonly isChosen: (row: TableRow) => boolean
  /** Words of the question that it is made of. */
  readonly isSaid: (word: AskedWord) => boolean
  /** A negation before its word is part of it. */
  readonly takesNegation: boolean
}

/** Letters of an ending. */
const MAX_ENDING = 4

const PAID = allSet('tables', 'paid')
const OWED = matchWhole(allPhrases('tables', 'owed'))

/** `Unpaid` and `outstanding` are not paid. */
const isNo = (header: string, { stem, text }: AskedWord) =>
  stem === `un${header}` || (PAID.has(header) && OWED.test(text))

/** `Deli` is not `delivered`, though it begins so. */
const isNear = (header: string, { stem }: AskedWord) =>
  isSameWord(header, stem) && Math.abs(header.length - stem.length) < MAX_ENDING

/** Columns of yes and no whose header the question says: `which ones are organic`, `what is not paid yet`. */
function byHeader(asked: TableQuestion, { headers, marked, columns }: Prepared): Condition[] {
  // `How much deposit` asks for a column Deposit, not for those with `Deposit returned`.
  const isOfAmount = ({ stem, isNegated }: AskedWord) =>
    !isNegated && columns.some(({ kind }, at) => kind === 'number' && headers[at]?.includes(stem) === true)
  return headers.flatMap((header, at): Condition[] => {
    if (marked[at] !== true) return []
    const isSaid = (word: AskedWord) => header.some((one) => isNear(one, word) || isNo(one, word))
    const words = asked.words.filter(isSaid)
    const [word] = words
    if (word === undefined || words.every(isOfAmount)) return []
    const isWanted = words.some(({ isNegated }) => isNegated) === header.some((one) => isNo(one, word))
    // A cell with a mark means yes, an empty one no.
    return [{ isSaid, takesNegation: true, isChosen: (row) => isYes(row.cells[at] ?? '') === isWanted }]
  })
}

const STOCK = matchPart(allPhrases('tables', 'stockHeaders'))
const NO_STOCK = matchPart(allPhrases('tables', 'noStockHeaders'))

const LIMIT = matchPart(allPhrases('tables', 'limitHeaders'))

/** Whether a column says what is left, not what was ordered. */
export const saysStock = ({ header }: Column): boolean => STOCK.test(header)

/** Whether a column says how many there are, not how many there should be. */
export const isOfStock = ({ header }: Column): boolean =>
  topicsOfHeader(header).includes('stock') && !LIMIT.test(header)

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
function byPeriod({ period, stems }: TableQuestion, data: Prepared): Condition[] {
  const column = period === undefined ? undefined : columnOfDates(stems, data)
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

const BELOW = allSet('tables', 'below')
const ABOVE = allSet('tables', 'above')

const LIMIT_WORD = allSet('tables', 'limitWords')
export const isLimitWord = (word: string): boolean => LIMIT_WORD.has(word)

/** The column of amounts that the words after `below` name, by most of its words; undefined where two fit. */
function findLimit({ columns, headers }: Prepared, said: readonly string[]): Column | undefined {
  const scored = columns.flatMap((column, at) => {
    const words = headers[at] ?? []
    // `Mindestbestand` is no `Bestand`, though a part of it.
    const named = words.reduce(
      (sum, word) => sum + (said.includes(word) ? 2 : said.some((stem) => isSameWord(word, stem)) ? 1 : 0),
      0,
    )
    return column.kind === 'number' && named > 0 ? [{ column, named: named / words.length }] : []
  })
  const [best, next] = scored.toSorted((one, other) => other.named - one.named)
  return best?.named === next?.named ? undefined : best?.column
}

/** Rows below or above the value of another column: `below the reorder level`. The stock is meant, or the only other amount. */
function byColumn(asked: TableQuestion, data: Prepared): Condition[] {
  const at = asked.words.findIndex(({ text }) => BELOW.has(text) || ABOVE.has(text))
  const word = asked.words[at]
  const behind = asked.words.slice(at + 1)
  const said = behind.map(({ stem }) => stem)
  const limit = word === undefined ? undefined : findLimit(data, said)
  if (word === undefined || limit === undefined) return []
  const amounts = data.columns.filter(
    (one) => one !== limit && one.kind === 'number' && one.unit === limit.unit && !isNaming(one),
  )
  const [other, ...more] = amounts.length === 1 ? amounts : amounts.filter(isOfStock)
  if (other === undefined || more.length > 0) return []
  const sign = BELOW.has(word.text) ? -1 : 1
  const isChosen = (row: TableRow) => {
    const [amount, than] = [other, limit].map((column) => column.amounts[data.placeOf.get(row) ?? -1])
    return amount !== undefined && than !== undefined && compare(amount, than) * sign > 0
  }
  const isSaid = (one: AskedWord) =>
    one === word ||
    [limit, other].some((column) => namesColumn(data, column, one.stem)) ||
    (behind.includes(one) && LIMIT_WORD.has(one.text))
  return [{ isSaid, takesNegation: false, isChosen }]
}

/** Conditions of the question that this table knows. */
export function findConditions(asked: TableQuestion, data: Prepared): readonly Condition[] {
  // `Is this one organic?` asks for the cell itself.
  const named = asked.aggregate === 'value' && !asked.asksWho ? [] : byHeader(asked, data)
  return [...named, ...byStock(asked, data), ...byColumn(asked, data), ...byPeriod(asked, data)]
}
