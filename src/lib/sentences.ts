/** Part of a text: `[start, end)` in UTF-16 units. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** The segmenter keeps what it is given as a whole: long texts go through it in windows. */
const windowLength = 20_000

const segmenter = new Intl.Segmenter('und', { granularity: 'sentence' })

/** A line end inside a paragraph ends no sentence; one after a heading, or before a list item, a heading or a table row, does. */
const softLineEnd = /\r?\n(?<!^ {0,3}#{1,6}[ \t][^\n]*\n)(?!\s*(?:\r?\n|[-*+•#>|]\s|\||\d{1,3}[.)]\s))/gm

const blank = /^\s*$/

function windowEnd(text: string, start: number, end: number): number {
  if (end - start <= windowLength) return end
  const space = text.lastIndexOf(' ', start + windowLength)
  return space > start ? space + 1 : start + windowLength
}

/** Text of one length with `text`: offsets stay. */
function joinLines(text: string): string {
  // Most paragraphs are one line, whose end parts no sentences: the pattern takes ten times as long to see that.
  const lineEnd = text.indexOf('\n')
  if (lineEnd === -1 || lineEnd === text.length - 1) return text
  return text.replace(softLineEnd, (found) => ' '.repeat(found.length))
}

/** Sentences of `text` between `start` and `end`; together they cover it, blank ones left out. */
export function toSentences(text: string, start = 0, end = text.length): Span[] {
  const spans: Span[] = []
  for (let from = start; from < end;) {
    const to = windowEnd(text, from, end)
    const joined = joinLines(text.slice(from, to))
    for (const { segment, index } of segmenter.segment(joined)) {
      if (!blank.test(segment)) spans.push({ start: from + index, end: from + index + segment.length })
    }
    from = to
  }
  return spans
}
