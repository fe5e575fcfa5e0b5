import type { NativePage } from '../native-reader.ts'
import { type PageBlocks, toBlocks } from './blocks.ts'
import { isRightToLeft, markdownOf, withTurnedWords } from '../page-markdown.ts'
import { withWholeWords } from './spaced.ts'
import { stretchesOf } from './stretches.ts'
import { withMissedTables } from './missed-tables.ts'
import { turnedLines } from './turned.ts'
import { verticalOf } from './vertical.ts'

/** Share of the words of a page that its markdown may lose. */
const MAX_LOST = 0.01
/** Share of the seams between lines of prose that the markdown must keep. */
const MIN_ORDER = 0.7
const SOME_SEAMS = 6
/** Seams of which the markdown must keep one. */
const FEW_SEAMS = 2

const wordsOf = (text: string) => text.match(/[\p{L}\p{N}]+/gu) ?? []

/** Removes words from those that were found, each as often as it was found. Returns how many are missing. */
function createTaker(found: readonly string[]): (words: readonly string[]) => number {
  const counts = new Map<string, number>()
  for (const word of found) counts.set(word, (counts.get(word) ?? 0) + 1)
  return (words) =>
    words.filter((word) => {
      const left = counts.get(word) ?? 0
      counts.set(word, left - 1)
      return left <= 0
    }).length
}

const lostShare = (words: readonly string[], found: readonly string[]): number =>
  createTaker(found)(words) / Math.max(1, words.length)

/** Whether the lines follow each other in the markdown as they do in their columns. */
function keepsOrder(markdown: string, { seams }: PageBlocks): boolean {
  if (seams.length < FEW_SEAMS) return true
  const words = wordsOf(markdown)
  const pairs = new Set(words.slice(1).map((word, index) => `${words[index] ?? ''} ${word}`))
  const kept = seams.filter((seam) => pairs.has(seam)).length
  return seams.length < SOME_SEAMS ? kept > 0 : kept >= seams.length * MIN_ORDER
}

const rowsOf = (markdown: string) => markdown.match(/^\|.*\|$/gm)?.length ?? 0

const cellsOf = (markdown: string) =>
  markdown
    .match(/^\|.*\|$/gm)
    ?.join('')
    .split('|').length ?? 0

/** Widest gap between words of a line of prose, in its height. */
const WORD_GAP = 0.6
const lettersOf = (text: string) => wordsOf(text).join('')

/** Letters of the lines without a wide gap. */
const proseLines = ({ textItems = [] }: NativePage): ReadonlySet<string> =>
  new Set(
    textItems.flatMap(({ text, words = [] }) => {
      const isProse = words.every(({ x }, index) => {
        const before = words[index - 1]
        return before === undefined || x - before.x - before.width < before.height * WORD_GAP
      })
      return isProse && words.length > 3 ? [lettersOf(text)] : []
    }),
  )

const isRule = (row: string) => /^[|\s:-]+$/.test(row)

const tableRowsOf = (markdown: string) => (markdown.match(/^\|.*\|$/gm) ?? []).filter((row) => !isRule(row))

/** Whether the native reader has cut lines of prose into cells: its rows are lines without a wide gap. */
function cutsProse(markdown: string, lines: ReadonlySet<string>): boolean {
  const rows = tableRowsOf(markdown)
  if (rows.length === 0) return false
  return rows.filter((row) => lines.has(lettersOf(row))).length > rows.length / 2
}

const textOf = (row: string) =>
  row
    .replace(/^\||\|$/g, '')
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim())
    .join(' ')
    .trim()
const isOpen = (paragraph: string) => isParagraph(paragraph) && /[\p{L}\p{N},]$/u.test(paragraph.slice(-1))

/** Rows at the head of a table that are the end of the paragraph before it. */
function proseHeadOf(rows: readonly string[], before: string, lines: ReadonlySet<string>): readonly string[] {
  const texts: string[] = []
  for (const row of rows.slice(0, -2)) {
    const text = textOf(row)
    if (!lines.has(lettersOf(text)) || !(/[.:;!?]$/.test(text) || isOpen(texts.at(-1) ?? before))) break
    texts.push(text)
  }
  return texts
}

