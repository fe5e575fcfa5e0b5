import stringWidth from 'string-width'

/** Columns. A wider code block would wrap into noise: then a list of records is easier to read. */
const MAX_BLOCK_WIDTH = 76
const MIN_COLUMN_WIDTH = 3
/** Characters of a column's name in each of its records. */
const MAX_LABEL = 200

type Alignment = 'left' | 'right' | 'center'

/** True where a GFM table begins: a row of cells, and below it the row of dashes with as many. */
export function isTableStart(row: string | undefined, below: string | undefined): boolean {
  if (row === undefined || below === undefined || !row.includes('|')) return false
  if (!/^ {0,3}[|:-]/.test(below)) return false
  const dashes = cellsOf(below)
  return dashes.every((cell) => /^:?-+:?$/.test(cell)) && cellsOf(row).length === dashes.length
}

/** A row of a table that has begun: anything but a blank line or the start of another block. */
export const isTableRow = (line: string): boolean =>
  line.includes('|') && !/^\s*(```|~~~|#{1,6}\s|>)/.test(line)

function cellsOf(row: string): string[] {
  const inner = row
    .trim()
    .replace(/^\|/, '')
    .replace(/(?<!\\)\|$/, '')
  return inner.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll('\\|', '|'))
}

/** How a cell is shown: without marks inside a code block, or as a text of its own. */
interface CellStyle {
  plain: (cell: string) => string
  inline: (cell: string) => string
}

/** Discord has no tables: an aligned code block, or a list of records where that would be too wide. */
export function renderTable(rows: readonly string[], style: CellStyle): string {
  const [head = '', marks = '', ...body] = rows
  const header = cellsOf(head)
  const cells = body.map((row) => cellsOf(row).slice(0, header.length))
  return toBlock([header, ...cells], cellsOf(marks), style.plain) ?? toRecords(header, cells, style.inline)
}

const widthOfBlock = (widths: number[]) => widths.reduce((sum, width) => sum + width + 3, -3)

/** Undefined: too wide. */
function toBlock(rows: string[][], marks: string[], plain: CellStyle['plain']): string | undefined {
  if (widthOfBlock(marks.map(() => MIN_COLUMN_WIDTH)) > MAX_BLOCK_WIDTH) return undefined
  const table = rows.map((cells) => marks.map((_mark, column) => plain(cells[column] ?? '')))
  const widths = marks.map((_mark, column) =>
    table.reduce((most, cells) => Math.max(most, stringWidth(cells[column] ?? '')), MIN_COLUMN_WIDTH),
  )
  if (widthOfBlock(widths) > MAX_BLOCK_WIDTH) return undefined
  const alignments = marks.map(alignmentOf)
  const line = (cells: string[]) =>
    cells
      .map((cell, column) => align(cell, widths[column] ?? 0, alignments[column] ?? 'left'))
      .join(' │ ')
      .trimEnd()
  const rule = widths.map((width) => '─'.repeat(width)).join('─┼─')
  const [top = [], ...others] = table
  return ['```', line(top), rule, ...others.map(line), '```'].join('\n')
}

function toRecords(header: string[], rows: string[][], inline: CellStyle['inline']): string {
  const names = header.map((cell) => inline(cell))
  if (rows.length === 0) return names.map((name) => `**${name}**`).join(' · ')
  // Each row repeats them.
  const labels = names.map((name) => (name.length > MAX_LABEL ? `${name.slice(0, MAX_LABEL)}…` : name))
  const record = (cells: string[]) =>
    cells
      .map((cell, column) => ({ label: labels[column] ?? '', value: inline(cell) }))
      .filter(({ value }) => value !== '')
      .map(({ label, value }, index) => {
        const named = label === '' ? value : `**${label}:** ${value}`
        return `${index === 0 ? '- ' : '  '}${named}`
      })
      .join('\n')
  return rows.map(record).join('\n')
}

function alignmentOf(mark: string): Alignment {
  if (mark.startsWith(':') && mark.endsWith(':')) return 'center'
  return mark.endsWith(':') ? 'right' : 'left'
}

function align(cell: string, columns: number, alignment: Alignment): string {
  const blanks = Math.max(0, columns - stringWidth(cell))
  const before = alignment === 'left' ? 0 : alignment === 'right' ? blanks : Math.floor(blanks / 2)
  return ' '.repeat(before) + cell + ' '.repeat(blanks - before)
}
