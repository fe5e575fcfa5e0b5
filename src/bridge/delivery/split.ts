import { closes, closingOf, openingOf, scanLines } from './markdown-lines.ts'
import type { Line } from './markdown-lines.ts'
import { boundariesBefore } from './text-boundaries.ts'
import type { BoundaryRange } from './text-boundaries.ts'

export interface SplitLimits {
  /** Longest part, in the unit that `measure` counts. */
  readonly limit: number
  /** Length of a markdown; must not shrink when text is added at the end. UTF-16 units, bytes, rendered length … */
  readonly measure: (markdown: string) => number
}

export interface SplitOnceOptions extends SplitLimits {
  /**
   * This many characters at the beginning are shown already and cannot be taken back: the head begins with them, even
   * over the limit. Default 0.
   */
  readonly min?: number
}

export interface Split {
  /** The first part: a fence that is open at the cut is closed. */
  readonly head: string
  /** The rest: fence opened again, table with its head, quote marks. Empty if only white space was left. */
  readonly rest: string
}

/** A text, as far as it may be cut. */
interface Window {
  readonly text: string
  /** The last possible cut. */
  readonly end: number
  readonly lines: readonly Line[]
  readonly options: SplitOnceOptions
}

/** The largest `at` up to `high` whose text fits; `low` is known to fit. */
function largest(low: number, high: number, fits: (at: number) => boolean): number {
  let good = low
  let bad = high + 1
  while (bad - good > 1) {
    const middle = (good + bad) >>> 1
    if (fits(middle)) good = middle
    else bad = middle
  }
  return good
}

/** The offset at which the limit is reached; undefined when all fits. Measures little more text than fits. */
function findEnd(text: string, { limit, measure }: SplitLimits): number | undefined {
  const fits = (at: number) => measure(text.slice(0, at)) <= limit
  let good = 0
  for (let probe = Math.max(64, limit); ; probe *= 2) {
    const at = Math.min(probe, text.length)
    if (!fits(at)) return largest(good, at - 1, fits)
    if (at === text.length) return undefined
    good = at
  }
}

function lineAt(lines: readonly Line[], at: number): Line | undefined {
  const index = largest(-1, lines.length - 1, (middle) => (lines[middle]?.start ?? 0) <= at)
  return lines[index]
}

/** The text that closes the open fence, unless it would take too much room. */
function closingAt(line: Line | undefined, options: SplitLimits): string {
  if (line?.fence === undefined) return ''
  const repeated = `${openingOf(line.fence)}\n\n${closingOf(line.fence)}`
  return options.measure(repeated) > options.limit / 2 ? '' : `\n${closingOf(line.fence)}`
}

function headAt({ text, lines, options }: Window, at: number): string {
  const { min = 0 } = options
  const kept = Math.max(min, text.slice(0, at).trimEnd().length)
  const closing = closingAt(lineAt(lines, at), options)
  // A fence that nothing follows is closed on its own line.
  return text.slice(0, kept) + (text[kept - 1] === '\n' ? closing.slice(1) : closing)
}

/** Places in order of preference: paragraph, line, sentence, word, each not before `from`; `bound` ones left out. */
function* places({ text, end, lines }: Window, from: number): Generator<number> {
  const starts = lines.filter(({ start, bound }) => start >= from && start <= end && !bound).toReversed()
  for (const { start, fence, table } of starts) {
    const blankAbove = /\n[ \t>]*\r?\n$/.test(text.slice(Math.max(0, start - 200), start))
    if (blankAbove && fence === undefined && table === undefined) yield start
  }
  for (const { start } of starts) yield start
  for (const unit of ['sentence', 'word'] as const) {
    for (const { at, line } of insideLines({ text, end, lines }, from, unit)) {
      if (line.fence === undefined && !line.row) yield at
    }
  }
}

/** Boundaries inside lines, last first, except in lines that open or close a fence. */
function* insideLines(
  { text, end, lines }: Pick<Window, 'text' | 'end' | 'lines'>,
  from: number,
  unit: BoundaryRange['unit'],
): Generator<{ readonly at: number; readonly line: Line }> {
  const begin = lineAt(lines, from)?.start ?? 0
  for (const at of boundariesBefore(text, { begin, from, end, unit })) {
    const line = lineAt(lines, at)
    if (line !== undefined && line.start < at && !line.delimiter) yield { at, line }
  }
}

/** Last resorts: inside table rows and code lines at a word, then graphemes, then code points. */
function* lastResorts(window: Window, from: number): Generator<number> {
  for (const unit of ['word', 'grapheme'] as const) {
    for (const { at } of insideLines(window, from, unit)) yield at
  }
  for (let at = window.end; at >= from; at -= 1) if (!splitsSurrogates(window.text, at)) yield at
}

function splitsSurrogates(text: string, at: number): boolean {
  return at > 0 && /^[\uD800-\uDBFF][\uDC00-\uDFFF]$/.test(text.slice(at - 1, at + 1))
}

