import { usesComma } from '#lexicon/match.ts'
import { type Amount, averageOf, type Column, compare, medianOf, showAmount, sumOf, toColumn } from './column.ts'
import type { Computed, Declined } from './computed.ts'
import { holds, toLimit } from './comparisons.ts'
import { countRows, hasTimes, isCountedNumber, readCounting } from './counted.ts'
import { readDated } from './dated.ts'
import { isForeign } from './foreign.ts'
import { findStockColumn, isOfStock, isStockWord } from './conditions.ts'
import { peopleColumn, type Prepared, prepare } from './prepare.ts'
import type { Table, TableRow } from './read-tables.ts'
import { type Ranged, readRanged } from './ranges.ts'
import { toShape } from './shapes.ts'
import { isSumOfLast } from './sum-rows.ts'
import { ADDED, type AskedWord, type TableQuestion, topicsOfHeader } from './table-question.ts'
import { isOfWorth, mayBeOfOne, saysWorth, withWorth } from './worth.ts'
import { findMeasure, isExtreme, isNumeric, type Measure } from './measure.ts'
import { isOfOther as isOfAnother } from './doubts.ts'
import { columnOf, type FileTitle, understand } from './understand.ts'

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
  const people = asked.asksWho ? peopleColumn(data) : -1
  return (
    asked.heads.map((head) => columnOf(data, head)).find((at) => at !== undefined) ??
    (people === -1 ? undefined : people)
  )
}

/** Most rows that answer `what does it cost`. */
const MAX_VALUES = 5

