/** A row of a sheet, and its number in the program that wrote it. */
export interface SheetRow {
  readonly number: number
  readonly cells: readonly string[]
  /** All of its cells are bold. */
  readonly isBold?: boolean
  /** All of its cells have a colour. */
  readonly isFilled?: boolean
  readonly isHidden?: boolean
}

/** Cells that are one, by the row and the column of the first, from 1 and from 0. */
export interface MergedCells {
  readonly row: number
  readonly column: number
  readonly height: number
  readonly width: number
}

/** More lines above a table are a column of their own. */
const MAX_TITLES = 10
/** More rows of heads are rows. */
const MAX_HEADS = 4
const MAX_COLUMNS = 1000

export const filledOf = ({ cells }: SheetRow): string[] => cells.filter((cell) => cell.trim() !== '')
const isWide = (row: SheetRow) => filledOf(row).length > 1

const columnsOf = ({ cells }: SheetRow): number[] => cells.flatMap((cell, at) => (cell.trim() === '' ? [] : [at]))

const NUMERIC = /^[-+−(]?\s?\p{Sc}?\s?[-−]?\d[\d.,'’\s]*(?:%|\p{Sc})?\)?$|^\d{4}-\d\d-\d\d(?: \d\d:\d\d)?/u
const YEAR = /^(?:19|20)\d\d$/
const isNumeric = (text: string) => NUMERIC.test(text.trim()) && !YEAR.test(text.trim())

/** Whether columns hold numbers, and nothing else. */
export function columnsAreNumeric(rows: readonly (readonly string[])[], from: number, to: number): boolean {
  const filled = rows.flatMap((cells) => cells.slice(from, to)).filter((cell) => cell.trim() !== '')
  return filled.length > 0 && filled.every(isNumeric)
}

/** A row that may be a head: words in several columns, each once. */
function isHeadLike(row: SheetRow): boolean {
  const filled = filledOf(row)
  return filled.length > 1 && !filled.some(isNumeric) && new Set(filled).size === filled.length
}

interface Block {
  /** Lines of one cell above the table. */
  readonly titles: readonly SheetRow[]
  readonly table: readonly SheetRow[]
}

/** A head over several columns, which is not the title of all of them. */
const isSharedHead = (row: SheetRow, below: SheetRow | undefined, merges: readonly MergedCells[]) =>
  below !== undefined &&
  merges.some(
    ({ row: at, width, column }) => at === row.number && width > 1 && column > (columnsOf(below)[0] ?? Infinity),
  )

/**
 * Lines of one cell above the header are titles. Where most rows below have one cell too, the block is a list with notes:
 * its first lines are rows.
 */
function parseBlock(rows: readonly SheetRow[], merges: readonly MergedCells[], heads: ReadonlySet<number>): Block {
  const wide = rows.findIndex(isWide)
  const before = rows[wide - 1]
  const header = before !== undefined && isSharedHead(before, rows[wide], merges) ? wide - 1 : wide
  if (header <= 0 || header > MAX_TITLES) return { titles: [], table: rows }
  const below = rows.slice(header + 1)
  const isDeclared = heads.has(rows[header]?.number ?? 0)
  if (!isDeclared && below.filter(isWide).length * 2 <= below.length) return { titles: [], table: rows }
  return { titles: rows.slice(0, header), table: rows.slice(header) }
}

/** A table as it grows, row by row. */
interface Growing {
  readonly rows: SheetRow[]
  readonly columns: Set<number>
  head: SheetRow | undefined
}

const grow = (table: Growing, rows: readonly SheetRow[]): Growing => {
  for (const row of rows) {
    table.rows.push(row)
    if (table.head === undefined && isWide(row)) table.head = row
    for (const column of columnsOf(row)) table.columns.add(column)
  }
  return table
}

/** Whether both heads have a colour, and no other row has one. */
function haveColour(above: Growing, head: SheetRow, below: readonly SheetRow[]): boolean {
  const others = [...above.rows.filter((row) => row !== above.head), ...below]
  return head.isFilled === true && above.head?.isFilled === true && !others.some(({ isFilled }) => isFilled === true)
}

/** Whether some names are those of the head above, and some are not: `Name` is a head of most tables. */
function sharesHeads(above: SheetRow, head: SheetRow): boolean {
  const known = new Set(filledOf(above))
  const shared = filledOf(head).filter((name) => known.has(name)).length
  return shared > 0 && shared < filledOf(head).length
}

/** Whether a column of numbers goes on as words. */
function turnsToWords(above: Growing, head: SheetRow, below: readonly SheetRow[]): boolean {
  const cellsOf = (rows: readonly SheetRow[], column: number) =>
    rows.map((row) => row.cells[column] ?? '').filter((cell) => cell !== '')
  return columnsOf(head).some((column) => {
    const numbers = cellsOf(above.rows.slice(above.rows.indexOf(above.head ?? head) + 1), column)
    const words = cellsOf(below, column)
    return numbers.filter(isNumeric).length > 1 && words.length > 0 && !words.some(isNumeric)
  })
}

/** Whether rows below a blank one begin a table of their own: a data row must never be taken for a head. */
function isNewTable(above: Growing, rows: readonly SheetRow[], heads: ReadonlySet<number>): boolean {
  const at = rows.findIndex(isWide)
  const [head, ...below] = at === -1 ? [] : rows.slice(at)
  if (head === undefined || above.head === undefined || at > MAX_TITLES) return false
  if (heads.has(head.number)) return true
  if (!isHeadLike(head) || !below.some(isWide)) return false
  if (head.cells.join('\n') === above.head.cells.join('\n')) return true
  if (head.isBold === true && !below.every(({ isBold }) => isBold === true)) return true
  if (haveColour(above, head, below) || sharesHeads(above.head, head) || turnsToWords(above, head, below)) return true
  const own = new Set(columnsOf(head))
  // Each row keeps to the columns of the head, and no row above has one of them.
  const fits = below.every((row) => columnsOf(row).every((column) => own.has(column)))
  if (fits && [...own].some((column) => !above.columns.has(column))) return true
  const isOverNumbers = [...own].some((column) => {
    const cells = below.map((row) => row.cells[column] ?? '').filter((cell) => cell !== '')
    return cells.length > 0 && cells.every(isNumeric)
  })
  if (isOverNumbers) return true
  // Two blank rows, or a title, and fewer columns throughout.
  const gap = (rows[0]?.number ?? 0) - (above.rows.at(-1)?.number ?? 0) - 1
  return fits && (gap > 1 || at > 0) && own.size !== columnsOf(above.head).length
}

/** Heads of the tables that a workbook declares, except of those next to another table. */
export function headsOf(tables: readonly MergedCells[]): ReadonlySet<number> {
  const isWithin = (row: number) => tables.some((one) => row > one.row && row < one.row + one.height)
  return new Set(tables.flatMap(({ row }) => (isWithin(row) ? [] : [row])))
}

/** Rows parted where a table of its own begins: below blank rows, or where the workbook says so (`heads`). */
export function parseBlocks(
  rows: readonly SheetRow[],
  merges: readonly MergedCells[],
  heads: ReadonlySet<number> = new Set(),
): Block[] {
  const groups: SheetRow[][] = []
  for (const row of rows) {
    const last = groups.at(-1)?.at(-1)
    const isHead = heads.has(row.number) && groups.at(-1)?.some(isWide) === true
    if (last !== undefined && row.number === last.number + 1 && !isHead) groups.at(-1)?.push(row)
    else groups.push([row])
  }
  const tables: Growing[] = []
  for (const group of groups) {
    const above = tables.at(-1)
    if (above !== undefined && !isNewTable(above, group, heads)) grow(above, group)
    else tables.push(grow({ rows: [], columns: new Set(), head: undefined }, group))
  }
  return tables.map((table) => parseBlock(table.rows, merges, heads))
}

const joinTexts = (over: string, under: string) =>
  over === under || under === '' ? over : over === '' ? under : `${over} ${under}`

/** The row with each merged text over all of its columns. */
function spread(row: SheetRow, merges: readonly MergedCells[]): string[] {
  const cells = [...row.cells]
  for (const { column, width } of merges.filter((one) => one.row === row.number)) {
    const text = cells[column] ?? ''
    for (let at = column + 1; text !== '' && at < Math.min(column + width, MAX_COLUMNS); at += 1) {
      while (cells.length <= at) cells.push('')
      if (cells[at] === '') cells[at] = text
    }
  }
  return cells
}

/**
 * Heads in several rows, of which merged cells tell, as one: `2025 Rate`. A lower head is never under a head of its own
 * column.
 */
export function joinHeads(rows: readonly SheetRow[], merges: readonly MergedCells[]): readonly SheetRow[] {
  const [first] = rows
  if (first === undefined) return []
  let cells = spread(first, merges)
  let count = 1
  for (; count < MAX_HEADS && rows.length > count + 1; count += 1) {
    const [last, next] = [rows[count - 1], rows[count]]
    if (last === undefined || next?.number !== last.number + 1 || filledOf(next).some(isNumeric)) break
    const above = merges.filter(({ row }) => row >= first.number && row <= last.number)
    const goesOn = ({ row, height }: MergedCells) => row + height > next.number
    const isOver = (one: MergedCells) => goesOn(one) || (one.width > 1 && one.row === last.number)
    const isUnder = (column: number) =>
      above.some((one) => isOver(one) && column >= one.column && column < one.column + one.width)
    if (!above.some(isOver) || !columnsOf(next).every((at) => isUnder(at) || (cells[at] ?? '') === '')) break
    const under = spread(next, merges)
    const over = cells
    cells = Array.from({ length: Math.max(over.length, under.length) }, (_, at) =>
      joinTexts(over[at] ?? '', under[at] ?? ''),
    )
  }
  return count === 1 ? rows : [{ ...first, cells }, ...rows.slice(count)]
}
