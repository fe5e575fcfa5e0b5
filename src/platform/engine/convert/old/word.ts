import WordExtractor from 'word-extractor'
import { createCellBudget, toMarkdownTable } from '../markdown/table.ts'
import { createMarkdownWriter } from '../markdown/writer.ts'
import { asOnePart, ConvertError, type ReadDocument } from '../reader.ts'
import { readInnerDocuments } from '../office/embedded.ts'
import { checkCompoundFile, withUsualNames } from './compound-file.ts'
import { earlyWordText } from './early-word.ts'
import { embeddedIn, readStreams } from './ole-objects.ts'

const toLine = (text: string) => {
  const writer = createMarkdownWriter()
  writer.open('p')
  writer.text(text)
  writer.close('p')
  return writer.finish()
}

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
    for (const [above = ''] of whole.slice(0, head)) parts.push(toLine(above))
    const table = whole.slice(head)
    if (table.length === 1) parts.push(toLine((table[0] ?? []).join(' ')))
    else parts.push(toMarkdownTable(table.map((row) => row.map(toLine))))
    rows = []
  }
  let isRow = false
  for (const line of withWholeRows(text.replace(/\r\n?|\v|\f/g, '\n')).split('\n')) {
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
    if (cells.length === 1) parts.push(toLine(line.trim()))
  }
  endTable()
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

async function extract(bytes: Buffer) {
  checkCompoundFile(bytes)
  return new WordExtractor().extract(withUsualNames(bytes))
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
  const document = await extract(bytes).catch((cause: unknown) => readEarly(bytes, cause))
  if (typeof document === 'string') return asOnePart(document)
  const heads = new Set(`${document.getHeaders({ includeFooters: false })}\n${document.getFooters()}`.split('\n'))
  const parts: readonly (readonly [title: string, text: string])[] = [
    ['', document.getBody()],
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
