import { isSameWord, stemsOf, toStem } from './stems.ts'
import { allPhrases, allWords, matchPart, matchStart, matchWhole, oneOf } from '#lexicon/match.ts'
import { byText } from './by-text.ts'
import { type Column, compare, hasDays, notationsIn, type Notation, saysName, toColumn } from './column.ts'
import type { Table, TableRow } from './read-tables.ts'
import { findSumRows } from './sum-rows.ts'

/** A row that says that it sums up others: `Total North`, `North Total`. */
const TOTAL_ROW = oneOf(allPhrases('tables', 'totalRows'))
const TOTAL = new RegExp(String.raw`^${TOTAL_ROW}(?!\p{L})|(?<!\p{L})${TOTAL_ROW}:?$`, 'iu')
const AVERAGE_ROW = oneOf(allPhrases('tables', 'averageRows'))
const AVERAGE = new RegExp(String.raw`^${AVERAGE_ROW}(?!\p{L})`, 'iu')
const AVERAGE_ALONE = new RegExp(`^${AVERAGE_ROW}:?$`, 'iu')

interface Totals {
  readonly rows: ReadonlySet<TableRow>
  /** The last row, if it says that it sums up the table. */
  readonly last: TableRow | undefined
}

/** Rows that say that they sum up others. `Average` above other rows is a name: that of a mark. */
function totalsOf({ rows }: Table): Totals {
  const kinds = rows.map(({ cells }) => {
    const names = cells.slice(0, 2)
    if (names.some((cell) => TOTAL.test(cell))) return 'sum'
    if (!names.some((cell) => AVERAGE.test(cell))) return undefined
    return names.some((cell) => AVERAGE_ALONE.test(cell)) ? 'alone' : 'average'
  })
  const data = kinds.lastIndexOf(undefined)
  const isName = (at: number) => kinds[at] === 'alone' && at < data
  const last = kinds.findLastIndex((kind) => kind === undefined || kind === 'sum')
  return {
    rows: new Set(rows.filter((_, at) => kinds[at] !== undefined && !isName(at))),
    last: kinds[last] === 'sum' ? rows[last] : undefined,
  }
}

/** A year of money is no name. */
export const isNaming = ({ header, unit }: Column): boolean => unit === '' && saysName(header)

const RATE = matchPart(allPhrases('tables', 'rateHeaders'))

/** Hours per week are those of a person: they are added up. */
const TIME_PER = matchStart(allPhrases('tables', 'timePer'))

/** Whether its header says for one of something: `Hours per week`. */
export const isPer = ({ header }: Column): boolean => saysRate(header)
const saysRate = byText((header) => RATE.test(header))

/** Whether its amounts are for one of something: `Price per kg`. */
export const isRate = (column: Column): boolean => isPer(column) && !TIME_PER.test(column.header)

const PEOPLE = matchWhole(allPhrases('tables', 'peopleHeaders'))

/** Whether a word is one for people: `customer`. */
export const isWordForPeople = byText((word) => PEOPLE.test(word))

/** The column that names people; -1: its rows are things. */
export const peopleColumn = ({ columns }: Pick<Prepared, 'columns'>): number =>
  columns.findIndex(({ header, kind }) => kind === 'text' && isWordForPeople(header))

/** Whether each row is a person, not a thing that has one: no other name comes before theirs. */
export const isOfPeople = (data: Pick<Prepared, 'columns'>): boolean =>
  peopleColumn(data) === data.columns.findIndex((column) => column.kind === 'text' && !isNaming(column))

const YES = matchWhole([...allWords('tables', 'yes'), 'x', '✓', '✔', '✅'])
const NO = matchWhole([...allWords('tables', 'no'), '-', '–', '—', '✗', '✘', '❌'])

export const isYes = (cell: string): boolean => YES.test(cell)

/** Words of a cell that a question may name as a whole, and letters of a cell that are looked through. */
export const MAX_VALUE_WORDS = 6
const MAX_VALUE = 80
const MAX_CELL = 2_000

/** One name, however it is typed: `C` and `C++` are two. */
export const toKey = (name: string): string => name.normalize('NFC').replace(/\s+/g, ' ').trim().toLowerCase()

