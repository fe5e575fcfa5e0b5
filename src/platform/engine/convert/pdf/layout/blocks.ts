import { escapeStart, escapeText } from '#platform/engine/convert/markdown/inline.ts'
import { toMarkdownTable } from '#platform/engine/convert/markdown/table.ts'
import { bodyHeight, regionsOf } from './regions.ts'
import { heightOf, linesOf, type Stretch } from './stretches.ts'

const MAX_COLUMNS = 40
/** Space between lines of a table, in heights of a line. */
const WIDE_LINES = 2.2
/** Further lines of a cell, and their letters. */
const CELL_LINES = 3
const CELL_LETTERS = 90
/** A single line of this many letters across columns is prose. */
const LINE_LETTERS = 60
/** Lines that a table may begin with in a run of lines with cells. */
const MAX_TRIES = 3
/** Lines of a region that may begin a run: a run is read to its end each time. */
const MAX_RUNS = 60

interface Span {
  left: number
  right: number
}

/** Columns of a table: where the cells of its fuller rows are above each other. */
function columnsOf(rows: readonly (readonly Stretch[])[]): readonly Span[] {
  const most = Math.max(...rows.map((row) => row.length))
  const fuller = rows.filter((row) => row.length >= Math.max(2, most - 1))
  const columns: Span[] = []
  for (const { left, right } of fuller.flat().toSorted((one, other) => one.left - other.left)) {
    const last = columns.at(-1)
    if (last !== undefined && left < last.right) last.right = Math.max(last.right, right)
    else columns.push({ left, right })
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
    const isPart = texts[0] === '' && texts.filter((text) => text !== '').length < columns.length - 1
    const isMore = isLoose ? isClose : isPart && gap < height * 0.8
    if (last === undefined || !isMore || (index === 1 && !isLoose)) cells.push(texts)
    else for (const [at, text] of texts.entries()) last[at] = joinLines(last[at] ?? '', text)
  }
  return cells
}

/** A word that a hyphen cuts at the end of a line is joined. */
function joinLines(above: string, below: string): string {
  if (above === '' || below === '') return above + below
  // The end only: a paragraph grows line by line.
  if (/\p{L}-$/u.test(above.slice(-3)) && /^\p{Ll}/u.test(below)) return above.slice(0, -1) + below
  return `${above} ${below}`
}

const isFull = (line: readonly Stretch[] | undefined) => (line?.length ?? 0) > 1

/** Number of lines from `start` that may be one table: lines with cells side by side, and few others between them. */
function runAt(lines: readonly (readonly Stretch[])[], start: number): number {
  if (!isFull(lines[start])) return 0
  let lastFull = start
  for (let end = start + 1; end < lines.length; end += 1) {
    const line = lines[end] ?? []
    if (gapBetween(lines[end - 1] ?? [], line) > bodyHeight(line) * WIDE_LINES) break
    if (isFull(line)) lastFull = end
    else if (end - lastFull > CELL_LINES || (line[0]?.text.length ?? 0) > CELL_LETTERS) break
  }
  return lastFull - start + 1
}

/** Markdown of lines whose cells are above each other; undefined where they are not. */
function tableOf(rows: readonly (readonly Stretch[])[]): string | undefined {
  const full = rows.filter(isFull)
  const columns = columnsOf(full)
  if (columns.length < 2 || full.length < (columns.length > 2 ? 2 : 3)) return undefined
  const isProse = ([only, more]: readonly Stretch[]) =>
    only !== undefined &&
    more === undefined &&
    only.text.length > LINE_LETTERS &&
    columns.filter(({ left, right }) => only.right > left && only.left < right).length > 1
  if (rows.some(isProse)) return undefined
  const cells = cellsOf(rows, columns)
  const filled = cells.flat().filter((cell) => cell !== '').length
  return cells.length < 2 || filled < cells.length * columns.length * 0.5
    ? undefined
    : toMarkdownTable(cells.map((row) => row.map(escapeText)))
}

const ITEM = /^(?:[•‣▪●◦○■□☐☑]|[–-] )\s*/u
const LABELLED = /^\(?[a-z\d]{1,3}\)\s/iu
/** An item, or in the middle of a sentence an amount, a day or a title: `3.450 Euro`, `14. September`, `Dr. Holt`. */
const NUMBERED = /^(?:[a-z\d]{1,3}\.|\d+(?:\.\d+)+)\s/iu

/** A heading is short, and larger than the text by this factor, or bold. */
const HEADING_LETTERS = 160
const HEADING_LINES = 4
const HEADING_SIZE = 1.15
const TITLE_SIZE = 1.6

interface Line {
  readonly text: string
  readonly box: Stretch
}

