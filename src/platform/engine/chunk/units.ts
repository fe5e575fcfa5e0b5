import { type Span, toSentences } from '#lexicon/sentences.ts'
import { estimateTokens } from '#lib/tokens.ts'
import { isAscii } from '#lib/unicode.ts'

/** A piece of an indexed document. `body` is verbatim: `text.slice(start, end)` of its page or file. */
export interface Chunk {
  readonly body: string
  /** Header rows of the table, where the chunk is a later part of it. Indexed, but not in the body. */
  readonly lead: string
  /** Titles of the headings above, outermost first. */
  readonly headings: readonly string[]
  readonly start: number
  readonly end: number
  /** From 1; PDF only. */
  readonly page?: number
  /** From 1, both inclusive, counted in the stored file. */
  readonly lineFrom: number
  readonly lineTo: number
}

/** Estimated tokens of a chunk: at most `most`; from `enough` on it ends with the paragraph. */
export const CHUNK_TOKENS = { enough: 300, most: 400 } as const

/** Place of a chunk in a reference: `p.3`, `L10-24`, `L7`. */
export function toPlace(chunk: Pick<Chunk, 'lineFrom' | 'lineTo'> & { readonly page?: number | null }): string {
  if (chunk.page !== undefined && chunk.page !== null) return `p.${chunk.page}`
  return chunk.lineFrom === chunk.lineTo ? `L${chunk.lineFrom}` : `L${chunk.lineFrom}-${chunk.lineTo}`
}

/** A text with line numbers and offsets; CommonMark line ends: LF, CR LF or CR. */
export interface Lines {
  readonly text: string
  /** Offset at which line `index` (from 0) begins; the text's length beyond the last. */
  start(index: number): number
  /** Line (from 0) that contains `offset`. */
  at(offset: number): number
}

export function toLines(text: string): Lines {
  const starts = [0]
  for (const match of text.matchAll(/\r\n?|\n/g)) starts.push(match.index + match[0].length)
  return {
    text,
    start: (index) => starts[index] ?? text.length,
    at(offset) {
      let low = 0
      let high = starts.length - 1
      while (low < high) {
        const middle = (low + high + 1) >> 1
        if ((starts[middle] ?? 0) <= offset) low = middle
        else high = middle - 1
      }
      return low
    },
  }
}

/** Smallest piece that the packer moves: a heading, a sentence, some rows of a table, some lines of code. */
export interface Unit extends Span {
  readonly tokens: number
  /** True at the start of a paragraph, list or block: a good place to end the chunk before. */
  readonly opens: boolean
  readonly heading: { readonly level: number; readonly title: string } | undefined
  /** Rows of a table, below its header rows: `[headerStart, headerEnd)`. */
  readonly header: Span | undefined
  /** Most tokens of its sentences together; of a block that is cut only where it does not fit. */
  readonly most: number | undefined
}

/** A block of prose up to this size is not split. */
const SMALL_BLOCK = 100

export function toUnit(text: string, { start, end }: Span, opens: boolean, header?: Span): Unit {
  // Every unit has the same properties, for speed: there is one for each sentence of a file.
  return {
    start,
    end,
    tokens: estimateTokens(text.slice(start, end)),
    opens,
    heading: undefined,
    header,
    most: undefined,
  }
}

/** Pieces of at most `chunkTokens.most`, cut at white space if possible: for a "sentence" without an end. */
function hardCut(text: string, span: Span): Span[] {
  // 500 characters are 117 tokens of Latin and 375 of Chinese: always under the limit.
  const length = 500
  const spans: Span[] = []
  for (let start = span.start; start < span.end;) {
    let end = Math.min(start + length, span.end)
    // Searched within the piece: through the whole text before it would take quadratic time.
    const space = text.slice(start, end + 1).lastIndexOf(' ')
    if (end < span.end && space > 0) end = start + space + 1
    // Never between the halves of a surrogate pair.
    if (end < span.end && /[\uD800-\uDBFF]/.test(text[end - 1] ?? '')) end -= 1
    spans.push({ start, end })
    start = end
  }
  return spans
}

/** One unit, or several where it exceeds the limit. */
function toUnits(text: string, span: Span, header?: Span): Unit[] {
  const unit = toUnit(text, span, false, header)
  if (unit.tokens <= CHUNK_TOKENS.most) return [unit]
  return hardCut(text, span).map((piece) => toUnit(text, piece, false, header))
}

/** Signs that may end a sentence. */
const ENDS = /[\p{Sentence_Terminal}\u2024\r\n\u0085\u2028\u2029]/gu
const ASCII_ENDS = /[.?!\r\n]/g
/** White space at the start or after a line end may belong to no sentence. */
const LOOSE = /^\s|(?:\r\n|\r(?!\n)|[\n\u0085\u2028\u2029])\s/
const LOOSE_LINE = /^\s/

/** Most blocks are one line: the long pattern would look at each of their characters. */
function isLine(block: string): boolean {
  const lineEnd = block.indexOf('\n')
  return (lineEnd === -1 || lineEnd === block.length - 1) && !block.includes('\r')
}

/** Most tokens of the sentences of a block, each rounded up; undefined where they do not cover it. */
function mostTokens(block: string, tokens: number): number | undefined {
  const hasOnlyAscii = isAscii(block)
  if ((hasOnlyAscii && isLine(block) ? LOOSE_LINE : LOOSE).test(block)) return undefined
  return tokens + (block.match(hasOnlyAscii ? ASCII_ENDS : ENDS)?.length ?? 0)
}

/** Prose as sentences; whole when it is small or may fit into a chunk. */
export function proseUnits(text: string, span: Span): Unit[] {
  const whole = toUnit(text, span, true)
  const block = text.slice(span.start, span.end)
  if (whole.tokens <= SMALL_BLOCK) return block.trim() === '' ? [] : [whole]
  const most = whole.tokens > CHUNK_TOKENS.most ? undefined : mostTokens(block, whole.tokens)
  return most === undefined || most > CHUNK_TOKENS.most ? cutUnits(text, span) : [{ ...whole, most }]
}

/** Prose as sentences. */
export const cutUnits = (text: string, span: Span): Unit[] =>
  toSentences(text, span.start, span.end)
    .flatMap((sentence) => toUnits(text, sentence))
    .map((unit, index) => (index === 0 ? { ...unit, opens: true } : unit))

/** Lines of code or rows of a table, one unit each; an oversized one is split. */
export function lineUnits(text: string, spans: readonly Span[], header?: Span): Unit[] {
  return spans
    .flatMap((span) => toUnits(text, span, header))
    .map((unit, index) => (index === 0 ? { ...unit, opens: true } : unit))
}