/** A table prepared for questions: the parts that do not depend on the question are made once. */
export interface Prepared {
  readonly table: Table
  readonly columns: readonly Column[]
  /** Stems of each header, and of the headings above the table. */
  readonly headers: readonly (readonly string[])[]
  readonly title: readonly string[]
  /** Without those that sum up others. */
  readonly rows: readonly TableRow[]
  /** The last row, if it says that it sums up the table. */
  readonly total: TableRow | undefined
  /** Rows with nothing but a name in the first column: notes, or things of which nothing else is known. */
  readonly names: readonly TableRow[]
  /** Rows that may sum up others: nothing is computed of them. */
  readonly doubtful: ReadonlySet<TableRow>
  readonly placeOf: ReadonlyMap<TableRow, number>
  /** Cells by column and row; the name of a group is in each of its rows. */
  readonly cells: readonly (readonly string[])[]
  /** Stems of each cell with a space between them, by column and row. */
  readonly keys: readonly (readonly string[])[]
  /** Columns by one of their whole cells. */
  readonly columnsOfValue: ReadonlyMap<string, readonly number[]>
  /** The first column of text that has a word. */
  readonly columnOfWord: ReadonlyMap<string, number>
  /** Columns of yes and no. */
  readonly marked: readonly boolean[]
}

/** A table in both notations; `open` are the columns that say something else in the other one. */
export interface Readings {
  readonly point: Prepared
  readonly comma: Prepared
  readonly open: ReadonlySet<number>
}

/** Whether a word of the question is one of the header of a column. */
export const namesColumn = ({ columns, headers }: Prepared, column: Column, stem: string): boolean =>
  headers[columns.indexOf(column)]?.some((word) => isSameWord(word, stem)) === true

/** Whether a column is of the table itself: sales of May are not those of people who began in May. */
export const isOwnColumn = ({ table }: Prepared, at: number): boolean =>
  at < (table.joined?.own ?? Number.POSITIVE_INFINITY)

/**
 * The column of dates that is meant: the only one, or the one that the question names. `orFirst`: else the first, where
 * things happen before they are due or paid; the answer has to say which one it is.
 */
export function columnOfDates(stems: readonly string[], data: Prepared, orFirst = false): Column | undefined {
  const dates = data.columns.filter((column, at) => hasDays(column) && isOwnColumn(data, at))
  // Hires of a column `After the hire: paid on` are the rows.
  const isOfRows = (stem: string) => [...(data.headers[0] ?? []), ...data.title].some((word) => isSameWord(word, stem))
  const telling = stems.filter((stem) => !SMALL.has(stem) && !isOfRows(stem))
  const named = dates.filter((one) => telling.some((stem) => namesColumn(data, one, stem)))
  const [first, ...others] = dates
  if (first === undefined || named.length > 1) return undefined
  const column = others.length === 0 || (orFirst && named.length === 0) ? first : named[0]
  if (column === undefined || isOnlyBeginning(column, stems, data)) return undefined
  return others.length > 0 && named.length === 0 && BIRTH.test(column.header) ? undefined : column
}

/** Words of a header that say nothing of it. */
const SMALL = new Set([...allPhrases('tables', 'articles'), ...allWords('tables', 'placing')].map(toStem))
const BIRTH = matchPart(allPhrases('tables', 'birthHeaders'))
const BEGINNING = new Set(allWords('tables', 'beginnings').map(toStem))

/** The day on which a contract began is no day of its payments, unless the question asks for it. */
const isOnlyBeginning = (column: Column, stems: readonly string[], data: Prepared): boolean =>
  stemsOf(column.header).some((stem) => BEGINNING.has(stem)) &&
  !stems.some((stem) => BEGINNING.has(stem) || namesColumn(data, column, stem))

const prepared = new WeakMap<Table, Readings>()

function isMarked(cells: readonly string[]): boolean {
  const filled = cells.filter((cell) => cell !== '')
  return filled.some((cell) => YES.test(cell)) && filled.every((cell) => YES.test(cell) || NO.test(cell))
}

function indexCells(columns: readonly Column[], cells: readonly (readonly string[])[]) {
  const columnsOfValue = new Map<string, number[]>()
  const columnOfWord = new Map<string, number>()
  const keys = cells.map((of, column) => {
    const kind = columns[column]?.kind
    return of.map((cell) => {
      if (cell.length >= MAX_CELL || kind === 'date') return ''
      const stems = stemsOf(cell)
      const key = stems.join(' ')
      if (key !== '' && cell.length <= MAX_VALUE && stems.length <= MAX_VALUE_WORDS) {
        const known = columnsOfValue.get(key)
        if (known === undefined) columnsOfValue.set(key, [column])
        else if (known.at(-1) !== column) known.push(column)
      }
      if (kind === 'text') for (const stem of stems) if (!columnOfWord.has(stem)) columnOfWord.set(stem, column)
      return key
    })
  })
  return { keys, columnsOfValue, columnOfWord }
}

/** `1,500` of a workbook is a number in groups; `1.500` may have been typed as a text. */
const isPlainWorkbook = ({ isFromWorkbook }: Table, cells: readonly (readonly string[])[]) =>
  isFromWorkbook && !cells.some((of) => of.some((cell) => /\d\.\d{3}(?!\d)/.test(cell)))