/** Whether the line goes on with the paragraph of the one above. */
function goesOn(above: Line, { text, box }: Line, right: number): boolean {
  const height = Math.max(heightOf(above.box), heightOf(box))
  const isSameSize = Math.abs(heightOf(above.box) - heightOf(box)) < height * 0.2
  if (!isSameSize || above.box.isBold !== box.isBold || box.top - above.box.bottom > height * 0.8) return false
  if (ITEM.test(text) || LABELLED.test(text)) return false
  const isShort = above.box.right < right - (right - above.box.left) * 0.25
  if (NUMBERED.test(text)) {
    const isOpen = !isShort && !/[.:;!?]$/.test(above.text) && !NUMBERED.test(above.text)
    if (!isOpen || Math.abs(box.left - above.box.left) > height / 2) return false
  }
  return !(isShort && /[.:!?]$/.test(above.text)) && box.left - above.box.left < height * 3
}

/** Paragraphs, items and headings of lines that are no table. */
function proseOf(lines: readonly Line[], body: number): string[] {
  const right = Math.max(...lines.map(({ box }) => box.right))
  const blocks: { text: string; readonly first: Line; last: Line; lines: number }[] = []
  for (const line of lines) {
    const block = blocks.at(-1)
    if (block !== undefined && goesOn(block.last, line, right)) {
      block.text = joinLines(block.text, line.text)
      block.last = line
      block.lines += 1
    } else blocks.push({ text: line.text, first: line, last: line, lines: 1 })
  }
  return blocks.map(({ text, first: { box }, lines: count }) => {
    const shown = escapeText(text.replace(ITEM, ''))
    if (ITEM.test(text)) return `- ${shown}`
    const size = heightOf(box) / body
    const isShort = text.length < HEADING_LETTERS && count < HEADING_LINES && /\p{L}/u.test(text)
    if (isShort && size > HEADING_SIZE) return `${size > TITLE_SIZE ? '#' : '##'} ${shown}`
    if (isShort && box.isBold && count === 1 && !/[.,;]$/.test(text)) return `### ${shown}`
    return /^\d{1,9}[.)]\s/.test(text) ? shown : escapeStart(shown)
  })
}

export interface PageBlocks {
  readonly markdown: string
  /** Rows of tables, found by alignment. */
  readonly tables: readonly string[]
  /** Ends of lines of prose with the beginnings of the lines after them, in reading order. */
  readonly seams: readonly string[]
}

const seamsOf = (lines: readonly Line[]): string[] =>
  lines.slice(1).flatMap(({ text, box }, index) => {
    const above = lines[index]
    if (
      above === undefined ||
      Math.min(text.length, above.text.length) < 20 ||
      box.top - above.box.bottom > heightOf(box)
    )
      return []
    const [last] = /[\p{L}\p{N}]+(?=[^\p{L}\p{N}]*$)/u.exec(above.text.slice(-60)) ?? []
    const [first] = /[\p{L}\p{N}]+/u.exec(text.slice(0, 60)) ?? []
    // A word that goes on has no seam.
    return last === undefined || first === undefined || above.text.endsWith('-') ? [] : [`${last} ${first}`]
  })

/** Tables of a region, and the lines of prose between them. */
function partsOf(lines: readonly (readonly Stretch[])[]): readonly (string | readonly Line[])[] {
  const parts: (string | Line[])[] = []
  let tries = 0
  let failed = 0
  for (let at = 0; at < lines.length; at += 1) {
    const count = tries < MAX_TRIES && failed < MAX_RUNS ? runAt(lines, at) : 0
    const table = count < 2 ? undefined : tableOf(lines.slice(at, at + count))
    if (table !== undefined) {
      parts.push(table)
      at += count - 1
      continue
    }
    if (count > 1) failed += 1
    const line = lines[at] ?? []
    const [first] = line
    // Each run is looked at a few times only: a page may be one long run.
    tries = isFull(line) ? tries + 1 : 0
    if (first === undefined) continue
    const box = { ...first, right: Math.max(...line.map(({ right }) => right)) }
    const prose = parts.at(-1)
    const own = { text: line.map(({ text }) => text).join(' '), box }
    if (typeof prose === 'object') prose.push(own)
    else parts.push([own])
  }
  return parts
}

/** The text of a page by the positions of its words: columns one after the other, aligned cells as tables. */
export function toBlocks(stretches: readonly Stretch[], { headings = true } = {}): PageBlocks {
  const body = headings ? bodyHeight(stretches) : Infinity
  const parts = regionsOf(stretches).flatMap((region) => partsOf(linesOf(region)))
  return {
    markdown: parts.flatMap((part) => (typeof part === 'string' ? [part] : proseOf(part, body))).join('\n\n'),
    tables: parts.filter((part) => typeof part === 'string'),
    seams: parts.flatMap((part) => (typeof part === 'string' ? [] : seamsOf(part))),
  }
}
