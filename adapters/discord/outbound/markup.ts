import stringWidth from 'string-width'
import type { Meter } from '#bridge/port/adapter.ts'
import { MESSAGE_LIMITS } from '../config.ts'
import { plainText, renderInline } from './inline.ts'
import { levelLists } from './lists.ts'

/** Groups: indentation, with the mark of a list item that begins so; marks; language. */
const FENCE = /^(\s*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?)(`{3,}|~{3,}(?!~))([^`]*)$/
const ZERO_WIDTH = '\u200B'

/**
 * Converts CommonMark with GFM to Discord's markup, line by line, since both are nearly the same. No words are lost. An
 * unfinished text (a streaming answer) is closed properly.
 */
export function toDiscord(markdown: string): string {
  const lines = markdown.replaceAll('\r\n', '\n').split('\n')
  const out: string[] = []
  let prose: string[] = []
  const flush = () => {
    if (prose.length > 0) out.push(renderInline(blocks(levelLists(prose)).join('\n')))
    prose = []
  }
  for (let index = 0; index < lines.length;) {
    const line = lines[index] ?? ''
    const taken = FENCE.test(line)
      ? takeFence(lines, index)
      : (takeTable(lines, index) ?? takeQuotedTable(lines, index))
    if (taken === undefined) {
      prose.push(line)
      index += 1
      continue
    }
    flush()
    out.push(taken.text)
    index = taken.next
  }
  flush()
  return out
    .join('\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim()
}

interface Taken {
  readonly text: string
  readonly next: number
}

const findEnd = (lines: readonly string[], from: number, closes: (line: string) => boolean): number => {
  let end = from
  while (end < lines.length && !closes((lines[end] ?? '').trim())) end += 1
  return end
}

/**
 * End of a block of markdown that has blocks of its own with fences of the same length, as models write them: CommonMark
 * would end it at the first inner end. Undefined: the fences do not pair up.
 */
function findOuterEnd(lines: readonly string[], from: number, closes: (line: string) => boolean): number | undefined {
  let open = 1
  for (let at = from; at < lines.length; at += 1) {
    const line = (lines[at] ?? '').trim()
    if (closes(line)) open -= 1
    else if (/^(?:`{3,}|~{3,})[\w+#.-]/.test(line)) open += 1
    if (open === 0) return at
  }
  return undefined
}

/** Discord has fences of three backticks only, which the next three end, and shows an odd language name as text. */
function takeFence(lines: readonly string[], start: number): Taken {
  const [, begin = '', marks = '```', info = ''] = FENCE.exec(lines[start] ?? '') ?? []
  // A number keeps its line, since the next item counts on from it.
  const item = /\d/.test(begin) ? [begin.trimEnd()] : []
  const indent = begin.replaceAll(/\S/g, ' ')
  const mark = marks.charAt(0)
  const closes = (line: string) => line.startsWith(marks) && line === mark.repeat(line.length)
  const first = findEnd(lines, start + 1, closes)
  const end = (/^\s*(?:markdown|mdx?)\s*$/i.test(info) ? findOuterEnd(lines, start + 1, closes) : undefined) ?? first
  const language = /^[\w+#.-]{1,20}(?!\S)/.exec(info.trimStart())?.[0] ?? ''
  const code = lines
    .slice(start + 1, end)
    .map((line) => (line.startsWith(indent) ? line.slice(indent.length) : line.trimStart()))
    .map((line) => line.replaceAll('```', `\`\`${ZERO_WIDTH}\``))
  return { text: [...item, '```' + language, ...code, '```'].join('\n'), next: end + 1 }
}

function takeTable(lines: readonly string[], start: number): Taken | undefined {
  if (!isTableStart(lines[start], lines[start + 1])) return undefined
  let end = start + 2
  while (end < lines.length && isTableRow(lines[end] ?? '')) end += 1
  const text = renderTable(lines.slice(start, end), {
    plain: (cell) => plainText(cell).replaceAll('\n', ' '),
    inline: (cell) => renderInline(cell).replaceAll('\n', ' '),
  })
  return { text, next: end }
}

const QUOTE = /^ {0,3}(?:>[ \t]?)+/

/** A table in a quotation, as in a passage: a table as code is not quoted, records stay quoted. */
function takeQuotedTable(lines: readonly string[], start: number): Taken | undefined {
  const bare = (index: number) => (QUOTE.test(lines[index] ?? '') ? lines[index]?.replace(QUOTE, '') : undefined)
  if (!isTableStart(bare(start), bare(start + 1))) return undefined
  const rows: string[] = []
  for (let row = bare(start); row !== undefined; row = bare(start + rows.length)) {
    if (rows.length >= 2 && !isTableRow(row)) break
    rows.push(row)
  }
  const taken = takeTable(rows, 0)
  if (taken === undefined) return undefined
  const isBlock = taken.text.startsWith('```')
  return { text: isBlock ? taken.text : taken.text.replaceAll(/^/gm, '> '), next: start + taken.next }
}

function blocks(lines: readonly string[]): string[] {
  const out: string[] = []
  for (const line of lines) {
    const underline = setext(line, out.at(-1))
    if (underline !== undefined) out[out.length - 1] = underline
    else out.push(block(line))
  }
  return out
}

/** Converts underlined headings: Discord would show the dashes. */
function setext(line: string, above: string | undefined): string | undefined {
  if (above === undefined || above.trim() === '' || /^\s*([#>]|[-*+]\s|\d+[.)]\s)/.test(above)) return undefined
  if (/^ {0,3}=+\s*$/.test(line)) return `# ${above.trim()}`
  return /^ {0,3}-{2,}\s*$/.test(line) ? `## ${above.trim()}` : undefined
}

function block(line: string): string {
  if (line === '') return line
  const heading = /^ {0,3}(#{1,6})(?!\S)/.exec(line)
  if (heading !== null) return headingOf(heading[1]?.length ?? 1, line.slice(heading[0].length))
  if (/^ {0,3}([-*_])(?:\s*\1){2,}\s*$/.test(line)) return '─'.repeat(12)
  return (
    withoutBreak(line)
      // Discord quotes one level deep, and `>>>` would quote all that follows.
      .replace(/^ {0,3}(?:>\s?)+/, '> ')
      .replace(/^(\s*)\+ /, '$1- ')
      .replace(/^(\s*[-*] |\s*\d+[.)] )\[ \] /, '$1☐ ')
      .replace(/^(\s*[-*] |\s*\d+[.)] )\[[xX]\] /, '$1☑ ')
      // `-# ` makes small print in Discord and is plain text elsewhere.
      .replace(/^(\s*)-# /, '$1\\-# ')
  )
}

/** Removes explicit line breaks (two blanks or a backslash): Discord breaks at every line end. */
function withoutBreak(line: string): string {
  if (line.endsWith('\\')) return line.slice(0, -1)
  let end = line.length
  while (line[end - 1] === ' ') end -= 1
  return line.length - end < 2 ? line : line.slice(0, end)
}

/** Discord has three heading levels. */
function headingOf(level: number, marked: string): string {
  const text = withoutClosing(marked.trim())
  if (text === '') return ''
  return level <= 3 ? `${'#'.repeat(level)} ${text}` : `**${text.replaceAll('**', '')}**`
}

/** Removes closing `#` marks of a heading. */
function withoutClosing(text: string): string {
  let end = text.length
  while (text[end - 1] === '#') end -= 1
  return end === 0 || /\s/.test(text.charAt(end - 1)) ? text.slice(0, end).trim() : text
}

/** Length against Discord's limit: UTF-16 units, never fewer than the characters that Discord counts. */
export function measure(markdown: string): number {
  return toDiscord(markdown).length
}

/** Tables and code may change the lines above. */
const NOT_PLAIN = /[|`~]/
/** Only these make other markdown longer, each by this at most: `---` becomes a line of twelve. */
const GROWING = /[-*_=#<>@[\\+&!\t]/g
const MAX_GROWTH = 3
const MAX_ADDED = 40

/**
 * `measure` for a text that grows: of plain text only when it may be over the limit of a message.
 *
 * @param look receives the number of characters read
 */
export function createMeter(look: (characters: number) => void = () => {}): Meter {
  let text = ''
  let isPlain = true
  let measured = 0
  let unmeasured = MAX_ADDED
  return {
    add(piece) {
      text += piece
      isPlain &&= !NOT_PLAIN.test(piece)
      unmeasured += piece.length + MAX_GROWTH * (piece.match(GROWING)?.length ?? 0)
      if (isPlain && measured + unmeasured <= MESSAGE_LIMITS.content) return measured + unmeasured
      look(text.length)
      measured = measure(text)
      unmeasured = MAX_ADDED
      return measured
    },
  }
}

/** Columns of a code block; a wider table becomes a list of records. */
const MAX_BLOCK_WIDTH = 76
const MIN_COLUMN_WIDTH = 3
/** Characters of a column's name in each of its records. */
const MAX_LABEL = 100

type Alignment = 'left' | 'right' | 'center'

/** Whether a GFM table begins: a row of cells, and a delimiter row with as many. */
function isTableStart(row: string | undefined, below: string | undefined): boolean {
  if (row === undefined || below === undefined || !row.includes('|')) return false
  if (!/^ {0,3}[|:-]/.test(below)) return false
  const dashes = cellsOf(below)
  return dashes.every((cell) => /^:?-+:?$/.test(cell)) && cellsOf(row).length === dashes.length
}

/** Whether this line continues a table: not blank and no start of another block. */
const isTableRow = (line: string): boolean => line.includes('|') && !/^\s*(```|~~~|#{1,6}\s|>)/.test(line)

function cellsOf(row: string): string[] {
  const inner = row
    .trim()
    .replace(/^\|/, '')
    .replace(/(?<!\\)\|$/, '')
  return inner.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll('\\|', '|'))
}

/** How a cell is rendered: plain inside a code block, or as inline markup. */
interface CellStyle {
  plain: (cell: string) => string
  inline: (cell: string) => string
}

/** Renders a table, which Discord lacks, as an aligned code block, or as a list of records if too wide. */
function renderTable(rows: readonly string[], style: CellStyle): string {
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
