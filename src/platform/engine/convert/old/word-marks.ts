import { type WordLists, readLists } from './word-lists.ts'
import { type ParagraphStyles, type Placed, readParagraphs, readStyles, TABLES, tableAt } from './word-properties.ts'

/** A piece of the text, as word-extractor reads it. */
export interface Piece {
  readonly text: string
  /** Where it begins in the file, and bytes of a letter. */
  readonly startFilePos: number
  readonly bpc: number
}

/** How a paragraph is shown. `level` of a heading counts from 1, that of an item of a list from 0. */
export interface Mark {
  readonly kind: 'heading' | 'item'
  readonly level: number
  /** `2.1`, `(c)`, a bullet; empty for a heading without a number. */
  readonly label: string
}

/** Characters that no document can contain: they enclose a mark, and part the lines of a cell. */
const [BEFORE, AFTER] = ['\ufdd0', '\ufdd1']
export const LINE_OF_CELL = '\ufdd2'
const MARK = new RegExp(`^${BEFORE}([hi])(\\d)([^${AFTER}\\n]*)${AFTER}`)

/** A line without its mark, and the mark. */
export function takeMark(line: string): readonly [text: string, mark: Mark | undefined] {
  const [whole, kind, level, label = ''] = MARK.exec(line) ?? []
  if (whole === undefined) return [line, undefined]
  return [line.slice(whole.length), { kind: kind === 'h' ? 'heading' : 'item', level: Number(level), label }]
}

/** The style *Title* of Word. */
const TITLE = 62
const MAX_HEADING = 6

function headingOf(paragraph: Placed, styles: ParagraphStyles): number | undefined {
  const chain = styles.chain(paragraph.style)
  const known = styles.knownOf(paragraph.style) ?? 0
  const outline = [paragraph, ...chain.map((one) => styles.propertiesOf(one))].find(
    (one) => one?.outline !== undefined,
  )?.outline
  if (known >= 1 && known <= 9 && outline !== 9) return Math.min(known, MAX_HEADING)
  if (known === TITLE) return 1
  return outline === undefined || outline > 8 ? undefined : Math.min(outline + 1, MAX_HEADING)
}

function listOf(paragraph: Placed, styles: ParagraphStyles, lists: WordLists) {
  const chain = styles.chain(paragraph.style)
  const inherited = chain.map((one) => styles.propertiesOf(one))
  const list = [paragraph, ...inherited].find((one) => one?.list !== undefined)?.list ?? 0
  const level =
    paragraph.level ??
    (paragraph.list === undefined ? lists.levelOf(list, chain) : undefined) ??
    inherited.find((one) => one?.level !== undefined)?.level
  return { list, level: level ?? 0 }
}

type Show = (paragraph: Placed | undefined, isCell: boolean) => string

/** Counts the paragraphs, which come in their order, and gives the mark of each. */
function createShow(document: Buffer, table: Buffer): Show {
  const styles = readStyles(tableAt(document, table, TABLES.styles))
  const lists = readLists(document, table)
  return (paragraph, isCell) => {
    if (paragraph === undefined) return ''
    const item = listOf(paragraph, styles, lists)
    const label = lists.count(item)
    if (isCell || paragraph.inTable === true) return label === '' || label === '•' ? '' : `${label} `
    const heading = headingOf(paragraph, styles)
    if (heading !== undefined) return `${BEFORE}h${heading}${label === '•' ? '' : label}${AFTER}`
    return label === '' ? '' : `${BEFORE}i${Math.min(item.level, 8)}${label}${AFTER}`
  }
}

/** Where a document says how many letters its text has: those of notes and heads follow it. */
const LETTERS = 0x4c

/** Ends of paragraphs, cells, rows and sections. */
// oxlint-disable-next-line no-control-regex -- a cell ends with one
const END = /[\r\n\u0007\f]/g
const isFilled = (text: string) => /[\p{L}\p{N}\p{P}\p{S}]/u.test(text)

/** The text with the mark of each paragraph before it, and cells in one line. Word gives a paragraph its properties at its end. */
function insertMarks(pieces: readonly Piece[], letters: number, find: ReturnType<typeof readParagraphs>, show: Show) {
  const parts: string[] = []
  let [begun, left] = ['', letters]
  for (const { text: all, startFilePos, bpc } of pieces) {
    const text = all.slice(0, left)
    left -= text.length
    let from = 0
    for (const { 0: sign, index } of text.matchAll(END)) {
      const paragraph = find(startFilePos + index * bpc)
      // A page may end within a paragraph.
      if (sign === '\f' && paragraph?.to !== startFilePos + (index + 1) * bpc) continue
      const own = `${begun}${text.slice(from, index)}`
      const mark = sign === '\n' ? '' : show(paragraph, sign === '\u0007')
      const isInCell = sign === '\u0007' || paragraph?.inTable === true
      const shown = `${isFilled(own) ? mark : ''}${isInCell ? own.replaceAll('\v', LINE_OF_CELL) : own}`
      parts.push(shown, isInCell && sign === '\r' ? LINE_OF_CELL : sign)
      begun = ''
      from = index + 1
    }
    begun += text.slice(from)
  }
  return `${parts.join('')}${begun}`
}

/** The text of a document with the marks of its headings and lists; undefined where its tables are damaged. */
export function markText(document: Buffer, table: Buffer, pieces: readonly Piece[]): string | undefined {
  try {
    return insertMarks(
      pieces,
      document.readUInt32LE(LETTERS),
      readParagraphs(document, table),
      createShow(document, table),
    )
  } catch {
    return undefined
  }
}
