import type { Pictures } from '../images/pictures.ts'
import { ConvertError, type PageText, type ReadDocument } from '../reader.ts'
import { type SheetRow, toMarkdownSheet, toSheetPage } from '../markdown/sheet.ts'
import { type CellBudget, createCellBudget } from '../markdown/table.ts'
import { chartToMarkdown } from './charts.ts'
import { sheetComments } from './comments.ts'
import {
  child,
  descendants,
  elements,
  readRelations,
  readTree,
  type Relations,
  textOf,
  type XmlElement,
} from './xml.ts'
import { type Archive, openArchive } from './zip.ts'

/** Meaning of a number by the format of its cell. */
export type NumberKind = 'number' | 'date' | 'duration' | 'percent'

/** Formats that workbooks use without describing them (ECMA-376, 18.8.30), also those of East Asia. */
const BUILT_IN_DATES = new Set([14, 15, 16, 17, 18, 19, 20, 21, 22, 45, 47])
const isBuiltInDate = (id: number) => BUILT_IN_DATES.has(id) || (id >= 27 && id <= 36) || (id >= 50 && id <= 58)

function builtInKind(id: number): NumberKind {
  if (id === 9 || id === 10) return 'percent'
  if (id === 46) return 'duration'
  return isBuiltInDate(id) ? 'date' : 'number'
}

/** Quoted texts, escaped characters, colours and conditions do not tell the kind of number. */
export function kindOfCode(code: string): NumberKind {
  const bare = code.replace(/"[^"]*"|\\.|_.|\*./g, '').replace(/\[(?!h+\]|m+\]|s+\])[^\]]*\]/gi, '')
  const first = bare.split(';')[0] ?? ''
  if (/general/i.test(first)) return 'number'
  // Durations have brackets: hours beyond 24, minutes and seconds beyond 60.
  if (/\[(?:h+|m+|s+)\]/i.test(first)) return 'duration'
  if (/[dmyhs]/i.test(first)) return 'date'
  return first.includes('%') ? 'percent' : 'number'
}

/** Kinds by the index that cells name as their style. */
function readKinds(styles: XmlElement | undefined): readonly NumberKind[] {
  const codes = new Map(
    elements(child(styles, 'numFmts'), 'numFmt').map(({ attributes }) => [
      Number(attributes['numFmtId']),
      attributes['formatCode'] ?? '',
    ]),
  )
  return elements(child(styles, 'cellXfs'), 'xf').map(({ attributes }) => {
    const id = Number(attributes['numFmtId'] ?? 0)
    const code = codes.get(id)
    return code === undefined ? builtInKind(id) : kindOfCode(code)
  })
}

const DAY_MS = 86_400_000
/**
 * Day 0 of the two calendars. The first has a 29 February 1900 that never existed, so it is right from March 1900 on.
 */
const EPOCHS = { 1900: Date.UTC(1899, 11, 30), 1904: Date.UTC(1904, 0, 1) } as const

/** Days since day 0 as a date, a time or both. */
function toDateText(days: number, epoch: keyof typeof EPOCHS): string {
  const date = new Date(EPOCHS[epoch] + Math.round(days * (DAY_MS / 1000)) * 1000)
  if (Number.isNaN(date.getTime())) return ''
  const iso = date.toISOString()
  const time = iso.slice(11, iso.slice(17, 19) === '00' ? 16 : 19)
  // A time alone has no day.
  if (days < 1) return time
  return date.getTime() % DAY_MS === 0 ? iso.slice(0, 10) : `${iso.slice(0, 10)} ${time}`
}

const two = (value: number) => String(value).padStart(2, '0')

/** Days as hours and minutes, with seconds where there are any: 1.25 is 30:00. */
function toDurationText(days: number): string {
  const all = Math.round(Math.abs(days) * 86_400)
  const seconds = all % 60
  const text = `${Math.floor(all / 3600)}:${two(Math.floor(all / 60) % 60)}`
  return `${days < 0 && all > 0 ? '-' : ''}${text}${seconds === 0 ? '' : `:${two(seconds)}`}`
}

