/** Part of a text: `[start, end)` in UTF-16 units. */
export interface Span {
  readonly start: number
  readonly end: number
}

// The language is not known here; the root rules know German, Chinese and Japanese ends of sentences alike.
const segmenter = new Intl.Segmenter('und', { granularity: 'sentence' })

/** The segmenter keeps what it is given as a whole. */
const WINDOW = 20_000

/** A line end ends a sentence after a heading, and before a list item, a heading, a quotation or a table row; else it is soft. */
const SOFT_LINE_END = /(?<!^ {0,3}#{1,6}[ \t][^\n]*)\r?\n(?!\s*(?:\r?\n|[-*+•#>|]\s|\||\d{1,3}[.)]\s))/gm
/** Marks before the words of a line. */
const LEAD = /^(?:\s|[-*+•>|]\s|#{1,6}\s|\d{1,3}[.)]\s|\|)+/

/** A full stop that ends no sentence. */
const ABBREVIATED =
  /(?:^|[\s(„“«"])(?:\p{Lu}|Dr|Mr|Mrs|Ms|Prof|St|No|Nr|Abs|Art|Ziff|Hr|Fr|Str|Tel|Sr|Sra|Dra|Mme|Mlle|Fig|Abb|Kap|vs|ca|approx|bzw|e\.g|i\.e|z\.\s?B|d\.\s?h|u\.\s?a|p|pp|vol|стр|тел|г|им)\.\s*$/u
const ORDINAL = /\b\d{1,2}\.\s*$/
const AFTER_ORDINAL =
  /^(?:Jan|Feb|März|Apr|Mai|Jun|Jul|Aug|Sep|Okt|Nov|Dez|Quartal|Etage|Stock|Kapitel|Tag|Woche|Monat|Jahr)/

/** The sentences of a text, in order, without the white space and the marks around them. */
export function sentencesOf(text: string): readonly Span[] {
  const spans: Span[] = []
  for (let from = 0; from < text.length; from += WINDOW) {
    const window = text.slice(from, from + WINDOW)
    const joined = window.replace(SOFT_LINE_END, (lineEnd) => ' '.repeat(lineEnd.length))
    let begun = ''
    let at = 0
    const add = () => {
      const lead = LEAD.exec(begun)?.[0].length ?? 0
      const end = begun.trimEnd().length
      if (lead < end) spans.push({ start: from + at + lead, end: from + at + end })
    }
    for (const { segment, index } of segmenter.segment(joined)) {
      const goesOn = ABBREVIATED.test(begun) || (ORDINAL.test(begun) && AFTER_ORDINAL.test(segment))
      if (begun !== '' && goesOn && !begun.includes('\n')) {
        begun += segment
        continue
      }
      add()
      begun = segment
      at = index
    }
    add()
  }
  return spans
}
