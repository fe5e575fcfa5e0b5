import { type CellObject, read, utils, type WorkBook, type WorkSheet } from '@e965/xlsx'
import { type SheetLayout, toMarkdownSheet, toSheetPage } from '../markdown/sheet.ts'
import { type CellBudget, createCellBudget } from '../markdown/table.ts'
import { formatNumber, formatText, isRounded, readFormat } from '../office/number-format.ts'
import { isOldContainer } from '../document-kind.ts'
import { ConvertError, type PageText, type ReadDocument } from '../reader.ts'
import { readInnerDocuments } from '../office/embedded.ts'
import { checkCompoundFile } from './compound-file.ts'
import { embeddedIn } from './ole-objects.ts'

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

/** Cells and comments of a sheet, and their properties. */
function readSheet(sheet: WorkSheet | undefined, epoch: 1900 | 1904, budget: CellBudget) {
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
        const place = [utils.encode_cell({ r: index, c: column }), comment.a ?? ''].filter((part) => part !== '')
        if (said !== '') comments.push(`${place.join(', ')}: ${said}`)
      }
      const text = textOf(cell, epoch)
      if (text === '') continue
      if (typeof cell.v === 'number' && isRounded(cell.v, readFormat(String(cell.z ?? '')))) {
        rounded.set(column, { from: rounded.get(column)?.from ?? index + 1, to: index + 1 })
      }
      budget.take(Math.max(1, column + 1 - cells.length), text.length)
      while (cells.length < column) cells.push('')
      cells[column] = text
    }
    return { number: index + 1, cells, isHidden: sheet?.['!rows']?.[index]?.hidden === true }
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
  const pages = book.SheetNames.flatMap((name, index): PageText[] => {
    const { rows, layout, comments } = readSheet(book.Sheets[name], epoch, budget)
    const remarks = comments.length === 0 ? '' : `### Comments\n\n${comments.map((one) => `- ${one}`).join('\n')}`
    const isHidden = (book.Workbook?.Sheets?.[index]?.Hidden ?? 0) !== 0
    const title = `${name}${isHidden ? ' (hidden)' : ''}`
    return toSheetPage(index + 1, title, toMarkdownSheet(rows, layout, budget), [remarks])
  })
  const inner = await readInnerDocuments(source, isOldContainer(bytes) ? embeddedIn(source) : [])
  return inner.length === 0 ? pages : [...pages, { page: book.SheetNames.length, markdown: inner.join('\n\n') }]
}