// oxlint-disable-next-line complexity -- one branch for each kind of question
function evaluate(
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
    const [only, ...others] = amounts
    const amountOfOne = only === undefined || others.length > 0 ? {} : { amount: only }
    return rows.length === 0 || rows.length > MAX_VALUES || rows.every((row) => (row.cells[found.at] ?? '') === '')
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

const toMeasure = ({ columns }: Prepared, at: number): Measure | undefined => {
  const column = columns[at]
  return column === undefined ? undefined : { column, at, named: 0, score: 0 }
}

/** The question with one aggregate: others are names of columns, as in `highest total`. Undefined: it asks for several. */
function withOneAggregate(asked: TableQuestion, data: Prepared): TableQuestion | undefined {
  const computing = [...asked.aggregates].filter(([one]) => one !== 'count' && one !== 'rows')
  if (computing.length < 2) return asked
  const isColumn = (stems: readonly string[]) =>
    data.headers.some(
      (header, at) =>
        data.columns[at]?.kind === 'number' && stems.every((stem) => header.some((word) => word === stem)),
    )
  const [first, ...more] = computing.filter(([, stems]) => !isColumn(stems))
  if (first === undefined || more.length > 0) return undefined
  const named = computing.filter((each) => each !== first).flatMap(([, stems]) => stems)
  const words = named.map((stem): AskedWord => ({ ...PLAIN, text: stem, stem }))
  return { ...asked, aggregate: first[0], words: [...asked.words, ...words] }
}

const PLAIN = {
  isPlace: false,
  isHead: false,
  isNegated: false,
  isLimit: false,
  isName: false,
  isCounted: false,
  isGroup: false,
  isLight: false,
  next: undefined,
} as const

/** Whether the rows of one thing would have to be added first: `which category …` of a table of invoices. */
function isOfGroups(asked: TableQuestion, data: Prepared, chosen: readonly TableRow[], measure: Measure | undefined) {
  if (!isExtreme(asked)) return false
  const counted = asked.words.filter(({ isCounted }) => isCounted).map(({ stem }) => stem)
  const heads = [...asked.heads, ...counted].map((stem) => columnOf(data, stem))
  const people = asked.asksWho ? peopleColumn(data) : -1
  return [...heads, people].some((at) => {
    if (at === undefined || at === -1 || at === measure?.at) return false
    const cells = chosen.map((row) => row.cells[at] ?? '')
    return new Set(cells).size < cells.length
  })
}

function findAsked(asked: TableQuestion, data: Prepared, ranged: Ranged | undefined): Measure | undefined {
  const { product, wide } = data.table
  const last = product ?? (wide === undefined ? undefined : data.columns.length - 1)
  if (last !== undefined) {
    const made = toMeasure(data, last)
    return made === undefined ? undefined : { ...made, named: 1, score: 1 }
  }
  if (ranged !== undefined) {
    const isOther = (column: Column) => column !== data.columns[ranged.column]
    const [only, ...more] = data.columns.flatMap((column, at) => (isOther(column) ? [at] : []))
    return findMeasure(asked, data, isOther) ?? (more.length === 0 ? toMeasure(data, only ?? -1) : undefined)
  }
  if (asked.aggregate === 'count' && asked.comparisons.length === 0) return undefined
  const worth = asked.asksWorth ? data.columns.findIndex((column) => column.kind === 'number' && saysWorth(column)) : -1
  if (asked.aggregate === 'sum' && worth >= 0) return toMeasure(data, worth)
  const needsNumbers = isNumeric(asked) || asked.comparisons.length > 0
  return findMeasure(asked, data, (column) => !needsNumbers || column.kind !== 'text')
}

/** The question with one aggregate; the worth of several things, and the values of several months, are added up. */
function withSums(data: Prepared, question: TableQuestion) {
  const said = data.rows.length === 0 ? undefined : withOneAggregate(question, data)
  const isAdded = said?.asksWorth === true || data.table.wide !== undefined
  const isOfAll = isAdded && said?.aggregate === 'value' && said.form?.kind !== 'difference'
  return { isOfAll, one: said !== undefined && isOfAll ? { ...said, aggregate: 'sum' as const } : said }
}

// oxlint-disable-next-line complexity -- one branch for each kind of question
function computeValue(data: Prepared, question: TableQuestion, fileTitle: FileTitle): Computed | Declined | undefined {
  const { isOfAll, one } = withSums(data, question)
  // Rows of months are values: they are not counted as things.
  if (one === undefined || (data.table.wide !== undefined && one.aggregates.has('count'))) return undefined
  const counts = one.aggregates.has('count')
  const isNumber = counts && isCountedNumber(one, data)
  const counting = readCounting(one, isNumber)
  const ranged = readRanged(counting, data)
  const { asked, conditions: dated } = readDated(ranged?.asked ?? counting, data)
  const more = ranged === undefined ? dated : [...dated, ranged.condition]
  if (isForeign(asked, data, fileTitle.words, more)) return undefined
  const found = findAsked(asked, data, ranged)
  // The number of things is not what they are worth.
  const isWorth = found === undefined || found.named > 0 || isOfWorth(found.column)
  if (asked.asksWorth && !isWorth) return undefined
  // The price of one is not that of all of them.
  const { product, joined } = data.table
  const isOwnSum = asked.aggregate === 'sum' && product === undefined
  if (isOwnSum && found !== undefined && mayBeOfOne(data, found.column, isOfAll)) return undefined
  if (counts && isNumeric(asked) && (found?.named ?? 0) === 0) return undefined
  // `The lowest number of visitors` is no date.
  if (counts && isExtreme(asked) && found?.column.kind !== 'number') return undefined
  const read = understand(asked, data, fileTitle, found, more)
  if (read === undefined || 'declines' in read) return read
  const { choices, conditions, chosenWords, known } = read
  const isChoosing = choices.length > 0 || conditions.length > 0 || asked.comparisons.length > 0
  if ((asked.aggregate === 'value' || asked.aggregate === 'rows') && !isChoosing) return undefined
  if (asked.aggregate === 'count' && known === 0) return undefined
  const byWords = data.rows.filter((row) => choices.every(({ isChosen }) => isChosen(row)))
  const chosen = byWords.filter((row) => conditions.every(({ isChosen }) => isChosen(row)))
  const stock = toMeasure(data, findStockColumn(data))
  const asksOfStock = asked.words.some(isStockWord)
  // `Is the sofa in stock?` asks for the cell itself.
  if (asked.aggregate === 'value' && asksOfStock && found === undefined && choices.length > 0 && stock !== undefined)
    return evaluate(asked, data, stock, byWords, known)
  // A row of the other table belongs to several ones: its numbers are not added up.
  const isOfOther = product === undefined && joined !== undefined && found !== undefined && found.at >= joined.own
  if (isOfOther && ((isNumeric(asked) && chosen.length > 1) || asked.period !== undefined))
    return { declines: true, known }
  const isDoubtful = (isNumeric(asked) || asked.aggregate === 'count') && chosen.some((row) => data.doubtful.has(row))
  // A row with a name alone may be one of those that are counted.
  const mayLack = asked.aggregate === 'count' && data.names.length > 0 && chosen.length === data.rows.length
  if (isDoubtful || mayLack || chosen.length === 0 || isOfGroups(asked, data, chosen, found))
    return { declines: true, known }
  if (isOfAnother({ asked, data, found, chosen, choices, conditions, chosenWords })) return { declines: true, known }
  if (asked.aggregate === 'value' && (asksOfStock || (asked.asksWho && choices.length === 0 && conditions.length > 0)))
    return evaluate({ ...asked, aggregate: 'rows' }, data, found, chosen, known)
  if (isNumber && one.aggregate === 'count' && one.form === undefined) {
    if (chosen.length === 1) return evaluate({ ...asked, aggregate: 'value' }, data, found, chosen, known)
    // A number of each day or year may be how many there were then.
    const isSpent = topicsOfHeader(found?.column.header ?? '').includes('time')
    if (!isSpent && hasTimes(data) && asked.period?.months.size !== 1) return { declines: true, known }
  }
  if (isOfAll && chosen.length === 1) return evaluate({ ...asked, aggregate: 'value' }, data, found, chosen, known)
  if (asked.aggregate !== 'count') {
    const made = evaluate(asked, data, found, chosen, known)
    return made === undefined
      ? undefined
      : { ...made, chosen: [...chosenWords], choices: made.choices + choices.length + conditions.length }
  }
  const isNamed = asked.words.some(({ stem, isHead }) => isHead && chosenWords.has(stem))
  if (isNamed && stock !== undefined && asked.comparisons.length === 0)
    return evaluate({ ...asked, aggregate: chosen.length === 1 ? 'value' : 'sum' }, data, stock, chosen, known)
  // Kinds of things, or things of each kind.
  if (asked.asksStock && stock !== undefined) return undefined
  return countRows(asked, data, evaluate(asked, data, found, chosen, known), [...chosenWords], isNamed)
}

function computeIn(data: Prepared, asked: TableQuestion, fileTitle: FileTitle): Computed | Declined | undefined {
  const made = computeValue(data, asked, fileTitle)
  if (made === undefined || 'declines' in made || asked.form === undefined) return made
  return toShape(data, made, asked.form, asked) ?? { declines: true, known: made.known }
}

const isSame = (one: Computed, other: Computed | Declined | undefined) =>
  other !== undefined &&
  'rows' in other &&
  one.value === other.value &&
  // 3.400 is another sum where it has groups.
  (one.aggregate !== 'sum' || one.column?.isGrouped === other.column?.isGrouped) &&
  one.rows.length === other.rows.length &&
  one.rows.every((row, at) => row === other.rows[at])

/** Whether the question may be for number times price. `How many` and `the highest value of Quantity` are not. */
function mayMultiply(
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

/**
 * Computes the result from all rows of a table; undefined where the table does not fit the question, declined where it
 * fits and which value is meant is open.
 *
 * @param fileTitle stems of the name of the file, which count as a title of the table
 */
export function computeFrom(
  table: Table,
  asked: TableQuestion,
  fileTitle: FileTitle,
  language: string,
): Computed | Declined | undefined {
  const { point, comma, open } = prepare(table)
  const worth = mayMultiply(asked, point) ? withWorth(point) : undefined
  if (worth !== undefined && open.size === 0) return computeFrom(worth, asked, fileTitle, language)
  const [mine, other] = usesComma(language) ? [comma, point] : [point, comma]
  const made = computeIn(mine, asked, fileTitle)
  // Where no cell tells the notation of 1.250, only a result that is the same in both notations is given.
  if (made === undefined || 'declines' in made) return made
  if (made.column === undefined || !open.has(mine.columns.indexOf(made.column))) return made
  return isSame(made, computeIn(other, asked, fileTitle)) ? made : { declines: true, known: made.known }
}
