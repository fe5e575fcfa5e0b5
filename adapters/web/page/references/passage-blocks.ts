/** Splits a passage for display: headings, lists and tables as such, everything else verbatim. */

export interface Piece {
  readonly text: string
  /** Part of the supporting sentence. */
  readonly marked: boolean
}

type Cells = readonly (readonly Piece[])[]

export type PassageBlock =
  | { readonly kind: 'text' | 'heading'; readonly pieces: readonly Piece[] }
  | { readonly kind: 'list'; readonly items: Cells }
  | { readonly kind: 'table'; readonly head?: Cells; readonly rows: readonly Cells[] }

interface Span {
  readonly start: number
  readonly end: number
}

const HEADING = /^ {0,3}#{1,6}[ \t]+/
const ITEM = /^\s*(?:[-*+•]\s+(?=\S)|(?=\d{1,3}[.)]\s+\S))/
const ROW = /^\s*\|.*(?<!\\)\|\s*$/
const RULE = /^\s*\|[\s:|-]+\|\s*$/

/** @param support verbatim in the passage; otherwise nothing is marked */
export function cutPassage(passage: string, support: string | undefined): readonly PassageBlock[] {
  const at = support ? passage.indexOf(support) : -1
  const marked = support && at >= 0 ? { start: at, end: at + support.length } : { start: 0, end: 0 }
  const cut = (span: Span) => toPieces(passage, span, marked)
  const lines = linesOf(passage)
  const said = ({ start, end }: Span) => passage.slice(start, end)
  const blocks: PassageBlock[] = []
  for (let index = 0; index < lines.length;) {
    const line = lines[index]
    if (line === undefined) break
    const heading = HEADING.exec(said(line))
    const kind = kindOf(said(line))
    let next = index + 1
    while (kind !== 'heading' && lines[next] !== undefined && kindOf(said(lines[next] ?? line)) === kind) next += 1
    const rows = lines.slice(index, next)
    if (kind === 'table') blocks.push(toTable(rows))
    else if (kind === 'list') blocks.push({ kind, items: rows.map(toItem) })
    else {
      const start = line.start + (heading?.[0].length ?? 0)
      const pieces = cut(trimmed(passage, { start, end: rows.at(-1)?.end ?? line.end }))
      if (pieces.length > 0) blocks.push({ kind, pieces })
    }
    index = next
  }
  return blocks

  function toItem(row: Span): readonly Piece[] {
    return cut(trimmed(passage, { start: row.start + (ITEM.exec(said(row))?.[0].length ?? 0), end: row.end }))
  }

  function toTable(rows: readonly Span[]): PassageBlock {
    const hasHead = rows[1] !== undefined && RULE.test(said(rows[1]))
    const cells = rows
      .filter((row) => !RULE.test(said(row)))
      .map((row) => cellsOf(passage, row).map((cell) => cut(cell).map(toCellText)))
    const [head, ...rest] = cells
    return hasHead && head !== undefined ? { kind: 'table', head, rows: rest } : { kind: 'table', rows: cells }
  }
}

const kindOf = (line: string): PassageBlock['kind'] =>
  HEADING.test(line) ? 'heading' : ROW.test(line) ? 'table' : ITEM.test(line) ? 'list' : 'text'

/** In a markdown cell, line ends are `<br>` and bars are escaped. */
const toCellText = ({ text, marked }: Piece): Piece => ({
  text: text.replaceAll('\\|', '|').replaceAll(/<br ?\/?>/gi, '\n'),
  marked,
})

function linesOf(text: string): readonly Span[] {
  const lines: Span[] = []
  let start = 0
  for (const line of text.split('\n')) {
    lines.push({ start, end: start + line.length })
    start += line.length + 1
  }
  return lines
}

function cellsOf(text: string, { start, end }: Span): readonly Span[] {
  const row = text.slice(start, end)
  const bars = Array.from(row.matchAll(/(?<!\\)\|/g), ({ index }) => start + index)
  return bars.slice(0, -1).map((bar, index) => trimmed(text, { start: bar + 1, end: bars[index + 1] ?? end }))
}

/** Without empty lines around it; in a cell without any white space. */
function trimmed(text: string, { start, end }: Span): Span {
  const said = text.slice(start, end)
  const isLine = !said.includes('\n')
  const before = (isLine ? /^\s*/ : /^(?:[ \t]*\r?\n)*/).exec(said)?.[0].length ?? 0
  const left = said.slice(before)
  return { start: start + before, end: start + before + left.trimEnd().length }
}

function toPieces(text: string, { start, end }: Span, marked: Span): readonly Piece[] {
  const from = Math.min(Math.max(start, marked.start), end)
  const to = Math.max(Math.min(end, marked.end), from)
  return [
    { text: text.slice(start, from), marked: false },
    { text: text.slice(from, to), marked: true },
    { text: text.slice(to, end), marked: false },
  ].filter((piece) => piece.text !== '')
}
