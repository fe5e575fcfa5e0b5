import type { NativePage } from './native-reader.ts'

/** ASCII letters and digits; beyond ASCII nearly everything is one. */
const isLetter = (code: number) =>
  code > 127 || (code > 47 && code < 58) || (code > 64 && code < 91) || (code > 96 && code < 123)
/** Hebrew, Arabic and their neighbours, with the forms that fonts bring. */
const isFromRight = (code: number) =>
  (code >= 0x590 && code <= 0x8ff) || (code >= 0xfb1d && code <= 0xfdff) || (code >= 0xfe70 && code <= 0xfefc)

/** In one go: every page of six thousand is counted. */
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

const isRightToLeft = (text: string) => {
  const { letters, fromRight } = count(text)
  return fromRight > letters / 2
}

/** Beyond this the markdown has left out what stands on the page. */
const LEAST_KEPT = 0.6

/** Text that is written up or down the page, as wide tables are: the native reader loses what is around the table. */
export function isSideways({ textItems = [] }: NativePage): boolean {
  let all = 0
  let turned = 0
  for (const { text, rotation = 0 } of textItems) {
    all += text.length
    if (Math.abs(Math.sin((rotation * Math.PI) / 180)) > 0.7) turned += text.length
  }
  return turned > all / 2
}

/**
 * The native reader puts words as they stand from left to right. A line of Hebrew or Arabic is read from the other end;
 * stretches of numbers and Latin words in it keep their order.
 */
export function toReadingOrder(line: string): string {
  if (!isRightToLeft(line)) return line
  const words: string[] = []
  let stretch: string[] = []
  for (const word of line.trim().split(/\s+/).toReversed()) {
    if (count(word).fromRight === 0) stretch.unshift(word)
    else {
      // The sign that ends a sentence stands on its left.
      words.push(...stretch, word.replace(/^([.,:;!?…،؛؟]+)(.*)$/u, '$2$1'))
      stretch = []
    }
  }
  return [...words, ...stretch].join(' ')
}

/** Lines as they stand on the page, without the spaces that keep them in their place. */
const toPlain = (text: string) =>
  text
    .split('\n')
    .map((line) => toReadingOrder(line).replace(/\s+/g, ' ').trim())
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()

/** Points of a list run together where no space is between the lines. */
const splitPoints = (markdown: string) =>
  markdown.replace(/^[•‣▪●◦]\s*(?=\S).*$/gmu, (line) =>
    line
      .split(/\s*[•‣▪●◦]\s*/u)
      .filter((point) => point !== '')
      .map((point) => `- ${point}`)
      .join('\n'),
  )

/**
 * Markdown of a page; plain text where its form would cost words. A short page may be taken for a running header as a
 * whole, and left out of the markdown.
 */
export function markdownOf({ markdown, text }: Pick<NativePage, 'markdown' | 'text'>): string {
  const { letters, fromRight } = count(text)
  const isKept = count(markdown).letters >= letters * LEAST_KEPT
  return isKept && fromRight <= letters / 2 ? splitPoints(markdown) : toPlain(text)
}