function choose(window: Window): number {
  const { options, end, text } = window
  const { min = 0, limit, measure } = options
  const fits = (at: number) => measure(headAt(window, at)) <= limit
  const leastProgress = Math.max(min, 1)
  // A cut in the first half wastes room: a lesser boundary in the second half is better.
  for (const from of [Math.max(min, Math.ceil(end / 2), 1), leastProgress]) {
    for (const at of places(window, from)) if (fits(at)) return at
  }
  for (const at of lastResorts(window, leastProgress)) if (fits(at)) return at
  const forced = Math.max(leastProgress, end)
  return splitsSurrogates(text, forced) ? forced + 1 : forced
}

/** Indented list lines without their item's first line would read as code: they are dedented. */
function dedent(text: string): string {
  const [indentation = ''] = /^ {4,}/.exec(text) ?? []
  if (indentation === '') return text
  const lines = text.split('\n')
  const until = lines.findIndex((line) => line.trim() !== '' && !line.startsWith(indentation))
  const moved = lines.slice(0, until === -1 ? undefined : until).map((line) => line.slice(indentation.length))
  return [...moved, ...(until === -1 ? [] : lines.slice(until))].join('\n')
}

const withoutBlankLines = (text: string) => text.replace(/^(?:[ \t]*\r?\n)+/, '')

function restInFence(window: Window, line: Line, at: number): string {
  const { text, options } = window
  const { fence } = line
  const tail = text.slice(at)
  if (fence === undefined || closingAt(line, options) === '') return tail
  const newline = text.indexOf('\n', at)
  const content = text.slice(at, newline === -1 ? undefined : newline)
  const end = closes(fence, content)
  if (line.start === at && end === 'by-quote') return tail
  // The head already closes this fence: the closing line in the text is dropped.
  if (line.start === at && end === 'by-marker') {
    return newline === -1 ? '' : withoutBlankLines(text.slice(newline + 1))
  }
  return `${openingOf(fence)}\n${line.start === at ? '' : fence.prefix}${tail}`
}

/** Repeats the head of the table above the rows after the cut. */
function restInTable({ text, options }: Window, line: Line, table: string, at: number): string {
  const tail = text.slice(at)
  if (options.measure(`${table}\n`) > options.limit / 2) return tail
  if (line.start === at) return `${table}\n${tail}`
  const newline = tail.indexOf('\n')
  const following = newline === -1 ? '' : tail.slice(newline + 1)
  const more = following.slice(0, following.indexOf('\n') + 1 || undefined).includes('|')
  return more ? `${tail.slice(0, newline)}\n\n${table}\n${following}` : tail
}

function restAt(window: Window, at: number): string {
  const { text, lines } = window
  const line = lineAt(lines, at)
  if (line === undefined || text.slice(at).trim() === '') return ''
  if (line.fence !== undefined)
    return line.listed ? dedent(restInFence(window, line, at)) : restInFence(window, line, at)
  const known = tableAt(text, line)
  if (known !== undefined) return restInTable(window, line, known, at)
  if (line.start === at) {
    const tail = withoutBlankLines(text.slice(at))
    return line.listed ? dedent(tail) : tail
  }
  return line.quote + text.slice(at).replace(/^[ \t]+/, '')
}

/** A line that the window cuts may turn out to be a table row further on. */
function tableAt(text: string, line: Line): string | undefined {
  return (
    line.table ??
    (line.openTable !== undefined && lineText(text, line.start).includes('|') ? line.openTable : undefined)
  )
}

function lineText(text: string, start: number): string {
  const newline = text.indexOf('\n', start)
  return text.slice(start, newline === -1 ? undefined : newline)
}

/**
 * Cuts a markdown text that is over the limit in two; undefined when it fits. Both parts together hold the whole text
 * except white space at the cut; structure is repeated so that each part reads alone.
 *
 * The head is as long as possible with a good end in its second half (paragraph, line, sentence, word), else anywhere,
 * else at a grapheme. It does not depend on text after the limit, so it stays the same while the text grows. Structure
 * is not repeated if it would fill more than half of a part.
 */
export function splitOnce(text: string, options: SplitOnceOptions): Split | undefined {
  const reached = findEnd(text, options)
  if (reached === undefined) return undefined
  const { limit, measure, min = 0 } = options
  const lines = scanLines(text, Math.max(reached, min))
  const closing = closingAt(lineAt(lines, reached), options)
  const end = closing === '' ? reached : largest(0, reached, (at) => measure(text.slice(0, at) + closing) <= limit)
  const window: Window = { text, lines, options, end: splitsSurrogates(text, end) ? end - 1 : end }
  const at = choose(window)
  const split = { head: headAt(window, at), rest: restAt(window, at) }
  // Without progress the split would never end: then structure is not repeated.
  return split.rest.length < text.length ? split : { head: text.slice(0, at), rest: text.slice(at) }
}

/** Cuts a markdown text into parts that fit; parts that are complete stay as they are while the text grows at its end. */
export function splitMarkdown(text: string, limits: SplitLimits): readonly string[] {
  const parts: string[] = []
  let rest = text
  for (let split = splitOnce(rest, limits); split !== undefined; split = splitOnce(rest, limits)) {
    parts.push(split.head)
    rest = split.rest
  }
  if (rest.trim() !== '' || parts.length === 0) parts.push(rest)
  return parts
}
