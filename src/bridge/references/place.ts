import type { VerifiedEntry } from './entries.ts'
import { isConverted } from './source-lookup.ts'
import { markAt, toLetters } from './source-text.ts'

/** Headings at the beginning of a passage: of the document, of the chapter, of the section. */
const HEADINGS = /^(?:\s*#{1,6}[ \t][^\n]*\n)+/
/** A longer heading is a paragraph in large letters. */
const MAX_HEADING_CHARS = 80

/**
 * The place of a passage, as people find it: page of a PDF, lines of a text, heading in a converted document (its lines
 * are those of the conversion), second of a recording. The place in the entry is used only where the file does not
 * contradict it.
 */
export function placeOf({ file, quote, place }: VerifiedEntry, support: string | undefined): string | undefined {
  const { source, fileName, entry } = file
  const first = quote.places[0]
  if (place !== undefined && /\d:\d\d/.test(place) && !/^(?:pp?\.|L)/.test(place)) return place
  if (first === undefined) return place
  if (isConverted(fileName, entry)) {
    const at = first.from + lettersBefore(quote, support)
    const found = [headingAt(source.headings, at), rowsAt(source.rows, quote, at)].filter((part) => part !== undefined)
    return found.length === 0 ? undefined : found.join(', ')
  }
  if (source.pages.length > 0) return pageAt(source.pages, quote.places, place)
  if (/^pp?\./.test(place ?? '') || /\.pdf$/i.test(fileName)) return place
  return linesAt(source.lines, quote, place)
}

/** Letters between the beginning of the passage and the supporting sentence. */
function lettersBefore({ passage, exact }: VerifiedEntry['quote'], support: string | undefined): number {
  if (!exact) return 0
  const at = support === undefined ? -1 : passage.indexOf(support)
  const end = at === -1 ? (HEADINGS.exec(passage)?.[0].length ?? 0) : at
  return toLetters(passage.slice(0, end)).length
}

type Marks<Value> = readonly { readonly at: number; readonly value: Value }[]

function headingAt(headings: Marks<string>, at: number): string | undefined {
  const title = markAt(headings, at)
  if (title === undefined || title === '') return undefined
  return `§ ${title.length > MAX_HEADING_CHARS ? `${title.slice(0, MAX_HEADING_CHARS - 1).trimEnd()}…` : title}`
}

/** Rows of a passage that begins and ends in one table. */
function rowsAt(rows: Marks<number>, { places, exact }: VerifiedEntry['quote'], at: number): string | undefined {
  const [place] = places
  const from = markAt(rows, at) ?? 0
  if (!exact || place === undefined || from === 0) return undefined
  const to = at === place.from ? (markAt(rows, place.to - 1) ?? 0) : from
  return to > from ? `rows ${from}–${to}` : `row ${from}`
}

function pageAt(pages: Marks<number>, places: VerifiedEntry['quote']['places'], stated: string | undefined) {
  const found = places.map(({ from }) => markAt(pages, from))
  const page = Number(/\d+/.exec(stated ?? '')?.[0])
  const confirmed = found.includes(page) ? page : found[0]
  return confirmed === undefined ? stated : `p.${confirmed}`
}

function linesAt(lines: Marks<number>, { places, exact }: VerifiedEntry['quote'], stated: string | undefined) {
  const spans = places.map(({ from, to }) => ({ from: markAt(lines, from), to: markAt(lines, to - 1) }))
  const [, begin = ''] = /^L(\d+)/.exec(stated ?? '') ?? []
  // Several occurrences: the line in the entry counts if it is one of them.
  const span = spans.find(({ from }) => from === Number(begin)) ?? spans[0]
  if (!exact || span?.from === undefined || span.to === undefined) return stated
  return span.from === span.to ? `L${span.from}` : `L${span.from}-${span.to}`
}

const TIME = /^\[(?<time>\d{1,3}(?::\d{2}){1,2})\][ \t]/gm

/** Time of the supporting sentence, `0:42`: the last time mark at a line start up to it. Undefined without marks. */
export function timeIn(passage: string, support: string | undefined): string | undefined {
  const at = support === undefined ? -1 : passage.indexOf(support)
  const marks = [...passage.matchAll(TIME)]
  // The support itself may begin with a mark.
  const before = marks.findLast(({ index }) => index <= Math.max(at, 0))
  return (before ?? marks[0])?.groups?.['time']
}
