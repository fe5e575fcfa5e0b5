import { allPhrases, matchPart, matchWithin } from '#lexicon/match.ts'
import { byText } from './by-text.ts'
import { type Column, showAmount } from './column.ts'
import { isOfStock, saysStock } from './stock.ts'
import { isNaming, isRate, type Prepared } from './prepare.ts'
import type { Table } from './read-tables.ts'
import type { TableQuestion } from './table-question.ts'
import { topicsOfHeader } from './topics.ts'

const WORTH = matchWithin(allPhrases('tables', 'worth'))

const PRICE = matchPart(allPhrases('tables', 'priceHeaders'))
const SUM = matchPart(allPhrases('tables', 'sum'))

/** Whether a header says a total of all things of a row, and nothing but money: `net_total`. */
const isTotal = byText((header) => SUM.test(header) && topicsOfHeader(header).every((topic) => topic === 'price'))
const isWorth = byText((header) => WORTH.test(header))

/** Whether a column has the worth of all things of a row, not the price of one. */
export const saysWorth = (column: Column): boolean => isWorth(column.header) || isTotal(column.header)

/** Whether a column has prices, not costs or other amounts. */
const isOfPrice = byText((header) => PRICE.test(header))
export const saysPrice = ({ header }: Column): boolean => isOfPrice(header)

/** Whether a column may have the price of one of several things: `Price` next to `Quantity`, but not `Total price`. */
export function mayBeOfOne({ columns }: Prepared, column: Column, isOfAll: boolean): boolean {
  const counts = columns.filter((one) => one.kind === 'number' && isOfStock(one))
  if (isOfAll) return counts.length > 0 && !saysWorth(column)
  // The sum of the prices of a list is asked for, too.
  const isOrder = counts.some((one) => !saysStock(one))
  return isOrder && saysPrice(column) && !SUM.test(column.header)
}

/** Whether a column says what its rows are worth. */
export const isOfWorth = ({ header }: Column): boolean => isWorth(header) || topicsOfHeader(header).includes('price')

/** Wages are no prices: they bring nothing in. */
const isPrice = ({ header, kind, unit }: Column) => {
  const topics = topicsOfHeader(header)
  return kind === 'number' && unit !== '%' && !topics.includes('pay') && (unit !== '' || topics.includes('price'))
}

/** The column of the numbers of things, and that of the price of one. */
export function findFactors({ columns, headers }: Prepared): readonly [number, number] | undefined {
  const pairs = columns.flatMap((price, at) =>
    !isPrice(price) || isNaming(price)
      ? []
      : columns.flatMap((count, of) => {
          const isCount =
            of !== at && count.kind === 'number' && count.unit === '' && !isPrice(count) && !isNaming(count)
          const isStock = isOfStock(count)
          // Tickets and `Ticket price`, `Unit price` of a quantity. `Price` alone may be that of all of them.
          const sharesWord = headers[at]?.some((stem) => headers[of]?.includes(stem)) === true
          const fits = sharesWord || (isStock && (isRate(price) || saysStock(count)))
          return isCount && fits ? [[of, at] as const] : []
        }),
  )
  return pairs.length === 1 ? pairs[0] : undefined
}

const known = new WeakMap<Table, Table | null>()

function multiply(data: Prepared): Table | null {
  const { table, columns, rows } = data
  const factors = findFactors(data)
  const [count, price] = (factors ?? []).map((at) => columns[at])
  const isSaid = columns.some(({ header }) => isWorth(header))
  // A third amount may be what they are worth.
  if (count === undefined || price === undefined || isSaid || columns.filter(isPrice).length > 1) return null
  const cells = new Map(
    rows.map((row, at) => {
      const [one, other] = [count.amounts[at], price.amounts[at]]
      if (one === undefined || other === undefined) return [row, '']
      const amount = { digits: one.digits * other.digits, scale: one.scale + other.scale }
      return [row, showAmount(amount, { ...price, isGrouped: false }, other.scale)]
    }),
  )
  const header = `${count.header} \u00d7 ${price.header}`
  const isRounded = table.rounded.has(count.header) || table.rounded.has(price.header)
  const width = table.header.length
  const fill = (given: readonly string[], last: string) => [
    ...Array.from({ length: width }, (_, at) => given[at] ?? ''),
    last,
  ]
  return {
    ...table,
    header: fill(table.header, header),
    rows: table.rows.map((row) => ({ ...row, cells: fill(row.cells, cells.get(row) ?? '') })),
    rounded: isRounded ? new Set([...table.rounded, header]) : table.rounded,
    product: width,
  }
}

/** The table with what its rows are worth as a last column: how many there are times the price of one. Undefined where that is open. */
export function withWorth(data: Prepared): Table | undefined {
  const made = known.get(data.table) ?? multiply(data)
  known.set(data.table, made)
  return made ?? undefined
}

/** Whether the question may be for number times price. `How many` and `the highest value of Quantity` are not. */
export function mayMultiply(
  { asksWorth, aggregate, aggregates, stems }: TableQuestion,
  { table, columns, headers }: Prepared,
) {
  const isSaid = headers.some(
    (header, at) =>
      columns[at]?.kind === 'number' &&
      header.length > 0 &&
      header.every((stem) => stems.includes(stem)) &&
      !(aggregate === 'value' && isOfStock(columns[at])),
  )
  return asksWorth && table.product === undefined && !aggregates.has('count') && (aggregate === 'sum' || !isSaid)
}
