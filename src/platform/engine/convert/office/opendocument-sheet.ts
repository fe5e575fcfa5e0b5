import type { PageText } from '../reader.ts'
import { toMarkdownSheet, toSheetPage } from '../markdown/sheet.ts'
import type { MergedCells, SheetRow } from '../markdown/sheet-blocks.ts'
import { type CellBudget, createCellBudget } from '../markdown/table.ts'
import { readComment, type TextComment } from './comments.ts'
import { writeComments } from './opendocument-comments.ts'
import { rowsOf } from './opendocument-elements.ts'
import { type OpenText, writeBody } from './opendocument-text.ts'
import type { OpenStyles } from './opendocument-styles.ts'
import { child, elements, type XmlElement } from './xml.ts'

/** Most repetitions of a cell or row: higher counts are only padding. */
const MAX_REPEAT = 1000
/** Limits of all repeated cells of a document. */
const MAX_REPEATED_CELLS = 1_000_000
const MAX_REPEATED_CHARACTERS = 4_000_000

const countOf = (count: string | undefined) => Math.max(Math.trunc(Number(count ?? 1)) || 1, 1)
export const createRepeats = (): CellBudget => createCellBudget(MAX_REPEATED_CELLS, MAX_REPEATED_CHARACTERS)

const repeat = (count: string | undefined) => Math.min(countOf(count), MAX_REPEAT)

/** Text with its blanks, which are elements where there are several. */
const spacedText = (element: XmlElement): string =>
  element.children
    .map((part) => {
      if (typeof part === 'string') return part
      if (part.name === 's') return ' '.repeat(repeat(part.attributes['text:c']))
      return part.name === 'tab' || part.name === 'line-break'
        ? ' '
        : part.name === 'annotation'
          ? ''
          : withAddress(part, spacedText(part))
    })
    .join('')

/** The text of an element; a link has its address where the text does not say it. */
function withAddress(part: XmlElement, shown: string): string {
  const href = part.name === 'a' ? (part.attributes['xlink:href'] ?? '') : ''
  return /^(?:https?|mailto):/i.test(href) && !shown.includes(href) ? `${shown} ${href}` : shown
}

/** `PT08H30M00S` as `08:30`, with seconds where there are some. Unknown forms stay as they are. */
function toClock(time: string): string {
  const [found, hours = '0', minutes = '0', seconds = '0'] =
    /^PT(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)(?:[.,]\d*)?S)?$/.exec(time) ?? []
  if (found === undefined) return time
  const parts = Number(seconds) === 0 ? [hours, minutes] : [hours, minutes, seconds]
  return parts.map((part) => part.padStart(2, '0')).join(':')
}

/** The value of a cell whose program did not write how it shows it. */
function valueOf({ attributes }: XmlElement): string {
  const { 'office:value': number = '', 'office:currency': currency = '', 'office:date-value': date = '' } = attributes
  switch (attributes['office:value-type']) {
    case 'percentage':
      return `${Number((Number(number) * 100).toPrecision(12))}%`
    case 'currency':
      return `${number} ${currency}`.trim()
    case 'date':
      return date.replace('T', ' ').replace(/ 00:00:00(?:\.0*)?$/, '')
    case 'time':
      return toClock(attributes['office:time-value'] ?? '')
    case 'boolean':
      return (attributes['office:boolean-value'] ?? '').toUpperCase()
    case 'string':
      return attributes['office:string-value'] ?? ''
    case undefined:
    default:
      return number
  }
}

const cellText = (cell: XmlElement) => {
  const lines = elements(cell, 'p')
  return lines.length === 0 ? valueOf(cell) : lines.map(spacedText).join('\n')
}

/** Texts of a row with their repetitions; blank cells at its end are padding. */
export function cellsOf(row: XmlElement, budget: CellBudget): string[] {
  const cells = elements(row)
    .filter(({ name }) => name === 'table-cell' || name === 'covered-table-cell')
    .map((cell) => ({ text: cellText(cell), count: repeat(cell.attributes['table:number-columns-repeated']) }))
  const end = cells.findLastIndex(({ text }) => text.trim() !== '') + 1
  return cells.slice(0, end).flatMap(({ text, count }) => {
    budget.take(count - 1, (count - 1) * text.length)
    return Array.from({ length: count }, () => text)
  })
}

const spanOf = (value: string | undefined) => Math.min(countOf(value), MAX_REPEAT)

