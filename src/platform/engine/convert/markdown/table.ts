import { ConvertError } from '../reader.ts'

const MAX_COLUMNS = 1000
const MAX_SPAN = 100

/** More than any table has that people read; a smaller file cannot make the process stand still. */
const MAX_CELLS = 5_000_000
const MAX_CHARACTERS = 64_000_000

/** Limits what the tables of a document may grow to by repeated, spanned and shared cells. */
export interface CellBudget {
  /** @throws {ConvertError} `too-big` */
  take(cells: number, characters: number): void
}

export function createCellBudget(): CellBudget {
  let cellsLeft = MAX_CELLS
  let charactersLeft = MAX_CHARACTERS
  return {
    take(cells, characters) {
      cellsLeft -= cells
      charactersLeft -= characters
      if (cellsLeft < 0 || charactersLeft < 0) throw new ConvertError('too-big')
    },
  }
}

const toCell = (text: string) => text.trim().replaceAll('|', '\\|').replace(/\n+/g, '<br>')

/**
 * A table of cells that are markdown already, lines in a cell parted by \n. The first row becomes the header, which
 * markdown asks for. Rows and columns with nothing in them are left out. Empty when nothing is left.
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
  const lines = filled.map((row, index) => {
    const cells = columns.map((column) => toCell(row[column] ?? ''))
    // A header is strong by itself.
    const shown = index === 0 ? cells.map((cell) => cell.replace(/^\*\*([^*]*)\*\*$/, '$1')) : cells
    return `| ${shown.join(' | ')} |`
  })
  if (lines.length === 0) return ''
  return [lines[0], `|${' --- |'.repeat(columns.length)}`, ...lines.slice(1)].join('\n')
}

export interface TableRows {
  row(): void
  /** The cell that is written next spans so many columns and rows. */
  cell(text: string, columns: number, rows: number): void
  readonly rows: readonly (readonly string[])[]
}

const toSpan = (value: number) => (Number.isInteger(value) ? Math.min(Math.max(value, 1), MAX_SPAN) : 1)

/** Puts cells where they stand: one that spans several columns or rows leaves the further ones empty. */
export function createTableRows(budget: CellBudget): TableRows {
  const rows: string[][] = []
  /** Rows that a cell above still takes, by column. */
  const taken: number[] = []
  const skip = (row: string[]) => {
    while ((taken[row.length] ?? 0) > 0) {
      taken[row.length] = (taken[row.length] ?? 1) - 1
      budget.take(1, 0)
      row.push('')
    }
  }
  return {
    rows,
    row() {
      const last = rows.at(-1)
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
      for (let column = 0; column < width; column += 1) {
        taken[row.length] = toSpan(height) - 1
        row.push(column === 0 ? text : '')
      }
    },
  }
}
