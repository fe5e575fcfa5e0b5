import BufferReader from 'word-extractor/lib/buffer-reader.js'
import filters from 'word-extractor/lib/filters.js'
import WordOleExtractor from 'word-extractor/lib/word-ole-extractor.js'
import { createCellBudget, toMarkdownTable } from '../markdown/table.ts'
import { createLevels } from '../markdown/list-levels.ts'
import { createMarkdownWriter } from '../markdown/writer.ts'
import { asOnePart, ConvertError, type ReadDocument } from '../reader.ts'
import { readInnerDocuments } from '../office/embedded.ts'
import { checkCompoundFile, withUsualNames } from './compound-file.ts'
import { earlyWordText } from './early-word.ts'
import { embeddedIn, readStreams } from './ole-objects.ts'
import { LINE_OF_CELL, type Mark, markText, takeMark } from './word-marks.ts'

const toLine = (text: string, name = 'p') => {
  const writer = createMarkdownWriter()
  writer.open(name)
  writer.text(text)
  writer.close(name)
  return writer.finish()
}

interface Item {
  readonly text: string
  readonly mark: Mark
}

/** Consecutive items, as nested lists. */
function toList(items: readonly Item[]): string {
  const writer = createMarkdownWriter()
  const levels = createLevels(writer)
  for (const { text, mark } of items) {
    const number = /^\(?(\d{1,9})[.)]$/.exec(mark.label)?.[1]
    const isOrdered = /[\p{L}\p{N}]/u.test(mark.label)
    const shown = isOrdered ? { label: mark.label } : {}
    levels.item(mark.level, isOrdered, number === undefined ? shown : { ...shown, number: Number(number) })
    writer.text(text)
  }
  levels.end()
  return writer.finish()
}

const linesOf = (cell: string) =>
  cell
    .split(LINE_OF_CELL)
    .map((line) => toLine(line))
    .filter((line) => line !== '')

/** Cells that end with a line break of their own, each in a line that begins with its tab. Word allows 63 columns. */
const BROKEN_ROW = /^([^\t\n]+)\n((?:\t[^\t\n]*\n){1,63})\t\n/gm

/** Rows in one line each. */
const withWholeRows = (text: string) =>
  text.replace(BROKEN_ROW, (_, first: string, cells: string) => `${first}${cells.replaceAll('\n', '')}\t\n`)

/**
 * Paragraphs, and rows of one table where consecutive lines have the same number of tabs. A line that ends with a tab is
 * a row for certain: those of one table may have merged cells, and fewer of them.
 */
function toMarkdown(text: string): string {
  const budget = createCellBudget()
  const parts: string[] = []
  let rows: string[][] = []
  const endTable = () => {
    if (rows.length === 0) return
    const width = rows.reduce((most, row) => Math.max(most, row.length), 0)
    // Which columns a merged cell spans is not known: its row is told whole.
    const whole = rows.map((row) => (row.length < width ? [row.filter((cell) => cell !== '').join(' ')] : row))
    const head = whole.findIndex((row) => row.length > 1)
    for (const [above = ''] of whole.slice(0, head)) parts.push(...linesOf(above))
    const table = whole.slice(head)
    if (table.length === 1) parts.push(toLine((table[0] ?? []).join(' ').replaceAll(LINE_OF_CELL, ' ')))
    else parts.push(toMarkdownTable(table.map((row) => row.map((cell) => linesOf(cell).join('\n')))))
    rows = []
  }
  let items: Item[] = []
  const endList = () => {
    if (items.length > 0) parts.push(toList(items))
    items = []
  }
  let isRow = false
  for (const marked of withWholeRows(text.replace(/\r\n?|\v|\f/g, '\n')).split('\n')) {
    const [line, mark] = takeMark(marked)
    if (mark !== undefined) {
      endTable()
      const shown = line.replaceAll('\t', ' ').trim()
      if (mark.kind === 'item') items.push({ text: shown, mark })
      else {
        endList()
        parts.push(toLine(`${mark.label} ${shown}`.trim(), `h${mark.level}`))
      }
      continue
    }
    if (line.trim() !== '') endList()
    // Cells of a table are in one line, with a tab after each.
    const cells = line.trim() === '' ? [] : line.replace(/\t$/, '').split('\t')
    if (cells.length > 1) {
      budget.take(cells.length, line.length)
      const isSame = rows[0]?.length === cells.length || (isRow && line.endsWith('\t'))
      if (rows.length > 0 && !isSame) endTable()
      isRow = line.endsWith('\t')
      rows.push(cells)
      continue
    }
    endTable()
    if (cells.length === 1) parts.push(...linesOf(line.trim()))
  }
  endTable()
  endList()
  return parts.join('\n\n')
}

