import MarkdownIt, { type Token } from 'markdown-it'
import type { Span } from '#lexicon/sentences.ts'
import type { Lines } from './units.ts'

// Only block structure is parsed: hostile input costs time in the inline rules, which are not needed here.
const parser = new MarkdownIt('default')
parser.core.ruler.enableOnly(['normalize', 'block'])

/** Characters parsed at once: the tokens of a list take some 350 times as many bytes. */
const SLICE_LENGTH = 131_072

/** Longer first lines of a table or fence are not parsed again with each slice. */
const MAX_OPENING = 65_536

/** Blocks of a part of the text; their lines are those of the whole text. */
export interface Slice {
  readonly tokens: readonly Token[]
  /** First lines of the table or fence that was cut before this slice; the first token goes on with it. */
  readonly opening: Span | undefined
}

/** The begin of the next slice, and the text that is parsed before it. */
interface Cut {
  readonly tokens: readonly Token[]
  readonly next: number
  readonly opening?: Span | undefined
}

/** Tokens of the lines `[from, to)`. */
function parseLines(lines: Lines, from: number, to: number, opening: Span | undefined): Token[] {
  const { text } = lines
  const before = opening === undefined ? 0 : lines.at(opening.end) - lines.at(opening.start)
  const head = opening === undefined ? '' : text.slice(opening.start, opening.end)
  const tokens = parser.parse(head + text.slice(lines.start(from), lines.start(to)), {})
  for (const token of tokens) {
    if (token.map === null) continue
    token.map = [Math.max(from, token.map[0] + from - before), token.map[1] + from - before]
  }
  return tokens
}

const opens = (token: Token | undefined, level: number) => token?.level === level && token.nesting !== -1

/** Cuts within the only block of the lines `[from, to)`. */
function cutBlock(tokens: Token[], lines: Lines, [from, to]: readonly [number, number], begun: Span | undefined): Cut {
  const [block] = tokens
  if (block?.map?.[1] === to && (block.type === 'table_open' || block.type === 'fence')) {
    const isFence = block.type === 'fence'
    // The last line of a fence may close it: it is left to the next slice.
    const next = isFence ? to - 1 : to
    block.map = [from, next]
    const opening = begun ?? { start: lines.start(from), end: lines.start(from + (isFence ? 1 : 2)) }
    return { tokens, next, opening: opening.end - opening.start > MAX_OPENING ? undefined : opening }
  }
  // Items of a list and blocks of a quotation are read the same where they come first.
  const item = tokens.findLastIndex((token) => opens(token, 1) && (token.map?.[0] ?? from) > from)
  return item === -1 || !/^(?:bullet_list|ordered_list|blockquote)_open$/.test(block?.type ?? '')
    ? { tokens, next: to }
    : { tokens: tokens.slice(0, item), next: tokens[item]?.map?.[0] ?? to }
}

/**
 * The blocks of a markdown text, parsed slice by slice, since the tokens of a whole file do not fit into memory. A block
 * that a slice may have cut is parsed again with the next one; one longer than a slice is cut at an item, a row or a line.
 */
export function* parseSlices(lines: Lines, length = SLICE_LENGTH): Generator<Slice> {
  const { text } = lines
  let from = 0
  let opening: Span | undefined
  while (lines.start(from) < text.length) {
    const end = lines.start(from) + length
    const isEnd = end >= text.length
    const to = isEnd ? lines.at(text.length) + 1 : Math.max(from + 2, lines.at(end))
    const tokens = parseLines(lines, from, to, opening)
    const last = tokens.findLastIndex((token) => opens(token, 0))
    const begin = tokens[last]?.map?.[0] ?? from
    let cut: Cut = { tokens, next: to }
    if (!isEnd && last !== -1) {
      const isAlone = last === 0 && begin === from
      cut = isAlone ? cutBlock(tokens, lines, [from, to], opening) : { tokens: tokens.slice(0, last), next: begin }
    }
    yield { tokens: cut.tokens, opening }
    ;({ opening, next: from } = cut)
  }
}
