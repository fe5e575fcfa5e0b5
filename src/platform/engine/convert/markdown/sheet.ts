import type { RowMark } from '../../../../lib/table-rows.ts'
import type { PageText } from '../reader.ts'
import { escapeStart, escapeText } from './inline.ts'
import { toCell, toMarkdownTable } from './table.ts'

/** More lines above a table are a column of their own. */
const MAX_TITLES = 10

/** A row of a sheet, and its number in the program that wrote it. */
export interface SheetRow {
  readonly number: number
  readonly cells: readonly string[]
}

/** A sheet as markdown; `rows` marks the rows that don't follow the one before. */
export interface MarkdownSheet {
  readonly markdown: string
  readonly rows: readonly RowMark[]
}

const filledOf = ({ cells }: SheetRow) => cells.filter((cell) => cell.trim() !== '')

const toTitle = (row: SheetRow) => escapeStart(toCell(escapeText(filledOf(row).join(' ').trim())))

/** @param rows with text in each of them, so that each has a line */
function toNumberedTable(rows: readonly SheetRow[], linesBefore: number): MarkdownSheet {
  const marks = rows.flatMap(({ number }, index): RowMark[] => {
    if (number === (rows[index - 1]?.number ?? 0) + 1) return []
    // The rule stands below the header.
    return [{ line: linesBefore + index + (index === 0 ? 1 : 2), row: number }]
  })
  return { markdown: toMarkdownTable(rows.map(({ cells }) => cells)), rows: marks }
}

/**
 * A sheet: lines of one cell above the header, such as its title, stand as text, so that the header is the first row.
 * Where most rows below have one cell too, the sheet is a list with notes: its first lines are rows.
 *
 * @throws {ConvertError} `too-big`
 */
export function toMarkdownSheet(rows: readonly SheetRow[]): MarkdownSheet {
  const filled = rows.filter((row) => filledOf(row).length > 0)
  const header = filled.findIndex((row) => filledOf(row).length > 1)
  if (header <= 0 || header > MAX_TITLES) return toNumberedTable(filled, 0)
  const below = filled.slice(header + 1)
  const wide = below.filter((row) => filledOf(row).length > 1)
  if (wide.length * 2 <= below.length) return toNumberedTable(filled, 0)
  const titles = filled.slice(0, header).map(toTitle)
  // A blank line stands below each title.
  const table = toNumberedTable(filled.slice(header), 2 * titles.length)
  return { ...table, markdown: [...titles, table.markdown].join('\n\n') }
}

/** A sheet under its name, with what stands beside its cells; none where nothing is in it. */
export function toSheetPage(
  page: number,
  name: string,
  { markdown, rows }: MarkdownSheet,
  beside: readonly string[] = [],
): PageText[] {
  const parts = [markdown, ...beside].filter((part) => part !== '')
  if (parts.length === 0) return []
  const title = `## ${name.replace(/[\r\n]+/g, ' ')}`
  return [
    { page, markdown: [title, ...parts].join('\n\n'), rows: rows.map(({ line, row }) => ({ line: line + 2, row })) },
  ]
}
