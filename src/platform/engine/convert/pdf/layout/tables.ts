import { escapeText } from '#platform/engine/convert/markdown/inline.ts'
import { toMarkdownTable } from '#platform/engine/convert/markdown/table.ts'
import { bodyHeight } from './regions.ts'
import { LINE_LETTERS, withParted } from './parted-cells.ts'
import { heightOf, type Stretch } from './stretches.ts'

const MAX_COLUMNS = 40
/** Space between lines of a table, in heights of a line. */
const WIDE_LINES = 2.2
/** Further lines of a cell, and their letters. */
const CELL_LINES = 3
const CELL_LETTERS = 90
/** A number as a whole cell. Numbers in two lines are two cells. */
const NUMERIC = /^[\p{Sc}(+-]?\s?\d[\d.,:\s]*(?:[%)]|\p{Sc})?$/u

interface Span {
  left: number
  right: number
}

/** Spans from the left; those that overlap are one. */
function spansOf(rows: readonly (readonly Span[])[]): Span[] {
  const spans: Span[] = []
  for (const { left, right } of rows.flat().toSorted((one, other) => one.left - other.left)) {
    const last = spans.at(-1)
    if (last !== undefined && left < last.right) last.right = Math.max(last.right, right)
    else spans.push({ left, right })
  }
  return spans
}

/** Columns of a table: where the cells of its fuller rows are above each other. A head may lie over several of them. */
function columnsOf(rows: readonly (readonly Stretch[])[]): readonly Span[] {
  const most = Math.max(...rows.map((row) => row.length))
  const full = rows.filter((row) => row.length === most)
  const fuller = rows.filter((row) => row.length >= Math.max(2, most - 1))
  const columns = spansOf(full.length > 1 ? full : fuller)
  const over = ({ left, right }: Span) => columns.filter((column) => left < column.right && right > column.left)
  if (full.length > 1) {
    const rest = fuller.flatMap((row) => row.filter((one) => row.length < most && over(one).length < 2))
    columns.splice(0, columns.length, ...spansOf([[...columns, ...rest]]))
  }
  if (columns.length > MAX_COLUMNS) return []
  const rowsIn = columns.map(() => new Set<number>())
  for (const [index, row] of rows.entries()) for (const one of row) rowsIn[columnAt(columns, one)]?.add(index)
  // A head may be next to its column: no row has cells in both.
  return columns.reduce<Span[]>((merged, column, index) => {
    const last = merged.at(-1)
    const [before, own] = [rowsIn[index - 1], rowsIn[index]]
    if (last !== undefined && before !== undefined && own !== undefined && before.isDisjointFrom(own)) {
      last.right = column.right
      rowsIn[index] = before.union(own)
    } else merged.push(column)
    return merged
  }, [])
}

const columnAt = (columns: readonly Span[], { left, right }: Stretch): number => {
  const overlaps = columns.map((column) => Math.min(right, column.right) - Math.max(left, column.left))
  return overlaps.indexOf(Math.max(...overlaps))
}

const gapBetween = (above: readonly Stretch[], below: readonly Stretch[]) =>
  Math.min(...below.map(({ top }) => top)) - Math.max(...above.map(({ bottom }) => bottom))

/** Rows of cells; lines of one cell are joined. */
function cellsOf(rows: readonly (readonly Stretch[])[], columns: readonly Span[]): string[][] {
  const gaps = rows.slice(1).map((row, index) => gapBetween(rows[index] ?? [], row))
  const least = Math.min(...gaps)
  const height = bodyHeight(rows.flat())
  // Rows further apart than lines show where a cell goes on.
  const isLoose = gaps.filter((gap) => gap > least + height * 0.3).length >= gaps.length * 0.25
  const cells: string[][] = []
  for (const [index, row] of rows.entries()) {
    const texts = columns.map(() => '')
    for (const one of row) {
      const at = columnAt(columns, one)
      texts[at] = `${texts[at] ?? ''} ${one.text}`.trim()
    }
    const gap = gaps[index - 1] ?? Infinity
    const isClose = gap <= least + height * 0.3
    const last = cells.at(-1)
    const isSum = texts.some((text, at) => NUMERIC.test(text) && NUMERIC.test(last?.[at] ?? ''))
    const isPart = texts[0] === '' && texts.filter((text) => text !== '').length < columns.length - 1
    const isWhole =
      columns.length > 2 && !texts.includes('') && last?.includes('') === false && !/^\p{Ll}/u.test(texts[0] ?? '')
    const isMore = !isSum && (isLoose ? isClose && !isWhole : isPart && gap < height * 0.8)
    if (last === undefined || !isMore || (index === 1 && !isLoose)) cells.push(texts)
    else for (const [at, text] of texts.entries()) last[at] = joinLines(last[at] ?? '', text)
  }
  return cells
}