/** Most columns of a sheet; programs write formats far beyond the last one in use. */
const MAX_COLUMNS = 1000
/** Rows of a sheet in Excel. */
const MAX_ROWS = 1_048_576

interface Row extends SheetRow {
  readonly cells: string[]
}

interface Workbook {
  readonly texts: readonly string[]
  readonly kinds: readonly NumberKind[]
  readonly epoch: 1900 | 1904
  readonly budget: CellBudget
}

/** Joins the runs of a text; the pronunciation (`rPh`) is left out. */
function richText(element: XmlElement | undefined): string {
  return elements(element)
    .map((part) => (part.name === 't' ? textOf(part) : part.name === 'r' ? richText(part) : ''))
    .join('')
    .replace(/_x([0-9A-F]{4})_/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
}

// 15 digits, as Excel shows them: 0.1 + 0.2 is 0.3.
const toNumberText = (value: number) => String(Number(value.toPrecision(15)))

/** A number as a workbook shows it. */
export function formatNumber(number: number, kind: NumberKind, epoch: 1900 | 1904): string {
  if (kind === 'date' && number >= 0) return toDateText(number, epoch)
  if (kind === 'duration') return toDurationText(number)
  return kind === 'percent' ? `${toNumberText(number * 100)}%` : toNumberText(number)
}

function cellText(cell: XmlElement, { texts, kinds, epoch }: Workbook): string {
  const value = textOf(child(cell, 'v'))
  const { t: type = 'n', s: style = '0' } = cell.attributes
  if (type === 's') return texts[Number(value)] ?? ''
  if (type === 'inlineStr') return richText(child(cell, 'is'))
  if (type === 'b') return value === '1' ? 'TRUE' : 'FALSE'
  // The result of a formula that failed says how.
  if (type === 'e') return value
  const number = Number(value)
  // Some programs store a formula without its result.
  const formula = textOf(child(cell, 'f'))
  if (type === 'n' && value === '' && formula !== '') return `=${formula}`
  // Text (`str`) and dates of the strict form (`d`) are stored as they are shown.
  if (type !== 'n' || value === '' || !Number.isFinite(number)) return value
  return formatNumber(number, kinds[Number(style)] ?? 'number', epoch)
}

/** `AB12` → 27. Undefined where the cell has no address: it follows the previous one. */
function columnOf(reference: string | undefined): number | undefined {
  const letters = /^[A-Z]+/.exec(reference ?? '')?.[0]
  if (letters === undefined) return undefined
  return Array.from(letters).reduce((sum, letter) => sum * 26 + (letter.charCodeAt(0) - 64), 0) - 1
}

function readCells(row: XmlElement, workbook: Workbook): string[] {
  const cells: string[] = []
  let next = 0
  for (const cell of elements(row, 'c')) {
    const column = columnOf(cell.attributes['r']) ?? next
    next = column + 1
    const text = column < MAX_COLUMNS ? cellText(cell, workbook).replaceAll('\r', '') : ''
    if (text === '') continue
    workbook.budget.take(Math.max(1, next - cells.length), text.length)
    while (cells.length < column) cells.push('')
    cells[column] = text
  }
  return cells
}

const MAX_LINKS = 100_000

/** Puts the addresses of links behind the text of their cells. */
function addLinks(rows: readonly Row[], sheet: XmlElement | undefined, parts: Relations, budget: CellBudget): void {
  const byNumber = new Map(rows.map(({ number, cells }) => [number, cells]))
  for (const { attributes } of elements(child(sheet, 'hyperlinks'), 'hyperlink').slice(0, MAX_LINKS)) {
    const address = parts.target(attributes['r:id'])
    if (address === undefined || !/^(?:https?|mailto):/i.test(address)) continue
    const { ref = '' } = attributes
    const cells = byNumber.get(Number(/\d+/.exec(ref)?.[0]))
    const column = columnOf(ref)
    if (cells === undefined || column === undefined || column >= MAX_COLUMNS) continue
    const shown = cells[column] ?? ''
    if (shown.includes(address)) continue
    budget.take(Math.max(1, column + 1 - cells.length), address.length)
    while (cells.length < column) cells.push('')
    cells[column] = `${shown} ${address}`.trim()
  }
}

/** Rows without cells are left out of the file; one without a number follows the one before. */
function createRows(workbook: Workbook) {
  const rows: Row[] = []
  let number = 0
  return {
    rows,
    take: (row: XmlElement) => {
      const named = Number(row.attributes['r'])
      number = Number.isInteger(named) && named > 0 && named <= MAX_ROWS ? named : number + 1
      rows.push({ number, cells: readCells(row, workbook) })
    },
  }
}

const wordsOf = (element: XmlElement) => textOf(element).replace(/\s+/g, ' ').trim()

/** Comments, text boxes, charts, diagrams and pictures of a sheet. */
function readBeside(archive: Archive, parts: Relations, pictures: Pictures): string[] {
  const path = parts.ofType('drawing')
  const drawing = readTree(archive, path)
  const boxes = descendants(drawing, 'txBody').flatMap((body) => elements(body, 'p').map(wordsOf))
  const drawn = path === undefined ? undefined : readRelations(archive, path)
  const charts = descendants(drawing, 'chart').map((chart) => {
    const root = readTree(archive, drawn?.target(chart.attributes['r:id']))
    return root === undefined ? '' : chartToMarkdown(root)
  })
  const diagrams = descendants(drawing, 'relIds').flatMap(({ attributes }) =>
    descendants(readTree(archive, drawn?.target(attributes['r:dm'])), 'pt').flatMap((point) =>
      elements(point, 't').map(wordsOf),
    ),
  )
  const shown = descendants(drawing, 'blip').map(({ attributes }) => {
    const bytes = archive.need(drawn?.target(attributes['r:embed']))
    return bytes === undefined ? '' : pictures.add(bytes)
  })
  return [sheetComments(archive, parts, richText), ...boxes, ...charts, ...diagrams, ...shown]
}

/** A workbook: each sheet with cells under its name, as a table. */
export const readXlsx: ReadDocument = async ({ bytes, limits, pictures, onLost }) => {
  const archive = openArchive(bytes, { ...limits, onLost })
  const path = readRelations(archive, '').ofType('officeDocument') ?? 'xl/workbook.xml'
  const book = readTree(archive, path)
  if (book === undefined) throw new ConvertError('broken')
  const parts = readRelations(archive, path)
  const texts: string[] = []
  readTree(archive, parts.ofType('sharedStrings'), { name: 'si', take: (text) => void texts.push(richText(text)) })
  const workbook: Workbook = {
    texts,
    kinds: readKinds(readTree(archive, parts.ofType('styles'))),
    epoch: /^(1|true)$/.test(child(book, 'workbookPr')?.attributes['date1904'] ?? '') ? 1904 : 1900,
    budget: createCellBudget(),
  }
  return elements(child(book, 'sheets'), 'sheet').flatMap(({ attributes }, index): PageText[] => {
    const id = Object.entries(attributes).find(([name]) => name.endsWith(':id'))?.[1]
    const sheetPath = parts.target(id)
    const { rows, take } = createRows(workbook)
    const sheet = readTree(archive, sheetPath, { name: 'row', take })
    const sheetParts = sheetPath === undefined ? undefined : readRelations(archive, sheetPath)
    if (sheetParts !== undefined) addLinks(rows, sheet, sheetParts, workbook.budget)
    const table = toMarkdownSheet(rows)
    const beside = sheetParts === undefined ? [] : readBeside(archive, sheetParts, pictures)
    const hidden = /hidden/i.test(attributes['state'] ?? '') ? ' (hidden)' : ''
    return toSheetPage(index + 1, `${attributes['name'] ?? ''}${hidden}`, table, beside)
  })
}
