import type { RowMark } from '#lib/table-rows.ts'
import type { PageText } from '../reader.ts'
import { escapeStart, escapeText } from './inline.ts'
import { filledOf, headsOf, joinHeads, type MergedCells, parseBlocks, type SheetRow } from './sheet-blocks.ts'
import { type CellBudget, isName, toCell, toMarkdownTable } from './table.ts'

/** Properties of rows and columns, which count from 1 and from 0. */
export interface SheetLayout {
  readonly merges?: readonly MergedCells[]
  readonly hiddenColumns?: ReadonlySet<number>
  /** Tables that the workbook declares, by their cells. */
  readonly tables?: readonly MergedCells[]
  /** Rows between which a column shows numbers rounded. */
  readonly rounded?: ReadonlyMap<number, { readonly from: number; readonly to: number }>
}

/** A sheet as markdown; `rows` marks the rows that don't follow the one before. */
export interface MarkdownSheet {
  readonly markdown: string
  readonly rows: readonly RowMark[]
}

const toTitle = (row: SheetRow) => escapeStart(toCell(escapeText(filledOf(row).join(' ').trim())))

/** Years and dates may be repeated: they are not added up. */
const isDated = (text: string) => /^(?:19|20)\d\d(?:-\d\d-\d\d)?$/.test(text)

/** A merged cell belongs to each of its rows. */
function fillMerges(rows: readonly SheetRow[], merges: readonly MergedCells[], budget: CellBudget): SheetRow[] {
  if (merges.length === 0) return [...rows]
  const filled = rows.map((row) => ({ ...row, cells: [...row.cells] }))
  const places = new Map(filled.map(({ number }, at) => [number, at]))
  for (const { row, column, height } of merges) {
    const at = places.get(row)
    const text = at === undefined ? '' : (filled[at]?.cells[column] ?? '')
    if (at === undefined || height < 2 || text === '' || !(isName(text) || isDated(text))) continue
    for (let next = at + 1; (filled[next]?.number ?? Infinity) < row + height; next += 1) {
      const cells = filled[next]?.cells ?? []
      if ((cells[column] ?? '') !== '') continue
      budget.take(Math.max(1, column + 1 - cells.length), text.length)
      while (cells.length < column) cells.push('')
      cells[column] = text
    }
  }
  return filled
}

/** Says of hidden columns and rows that they are: the latter in a column of its own. */
function markHidden(rows: readonly SheetRow[], hiddenColumns: ReadonlySet<number>): SheetRow[] {
  const isAnyHidden = rows.some(({ isHidden }) => isHidden === true)
  if (!isAnyHidden && hiddenColumns.size === 0) return [...rows]
  const width = rows.reduce((most, { cells }) => Math.max(most, cells.length), 0)
  return rows.map((row, at) => {
    const cells = row.cells.map((cell, column) =>
      at === 0 && hiddenColumns.has(column) && cell !== '' ? `${cell} (hidden)` : cell,
    )
    if (!isAnyHidden) return { ...row, cells }
    const mark = at === 0 ? 'hidden' : row.isHidden === true ? 'yes' : ''
    return { ...row, cells: [...Array.from({ length: width }, (_, column) => cells[column] ?? ''), mark] }
  })
}

/** The sentence that tables are computed by, too: `ROUNDED` in `src/platform/engine/answer/tables/read-tables.ts`. */
function toRoundedNote(rows: readonly SheetRow[], rounded: SheetLayout['rounded']): string {
  const [first, last] = [rows[0], rows.at(-1)]
  if (rounded === undefined || first === undefined || last === undefined) return ''
  const names = [...rounded].flatMap(([column, { from, to }]) => {
    const name = first.cells[column] ?? ''
    return name === '' || to <= first.number || from > last.number ? [] : [toCell(escapeText(name))]
  })
  return names.length === 0 ? '' : `*Shown rounded, as in the sheet: ${names.join(' · ')}*`
}

/** @param rows with text in each of them, so that each has a line */
function toNumberedTable(rows: readonly SheetRow[], linesBefore: number, hidden: ReadonlySet<number>): MarkdownSheet {
  const marks = rows.flatMap(({ number }, index): RowMark[] => {
    if (number === (rows[index - 1]?.number ?? 0) + 1) return []
    // The rule is below the header.
    return [{ line: linesBefore + index + (index === 0 ? 1 : 2), row: number }]
  })
  return { markdown: toMarkdownTable(markHidden(rows, hidden).map(({ cells }) => cells)), rows: marks }
}

/**
 * A sheet: each of its tables with its own header. Lines of one cell above the header, such as a title, become text.
 *
 * @throws {ConvertError} `too-big`
 */
export function toMarkdownSheet(
  rows: readonly SheetRow[],
  layout: SheetLayout = {},
  budget: CellBudget = { take: () => undefined },
): MarkdownSheet {
  const { merges = [], hiddenColumns = new Set<number>(), tables = [], rounded } = layout
  const filled = fillMerges(rows, merges, budget).filter((row) => filledOf(row).length > 0)
  const parts: string[] = []
  const marks: RowMark[] = []
  let lines = 0
  const add = (part: string, count: number) => {
    if (part === '') return
    parts.push(part)
    // A blank line separates two parts.
    lines += count + 1
  }
  for (const { titles, table } of parseBlocks(filled, merges, headsOf(tables))) {
    for (const title of titles) add(toTitle(title), 1)
    const joined = joinHeads(table, merges)
    const { markdown, rows: own } = toNumberedTable(joined, lines, hiddenColumns)
    marks.push(...own)
    add(markdown, joined.length + 1)
    add(toRoundedNote(joined, rounded), 1)
  }
  return { markdown: parts.join('\n\n'), rows: marks }
}

/** A sheet under its name, with comments, charts and pictures after its cells; no page for an empty sheet. */
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