/** Offset of the parts of the container: small ones are in small sectors. */
const HEAD = 512
const SECTOR = 64
/** Bit of the file information block: the text is encrypted. */
const ENCRYPTED = 0x0100

function isEncrypted(bytes: Buffer): boolean {
  const start = bytes.indexOf(Buffer.from([0xec, 0xa5]), HEAD)
  return start !== -1 && start % SECTOR === 0 && (bytes.readUInt16LE(start + 10) & ENCRYPTED) !== 0
}

/** Versions before Word 97 begin with other signs: Word 6, Word 2, and Word 6 for scripts of the Far East. */
const EARLIER = [
  [0xdc, 0xa5],
  [0xdb, 0xa5],
  [0x98, 0xa6],
  [0x99, 0xa6],
] as const
const isEarlier = (bytes: Buffer) =>
  EARLIER.some((sign) => {
    const start = bytes.indexOf(Buffer.from(sign), HEAD)
    return start !== -1 && start % SECTOR === 0
  })

/** Parts of a document; the body has marks of its headings and lists. */
async function extract(bytes: Buffer) {
  checkCompoundFile(bytes)
  const extractor = new WordOleExtractor()
  const normalizeHeaders = extractor.normalizeHeaders.bind(extractor)
  let body: string | undefined
  // Its last step before the text is put together: deletions and ends of rows are known.
  extractor.normalizeHeaders = (document, table) => {
    // oxlint-disable-next-line no-underscore-dangle -- the library gives its pieces by no other name
    body = markText(document, table, extractor._pieces)
    normalizeHeaders(document, table)
  }
  const reader = new BufferReader(withUsualNames(bytes))
  await reader.open()
  const parts = await extractor.extract(reader)
  return { parts, body: body === undefined ? parts.getBody() : filters.clean(body) }
}

function findEarlyText(bytes: Buffer): string | undefined {
  try {
    const document = [...readStreams(bytes)].find(([path]) => path.toLowerCase() === 'worddocument')?.[1]
    return document === undefined ? undefined : earlyWordText(document)
  } catch {
    return undefined
  }
}

/** A document of Word 6 or 95: its text. @throws {ConvertError} `old` where that can't be read, `broken` for others. */
function readEarly(bytes: Buffer, cause: unknown): string {
  if (!isEarlier(bytes)) throw new ConvertError('broken', { cause })
  const text = findEarlyText(bytes)
  if (text === undefined) throw new ConvertError('old', { cause })
  return toMarkdown(text)
}

/** A document of Word 97 to 2003: its text, notes, text boxes, comments, and heads and feet once. */
export const readDoc: ReadDocument = async (source) => {
  const { bytes } = source
  if (isEncrypted(bytes)) throw new ConvertError('encrypted')
  const read = await extract(bytes).catch((cause: unknown) => readEarly(bytes, cause))
  if (typeof read === 'string') return asOnePart(read)
  const { parts: document, body } = read
  const heads = new Set(`${document.getHeaders({ includeFooters: false })}\n${document.getFooters()}`.split('\n'))
  const parts: readonly (readonly [title: string, text: string])[] = [
    ['', body],
    ['', document.getTextboxes({ includeHeadersAndFooters: false })],
    ['Notes', `${document.getFootnotes()}\n${document.getEndnotes()}`],
    ['Comments', document.getAnnotations()],
    ['Head and foot', [...heads].join('\n')],
  ]
  const texts = parts
    .map(([title, text]) => ({ title, markdown: toMarkdown(text) }))
    .filter(({ markdown }) => markdown !== '')
    .map(({ title, markdown }) => (title === '' ? markdown : `## ${title}\n\n${markdown}`))
  return asOnePart([...texts, ...(await readInnerDocuments(source, embeddedIn(source)))].join('\n\n'))
}