/** Tables without the end of a paragraph, which the native reader takes for a head where a word begins above a column. */
function withoutProseHeads(markdown: string, lines: ReadonlySet<string>): string {
  const blocks: string[] = []
  for (const block of markdown.split('\n\n')) {
    const before = blocks.at(-1) ?? ''
    const [head = '', rule = '', ...rest] = block.split('\n')
    const rows = [head, ...rest]
    const prose = head.startsWith('|') && isRule(rule) ? proseHeadOf(rows, before, lines) : []
    if (prose.length === 0) blocks.push(block)
    else {
      const text = [...(isOpen(before) ? [blocks.pop()] : []), ...prose].join(' ')
      blocks.push(text, [rows[prose.length], rule, ...rows.slice(prose.length + 1)].join('\n'))
    }
  }
  return blocks.join('\n\n')
}

/** Letters of a paragraph that may go on in the next column, and of its rest there. */
const CUT_LETTERS = 50
const REST_LETTERS = 15
const isParagraph = (block: string) => !block.includes('\n') && !/^(?:[#|>-]|\d{1,9}[.)] )/.test(block)

/** Sentences and words that go on in the next column are one. */
const withJoinedColumns = (markdown: string): string =>
  markdown
    .split('\n\n')
    .reduce<string[]>((blocks, block) => {
      const last = blocks.at(-1) ?? ''
      const isCut = last.length > CUT_LETTERS && isParagraph(last) && /\p{Ll}[,-]?$/u.test(last.slice(-2))
      if (!isCut || block.length < REST_LETTERS || !isParagraph(block) || !/^\p{Ll}/u.test(block)) blocks.push(block)
      else blocks[blocks.length - 1] = last.endsWith('-') ? last.slice(0, -1) + block : `${last} ${block}`
      return blocks
    }, [])
    .join('\n\n')

/** Words of rows, and the cells of one that have some. */
const wordsIn = (rows: readonly string[]) =>
  rows.reduce((sum, row) => sum + (textOf(row).match(/\S+/g)?.length ?? 0), 0)
const columnsIn = (row: string) => row.split(/(?<!\\)\|/).filter((cell) => cell.trim() !== '').length

/** Whether the native reader has put words of a table next to it: many of its cells are empty, and ours have more words. */
function hasEmptied(markdown: string, { tables }: PageBlocks): boolean {
  const rows = tableRowsOf(markdown)
  const ours = tableRowsOf(tables.join('\n'))
  const more = wordsIn(ours) - wordsIn(rows)
  if (ours.length < rows.length || more <= 0) return false
  const single = rows.filter((row) => row.split('|').length > 3 && columnsIn(row) < 2).length
  const emptied = rows.filter((row) => /\|\s*\|/.test(row)).length
  return (single > 1 && single > rows.length / 4) || (emptied > 1 && emptied > rows.length / 2 && more >= emptied)
}

/** Whether headings of tables come one after the other before all of them, where each is above its own by its position. */
function liftsHeadings(markdown: string, ours: string): boolean {
  const [theirs, own] = [markdown, ours].map((text) =>
    text.split('\n\n').map((block) => ({ start: block[0], letters: lettersOf(block) })),
  )
  const isLifted = (at: number) => {
    const [first, second] = [theirs?.[at], theirs?.[at + 1]]
    if (first?.start !== '#' || second?.start !== '#') return false
    const place = own?.findIndex(({ letters }) => letters === first.letters) ?? -1
    return place !== -1 && own?.[place + 1]?.start === '|'
  }
  const hasAll = lostShare(wordsOf(markdown), wordsOf(ours)) === 0 && rowsOf(ours) >= rowsOf(markdown)
  return rowsOf(markdown) > 0 && hasAll && (theirs ?? []).some((_, at) => isLifted(at))
}

type LevelBlocks = PageBlocks & { readonly isRecognized: boolean; readonly hasTurned: boolean }

/** Cells of a table that are filled, where it is one in more than its looks. */
const FILLED = 0.75

/** Letters of rows of several cells. */
const keysOf = (text: string) =>
  tableRowsOf(text)
    .filter((row) => columnsIn(row) > 1)
    .map(lettersOf)

/** Whether tables by position tell more: the native reader has none, contradicts a row, or lacks a table as a whole. */
function prefersOurs(markdown: string, tables: readonly string[]): boolean {
  const all = tables.join('\n')
  if (rowsOf(all) <= rowsOf(markdown)) return false
  const theirs = keysOf(markdown)
  const [known, own] = [new Set(theirs), new Set(keysOf(all))]
  if (theirs.length === 0 || theirs.some((row) => !own.has(row))) return true
  return tables.some((table) => {
    const rows = tableRowsOf(table)
    const cells = rows.reduce((sum, row) => sum + row.split(/(?<!\\)\|/).length - 2, 0)
    const filled = rows.reduce((sum, row) => sum + columnsIn(row), 0)
    return rows.length > 2 && filled >= cells * FILLED && keysOf(table).every((row) => !known.has(row))
  })
}

const isRuledPage = ({ complexity }: NativePage) => (complexity?.layout?.ruledTableCount ?? 0) > 0

/** The level lines of a page: the native reader's, or those by the positions of the words. */
function chooseLevel(page: NativePage, markdown: string, { isRecognized, hasTurned, ...blocks }: LevelBlocks): string {
  if (isRecognized) return blocks.markdown
  const isRuled = isRuledPage(page)
  if (lostShare(wordsOf(blocks.markdown), wordsOf(markdown)) > MAX_LOST || !keepsOrder(markdown, blocks))
    return blocks.markdown
  if (hasEmptied(markdown, blocks) || liftsHeadings(markdown, blocks.markdown)) return blocks.markdown
  if (!isRuled && cutsProse(markdown, proseLines(page))) return blocks.markdown
  const { tables } = blocks
  const whole = withMissedTables(markdown, tables)
  // Names of axes run up the page: numbers of a chart are in columns, too.
  if (isRuled || hasTurned || tables.length === 0) return whole
  return prefersOurs(whole, tables) ? blocks.markdown : whole
}

/**
 * The text of a page: the native reader's, or the one by the positions of the words, where the native reader lost
 * words, read across columns, or missed tables without rules. On pages with lines at an angle it loses level lines,
 * too: they follow at the end, as those at an angle do.
 */
export function bestOf(page: NativePage): string {
  const vertical = verticalOf(page)
  if (vertical !== undefined) return vertical
  const own = markdownOf(page)
  const markdown = isRuledPage(page) || rowsOf(own) === 0 ? own : withoutProseHeads(own, proseLines(page))
  return isRightToLeft(page.text) ? markdown : withTurnedWords(bestLevel(page, markdown), page.text)
}

function bestLevel(page: NativePage, markdown: string): string {
  const stretches = stretchesOf(page)
  if (stretches === undefined || stretches.length === 0) return markdown
  // Recognized letters have the height of their shapes, which tells no heading; the native reader cuts their lines.
  const isRecognized = page.textItems?.some(({ confidence }) => confidence !== undefined) === true
  const blocks = toBlocks(stretches, { headings: !isRecognized })
  const turned = turnedLines(page)
  const hasTables = turned.length > 0 && cellsOf(markdown) > cellsOf(blocks.tables.join('\n'))
  const level = hasTables
    ? markdown
    : chooseLevel(page, markdown, { ...blocks, isRecognized, hasTurned: turned.length > 0 })
  const whole = withWholeWords(withJoinedColumns(level), stretches)
  if (turned.length === 0) return whole
  const missing = createTaker(wordsOf(whole))
  const lost = [...stretches.map(({ text }) => text), ...turned].filter((line) => {
    const words = wordsOf(line)
    return missing(words) > words.length / 2
  })
  return [whole, ...lost].join('\n\n')
}
