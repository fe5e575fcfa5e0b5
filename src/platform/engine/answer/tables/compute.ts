import {
  type Amount,
  averageOf,
  type Column,
  compare,
  notationsIn,
  type Notation,
  showAmount,
  sumOf,
  toColumn,
} from './column.ts'
import { findChoices, stemsOf } from './choices.ts'
import { findConditions } from './conditions.ts'
import type { Table, TableRow } from './read-tables.ts'
import {
  type Aggregate,
  type AskedWord,
  type Comparison,
  isSameWord,
  isTopicWord,
  type TableQuestion,
  topicsOfHeader,
} from './table-question.ts'

/** A computed value, and the rows that it rests on. */
export interface Computed {
  readonly table: Table
  readonly aggregate: Aggregate
  /** Undefined: rows are counted or listed by their words alone. */
  readonly column: Column | undefined
  /** Undefined for rows and counts. */
  readonly value: string | undefined
  readonly rows: readonly TableRow[]
  /** Rows that were looked at: those that the question's words choose. */
  readonly outOf: number
  /** Rows of the table, without those that sum up others. */
  readonly all: number
  /** Rows without a value in the column. */
  readonly leftOut: number
  /** Words of the question that the table knows. */
  readonly known: number
}

/** A row that sums up others. */
const TOTAL =
  /^(?:grand |sub-?)?(?:total|sum|subtotal|summe|gesamt\p{L}*|zwischensumme|insgesamt|average|durchschnitt|mean)\b/iu
