import { createRowCounter } from '#lib/table-rows.ts'
import { DENSE_SCRIPTS, endWithout, normalized } from '#lib/unicode.ts'
import { addressesIn } from './addresses.ts'
import { withoutLinks } from './link-syntax.ts'

/** A file's text, prepared for finding passages. Offsets count letters (`toLetters`) after the front matter. */
export interface SourceText {
  readonly letters: string
  /** Letters of the front matter, which is in no passage. */
  readonly front: string
  /** Start and number of each line. */
  readonly lines: readonly Mark<number>[]
  readonly pages: readonly Mark<number>[]
  readonly headings: readonly Mark<string>[]
  /** Rows of tables as their programs show them; 0 after a table, and where they are unknown. */
  readonly rows: readonly Mark<number>[]
  /** Addresses in the text. */
  readonly addresses: ReadonlySet<string>
  /** The letters with spaces between words; computed on first use. */
  spaced(): string
}

export interface Mark<Value> {
  readonly at: number
  readonly value: Value
}

const FRONT_MATTER = /^\uFEFF?---[ \t]*\r?\n(?<yaml>[\s\S]*?)(?<=\n)(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/
const MAX_FRONT_MATTER_CHARS = 65_536
const PAGE = /^<!-- page (\d{1,6}) -->\s*$/
const HEADING = /^ {0,3}#{1,6}[ \t]+/
/** Longer titles are cut. */
const MAX_TITLE_CHARS = 1000
const FENCE = /^ {0,3}(?:`{3,}|~{3,})/

/** Length of the YAML front matter of a markdown text; 0 without one. A rule followed by prose is not front matter. */
function frontMatterLength(text: string): number {
  const match = FRONT_MATTER.exec(text.slice(0, MAX_FRONT_MATTER_CHARS))
  const yaml = match?.groups?.['yaml']
  if (match === null || yaml === undefined) return 0
  return yaml.trim() === '' || hasKeyLine(yaml) ? match[0].length : 0
}

/** Whether a line begins with a YAML key: words, dots and quotation marks up to a colon. */
function hasKeyLine(yaml: string): boolean {
  let from = 0
  for (const { 0: other, index } of yaml.matchAll(/[^\w\s."'-]/g)) {
    const key = yaml.slice(from, index)
    const isColon = other === ':' && /^(?:\s|$)/.test(yaml.slice(index + 1, index + 2))
    if (isColon && (from === 0 ? /^[\w."'-]/m : /[\n\r\u2028\u2029][\w."'-]/).test(key)) return true
    from = index + 1
  }
  return false
}

/** The title of a heading, without number signs and markup. Undefined: the line is no heading. */
function titleOf(line: string): string | undefined {
  const begin = HEADING.exec(line)?.[0].length
  if (begin === undefined) return undefined
  const closed = endWithout('#', line, begin, line.trimEnd().length)
  const title = line.slice(begin, endWithout(' \t', line, begin, closed)).slice(0, MAX_TITLE_CHARS)
  return withoutLinks(title)
    .replace(/[*_`~]/g, '')
    .trim()
}

/** @param text of the stored file, or its conversion to markdown. */
export function toSourceText(text: string): SourceText {
  const skip = frontMatterLength(text)
  const head = text.slice(0, skip)
  const body = text.slice(skip)
  const lines: Mark<number>[] = []
  const pages: Mark<number>[] = []
  const headings: Mark<string>[] = []
  const rows: Mark<number>[] = []
  const parts: string[] = []
  const rowOf = createRowCounter(text)
  let row = 0
  let at = 0
  let fenced = false
  let number = head.match(/\r\n?|\n/g)?.length ?? 0
  for (const line of body.split(/\r\n?|\n/)) {
    number += 1
    lines.push({ at, value: number })
    const page = PAGE.exec(line)?.[1]
    if (page !== undefined) pages.push({ at, value: Number(page) })
    if (FENCE.test(line)) fenced = !fenced
    const before = row
    row = rowOf(line, number)
    if (row !== before) rows.push({ at, value: row })
    const title = fenced ? undefined : titleOf(line)
    if (title !== undefined) headings.push({ at, value: title })
    const letters = toLetters(line)
    at += letters.length
    parts.push(letters)
  }
  let spaced: string | undefined
  return {
    letters: parts.join(''),
    front: toLetters(head),
    lines,
    pages,
    headings,
    rows,
    addresses: addressesIn(body),
    spaced: () => (spaced ??= toSpacedLetters(body)),
  }
}

/** The value of the last mark at or before this offset. */
export function markAt<Value>(marks: readonly Mark<Value>[], offset: number): Value | undefined {
  let low = 0
  let high = marks.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((marks[middle]?.at ?? 0) <= offset) low = middle + 1
    else high = middle
  }
  return marks[low - 1]?.value
}

/** Whether the file contains this text, letter for letter. */
export function containsText(source: SourceText, text: string): boolean {
  const letters = toLetters(text)
  if (letters === '') return false
  return isShort(letters) ? source.spaced().includes(toSpacedLetters(text)) : source.letters.includes(letters)
}

/**
 * The text of a file differs between its bytes, a conversion and a chunk: white space, hyphenation, markup, soft
 * hyphens, ligatures, composed letters. Letters and digits stay the same, so only these are compared.
 */

/** Start of a page. Other comments are kept: a forged passage could hide words in them. */
const PAGE_MARK = /<!-- page \d{1,6} -->/g
/** Bare names of extracted images, which some conversions have and others do not. */
const IMAGE_NAME = /\b(?:picture|table)-\d{1,5}\.(?:png|jpe?g)\b/g
// Currency signs count, since they change a sum; so do symbols that people read as letters (🅰, braille).
const NO_LETTERS = /[^\p{L}\p{N}\p{M}\p{Sc}%‰°\u{2800}-\u{28FF}\u{1F100}-\u{1F1FF}]+|\p{Variation_Selector}+/gu

/** A word hyphenated at the end of a line. */
const HYPHENATION = /(?<=\p{L})[-\u2010][^\S\n]*\n\s*(?=\p{L})/gu

const plain = (text: string): string =>
  normalized(text.replaceAll('\u00AD', '').replace(PAGE_MARK, ' ').replace(IMAGE_NAME, ' '), 'NFKC').toLowerCase()

/** Letters, combining marks and digits, normalised, in lower case, without separators. */
export const toLetters = (text: string): string => plain(text).replace(NO_LETTERS, '')

/** The same, with one space between words and at both ends. */
export const toSpacedLetters = (text: string): string =>
  ` ${plain(text).replace(HYPHENATION, '').replace(NO_LETTERS, ' ').trim()} `

/** Scripts without spaces: a few of their letters are a long text. */
const DENSE = new RegExp(String.raw`[${DENSE_SCRIPTS}\p{Script=Hangul}]`, 'u')

/** So few letters occur in any file: they have to match whole words. */
export const isShort = (letters: string): boolean => letters.length < 16 && !DENSE.test(letters)
