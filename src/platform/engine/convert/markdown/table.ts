const MAX_COLUMNS = 1000
const MAX_SPAN = 100

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

/** Cells as they come in, put where they stand: what spans several columns or rows leaves the further ones empty. */
export function createTableRows(): TableRows {
  const rows: string[][] = []
  /** Rows that a cell above still takes, by column. */
  let taken: number[] = []
  const skip = (row: string[]) => {
    while ((taken[row.length] ?? 0) > 0) {
      taken[row.length] = (taken[row.length] ?? 1) - 1
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
      for (let column = 0; column < toSpan(columns); column += 1) {
        taken[row.length] = toSpan(height) - 1
        row.push(column === 0 ? text : '')
      }
      taken = taken.slice(0, MAX_COLUMNS + MAX_SPAN)
    },
  }
}
