import { toMarkdownTable } from '../markdown/table.ts'
import type { PageText } from '../protocol.ts'
import { elements, textOf, type XmlElement } from './xml.ts'

/** Rows and columns that a sheet says to repeat; beyond that it only pads itself. */
const maxRepeat = 1000

const repeat = (count: string | undefined) => Math.min(Math.max(Number(count ?? 1) || 1, 1), maxRepeat)

function rowsOf(table: XmlElement): XmlElement[] {
  return elements(table).flatMap((part) => {
    if (part.name === 'table-row') return [part]
    return /^table-(?:header-rows|rows|row-group)$/.test(part.name) ? rowsOf(part) : []
  })
}

function cellsOf(row: XmlElement): string[] {
  return elements(row).flatMap((cell) => {
    if (cell.name !== 'table-cell' && cell.name !== 'covered-table-cell') return []
    const text = elements(cell, 'p').map(textOf).join('\n')
    return Array.from({ length: repeat(cell.attributes['table:number-columns-repeated']) }, () => text)
  })
}

/** A sheet under its name, as a table; cells as the program shows them. */
export function writeSheet(sheet: XmlElement, index: number): PageText {
  const rows = rowsOf(sheet).flatMap((row) => {
    const cells = cellsOf(row)
    if (cells.every((cell) => cell.trim() === '')) return []
    return Array.from({ length: repeat(row.attributes['table:number-rows-repeated']) }, () => cells)
  })
  const table = toMarkdownTable(rows)
  const name = sheet.attributes['table:name'] ?? `Sheet ${index + 1}`
  return { page: index + 1, markdown: table === '' ? '' : `## ${name}\n\n${table}` }
}
