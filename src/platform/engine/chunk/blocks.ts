import type { Token } from 'markdown-it'
import type { Span } from '#lexicon/sentences.ts'
import { parseSlices } from './slices.ts'
import { CHUNK_TOKENS, type Lines, lineUnits, proseUnits, toUnit, type Unit } from './units.ts'

const MARKUP = /[*_`~]|!?\[(?=[^\]]*\]\()|\]\([^)]*\)/g

/** Longest heading: some 400 letters. It is repeated with each of its chunks. */
const MAX_HEADING_TOKENS = 100

const toTitle = (content: string) => content.replace(MARKUP, '').replace(/\s+/g, ' ').trim()

function toSpan(token: Token, lines: Lines): Span | undefined {
  return token.map === null ? undefined : { start: lines.start(token.map[0]), end: lines.start(token.map[1]) }
}

function lineSpans(lines: Lines, from: number, to: number): Span[] {
  return Array.from({ length: to - from }, (_, index) => ({
    start: lines.start(from + index),
    end: lines.start(from + index + 1),
  }))
}

/** Longest header rows that are repeated with each part of their table. */
const MAX_LEAD = 1000

function tableUnits(lines: Lines, from: number, to: number): Unit[] {
  const { text } = lines
  const whole = toUnit(text, { start: lines.start(from), end: lines.start(to) }, true)
  if (whole.tokens <= CHUNK_TOKENS.enough) return [whole]
  // Header row and rule are the first two lines of every GFM table.
  const header = { start: lines.start(from), end: lines.start(from + 2) }
  if (header.end - header.start > MAX_LEAD) return lineUnits(text, lineSpans(lines, from, to))
  return [toUnit(text, header, true), ...lineUnits(text, lineSpans(lines, from + 2, to), header)].map(
    (unit, index) => ({ ...unit, opens: index === 0 }),
  )
}

function codeUnits(lines: Lines, from: number, to: number): Unit[] {
  const { text } = lines
  const whole = toUnit(text, { start: lines.start(from), end: lines.start(to) }, true)
  return whole.tokens <= CHUNK_TOKENS.enough ? [whole] : lineUnits(text, lineSpans(lines, from, to))
}

/** Rows of a table or lines of code that go on after a cut. */
function laterUnits(lines: Lines, { type, map }: Token, opening: Span): Unit[] {
  if (map === null) return []
  const hasLead = type === 'table_open' && opening.end - opening.start <= MAX_LEAD
  const units = lineUnits(lines.text, lineSpans(lines, ...map), hasLead ? opening : undefined)
  return units.map((unit) => ({ ...unit, opens: false }))
}

/** A list or a quotation: its outermost items, split like prose where they are long. */
function containerUnits(lines: Lines, tokens: readonly Token[], open: number): Unit[] {
  const items: Span[] = []
  for (let index = open + 1; index < tokens.length; index += 1) {
    const token = tokens[index]
    if (token === undefined || token.level === 0) break
    const span = token.level === 1 && token.nesting !== -1 ? toSpan(token, lines) : undefined
    if (span !== undefined) items.push(span)
  }
  const whole = tokens[open] === undefined ? undefined : toSpan(tokens[open], lines)
  return (items.length === 0 && whole !== undefined ? [whole] : items).flatMap((item) => proseUnits(lines.text, item))
}

function blockUnits(lines: Lines, tokens: readonly Token[], index: number): Unit[] {
  const { text } = lines
  const token = tokens[index]
  const span = token === undefined ? undefined : toSpan(token, lines)
  if (token === undefined || token.map === null || span === undefined) return []
  const [from, to] = token.map
  switch (token.type) {
    case 'heading_open': {
      const whole = toUnit(text, span, true)
      // A paragraph above a rule is a heading by the rules of markdown, and by no reader's.
      if (whole.tokens > MAX_HEADING_TOKENS) return proseUnits(text, span)
      const title = toTitle(tokens[index + 1]?.content ?? '')
      return [{ ...whole, heading: { level: Number(token.tag.slice(1)), title } }]
    }
    case 'table_open':
      return tableUnits(lines, from, to)
    case 'fence':
    case 'code_block':
      return codeUnits(lines, from, to)
    case 'bullet_list_open':
    case 'ordered_list_open':
    case 'blockquote_open':
      return containerUnits(lines, tokens, index)
    case 'hr':
      return []
    default:
      return proseUnits(text, span)
  }
}

/** The units of each block of a markdown text, in order; generated on demand, since all together are many. */
export function* markdownBlocks(lines: Lines, sliceLength?: number): Generator<readonly Unit[]> {
  for (const { tokens, opening } of parseSlices(lines, sliceLength)) {
    for (const [index, token] of tokens.entries()) {
      if (token.level !== 0 || token.nesting === -1) continue
      yield index === 0 && opening !== undefined ? laterUnits(lines, token, opening) : blockUnits(lines, tokens, index)
    }
  }
}

/** The units of a plain text, whose blocks are its paragraphs. */
export function* plainBlocks(text: string): Generator<readonly Unit[]> {
  let start = 0
  for (const gap of text.matchAll(/(?:\r?\n[ \t\f]*){2,}/g)) {
    yield proseUnits(text, { start, end: gap.index })
    start = gap.index + gap[0].length
  }
  yield proseUnits(text, { start, end: text.length })
}
