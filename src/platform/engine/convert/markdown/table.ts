import { ConvertError } from '../reader.ts'
import { columnsAreNumeric, joinHeads, type MergedCells } from './sheet-blocks.ts'

const MAX_COLUMNS = 1000
const MAX_SPAN = 100
const MAX_NAME = 80

/** Limits of all tables of a document. */
const MAX_CELLS = 20_000_000
const MAX_CHARACTERS = 64_000_000
/** Above this size a table may have at most 50 blank cells for each cell of the document. */
const SPARSE_CELLS = 1_000_000
const MAX_SPARSENESS = 50

/** Limits the growth of tables by repeated, spanned and shared cells: a small file must not become a huge text. */
export interface CellBudget {
  /** @throws {ConvertError} `too-big` */
  take(cells: number, characters: number): void
}

export function createCellBudget(cells = MAX_CELLS, characters = MAX_CHARACTERS): CellBudget {
  let cellsLeft = cells
  let charactersLeft = characters
  return {
    take(count, length) {
      cellsLeft -= count
      charactersLeft -= length
      if (cellsLeft < 0 || charactersLeft < 0) throw new ConvertError('too-big')
    },
  }
}

/** Text of a cell on one line. */
export const toCell = (text: string) =>
  text
    .trim()
    .replaceAll('|', '\\|')
    .replace(/[\r\n]+/g, '<br>')

/**
 * A table of cells that are markdown already, lines in a cell parted by \n. The first row becomes the header, which
 * markdown asks for. Blank rows and columns are left out. Empty when nothing is left.
 *
 * @throws {ConvertError} `too-big`
 */
export function toMarkdownTable(rows: readonly (readonly string[])[]): string {
  const filled = rows.filter((row) => row.some((cell) => cell.trim() !== ''))
  const width = Math.min(
    MAX_COLUMNS,
    filled.reduce((most, row) => Math.max(most, row.length), 0),
  )
  const columns = Array.from({ length: width }, (_, column) => column).filter((column) =>
    filled.some((row) => (row[column] ?? '').trim() !== ''),
  )
  const cellCount = filled.length * columns.length
  const present = filled.reduce((sum, row) => sum + row.length, 0)
  if (cellCount > MAX_CELLS || (cellCount > SPARSE_CELLS && cellCount > present * MAX_SPARSENESS)) {
    throw new ConvertError('too-big')
  }
  const lines = filled.map((row, index) => {
    const cells = columns.map((column) => toCell(row[column] ?? ''))
    // A header is shown bold anyway.
    const shown = index === 0 ? cells.map((cell) => cell.replace(/^\*\*([^*]*)\*\*$/, '$1')) : cells
    return `| ${shown.join(' | ')} |`
  })
  if (lines.length === 0) return ''
  return [lines[0], `|${' --- |'.repeat(columns.length)}`, ...lines.slice(1)].join('\n')
}

export interface TableRows {
  row(): void
  /** Sets the columns and rows that the next cell spans. */
  cell(text: string, columns: number, rows: number): void
  /** Heads in two rows are one where they are over numbers, or the second row has cells under the wide ones only. */
  finish(): readonly (readonly string[])[]
}

const toSpan = (value: number) => (Number.isInteger(value) ? Math.min(Math.max(value, 1), MAX_SPAN) : 1)

/**
 * A name that belongs to several rows is repeated in each, so that a row alone tells its subject. Numbers would be
 * added up.
 */
export const isName = (text: string) => text.length <= MAX_NAME && /\p{L}/u.test(text) && !text.includes('\n')

/**
 * Places cells in the grid. A cell that spans several columns leaves the others empty; one that spans rows is said again
 * where it is a name and no head: a head of several rows has a cell that spans columns.
 */
export function createTableRows(budget: CellBudget): TableRows {
  const rows: string[][] = []
  const merges: MergedCells[] = []
  /** Rows still covered by a cell above, by column, and their text. */
  const taken: { left: number; text: string }[] = []
  let isWide = false
  const skip = (row: string[]) => {
    for (let above = taken[row.length]; above !== undefined && above.left > 0; above = taken[row.length]) {
      above.left -= 1
      budget.take(1, above.text.length)
      row.push(above.text)
    }
  }
  return {
    finish() {
      const wide = merges.filter(({ row, width }) => row === 1 && width > 1)
      const below = rows.slice(2)
      if (wide.length === 0 || (rows[0] ?? []).filter((text) => text !== '').length < 2) return rows
      const isUnder = (column: number) => wide.some((one) => column >= one.column && column < one.column + one.width)
      // A second row that has cells under the wide heads alone belongs to them.
      const isSecond = below.length > 0 && rows[1]?.every((text, column) => (text !== '') === isUnder(column)) === true
      if (!isSecond && !wide.every(({ column, width }) => columnsAreNumeric(below, column, column + width))) return rows
      return joinHeads(
        rows.map((cells, at) => ({ number: at + 1, cells })),
        merges,
      ).map(({ cells }) => cells)
    },
    row() {
      const last = rows.at(-1)
      if (rows.length === 1 && isWide) for (const above of taken) above.text = ''
      if (last !== undefined) skip(last)
      rows.push([])
    },
    cell(text, columns, height) {
      if (rows.length === 0) rows.push([])
      const row = rows.at(-1)
      if (row === undefined || row.length >= MAX_COLUMNS) return
      skip(row)
      const width = toSpan(columns)
      budget.take(width, text.length)
      isWide ||= width > 1
      const own = { row: rows.length, column: row.length, width, height: toSpan(height) }
      if (own.row <= 2 && (width > 1 || own.height > 1)) merges.push(own)
      for (let column = 0; column < width; column += 1) {
        const shown = column === 0 ? text : ''
        taken[row.length] = { left: toSpan(height) - 1, text: isName(shown) ? shown : '' }
        row.push(shown)
      }
    },
  }
}
