/**
 * Line-by-line state of markdown for cutting it. Not a renderer: only fences, tables, quotes and lists. The state of a
 * line depends on the lines above only, so it stays the same when text grows below.
 */

export interface Fence {
  /** Quote marks and indentation before the fence, list markers replaced by spaces. */
  readonly prefix: string
  /** Three or more backticks or tildes. */
  readonly marker: string
  readonly info: string
}

export interface Line {
  readonly start: number
  /** Where the next line begins, or the end of the text. */
  readonly next: number
  /** The fence that is open at the start of the line. */
  readonly fence?: Fence
  /** The line opens or closes a fence. */
  readonly delimiter: boolean
  /** Head and delimiter row of the table whose body this line belongs to. */
  readonly table?: string
  /** The table that the line above belongs to, whether or not this line goes on with it. */
  readonly openTable?: string
  /** The line is, or looks like, part of a table: head, delimiter row or body. */
  readonly row: boolean
  /** The line above must stay with this one: an opening fence, a heading, the head of a table. */
  readonly bound: boolean
  /** Quote marks before the text: `> `. */
  readonly quote: string
  /** The line is in a list item or begins one. */
  readonly listed: boolean
}

const OPENING = /^((?:[ \t]*>)*[ \t]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?)(`{3,}(?=[^`]*$)|~{3,})(.*)$/
const QUOTE = /^(?:[ \t]*>)+[ \t]?/
const LIST_ITEM = /^[ \t>]*(?:[-*+]|\d{1,9}[.)])(?:[ \t]|$)/
const INDENTED = /^(?:[ \t>]*[ \t]|[ \t]*$)/
const HEADING = /^[ \t>]*#{1,6}(?:[ \t]|$)/
const DELIMITER_CELL = /^[ \t]*:?-+:?[ \t]*$/
const ROW = /^[ \t>]*\|/
const DELIMITER_BEGINNING = /^[ \t>|:-]*$/

/** `| --- | :-: |`, cell by cell: one pattern for the whole row would try long blanks in every division. */
function isTableDelimiter(content: string): boolean {
  const cells = content.replace(/^[ \t>]*\|?/, '').split('|')
  if (cells.length > 1 && /^[ \t]*$/.test(cells.at(-1) ?? '')) cells.pop()
  return cells.every((cell) => DELIMITER_CELL.test(cell))
}

function openedBy(content: string): Fence | undefined {
  const [, before, marker, info] = OPENING.exec(content) ?? []
  if (before === undefined || marker === undefined) return undefined
  return { prefix: before.replace(/[^\s>]/g, ' '), marker, info: (info ?? '').trim() }
}

/** Whether this line ends the fence; a quoted fence also ends with its quote. */
export function closes(fence: Fence, content: string): 'by-marker' | 'by-quote' | undefined {
  const inner = content.replace(QUOTE, '').trim()
  const quoted = fence.prefix.includes('>')
  if (quoted && !/^[ \t]*>/.test(content)) return 'by-quote'
  const sameKind = inner.length >= fence.marker.length && inner === fence.marker.charAt(0).repeat(inner.length)
  return sameKind ? 'by-marker' : undefined
}

/** The line that opens this fence again. */
export const openingOf = (fence: Fence): string => fence.prefix + fence.marker + fence.info
/** The line that closes it. */
export const closingOf = (fence: Fence): string => fence.prefix + fence.marker

interface State {
  fence: Fence | undefined
  table: string | undefined
  listed: boolean
  /** The line above, when it is outside of fences. */
  above: string
  /** The line below must stay with it. */
  boundToAbove: boolean
}

function readFenced(state: State, fence: Fence, content: string): boolean {
  const end = closes(fence, content)
  state.boundToAbove = false
  state.above = ''
  if (end === undefined) return false
  state.fence = undefined
  return end === 'by-marker'
}

/** Takes a line outside of fences; true when it opens one. */
function readPlain(state: State, content: string): boolean {
  const opened = openedBy(content)
  state.fence = opened
  if (LIST_ITEM.test(content)) state.listed = true
  else if (!INDENTED.test(content)) state.listed = false
  const isHead = state.above.includes('|') && state.table === undefined
  if (isHead && isTableDelimiter(content)) {
    state.table = `${state.above}\n${content}`
    state.boundToAbove = true
  } else {
    if (!content.includes('|')) state.table = undefined
    const stillBound = state.boundToAbove && content.trim() === ''
    state.boundToAbove = opened !== undefined || HEADING.test(content) || stillBound
  }
  state.above = opened === undefined ? content : ''
  return opened !== undefined
}

/** The lines of `text.slice(0, end)`; when that ends with a line break, an empty last one follows. */
export function scanLines(text: string, end: number): readonly Line[] {
  const lines: Line[] = []
  const state: State = { fence: undefined, table: undefined, listed: false, above: '', boundToAbove: false }
  for (let start = 0, last = false; !last;) {
    const newline = text.indexOf('\n', start)
    last = newline === -1 || newline >= end
    const next = last ? end : newline + 1
    const content = text.slice(start, next).replace(/\r?\n$/, '')
    const { fence, above, boundToAbove } = state
    const mayBeDelimiter = fence === undefined && above.includes('|') && state.table === undefined
    // A row of the body has the whole head above it: its first row is bound to it, the others are not.
    const openTable = fence === undefined ? state.table : undefined
    const tableAbove = content.includes('|') ? openTable : undefined
    // The quote ended its fence, so the line is read as plain text. An empty last line is still undecided.
    const unknown = last && content.trim() === ''
    const stillFenced = fence !== undefined && (unknown || closes(fence, content) !== 'by-quote')
    const delimiter = stillFenced ? readFenced(state, fence, content) : readPlain(state, content)
    const head = lines.at(-1)
    // Only its delimiter row shows that the line above was the head of a table.
    if (head !== undefined && openTable === undefined && state.table !== undefined) {
      lines[lines.length - 1] = { ...head, row: true }
    }
    lines.push({
      start,
      next,
      fence: stillFenced ? fence : undefined,
      delimiter,
      table: tableAbove,
      openTable,
      // The last line may be incomplete.
      bound: boundToAbove || (mayBeDelimiter && DELIMITER_BEGINNING.test(content) && (last || content.trim() !== '')),
      row: fence === undefined && (ROW.test(content) || tableAbove !== undefined || state.table !== undefined),
      quote: QUOTE.exec(content)?.[0] ?? '',
      listed: state.listed,
    })
    start = next
  }
  return lines
}
