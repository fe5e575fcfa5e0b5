import type { NativePage } from './native-reader.ts'

/** ASCII letters and digits; outside ASCII nearly every character is one. */
const isLetter = (code: number) =>
  code > 127 || (code > 47 && code < 58) || (code > 64 && code < 91) || (code > 96 && code < 123)
/** Hebrew, Arabic and their neighbours, with the forms that fonts bring. */
const isFromRight = (code: number) =>
  (code >= 0x590 && code <= 0x8ff) || (code >= 0xfb1d && code <= 0xfdff) || (code >= 0xfe70 && code <= 0xfefc)

/** Counts in one pass: it runs for each of up to 6,000 pages. */
function count(text: string): { readonly letters: number; readonly fromRight: number } {
  let letters = 0
  let fromRight = 0
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (isLetter(code)) letters += 1
    if (code > 0x58f && isFromRight(code)) fromRight += 1
  }
  return { letters, fromRight }
}

export const isRightToLeft = (text: string) => {
  const { letters, fromRight } = count(text)
  return fromRight > letters / 2
}

/** Least share of the letters that the markdown of a page must keep. */
const MIN_KEPT = 0.6

/** Whether text runs up or down the page, as in wide tables: the native reader loses the text around them. */
export function isSideways({ textItems = [] }: NativePage): boolean {
  let all = 0
  let turned = 0
  for (const { text, rotation = 0 } of textItems) {
    all += text.length
    if (Math.abs(Math.sin((rotation * Math.PI) / 180)) > 0.7) turned += text.length
  }
  return turned > all / 2
}

/** Words of two scripts that stand close come as one. */
const SCRIPT_CHANGE = /(?<=[\u0590-\u08ff])(?=[A-Za-z])|(?<=[A-Za-z])(?=[\u0590-\u08ff])/g
/** The sign for lam and alef, taken apart in the wrong order; no word has these letters in this order. */
const SPLIT_LIGATURE = /(?<=\u0627)([\u0622\u0623\u0625])\u0644/g

/**
 * The native reader orders words from left to right. Lines of Hebrew or Arabic are reversed here; numbers and Latin
 * words in them keep their order.
 */
export function toReadingOrder(line: string): string {
  if (!isRightToLeft(line)) return line
  const words: string[] = []
  let stretch: string[] = []
  for (const word of line.trim().replace(SCRIPT_CHANGE, ' ').split(/\s+/).toReversed()) {
    if (count(word).fromRight === 0) stretch.unshift(word)
    else {
      // The full stop is on the left.
      words.push(...stretch, word.replace(/^([.,:;!?…،؛؟]+)(.*)$/u, '$2$1').replaceAll(SPLIT_LIGATURE, '\u0644$1'))
      stretch = []
    }
  }
  return [...words, ...stretch].join(' ')
}

/** Lines of the page without the spaces that position them. */
const toPlain = (text: string) =>
  text
    .split('\n')
    .map((line) => toReadingOrder(line).replace(/\s+/g, ' ').trim())
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()

/** List items without space between their lines are joined by the reader. */
const splitPoints = (markdown: string) =>
  markdown.replace(/^[•‣▪●◦]\s*(?=\S).*$/gmu, (line) =>
    line
      .split(/\s*[•‣▪●◦]\s*/u)
      .filter((point) => point !== '')
      .map((point) => `- ${point}`)
      .join('\n'),
  )

/** Dots between a title and its page; `page` is set where the next title follows in the same line. */
const LEADERS =
  /(?:[^\S\n]?[.·…]){6,}[^\S\n]*(?:(?<page>\d{1,4}|[ivxlc]{1,6})[^\S\n]+(?=[\p{L}\d][^\n]{0,200}?(?:[^\S\n]?[.·…]){6}))?/gu

/** Tables of contents without the dots that lead the eye, each title in a line of its own. */
export const withoutLeaders = (markdown: string): string =>
  markdown.replace(LEADERS, (_, page?: string) => (page === undefined ? ' … ' : ` … ${page}\n\n`))

/** Markdown of a page; plain text where the markdown lost words, as when a short page is taken for a running header. */
export function markdownOf({ markdown, text }: Pick<NativePage, 'markdown' | 'text'>): string {
  const { letters, fromRight } = count(text)
  const isKept = count(markdown).letters >= letters * MIN_KEPT
  return isKept && fromRight <= letters / 2 ? splitPoints(markdown) : toPlain(text)
}