/** Columns of numbers that are names. */
const NAMING =
  /^(?:id|nr\.?|no\.?|#|number|nummer|code|zip|plz|year|jahr|phone|telefon|tel\.?|row|pos\.?)$|(?:[-_ ]|\b)(?:id|nr|no|code)\.?$/i

interface Prepared {
  readonly table: Table
  readonly columns: readonly Column[]
  readonly headers: readonly (readonly string[])[]
  readonly rows: readonly TableRow[]
}

const prepared = new WeakMap<Table, Prepared>()

/** Its columns; computed once for a table. */
function prepare(table: Table, language: string): Prepared {
  const known = prepared.get(table)
  if (known !== undefined) return known
  const rows = table.rows.filter(({ cells }) => !cells.slice(0, 2).some((cell) => TOTAL.test(cell)))
  const shown = notationsIn(rows.flatMap(({ cells }) => cells))
  const otherwise: Notation = shown.size === 1 ? ([...shown][0] ?? 'point') : language === 'de' ? 'comma' : 'point'
  const columns = table.header.map((header, at) =>
    toColumn(
      header,
      rows.map(({ cells }) => cells[at] ?? ''),
      otherwise,
    ),
  )
  const made = { table, columns, headers: table.header.map(stemsOf), rows }
  prepared.set(table, made)
  return made
}

/** The column whose values are asked for: named, or of a kind that the words point to; the only numbers, if need be. */
function findMeasure(asked: TableQuestion, { columns, headers }: Prepared, wanted: (column: Column) => boolean) {
  const scored = columns.flatMap((column, at) => {
    if (!wanted(column)) return []
    const named = asked.words.filter(({ stem }) => headers[at]?.some((header) => isSameWord(header, stem))).length
    const topics = topicsOfHeader(column.header).filter((topic) => asked.topics.has(topic)).length
    return [{ column, at, named, score: named * 3 + topics * 2 }]
  })
  const [best] = scored.toSorted((one, other) => other.score - one.score)
  if (best !== undefined && best.score > 0) return best
  const numbers = scored.filter(({ column }) => column.kind === 'number' && !NAMING.test(column.header))
  return numbers.length === 1 && asked.topics.size === 0 ? numbers[0] : undefined
}

function holds(amount: Amount | undefined, { sign }: Comparison, than: Amount | undefined): boolean {
  if (amount === undefined || than === undefined) return false
  const order = compare(amount, than)
  return sign === '>' ? order > 0 : sign === '<' ? order < 0 : sign === '>=' ? order >= 0 : order <= 0
}

/** The limit of a comparison, read as the column is written. */
function toLimit({ text, date }: Comparison, column: Column): Amount | undefined {
  if (column.kind === 'date') {
    const year = /^(\d{4})$/.exec(text)
    return date ?? (year === null ? undefined : { digits: BigInt(Date.UTC(Number(year[1]), 0, 1)), scale: 0 })
  }
  const [amount] = toColumn(
    '',
    [text.replace(/\s?(?:euros?|dollars?|eur|usd|kg|h|[€$£%])$/i, '')],
    column.notation,
  ).amounts
  return amount
}

/** A date is latest where a number is most, and the oldest is the first. */
function toDirection(asked: TableQuestion, column: Column): 'max' | 'min' {
  const isAge = asked.topics.has('age') && column.kind === 'number' && /\bage\b|alter/i.test(column.header)
  return (asked.aggregate === 'max') !== isAge ? 'max' : 'min'
}

/** Most rows that answer `what does it cost`. */
const MAX_VALUES = 5

// oxlint-disable-next-line complexity -- one branch for each kind of question
function evaluate(
  asked: TableQuestion,
  data: Prepared,
  found: ReturnType<typeof findMeasure>,
  chosen: readonly TableRow[],
  known: number,
): Computed | undefined {
  const { table } = data
  const column = found?.column
  const rowsAt = new Map(data.rows.map((row, at) => [row, at]))
  const amountOf = (row: TableRow) => column?.amounts[rowsAt.get(row) ?? -1]
  const limits = column === undefined ? [] : asked.comparisons.map((one) => ({ one, than: toLimit(one, column) }))
  if (asked.comparisons.length > 0 && (column === undefined || limits.some(({ than }) => than === undefined)))
    return undefined
  const rows = chosen.filter((row) => limits.every(({ one, than }) => holds(amountOf(row), one, than)))
  const valued = rows.filter((row) => amountOf(row) !== undefined)
  const amounts = valued.flatMap((row) => amountOf(row) ?? [])
  const made = {
    table,
    column,
    outOf: chosen.length,
    all: data.rows.length,
    leftOut: rows.length - valued.length,
    known,
  }
  // `Who was hired before 2020?` asks for rows.
  const aggregate = asked.aggregate === 'value' && limits.length > 0 ? 'rows' : asked.aggregate
  if (aggregate === 'count' || aggregate === 'rows') return { ...made, aggregate, value: undefined, rows, leftOut: 0 }
  if (column === undefined || found === undefined) return undefined
  if (aggregate === 'value') {
    return rows.length === 0 || rows.length > MAX_VALUES
      ? undefined
      : { ...made, aggregate, value: rows[0]?.cells[found.at], rows, leftOut: 0 }
  }
  if (amounts.length === 0) return undefined
  if (aggregate === 'sum' || aggregate === 'average') {
    if (column.kind !== 'number') return undefined
    const value =
      aggregate === 'sum'
        ? showAmount(sumOf(amounts), column)
        : showAmount(averageOf(amounts), column, Math.max(0, ...amounts.map(({ scale }) => scale)))
    return { ...made, aggregate, value, rows: valued }
  }
  const direction = toDirection(asked, column)
  const sign = direction === 'max' ? 1 : -1
  const best = amounts.reduce((one, other) => (compare(other, one) * sign > 0 ? other : one))
  const winners = valued.filter((row) => compare(amountOf(row) ?? best, best) === 0)
  return { ...made, aggregate: direction, value: winners[0]?.cells[found.at], rows: winners }
}

/** The column that says how many there are of what a row names. */
function findStock({ aggregate, comparisons }: TableQuestion, { columns }: Prepared) {
  if (aggregate !== 'count' || comparisons.length > 0) return undefined
  const at = columns.findIndex(({ kind, header }) => kind === 'number' && topicsOfHeader(header).includes('stock'))
  const column = columns[at]
  return column === undefined ? undefined : { column, at, named: 0, score: 0 }
}

const TITLE_PART = 0.5

/** Whether a word names all rows: `which machines …` of a sheet called Machines. */
function isWhole({ headings }: Table, { isHead, stem }: AskedWord): boolean {
  const [name, ...more] = stemsOf(headings.at(-1) ?? '')
  return isHead && more.length === 0 && name === stem
}

/** Words of the question that stand in the headings above the table or in the name of its file. */
const isAbout = (title: readonly string[], { stem }: AskedWord) => title.some((other) => isSameWord(other, stem))

/**
 * Computes what is asked from all rows of a table; undefined where the table does not fit the question.
 *
 * @param fileName counts as a title of the table
 */
export function computeFrom(
  table: Table,
  asked: TableQuestion,
  fileName: string,
  language: string,
): Computed | undefined {
  const data = prepare(table, language)
  if (data.rows.length === 0) return undefined
  const isNumeric = asked.aggregate !== 'value' && asked.aggregate !== 'rows' && asked.aggregate !== 'count'
  const found =
    asked.aggregate === 'count' && asked.comparisons.length === 0
      ? undefined
      : findMeasure(asked, data, (column) =>
          isNumeric || asked.comparisons.length > 0 ? column.kind !== 'text' : true,
        )
  const isHeader = ({ stem }: AskedWord) => data.headers.some((header) => header.some((word) => isSameWord(word, stem)))
  const isMeasured = (word: AskedWord) => isTopicWord(word.text) && found !== undefined
  const conditions = findConditions(asked, data)
  const spoken = asked.words.filter(
    (word) => !isMeasured(word) && !isWhole(table, word) && !conditions.some(({ isSaid }) => isSaid(word)),
  )
  const free = spoken.filter((word) => !isHeader(word))
  const choices = findChoices(asked, data, free.length > 0 || conditions.length > 0 ? free : spoken)
  const chosenWords = new Set(choices.flatMap(({ words }) => words))
  const title = stemsOf(`${fileName.replace(/\.\w{1,5}(?:\.md)?$/, '')} ${table.headings.join(' ')}`)
  const isRow = (word: AskedWord) => word.isHead && conditions.length > 0
  const unknown = free.filter((word) => !chosenWords.has(word.stem) && !isAbout(title, word) && !isRow(word))
  // The name decides between two tables that know all words.
  const isTitled = asked.words.some((word) => isAbout(title, word))
  const known =
    asked.words.length -
    unknown.length +
    (found === undefined ? 0 : found.named > 0 ? 1.5 : 1) +
    (isTitled ? TITLE_PART : 0)
  // A word for rows that are not there must not be answered from all rows.
  const isClear =
    unknown.length === 0 ||
    (isNumeric &&
      unknown.length === 1 &&
      (found?.score ?? 0) > 0 &&
      unknown[0]?.isPlace === false &&
      !/\d/.test(unknown[0].text))
  if (!isClear) return undefined
  const isChoosing = choices.length > 0 || conditions.length > 0 || asked.comparisons.length > 0
  if ((asked.aggregate === 'value' || asked.aggregate === 'rows') && !isChoosing) return undefined
  if (asked.aggregate === 'count' && known === 0) return undefined
  const chosen = data.rows.filter((row) => [...choices, ...conditions].every(({ isChosen }) => isChosen(row)))
  if (chosen.length === 0) return undefined
  const isNamed = asked.words.some(({ stem, isHead }) => isHead && chosenWords.has(stem))
  if (asked.aggregate === 'value' && asked.asksWho && choices.length === 0 && conditions.length > 0)
    return evaluate({ ...asked, aggregate: 'rows' }, data, found, chosen, known)
  const stock = isNamed ? findStock(asked, data) : undefined
  if (stock === undefined) return evaluate(asked, data, found, chosen, known)
  return evaluate({ ...asked, aggregate: chosen.length === 1 ? 'value' : 'sum' }, data, stock, chosen, known)
}
