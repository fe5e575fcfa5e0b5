import { padEnd, padStart, widthOf } from './width.ts'

/** Discord has no tables. Wider than this, a code block would wrap into noise: then a list of records is easier to read. */
const widestBlock = 76

type Alignment = 'left' | 'right' | 'center'

const delimiter = /^ {0,3}\|?\s*:?-+:?\s*(\|\s*:?-+:?\s*)*\|?\s*$/

/** True where a GFM table begins: a row of cells, and below it the row of dashes with as many. */
export function isTableStart(row: string | undefined, below: string | undefined): boolean {
  if (row === undefined || below === undefined || !row.includes('|') || !below.includes('-')) return false
  return delimiter.test(below) && cellsOf(row).length === cellsOf(below).length
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

/**
 * `plain` takes the marks out of a cell (nothing is rendered inside a code block); `inline` renders a cell of a record.
 */
export function renderTable(
  rows: readonly string[],
  render: { readonly plain: (cell: string) => string; readonly inline: (cell: string) => string },
): string {
  const [head = '', marks = '', ...body] = rows
  const header = cellsOf(head)
  const count = header.length
  const fit = (row: string) => {
    const cells = cellsOf(row)
    return Array.from({ length: count }, (_cell, index) => cells[index] ?? '')
  }
  const table = [header, ...body.map(fit)].map((cells) => cells.map(render.plain))
  const widths = header.map((_cell, column) =>
    Math.max(3, ...table.map((cells) => widthOf(cells[column] ?? ''))),
  )
  const total = widths.reduce((sum, width) => sum + width + 3, -3)
  if (total > widestBlock) return records(header, body.map(fit), render.inline)

  const alignments = cellsOf(marks).map(alignmentOf)
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, column) => align(cell, widths[column] ?? 0, alignments[column] ?? 'left'))
      .join(' │ ')
      .trimEnd()
  const rule = widths.map((width) => '─'.repeat(width)).join('─┼─')
  const [top = [], ...others] = table
  return ['```', line(top), rule, ...others.map(line), '```'].join('\n')
}

function records(
  header: readonly string[],
  rows: readonly (readonly string[])[],
  inline: (cell: string) => string,
): string {
  if (rows.length === 0) return header.map((cell) => `**${inline(cell)}**`).join(' · ')
  return rows
    .map((cells) =>
      cells
        .map((cell, column) => ({ name: inline(header[column] ?? ''), value: inline(cell) }))
        .filter(({ value }) => value !== '')
        .map(
          ({ name, value }, index) =>
            `${index === 0 ? '- ' : '  '}${name === '' ? '' : `**${name}:** `}${value}`,
        )
        .join('\n'),
    )
    .join('\n')
}

function alignmentOf(mark: string): Alignment {
  if (mark.startsWith(':') && mark.endsWith(':')) return 'center'
  return mark.endsWith(':') ? 'right' : 'left'
}

function align(cell: string, columns: number, alignment: Alignment): string {
  if (alignment === 'right') return padStart(cell, columns)
  if (alignment === 'left') return padEnd(cell, columns)
  return padEnd(padStart(cell, Math.floor((columns + widthOf(cell)) / 2)), columns)
}