/** Merged cells of a row, which is repeated nowhere. */
function mergesOf(row: XmlElement, number: number): MergedCells[] {
  let column = 0
  return elements(row).flatMap(({ attributes }) => {
    const at = column
    column += countOf(attributes['table:number-columns-repeated'])
    const height = spanOf(attributes['table:number-rows-spanned'])
    const width = spanOf(attributes['table:number-columns-spanned'])
    return height * width > 1 ? [{ row: number, column: at, height, width }] : []
  })
}

const isCollapsed = ({ attributes }: XmlElement) => /^(?:collapse|filter)$/.test(attributes['table:visibility'] ?? '')

function columnsOf(table: XmlElement): XmlElement[] {
  return elements(table).flatMap((part) => {
    if (part.name === 'table-column') return [part]
    return /^table-(?:header-columns|columns|column-group)$/.test(part.name) ? columnsOf(part) : []
  })
}

function readHiddenColumns(sheet: XmlElement): ReadonlySet<number> {
  const hidden = new Set<number>()
  let at = 0
  for (const column of columnsOf(sheet)) {
    const count = repeat(column.attributes['table:number-columns-repeated'])
    for (let own = 0; own < count && isCollapsed(column); own += 1) hidden.add(at + own)
    at += count
  }
  return hidden
}

/** Whether all cells with text are bold. */
const isBoldRow = (row: XmlElement, styles: OpenStyles) =>
  elements(row, 'table-cell')
    .filter((cell) => cellText(cell).trim() !== '')
    .every(({ attributes }) => {
      return styles.of(attributes['table:style-name'] ?? row.attributes['table:default-cell-style-name']).bold
    })

function readRows(sheet: XmlElement, { budget, styles }: { readonly budget: CellBudget; readonly styles: OpenStyles }) {
  const merges: MergedCells[] = []
  let next = 1
  const rows = rowsOf(sheet).flatMap((row): SheetRow[] => {
    const number = next
    const count = row.attributes['table:number-rows-repeated']
    next += countOf(count)
    const cells = cellsOf(row, budget)
    if (cells.length === 0) return []
    for (const merge of mergesOf(row, number)) merges.push(merge)
    const more = repeat(count) - 1
    const characters = cells.reduce((sum, cell) => sum + cell.length, 0)
    budget.take(more * cells.length, more * characters)
    const look = { isHidden: isCollapsed(row), isBold: isBoldRow(row, styles) }
    return Array.from({ length: more + 1 }, (_, index) => ({ number: number + index, cells, ...look }))
  })
  return { rows, layout: { merges, hiddenColumns: readHiddenColumns(sheet) } }
}

const columnName = (at: number): string =>
  `${at < 26 ? '' : columnName(Math.floor(at / 26) - 1)}${String.fromCharCode(65 + (at % 26))}`

const IN_CELLS = new Set(['p', 'list', 'annotation', 'detective'])

/** Comments with their cells, a line each, and drawings of a sheet: boxes, charts and pictures. */
function readExtras(sheet: XmlElement) {
  const comments: TextComment[] = []
  const drawn = elements(child(sheet, 'shapes'))
  let number = 1
  for (const row of rowsOf(sheet)) {
    let column = 0
    for (const cell of elements(row)) {
      for (const one of elements(cell, 'annotation')) {
        const comment = readComment(one, `${columnName(column)}${number}`)
        if (comment !== undefined) comments.push(comment)
      }
      drawn.push(...elements(cell).filter(({ name }) => !IN_CELLS.has(name)))
      column += countOf(cell.attributes['table:number-columns-repeated'])
    }
    number += countOf(row.attributes['table:number-rows-repeated'])
  }
  return { comments, drawn }
}

/** A sheet as a table under its name; cells as the program shows them. `edges` are the lines around its printed pages. */
export function writeSheet(
  sheet: XmlElement,
  index: number,
  { text, budget, edges }: { readonly text: OpenText; readonly budget: CellBudget; readonly edges: readonly string[] },
): PageText[] {
  const { rows, layout } = readRows(sheet, { budget, styles: text.styles })
  const table = toMarkdownSheet(rows, layout, budget)
  const { comments, drawn } = readExtras(sheet)
  writeBody(text, { ...sheet, children: drawn })
  text.comments.push(...comments)
  writeComments(text, '### Comments')
  if (edges.length > 0) text.writer.block(['### Head and foot', ...edges].join('\n\n'))
  const hidden = text.styles.isHiddenPart(sheet.attributes['table:style-name']) ? ' (hidden)' : ''
  const name = `${sheet.attributes['table:name'] ?? `Sheet ${index + 1}`}${hidden}`
  return toSheetPage(index + 1, name, table, [text.writer.finish()])
}
