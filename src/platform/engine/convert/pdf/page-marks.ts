import type { Box, NativePage } from './native-reader.ts'

/** Words in a row that a page and a quote share. */
const ROW = 3
/** Words within a quote that a page has in another form, such as one cut by a hyphen. */
const MAX_GAP = 2
/** A stretch shorter than this share of the longest one is there by chance, unless it has many words. */
const MIN_SHARE = 0.5
const MANY_WORDS = 8
/** More words are no page that people read. */
const MAX_WORDS = 20_000

interface PageWord {
  readonly text: string
  readonly box: Box
}

const wordsIn = (text: string) =>
  text
    .replaceAll(/<[^<>\s]{1,20}>/g, ' ')
    .normalize('NFKC')
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu) ?? []

/** Words of the page with their places. */
function wordsOf({ textItems = [] }: NativePage): readonly PageWord[] {
  const found: PageWord[] = []
  for (const { words, text, x = 0, y = 0, width = 0, height = 0 } of textItems) {
    const all = words === undefined || words.length === 0 ? [{ text, x, y, width, height }] : words
    for (const { text: word, ...box } of all) {
      if (!(box.width > 0 && box.height > 0)) continue
      for (const part of wordsIn(word)) found.push({ text: part, box })
    }
    if (found.length > MAX_WORDS) return []
  }
  return found
}

const rowAt = (words: readonly string[], at: number, length: number) => words.slice(at, at + length).join(' ')

interface Run {
  readonly start: number
  end: number
}

/** Stretches of the page whose words follow each other in the quote, too. */
function runsOf(page: readonly string[], quote: readonly string[]): readonly Run[] {
  const length = Math.min(ROW, quote.length)
  const rows = new Set(quote.slice(0, quote.length - length + 1).map((_, at) => rowAt(quote, at, length)))
  const runs: Run[] = []
  for (let at = 0; at + length <= page.length; at += 1) {
    if (!rows.has(rowAt(page, at, length))) continue
    const last = runs.at(-1)
    if (last !== undefined && length === ROW && at - last.end <= MAX_GAP) last.end = at + length
    else runs.push({ start: at, end: at + length })
  }
  // One or two words occur anywhere.
  if (length < ROW) return runs.length === 1 ? runs : []
  const longest = Math.max(...runs.map(({ start, end }) => end - start))
  return runs.filter(({ start, end }) => end - start >= Math.min(MANY_WORDS, longest * MIN_SHARE))
}

/** One box for the words of each line. */
function linesOf(words: readonly PageWord[]): Box[] {
  const lines: Box[] = []
  for (const { box } of words) {
    const last = lines.at(-1)
    const isSameLine =
      last !== undefined &&
      Math.abs(box.y + box.height / 2 - last.y - last.height / 2) < last.height / 2 &&
      box.x >= last.x &&
      box.x - last.x - last.width < last.height * 2
    if (!isSameLine) lines.push(box)
    else {
      const y = Math.min(last.y, box.y)
      const height = Math.max(last.y + last.height, box.y + box.height) - y
      lines[lines.length - 1] = { x: last.x, y, width: Math.max(last.width, box.x + box.width - last.x), height }
    }
  }
  return lines
}

/** Boxes around the words of a quote, line by line; empty where the page has no such words, as a scan. */
export function marksOf(page: NativePage, quote: string): readonly Box[] {
  const words = wordsOf(page)
  const wanted = wordsIn(quote)
  if (words.length === 0 || wanted.length === 0) return []
  const texts = words.map(({ text }) => text)
  return runsOf(texts, wanted).flatMap(({ start, end }) => linesOf(words.slice(start, end)))
}
