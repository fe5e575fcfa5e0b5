import type { CellBudget } from '../markdown/table.ts'
import type { SheetLayout } from '../markdown/sheet.ts'
import type { MergedCells, SheetRow } from '../markdown/sheet-blocks.ts'
import { findFormat, formatNumber, formatText, isRounded, type NumberFormat } from './number-format.ts'
import { child, elements, readTree, type Relations, textOf, type XmlElement } from './xml.ts'
import type { Archive } from './zip.ts'

/** Most columns of a sheet; programs write formats far beyond the last one in use. */
const MAX_COLUMNS = 1000
/** Rows of a sheet in Excel. */
const MAX_ROWS = 1_048_576
const MAX_LINKS = 100_000
const MAX_MERGES = 100_000
const MAX_TABLES = 1000

/** A style of cells: how it shows numbers, whether it is bold, and whether it has a colour. */
export interface CellStyle {
  readonly format: NumberFormat
  readonly isBold: boolean
  readonly isFilled: boolean
}

export interface Workbook {
  readonly texts: readonly string[]
  readonly styles: readonly CellStyle[]
  readonly epoch: 1900 | 1904
  /** The program that wrote it left the formulas to the one that opens it, with 0 for each result. */
  readonly isUncomputed: boolean
  readonly budget: CellBudget
}

export const isOn = (value: string | undefined) => value === '1' || value === 'true'

/** Styles by the index that cells name. */
export function readCellStyles(styles: XmlElement | undefined): readonly CellStyle[] {
  const codes = new Map(
    elements(child(styles, 'numFmts'), 'numFmt').map(({ attributes }) => [
      Number(attributes['numFmtId']),
      attributes['formatCode'] ?? '',
    ]),
  )
  const bold = elements(child(styles, 'fonts'), 'font').map((font) => {
    const mark = child(font, 'b')
    return mark !== undefined && (mark.attributes['val'] === undefined || isOn(mark.attributes['val']))
  })
  const filled = elements(child(styles, 'fills'), 'fill').map((fill) => {
    const { patternType = 'none' } = child(fill, 'patternFill')?.attributes ?? {}
    return child(fill, 'gradientFill') !== undefined || !/^(?:none|gray125)$/.test(patternType)
  })
  return elements(child(styles, 'cellXfs'), 'xf').map(({ attributes }) => {
    const id = Number(attributes['numFmtId'] ?? 0)
    return {
      format: findFormat(id, codes.get(id)),
      isBold: bold[Number(attributes['fontId'] ?? 0)] ?? false,
      isFilled: filled[Number(attributes['fillId'] ?? 0)] ?? false,
    }
  })
}

