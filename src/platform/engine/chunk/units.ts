import { estimateTokens } from '../../../lib/tokens.ts'
import { toSentences, type Span } from '../../../lib/sentences.ts'
import { CHUNK_TOKENS } from './chunk.ts'

/** Smallest piece that the packer moves: a heading, a sentence, some rows of a table, some lines of code. */
export interface Unit extends Span {
  readonly tokens: number
  /** A new paragraph, list or block begins here: a good place to end the chunk before. */
  readonly opens: boolean
  readonly heading: { readonly level: number; readonly title: string } | undefined
  /** Rows of a table, below its header rows: `[headerStart, headerEnd)`. */
  readonly header: Span | undefined
}

/** A block of prose up to this size is not taken apart. */
const SMALL_BLOCK = 100

export function toUnit(text: string, { start, end }: Span, opens: boolean, header?: Span): Unit {
  // All of one shape, with every property: there is one for each sentence of a file.
  return { start, end, tokens: estimateTokens(text.slice(start, end)), opens, heading: undefined, header }
}

/** Pieces of at most `chunkTokens.most`, cut at white space where there is some: for a "sentence" without an end. */
function hardCut(text: string, span: Span): Span[] {
  // 500 characters are 117 tokens of Latin and 375 of Chinese: always under the limit.
  const length = 500
  const spans: Span[] = []
  for (let start = span.start; start < span.end;) {
    let end = Math.min(start + length, span.end)
    const space = text.lastIndexOf(' ', end)
    if (end < span.end && space > start) end = space + 1
    // Never between the halves of a surrogate pair.
    if (end < span.end && /[\uD800-\uDBFF]/.test(text[end - 1] ?? '')) end -= 1
    spans.push({ start, end })
    start = end
  }
  return spans
}

/** One, or several where it is over the limit. */
function toUnits(text: string, span: Span, header?: Span): Unit[] {
  const unit = toUnit(text, span, false, header)
  if (unit.tokens <= CHUNK_TOKENS.most) return [unit]
  return hardCut(text, span).map((piece) => toUnit(text, piece, false, header))
}

/** Prose as sentences (whole when small). */
export function proseUnits(text: string, span: Span): Unit[] {
  const whole = toUnit(text, span, true)
  if (whole.tokens <= SMALL_BLOCK) return text.slice(span.start, span.end).trim() === '' ? [] : [whole]
  return toSentences(text, span.start, span.end)
    .flatMap((sentence) => toUnits(text, sentence))
    .map((unit, index) => (index === 0 ? { ...unit, opens: true } : unit))
}

/** Lines of code, or rows of a table, each a piece (cut when a single one is over the limit). */
export function lineUnits(text: string, spans: readonly Span[], header?: Span): Unit[] {
  return spans
    .flatMap((span) => toUnits(text, span, header))
    .map((unit, index) => (index === 0 ? { ...unit, opens: true } : unit))
}
