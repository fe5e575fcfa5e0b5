import { allWords } from './match.ts'

/** Part of a text: `[start, end)` in UTF-16 units. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** The segmenter holds its whole input in memory: long texts are processed in windows. */
const WINDOW = 20_000

/** Made for the first text. The language is unknown here; the root rules cover German, Chinese and Japanese too. */
let segmenter: Intl.Segmenter | undefined

const BLANK = /^\s*$/
const HEADING = /^ {0,3}#{1,6}[ \t]/
/** A list item, a heading, a quotation or a table row. */
const BLOCK = /^(?:[-*+•#>|](?:\s|$)|\||\d{1,3}[.)](?:\s|$))/

function windowEnd(text: string, start: number, end: number): number {
  if (end - start <= WINDOW) return end
  const space = text.slice(start, start + WINDOW + 1).lastIndexOf(' ')
  return start + (space > 0 ? space + 1 : WINDOW)
}

/**
 * Replaces line ends inside a paragraph by spaces, since they end no sentence. Line ends after a heading, or before a
 * blank line, list item, heading, quotation or table row stay. The length is unchanged.
 */
function joinLines(text: string): string {
  const first = text.indexOf('\n')
  if (first === -1 || first === text.length - 1) return text
  const lines = text.split('\n')
  const parts = lines.map((line, index) => {
    const next = lines[index + 1]
    if (next === undefined) return line
    const begun = next.trimStart()
    const isBlank = begun === '' && index + 2 < lines.length
    if (isBlank || BLOCK.test(begun) || HEADING.test(line)) return `${line}\n`
    return line.endsWith('\r') ? `${line.slice(0, -1)}  ` : `${line} `
  })
  return parts.join('')
}

interface Segment extends Span {
  /** Its text, with soft line ends as spaces. */
  readonly text: string
}

function* segmentsOf(text: string, start: number, end: number): Generator<Segment> {
  for (let from = start; from < end;) {
    const to = windowEnd(text, from, end)
    segmenter ??= new Intl.Segmenter('und', { granularity: 'sentence' })
    for (const { segment, index } of segmenter.segment(joinLines(text.slice(from, to)))) {
      if (!BLANK.test(segment)) yield { start: from + index, end: from + index + segment.length, text: segment }
    }
    from = to
  }
}

/** Sentences of `text` between `start` and `end`, over abbreviations; together they cover it, blank ones left out. */
export function toSentences(text: string, start = 0, end = text.length): Span[] {
  const spans: { start: number; end: number }[] = []
  let last = ''
  for (const segment of segmentsOf(text, start, end)) {
    const open = spans.at(-1)
    const joins = open?.end === segment.start && !last.includes('\n') && goesOn(last.trimEnd(), segment.text)
    last = (joins ? last + segment.text : segment.text).slice(-2 * END_CHARS)
    if (joins) open.end = segment.end
    else spans.push({ start: segment.start, end: segment.end })
  }
  return spans
}

/** Marks before the words of a line. */
const LEAD = /^(?:\s|[-*+•>|]\s|#{1,6}\s|\d{1,3}[.)]\s|\|)+/

const SHORT = allWords('documents', 'abbreviations').map((word) => word.replaceAll('.', String.raw`\.\s?`))
/** A full stop that ends no sentence. */
const ABBREVIATED = new RegExp(String.raw`(?:^|[\s(„“«"])(?:\p{Lu}|${SHORT.join('|')})\.$`, 'u')
const ORDINAL = /\b\d{1,2}\.$/
const AFTER_ORDINAL = new RegExp(`^(?:${allWords('documents', 'afterOrdinals').join('|')})`)
const BEFORE_NUMBER = new RegExp(
  String.raw`(?<![\p{L}\p{N}])(?:${allWords('documents', 'beforeNumbers').join('|')})\.$`,
  'iu',
)
/** A number, or a code with one. */
const NUMBER = /^(?:\p{Lu}{1,5}-?)?\d/u
/** The rest of a date in figures. */
const DATE_REST = /^\d{1,2}\.\s?(?:\d{2}|\d{4})(?!\d)/
/** More than the longest abbreviation. */
const END_CHARS = 20

/** @param begun the last characters of a sentence, without white space after them. */
function goesOn(begun: string, next: string): boolean {
  if (ABBREVIATED.test(begun) || (BEFORE_NUMBER.test(begun) && NUMBER.test(next))) return true
  return ORDINAL.test(begun) && (AFTER_ORDINAL.test(next) || DATE_REST.test(next))
}

/** Sentences as people read them: over abbreviations, and without the white space and the marks around them. */
export function readableSentences(text: string): readonly Span[] {
  const spans: Span[] = []
  let open: { start: number; end: number; last: string; isOneLine: boolean } | undefined
  const close = () => {
    if (open === undefined) return
    const begun = text.slice(open.start, open.end)
    const lead = LEAD.exec(begun)?.[0].length ?? 0
    const length = begun.trimEnd().length
    if (lead < length) spans.push({ start: open.start + lead, end: open.start + length })
  }
  for (const segment of segmentsOf(text, 0, text.length)) {
    const isOneLine = !segment.text.includes('\n')
    const { start, end } = segment
    const joins = open?.isOneLine === true && open.end === start && goesOn(open.last, segment.text)
    if (!joins) close()
    const begun = joins ? open : undefined
    const last = ((begun?.last ?? '') + segment.text).trimEnd().slice(-END_CHARS)
    open = { start: begun?.start ?? start, end, last, isOneLine }
  }
  close()
  return spans
}