/** Joins the runs of a text; the pronunciation (`rPh`) is left out. */
export function richText(element: XmlElement | undefined): string {
  return elements(element)
    .map((part) => (part.name === 't' ? textOf(part) : part.name === 'r' ? richText(part) : ''))
    .join('')
    .replace(/_x([0-9A-F]{4})_/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
}

const PLAIN = findFormat(0, undefined)

interface CellText {
  readonly text: string
  readonly isRounded?: boolean
}

function cellText(cell: XmlElement, { texts, styles, epoch, isUncomputed }: Workbook): CellText {
  const value = textOf(child(cell, 'v'))
  const { t: type = 'n', s: style = '0' } = cell.attributes
  const format = styles[Number(style)]?.format ?? PLAIN
  if (type === 's') return { text: formatText(texts[Number(value)] ?? '', format) }
  if (type === 'inlineStr') return { text: formatText(richText(child(cell, 'is')), format) }
  if (type === 'b') return { text: value === '1' ? 'TRUE' : 'FALSE' }
  // The result of a formula that failed says how.
  if (type === 'e') return { text: value }
  const number = Number(value)
  // Some programs store a formula without its result.
  const formula = textOf(child(cell, 'f'))
  const isOpen = value === '' || (isUncomputed && value === '0')
  if (type === 'n' && isOpen && formula !== '') return { text: `=${formula}` }
  // Text (`str`) and dates of the strict form (`d`) are stored as they are shown.
  if (type !== 'n' || value === '' || !Number.isFinite(number)) return { text: value }
  return { text: formatNumber(number, format, epoch), isRounded: isRounded(number, format) }
}

/** `AB12` → 27. Undefined where the cell has no address: it follows the previous one. */
function columnOf(reference: string | undefined): number | undefined {
  const letters = /^[A-Z]+/.exec(reference ?? '')?.[0]
  if (letters === undefined) return undefined
  return Array.from(letters).reduce((sum, letter) => sum * 26 + (letter.charCodeAt(0) - 64), 0) - 1
}

interface Row extends SheetRow {
  readonly cells: string[]
}

/** A column with rounded numbers, from this row on and up to that one. */
type Rounded = Map<number, { from: number; to: number }>

function noteRounded(rounded: Rounded, column: number, row: number): void {
  const known = rounded.get(column)
  if (known === undefined) rounded.set(column, { from: row, to: row })
  else known.to = row
}

function createRows(workbook: Workbook) {
  const { styles, budget } = workbook
  const rows: Row[] = []
  const rounded: Rounded = new Map()
  let number = 0
  const take = (row: XmlElement) => {
    // Rows without cells are left out of the file; one without a number follows the one before.
    const named = Number(row.attributes['r'])
    number = Number.isInteger(named) && named > 0 && named <= MAX_ROWS ? named : number + 1
    const cells: string[] = []
    let next = 0
    let [isBold, isFilled] = [true, true]
    for (const cell of elements(row, 'c')) {
      const column = columnOf(cell.attributes['r']) ?? next
      next = column + 1
      if (column >= MAX_COLUMNS) continue
      const shown = cellText(cell, workbook)
      const text = shown.text.replaceAll('\r', '')
      if (text === '') continue
      const style = styles[Number(cell.attributes['s'] ?? 0)]
      isBold &&= style?.isBold === true
      isFilled &&= style?.isFilled === true
      if (shown.isRounded === true) noteRounded(rounded, column, number)
      budget.take(Math.max(1, next - cells.length), text.length)
      while (cells.length < column) cells.push('')
      cells[column] = text
    }
    const look = cells.length === 0 ? {} : { isBold, isFilled }
    rows.push({ number, cells, ...look, isHidden: isOn(row.attributes['hidden']) })
  }
  return { rows, rounded, take }
}

const rowOf = (reference: string) => Number(/\d+/.exec(reference)?.[0])

/** Puts the addresses of links after the text of their cells. */
function addLinks(rows: readonly Row[], sheet: XmlElement | undefined, parts: Relations, budget: CellBudget): void {
  const byNumber = new Map(rows.map(({ number, cells }) => [number, cells]))
  for (const { attributes } of elements(child(sheet, 'hyperlinks'), 'hyperlink').slice(0, MAX_LINKS)) {
    const address = parts.target(attributes['r:id'])
    if (address === undefined || !/^(?:https?|mailto):/i.test(address)) continue
    const { ref = '' } = attributes
    const cells = byNumber.get(rowOf(ref))
    const column = columnOf(ref)
    if (cells === undefined || column === undefined || column >= MAX_COLUMNS) continue
    const shown = cells[column] ?? ''
    if (shown.includes(address)) continue
    budget.take(Math.max(1, column + 1 - cells.length), address.length)
    while (cells.length < column) cells.push('')
    cells[column] = `${shown} ${address}`.trim()
  }
}

/** Cells by their range, `A1:B3`. */
function toCells({ attributes }: XmlElement): MergedCells[] {
  const [from = '', to = ''] = (attributes['ref'] ?? '').split(':')
  const [row, column, width] = [rowOf(from), columnOf(from), (columnOf(to) ?? 0) - (columnOf(from) ?? 0) + 1]
  const height = rowOf(to) - row + 1
  return column === undefined || !(height > 0) || !(width > 0) ? [] : [{ row, column, height, width }]
}

const readMerges = (sheet: XmlElement | undefined): MergedCells[] =>
  elements(child(sheet, 'mergeCells'), 'mergeCell').slice(0, MAX_MERGES).flatMap(toCells)

/** The tables that a sheet declares, with a head each. */
const readTables = (archive: Archive, parts: Relations | undefined): MergedCells[] =>
  (parts?.allOfType('table') ?? []).slice(0, MAX_TABLES).flatMap((path) => {
    const table = readTree(archive, path)
    return table === undefined || table.attributes['headerRowCount'] === '0' ? [] : toCells(table)
  })

function readHiddenColumns(sheet: XmlElement | undefined): ReadonlySet<number> {
  const hidden = new Set<number>()
  for (const { attributes } of elements(child(sheet, 'cols'), 'col')) {
    if (!isOn(attributes['hidden'])) continue
    const last = Math.min(Number(attributes['max']), MAX_COLUMNS)
    for (let column = Number(attributes['min']); column <= last; column += 1) hidden.add(column - 1)
  }
  return hidden
}

/** Placeholder of a sign that is meant as such. */
const AND = '\u{fdd0}'
const EDGE_CODE = /&(?:"[^"]*"|K[\dA-F]{6}|K\d\d[+-]\d{3}|\d{1,3}|[A-Z])/gi

/** `Page of`, without its numbers, says nothing. */
const isSaid = (text: string, isPage: boolean) => /\p{L}{2}/u.test(text) && !(isPage && text.split(/\s+/).length <= 2)

/** Texts at the head and foot of printed pages, without fonts, numbers of pages and dates. */
export function edgesToMarkdown(edges: readonly string[]): string {
  const lines = edges
    .flatMap((edge) => edge.replaceAll('&&', AND).split(/&[LCR]|\n/))
    .map((text) => ({ text: text.replaceAll(EDGE_CODE, '').replaceAll(AND, '&').trim(), isPage: /&[PN]/.test(text) }))
  const said = [...new Set(lines.flatMap(({ text, isPage }) => (isSaid(text, isPage) ? [text] : [])))]
  return said.length === 0 ? '' : `### Head and foot\n\n${said.join('\n\n')}`
}

export interface Sheet {
  readonly rows: readonly SheetRow[]
  readonly layout: SheetLayout
  /** Head and foot as markdown; empty where they say nothing. */
  readonly edges: string
}

/** The cells of a sheet, row by row, and their properties. */
export function readSheet(
  archive: Archive,
  path: string | undefined,
  parts: Relations | undefined,
  workbook: Workbook,
): Sheet {
  const { rows, rounded, take } = createRows(workbook)
  const sheet = readTree(archive, path, { name: 'row', take })
  if (parts !== undefined) addLinks(rows, sheet, parts, workbook.budget)
  const tables = readTables(archive, parts)
  const layout = { merges: readMerges(sheet), hiddenColumns: readHiddenColumns(sheet), tables, rounded }
  return { rows, layout, edges: edgesToMarkdown(elements(child(sheet, 'headerFooter')).map(textOf)) }
}