/** A word that a hyphen cuts at the end of a line is joined. */
export function joinLines(above: string, below: string): string {
  if (above === '' || below === '') return above + below
  // The end only: a paragraph grows line by line.
  if (/\p{L}-$/u.test(above.slice(-3)) && /^\p{Ll}/u.test(below)) return above.slice(0, -1) + below
  // The hyphen of a date or an order number is its own.
  if (/[\p{L}\p{N}]-$/u.test(above.slice(-3)) && /^\d/.test(below)) return above + below
  return `${above} ${below}`
}

export const isFull = (line: readonly Stretch[] | undefined) => (line?.length ?? 0) > 1

/** A heading between two tables is larger than the rows, or further from the row above it. */
const HEADING_SIZE = 1.3
const HEADING_GAP = 0.4

const isHeadingAt = ([only]: readonly Stretch[], [first]: readonly Stretch[], more: number): boolean =>
  only !== undefined &&
  first !== undefined &&
  (heightOf(only) > heightOf(first) * HEADING_SIZE || more > heightOf(only) * HEADING_GAP)

/** Number of lines from `start` that may be one table: lines with cells side by side, and few others between them. */
export function runAt(lines: readonly (readonly Stretch[])[], start: number): number {
  if (!isFull(lines[start])) return 0
  let lastFull = start
  let widest = 0
  for (let end = start + 1; end < lines.length; end += 1) {
    const line = lines[end] ?? []
    const gap = gapBetween(lines[end - 1] ?? [], line)
    if (gap > bodyHeight(line) * WIDE_LINES) break
    if (!isFull(line) && end - start > 1 && isHeadingAt(line, lines[start] ?? [], gap - widest)) break
    if (end - start > 2 && gap > widest + bodyHeight(line)) break
    widest = Math.max(widest, gap)
    if (isFull(line)) lastFull = end
    else if (end - lastFull > CELL_LINES || (line[0]?.text.length ?? 0) > CELL_LETTERS) break
  }
  return lastFull - start + 1
}

/** Signs of items alone, or nothing: a list, whose texts are further from their signs. */
const SIGNS = /^[\s•‣▪●◦○■□]*$/u

/** Share of blanks in a line of prose; a line of cells has more. */
const DENSE = 0.12

/** Whether a line with wide gaps is one of prose all the same: it is long and nearly full. */
function isDense(row: readonly Stretch[]): boolean {
  const letters = row.reduce((sum, { text }) => sum + text.length, 0)
  const width = Math.max(...row.map(({ right }) => right)) - Math.min(...row.map(({ left }) => left))
  const blank = row.reduce((sum, { left }, index) => sum + left - (row[index - 1]?.right ?? left), 0)
  return letters > LINE_LETTERS && blank < width * DENSE
}

/** Markdown of lines whose cells are above each other; undefined where they are not. */
export function tableOf(lines: readonly (readonly Stretch[])[]): string | undefined {
  const rows = withParted(lines)
  const full = rows.filter(isFull)
  const columns = columnsOf(full)
  if (columns.length < 2 || full.length < (columns.length > 2 ? 2 : 3)) return undefined
  const isProse = ([only, more]: readonly Stretch[]) =>
    only !== undefined &&
    more === undefined &&
    only.text.length > LINE_LETTERS &&
    columns.filter(({ left, right }) => only.right > left && only.left < right).length > 1
  if (rows.some(isProse) || (full.length < 3 && full.some(isDense))) return undefined
  const cells = cellsOf(rows, columns)
  if (cells.every(([first = '']) => SIGNS.test(first))) return undefined
  const filled = cells.flat().filter((cell) => cell !== '').length
  return cells.length < 2 || filled < cells.length * columns.length * 0.5
    ? undefined
    : toMarkdownTable(cells.map((row) => row.map(escapeText)))
}
