/** Places at which prose may be cut. */

export interface BoundaryRange {
  /** Start of the text that is segmented: a safe place at or before `from`. */
  readonly begin: number
  /** First and last place of interest. */
  readonly from: number
  readonly end: number
  readonly unit: 'sentence' | 'word' | 'grapheme'
}

/** Each made when it is first needed: its rules take memory and milliseconds of a start. */
const segmenters = new Map<BoundaryRange['unit'], Intl.Segmenter>()

function segmenterOf(unit: BoundaryRange['unit']): Intl.Segmenter {
  // The language is not known here; the root rules know the scripts that write without spaces.
  const segmenter = segmenters.get(unit) ?? new Intl.Segmenter('und', { granularity: unit })
  segmenters.set(unit, segmenter)
  return segmenter
}

/** Boundaries in a text, last first. Text after `end` is ignored. */
export function boundariesBefore(text: string, { begin, from, end, unit }: BoundaryRange): readonly number[] {
  const known = text.slice(begin, end)
  const found: number[] = []
  // The character after `end` did not fit, so it exists and stays.
  const endsAtSpace = unit === 'word' && /\s/.test(text.slice(end - 1, end + 1))
  const whole = unit === 'grapheme' ? [] : inseparable(known)
  let next = 0
  for (const { index, isWordLike } of segmenterOf(unit).segment(known)) {
    if (index === 0 || begin + index < from) continue
    while (next < whole.length && (whole[next]?.[1] ?? 0) <= index) next += 1
    const [insideFrom] = whole[next] ?? []
    if (insideFrom !== undefined && insideFrom < index) continue
    if (unit === 'word' && !endsWord(known, index, isWordLike === true)) continue
    found.push(begin + index)
  }
  return endsAtSpace && end > from ? [end, ...found.toReversed()] : found.toReversed()
}

/** A word ends at white space; between words only in scripts without spaces. */
function endsWord(text: string, index: number, wordFollows: boolean): boolean {
  const before = text[index - 1] ?? ''
  if (/\s/.test(before)) return true
  return wordFollows && before > '\u0E00' && !/[\uDC00-\uDFFF\u2000-\u206F]/.test(before)
}

type Span = readonly [start: number, end: number]
/** Offset of the next such character at or after `from`; the end of the text without one. */
type Find = (from: number) => number
/** Returns the end of the construct that begins here. */
type Reader = (text: string, start: number, find: Finders) => number | undefined

interface Finders {
  readonly backtick: Find
  readonly afterBackticks: Find
  readonly afterClosing: Find
  readonly bracket: Find
  readonly parenthesis: Find
  readonly asterisk: Find
  readonly afterAddress: Find
}

const READERS: Readonly<Record<string, Reader>> = {
  '`': readCode,
  '!': (text, start, find) => (text[start + 1] === '[' ? readLink(text, start + 1, find) : undefined),
  '[': readLink,
  '*': readBold,
  h: readAddress,
}

/** Code, links, bold text and URLs that should stay whole, also those that the end of the text cuts off. */
function inseparable(text: string): readonly Span[] {
  const find: Finders = {
    backtick: finder(text, /[`\n]/g),
    afterBackticks: finder(text, /[^`]/g),
    afterClosing: finder(text, /[^`]/g),
    bracket: finder(text, /[\]\n]/g),
    parenthesis: finder(text, /[)\n]/g),
    asterisk: finder(text, /[*\n]/g),
    afterAddress: finder(text, /[\s>)]/g),
  }
  const spans: Span[] = []
  for (let at = 0; at < text.length;) {
    const end = READERS[text.charAt(at)]?.(text, at, find)
    if (end !== undefined) spans.push([at, end])
    at = end ?? at + 1
  }
  return spans
}

/** Must be called with rising offsets: then the text is searched only once. */
function finder(text: string, pattern: RegExp): Find {
  let found = -1
  return (from) => {
    if (found >= from) return found
    pattern.lastIndex = from
    found = pattern.exec(text)?.index ?? text.length
    return found
  }
}

function readCode(text: string, start: number, find: Finders): number | undefined {
  const from = find.afterBackticks(start)
  const close = find.backtick(from)
  const inside = close - from
  if (close === text.length) return from === start + 1 && inside >= 1 && inside <= 100 ? close : undefined
  const marks = from - start
  return inside > 0 && find.afterClosing(close) - close >= marks ? close + marks : undefined
}

function readLink(text: string, start: number, find: Finders): number | undefined {
  const close = find.bracket(start + 1)
  const inside = close - start - 1
  if (close === text.length) return inside >= 1 && inside <= 100 ? close : undefined
  if (inside > 300 || !text.startsWith('](', close)) return undefined
  const end = find.parenthesis(close + 2)
  const target = end - close - 2
  if (end === text.length) return inside >= 1 && inside <= 100 && target <= 300 ? end : undefined
  return text[end] === ')' && target <= 500 ? end + 1 : undefined
}

function readBold(text: string, start: number, find: Finders): number | undefined {
  if (text[start + 1] !== '*') return undefined
  const close = find.asterisk(start + 2)
  const inside = close - start - 2
  if (close === text.length)
    return inside >= 1 && inside <= 101 && /\S/.test(text.charAt(start + 2)) ? close : undefined
  return inside >= 1 && inside <= 300 && text.startsWith('**', close) ? close + 2 : undefined
}

function readAddress(text: string, start: number, find: Finders): number | undefined {
  const from = text.startsWith('https://', start)
    ? start + 8
    : text.startsWith('http://', start)
      ? start + 7
      : text.length
  if (from >= text.length) return undefined
  const end = find.afterAddress(from)
  return end > from ? end : undefined
}
