import { type CellObject, read, type WorkBook } from '@e965/xlsx'
import { toMarkdownSheet, toSheetPage } from '../markdown/sheet.ts'
import { createCellBudget } from '../markdown/table.ts'
import { formatNumber, kindOfCode } from '../office/xlsx.ts'
import { ConvertError, type PageText, type ReadDocument } from '../reader.ts'

const MAX_COLUMNS = 1000

function textOf({ t: type, v: value, w: shown, z: code }: CellObject, epoch: 1900 | 1904): string {
  if (type === 'e') return shown ?? ''
  if (typeof value === 'boolean') return value ? 'TRUE' : 'FALSE'
  if (typeof value === 'number') return formatNumber(value, kindOfCode(String(code ?? '')), epoch)
  return value === undefined || value === null ? '' : String(value).replaceAll('\r', '')
}

function open(bytes: Buffer): WorkBook {
  try {
    return read(bytes, { type: 'buffer', dense: true, cellNF: true, cellHTML: false })
  } catch (error) {
    const isProtected = error instanceof Error && /password|encrypt/i.test(error.message)
    throw new ConvertError(isProtected ? 'encrypted' : 'broken', { cause: error })
  }
}

type Row = readonly (CellObject | undefined)[] | undefined

/** Cells and comments of a sheet. */
function readRows(data: readonly Row[], epoch: 1900 | 1904, budget: ReturnType<typeof createCellBudget>) {
  const comments: string[] = []
  const rows = Array.from(data, (row: Row, index) => {
    const cells: string[] = []
    // Rows have holes, which an iterator would visit one by one.
    for (const key of Object.keys(row ?? [])) {
      const column = Number(key)
      const cell = row?.[column]
      if (cell === undefined || column >= MAX_COLUMNS) continue
      for (const { t: comment = '' } of cell.c ?? []) comments.push(comment.replace(/\s+/g, ' ').trim())
      const text = textOf(cell, epoch)
      if (text === '') continue
      budget.take(Math.max(1, column + 1 - cells.length), text.length)
      while (cells.length < column) cells.push('')
      cells[column] = text
    }
    return { number: index + 1, cells }
  })
  return { rows, comments: comments.filter((comment) => comment !== '') }
}

/** A workbook of Excel 97 to 2003, or a binary one: each sheet with cells under its name, as a table. */
export const readXls: ReadDocument = async ({ bytes }) => {
  const book = open(bytes)
  const budget = createCellBudget()
  const epoch = book.Workbook?.WBProps?.date1904 === true ? 1904 : 1900
  return book.SheetNames.flatMap((name, index): PageText[] => {
    const { rows, comments } = readRows(book.Sheets[name]?.['!data'] ?? [], epoch, budget)
    const remarks = comments.length === 0 ? '' : `### Comments\n\n${comments.map((one) => `- ${one}`).join('\n')}`
    return toSheetPage(index + 1, name, toMarkdownSheet(rows), [remarks])
  })
}