/** In both notations: which one the table uses may be told only without its sums. */
function findSums(table: Table, totals: ReadonlySet<TableRow>, cells: readonly (readonly string[])[]) {
  const [point, comma] = (['point', 'comma'] as const).map((notation) => {
    const columns = table.header.map((header, at) => toColumn(header, cells[at] ?? [], notation))
    const counted = columns.filter((column) => !isNaming(column))
    return findSumRows(table.rows, counted, (row) => totals.has(row))
  })
  return point !== undefined && (comma?.sums.size ?? 0) <= point.sums.size
    ? point
    : (comma ?? { sums: new Set(), doubtful: new Set(), groups: [] })
}

/** A group's name that only its first row has is that of its other rows, too. */
function fillDown(cells: string[], group: readonly number[]): void {
  const [first = -1, ...others] = group
  const name = cells[first] ?? ''
  if (!/\p{L}/u.test(name) || others.some((at) => (cells[at] ?? '') !== '')) return
  for (const at of others) cells[at] = name
}

/** Columns from which on a row with one cell is a note or a title among the rows, where most rows have more. */
const MIN_NOTED_COLUMNS = 3

const isSingle = ({ cells }: TableRow) => cells.filter((cell) => cell !== '').length === 1

function notesAmong({ header, rows }: Table): ReadonlySet<TableRow> {
  const singles = header.length < MIN_NOTED_COLUMNS ? [] : rows.filter(isSingle)
  return new Set(singles.length * 2 < rows.length ? singles : [])
}

/** Rows after one that sums up the table are notes where they lack a name that each row has: `Let 75 %` below `All rooms`. */
function notesBelow({ header, rows }: Table, isSum: (row: TableRow) => boolean): ReadonlySet<TableRow> {
  const last = rows.findLastIndex(isSum)
  const above = rows.slice(0, Math.max(last, 0)).filter((row) => !isSum(row))
  const below = rows.slice(last + 1)
  if (last === -1 || below.length >= above.length) return new Set()
  const isLacking = header.some(
    (_, at) =>
      above.every(({ cells }) => (cells[at] ?? '') !== '') && below.every(({ cells }) => (cells[at] ?? '') === ''),
  )
  return new Set(isLacking ? below : [])
}

function read(table: Table): Readings {
  const cellsOf = (rows: readonly TableRow[]) => table.header.map((_, at) => rows.map((row) => row.cells[at] ?? ''))
  const totals = totalsOf(table)
  const { sums, doubtful, groups } = findSums(table, totals.rows, cellsOf(table.rows))
  const notes = notesAmong(table)
  const isSum = (row: TableRow) => totals.rows.has(row) || (sums.has(row) && !doubtful.has(row))
  const below = notesBelow(table, isSum)
  const rows = table.rows.filter((row) => !isSum(row) && !notes.has(row) && !below.has(row))
  const cells = cellsOf(rows)
  const placeOf = new Map(rows.map((row, at) => [row, at]))
  for (const group of groups)
    fillDown(
      cells[0] ?? [],
      group.map((at) => placeOf.get(table.rows[at] as TableRow) ?? -1),
    )
  const shown = notationsIn(cells.flat())
  const [only] =
    shown.size === 1 ? shown : isPlainWorkbook(table, cells) && shown.size === 0 ? (['point'] as const) : []
  const columnsIn = (notation: Notation) =>
    table.header.map((header, at) => toColumn(header, cells[at] ?? [], only ?? notation))
  const columns = columnsIn('point')
  const others = only === undefined ? columnsIn('comma') : columns
  const isOpen = ({ amounts }: Column, at: number) =>
    amounts.some((amount, row) => {
      const other = others[at]?.amounts[row]
      return amount !== undefined && other !== undefined && compare(amount, other) !== 0
    })
  const point: Prepared = {
    table,
    columns,
    headers: table.header.map(stemsOf),
    title: stemsOf(table.headings.join(' ')),
    rows,
    total: totals.last,
    names: [...notes].filter((row) => row.cells[0] !== '' && !below.has(row)),
    placeOf,
    doubtful,
    cells,
    ...indexCells(columns, cells),
    marked: cells.map(isMarked),
  }
  return {
    point,
    comma: { ...point, columns: others },
    open: new Set(columns === others ? [] : columns.flatMap((column, at) => (isOpen(column, at) ? [at] : []))),
  }
}

/** Its columns and cells; read once for a table. */
export function prepare(table: Table): Readings {
  const known = prepared.get(table)
  if (known !== undefined) return known
  const made = read(table)
  prepared.set(table, made)
  return made
}
