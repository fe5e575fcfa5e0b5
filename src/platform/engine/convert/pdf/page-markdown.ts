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

/** Words of two scripts that are close come as one. */
const SCRIPT_CHANGE = /(?<=[\u0590-\u08ff])(?=[A-Za-z])|(?<=[A-Za-z])(?=[\u0590-\u08ff])/g
/** The sign for lam and alef, taken apart in the wrong order; no word has these letters in this order. */
const SPLIT_LIGATURE = /(?<=\u0627)([\u0622\u0623\u0625])\u0644/g

const PUNCTUATION = /^([.,:;!?…،؛؟]+)(.*)$/u
/** Brackets at both ends of Hebrew or Arabic words, of which the reader turns some. */
const BRACKETED = /^[()](.+)[()]$/u

/** Words that run from the right in their order; numbers and Latin words between them keep theirs. */
function reversed(words: readonly string[]): string {
  const ordered: string[] = []
  let stretch: string[] = []
  const bracketed = BRACKETED.exec(words.join(' '))?.[1]
  const bare = bracketed?.split(' ') ?? words
  for (const word of bare.toReversed()) {
    if (count(word).fromRight === 0) stretch.unshift(word)
    else {
      // The full stop is on the left.
      const own = word.replace(PUNCTUATION, '$2$1').replace(BRACKETED, '($1)')
      ordered.push(...stretch, own.replaceAll(SPLIT_LIGATURE, '\u0644$1'))
      stretch = []
    }
  }
  // A number ends the line, so that its full stop is on the left, too.
  const [end, ...rest] = stretch
  const text = [
    ...ordered,
    ...(end === undefined ? [] : [end.replace(/^([.,:;])(\d[\d.,:]*)$/, '$2$1')]),
    ...rest,
  ].join(' ')
  return bracketed === undefined ? text : `(${text})`
}

const isFromLeft = (word: string) => count(word).fromRight === 0
const isNumber = (word: string) => /^[\d.,:%/-]+$/.test(word)

/** Words from the right within a line of others, with their own comma after them. */
function reversedWithin(words: readonly string[]): string {
  const [, last = '', end = ''] = /^(.*?)([.,:;!?]*)$/u.exec(words.at(-1) ?? '') ?? []
  return `${reversed([...words.slice(0, -1), last])}${end}`
}

/**
 * The native reader orders words from left to right. Lines of Hebrew or Arabic are reversed here, and so are their words
 * within a line of others; numbers and Latin words keep their order. On a page that runs from the left, a line of the
 * right begins with such a word.
 */
export function toReadingOrder(line: string, isPageFromRight = true): string {
  const { letters, fromRight } = count(line)
  if (fromRight === 0) return line
  const words = line.trim().replace(SCRIPT_CHANGE, ' ').split(/\s+/)
  if (fromRight > letters / 2 && (isPageFromRight || !isFromLeft(words.at(-1) ?? ''))) return reversed(words)
  const ordered: string[] = []
  for (let at = 0; at < words.length;) {
    let end = at
    // A run ends with its last word from the right: numbers before Latin words are theirs.
    for (let next = at; next < words.length; next += 1) {
      const word = words[next] ?? ''
      if (!isFromLeft(word)) end = next + 1
      else if (next === at || !isNumber(word)) break
    }
    ordered.push(end > at ? reversedWithin(words.slice(at, end)) : (words[at] ?? ''))
    at = Math.max(end, at + 1)
  }
  return ordered.join(' ')
}

/** Texts that may be in another order: more are a page of the right, whose lines are reversed as a whole. */
const MAX_MIXED = 500

/** Markdown of a page with a few words of Hebrew or Arabic, each line of them in the order of reading. */
export function withTurnedWords(markdown: string, text: string): string {
  if (count(text).fromRight === 0) return markdown
  let [done, rest] = ['', markdown]
  // Texts of a line with gaps between them are those of columns.
  const texts = text.split(/\n|[^\S\n]{2,}/).filter((one) => count(one).fromRight > 0)
  for (const one of texts.slice(0, MAX_MIXED)) {
    const shown = one.trim().replace(/\s+/g, ' ')
    const at = rest.indexOf(shown)
    if (at === -1) continue
    done += rest.slice(0, at) + toReadingOrder(shown, false)
    rest = rest.slice(at + shown.length)
  }
  return done + rest
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

/** Dots, or a line, between a title and its page; `page` is set where the next title follows in the same line. */
const LEADERS =
  /(?:[^\S\n]?[.·…_\\]){6,}[^\S\n]*(?:(?<page>\d+|[ivxlc]{1,6})[^\S\n]+(?=[\p{L}\d][^\n]{0,200}?(?:[^\S\n]?[.·…_\\]){6}))?/gu

/** Tables of contents without the dots that lead the eye, each title in a line of its own. */
export const withoutLeaders = (markdown: string): string =>
  markdown.replace(LEADERS, (_, page?: string) => (page === undefined ? ' … ' : ` … ${page}\n\n`))

/** Markdown of a page; plain text where the markdown lost words, as when a short page is taken for a running header. */
export function markdownOf({ markdown, text }: Pick<NativePage, 'markdown' | 'text'>): string {
  const { letters, fromRight } = count(text)
  const isKept = count(markdown).letters >= letters * MIN_KEPT
  return isKept && fromRight <= letters / 2 ? splitPoints(markdown) : toPlain(text)
}
