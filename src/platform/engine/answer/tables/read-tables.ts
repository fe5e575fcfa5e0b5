import type { Origin } from '#platform/engine/api/retrieve.ts'
import { createRowCounter } from '#lib/table-rows.ts'

/** A table of a markdown text. */
export interface Table {
  /** Titles of the headings above it, outermost first; of a workbook the name of the sheet. */
  readonly headings: readonly string[]
  readonly header: readonly string[]
  readonly rows: readonly TableRow[]
  /** Headers of columns whose numbers say more than is shown. */
  readonly rounded: ReadonlySet<string>
  /** It comes from a workbook, whose numbers are written with a point before the decimals. */
  readonly isFromWorkbook: boolean
  /** Place of a column that the file does not have: its product of two others. */
  readonly product?: number
  /** The table of the file, which has a column for each month where this one has a row. */
  readonly wide?: Table
  /** Its last columns are those of another table. */
  readonly joined?: Joined
}

/** The other table of a joined one. */
export interface Joined {
  readonly source: { readonly file: string; readonly origin?: Origin | undefined; readonly place?: string }
  readonly table: Table
  /** Number of its own columns; those of the other table come after them. */
  readonly own: number
  readonly rowOf: ReadonlyMap<TableRow, TableRow>
}

export interface TableRow {
  readonly cells: readonly string[]
  /** Line in the text, from 1. */
  readonly line: number
  /** Row as its program shows it; 0: unknown. */
  readonly number: number
  /** Verbatim line. */
  readonly raw: string
}

/** Longer tables are not computed. */
const MAX_ROWS = 200_000
const MAX_COLUMNS = 200

const ROW = /^\s{0,3}\|/
const RULE = /^\s{0,3}\|(?=[\s:|]*-)[\s:|-]*$/
const FENCE = /^ {0,3}(?:`{3,}|~{3,})/
const HEADING = /^ {0,3}(#{1,6})[ \t]+(.{1,1000})/

/** Columns that the conversion of a workbook names below a table. */
const ROUNDED = /^\*Shown rounded, as in the sheet: (.{1,10000})\*$/

const MARKUP = /\*\*|__|`/g

export function toCells(line: string): string[] {
  const cells: string[] = []
  let cell = ''
  for (let at = line.indexOf('|') + 1; at < line.length && cells.length < MAX_COLUMNS; at += 1) {
    const sign = line[at] ?? ''
    if (sign === '\\' && line[at + 1] === '|') {
      cell += '|'
      at += 1
    } else if (sign === '|') {
      cells.push(cell.replace(MARKUP, '').replaceAll('<br>', ' ').trim())
      cell = ''
    } else cell += sign
  }
  if (cell.trim() !== '') cells.push(cell.replace(MARKUP, '').trim())
  return cells
}

const toName = (text: string) => toCells(`| ${text} |`)[0] ?? ''

/** Tables with a header, a rule and rows; time in proportion to the text. */
export function readTables(text: string, isFromWorkbook = false): Table[] {
  const tables: (Table & { rows: TableRow[]; rounded: Set<string> })[] = []
  const headings: { readonly level: number; readonly title: string }[] = []
  const lines = text.split(/\r\n?|\n/)
  const rowOf = createRowCounter(text)
  let open: (typeof tables)[number] | undefined
  let isCode = false
  for (const [at, raw] of lines.entries()) {
    const number = rowOf(raw, at + 1)
    if (FENCE.test(raw)) isCode = !isCode
    if (isCode || !ROW.test(raw)) {
      open = undefined
      const rounded = isCode ? undefined : ROUNDED.exec(raw)?.[1]
      for (const name of rounded?.split(' · ') ?? []) tables.at(-1)?.rounded.add(toName(name))
      const [, signs = '', title = ''] = (!isCode && HEADING.exec(raw)) || []
      if (title === '') continue
      while ((headings.at(-1)?.level ?? 0) >= signs.length) headings.pop()
      headings.push({ level: signs.length, title: title.replace(MARKUP, '').replace(/[\s#]{0,100}$/, '') })
      continue
    }
    if (RULE.test(raw)) {
      const header = lines[at - 1] ?? ''
      if (open !== undefined || !ROW.test(header)) continue
      open = {
        headings: headings.map(({ title }) => title),
        header: toCells(header),
        rows: [],
        rounded: new Set(),
        isFromWorkbook,
      }
      tables.push(open)
    } else if (open !== undefined && open.rows.length < MAX_ROWS) {
      open.rows.push({ cells: toCells(raw), line: at + 1, number, raw: raw.trim() })
    }
  }
  return tables.filter(({ rows }) => rows.length > 0 && rows.length < MAX_ROWS)
}
