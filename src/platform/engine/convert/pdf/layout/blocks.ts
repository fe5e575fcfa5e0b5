import { escapeStart, escapeText } from '#platform/engine/convert/markdown/inline.ts'
import { bodyHeight, regionsOf } from './regions.ts'
import { heightOf, linesOf, type Stretch } from './stretches.ts'
import { isFull, joinLines, runAt, tableOf } from './tables.ts'

/** Lines that a table may begin with in a run of lines with cells. */
const MAX_TRIES = 3
/** Lines of a region that may begin a run: a run is read to its end each time. */
const MAX_RUNS = 60

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
