import { settleLinks } from '../references/links.ts'
import { escapeNote, oneLine } from '../texts/formats.ts'

/** Marks of the pages of a PDF. */
const PAGE = /^<!-- page (\d{1,6}) -->[ \t]*$/gm
/** Headings of the slides of a presentation. */
const SLIDE = /^#{1,6} Slide (\d{1,6})(?: \(hidden\))?(?::.*)?$/gm
const LINE_CHARS = 600

interface Page {
  readonly number: number
  readonly isSlide: boolean
  readonly text: string
}

/** The pages that a converted PDF tells, or the slides of a presentation; none of other texts. */
export function pagesIn(text: string): readonly Page[] {
  const pages = [...text.matchAll(PAGE)]
  const isSlide = pages.length === 0
  const marks = isSlide ? [...text.matchAll(SLIDE)] : pages
  return marks.map(({ 0: mark, 1: number, index }, at) => ({
    number: Number(number),
    isSlide,
    // The heading of a slide is its title.
    text: text.slice(isSlide ? index : index + mark.length, marks[at + 1]?.index),
  }))
}

/** A row of a table as words; a line without marks of markdown. */
function toWords(line: string): string {
  const bare = line.trim()
  if (/^\|[\s:|-]+\|$/.test(bare)) return ''
  const words = bare.startsWith('|')
    ? bare
        .split('|')
        .filter((cell) => cell.trim() !== '')
        .join(' · ')
    : bare
  return settleLinks(escapeNote(oneLine(words.replace(/^#{1,6}[ \t]+|[*`_\\]+/g, ''), LINE_CHARS)), () => false)
}

/** The text of a page as a quotation: its own marks and links are only words. Empty where nothing is on it. */
export const quotePage = ({ text }: Page): string =>
  text
    .split('\n')
    .map(toWords)
    .filter((line) => line !== '')
    .map((line) => `> ${line}`)
    .join('\n>\n')
