import { type CellObject, read, utils, type WorkBook, type WorkSheet } from '@e965/xlsx'
import { type SheetLayout, toMarkdownSheet, toSheetPage } from '../markdown/sheet.ts'
import { type CellBudget, createCellBudget } from '../markdown/table.ts'
import { formatNumber, formatText, isRounded, readFormat } from '../office/number-format.ts'
import { isOldContainer } from '../document-kind.ts'
import { ConvertError, type PageText, type ReadDocument } from '../reader.ts'
import { readInnerDocuments } from '../office/embedded.ts'
import { checkCompoundFile } from './compound-file.ts'
import { edgesToMarkdown } from '../office/xlsx-sheet.ts'
import { readLooks, type SheetLooks } from './excel-records.ts'
import { embeddedIn, readStreams } from './ole-objects.ts'

const MAX_COLUMNS = 1000

function textOf({ t: type, v: value, w: shown, z: code }: CellObject, epoch: 1900 | 1904): string {
  if (type === 'e') return shown ?? ''
  if (typeof value === 'boolean') return value ? 'TRUE' : 'FALSE'
  if (typeof value === 'number') return formatNumber(value, readFormat(String(code ?? '')), epoch)
  if (value === undefined || value === null) return ''
  return formatText(String(value).replaceAll('\r', ''), readFormat(String(code ?? '')))
}

function open(bytes: Buffer): WorkBook {
  checkCompoundFile(bytes)
  try {
    return read(bytes, { type: 'buffer', dense: true, cellNF: true, cellHTML: false, cellStyles: true })
  } catch (error) {
    const isProtected = error instanceof Error && /password|encrypt/i.test(error.message)
    throw new ConvertError(isProtected ? 'encrypted' : 'broken', { cause: error })
  }
}

type Row = readonly (CellObject | undefined)[] | undefined

const NO_LOOKS: SheetLooks = { bold: new Set(), filled: new Set(), edges: [] }

/** Looks of the sheets, in their order; none of a workbook in another container. */
function looksOf(bytes: Buffer): readonly SheetLooks[] {
  if (!isOldContainer(bytes)) return []
  const workbook = [...readStreams(bytes)].find(([path]) => /^(?:workbook|book)$/i.test(path))?.[1]
  return workbook === undefined ? [] : readLooks(workbook)
}

/** Objects drawn on a sheet; those of a comment repeat it. */
const COMMENT = 25
interface Drawn {
  readonly cmo?: readonly unknown[]
  readonly TxO?: { readonly t?: unknown }
}

/** Texts of boxes and shapes. */
function boxesOf(sheet: WorkSheet | undefined): string[] {
  const drawn = (sheet?.['!objects'] ?? []) as readonly (Drawn | null | undefined)[]
  return drawn.flatMap((one) => {
    const text = one?.TxO?.t
    return one?.cmo?.[1] === COMMENT || typeof text !== 'string' ? [] : [text.trim()]
  })
}

const addressOf = ({ l: link }: CellObject): string =>
  link !== undefined && /^(?:https?|mailto):/i.test(link.Target) ? ` ${link.Target}` : ''

/** Cells and comments of a sheet, and their properties. */
function readSheet(
  sheet: WorkSheet | undefined,
  looks: SheetLooks,
  { epoch, budget }: { readonly epoch: 1900 | 1904; readonly budget: CellBudget },
) {
  const comments: string[] = []
  const rounded = new Map<number, { from: number; to: number }>()
  const data: readonly Row[] = sheet?.['!data'] ?? []
  const rows = Array.from(data, (row: Row, index) => {
    const cells: string[] = []
    // Rows have holes, which an iterator would visit one by one.
    for (const key of Object.keys(row ?? [])) {
      const column = Number(key)
      const cell = row?.[column]
      if (cell === undefined || column >= MAX_COLUMNS) continue
      for (const comment of cell.c ?? []) {
        const said = (comment.t ?? '').replace(/\s+/g, ' ').trim()
        // LibreOffice writes a blank for the name.
        const author = (comment.a ?? '').trim()
        const place = [utils.encode_cell({ r: index, c: column }), author].filter((part) => part !== '')
        if (said !== '') comments.push(`${place.join(', ')}: ${said}`)
      }
      const shown = textOf(cell, epoch)
      if (shown === '') continue
      const text = `${shown}${addressOf(cell)}`
      if (typeof cell.v === 'number' && isRounded(cell.v, readFormat(String(cell.z ?? '')))) {
        rounded.set(column, { from: rounded.get(column)?.from ?? index + 1, to: index + 1 })
      }
      budget.take(Math.max(1, column + 1 - cells.length), text.length)
      while (cells.length < column) cells.push('')
      cells[column] = text
    }
    const look = { isBold: looks.bold.has(index), isFilled: looks.filled.has(index) }
    return { number: index + 1, cells, ...look, isHidden: sheet?.['!rows']?.[index]?.hidden === true }
  })
  const layout: SheetLayout = {
    merges: (sheet?.['!merges'] ?? []).map(({ s: from, e: to }) => ({
      row: from.r + 1,
      column: from.c,
      height: to.r - from.r + 1,
      width: to.c - from.c + 1,
    })),
    hiddenColumns: new Set((sheet?.['!cols'] ?? []).flatMap((column, at) => (column?.hidden === true ? [at] : []))),
    rounded,
  }
  return { rows, layout, comments }
}

/** A workbook of Excel 97 to 2003, or a binary one: each sheet with cells under its name, as a table. */
export const readXls: ReadDocument = async (source) => {
  const { bytes } = source
  const book = open(bytes)
  const budget = createCellBudget()
  const epoch = book.Workbook?.WBProps?.date1904 === true ? 1904 : 1900
  const looks = looksOf(bytes)
  const pages = book.SheetNames.flatMap((name, index): PageText[] => {
    const look = looks[index] ?? NO_LOOKS
    const { rows, layout, comments } = readSheet(book.Sheets[name], look, { epoch, budget })
    const remarks = comments.length === 0 ? '' : `### Comments\n\n${comments.map((one) => `- ${one}`).join('\n')}`
    const isHidden = (book.Workbook?.Sheets?.[index]?.Hidden ?? 0) !== 0
    const title = `${name}${isHidden ? ' (hidden)' : ''}`
    const beside = [remarks, ...boxesOf(book.Sheets[name]), edgesToMarkdown(look.edges)]
    return toSheetPage(index + 1, title, toMarkdownSheet(rows, layout, budget), beside)
  })
  const inner = await readInnerDocuments(source, isOldContainer(bytes) ? embeddedIn(source) : [])
  return inner.length === 0 ? pages : [...pages, { page: book.SheetNames.length, markdown: inner.join('\n\n') }]
}
