import readExcel from 'read-excel-file/node'
import { toMarkdownTable } from './markdown/table.ts'
import type { PageText } from './protocol.ts'
import type { ReadDocument } from './reader.ts'
import { openArchive } from './zip.ts'

const dayMs = 86_400_000

/** Cells have no time zone; the library gives them as if they were UTC. Times alone count from a day in 1899. */
function toDateText(date: Date): string {
  if (Number.isNaN(date.getTime())) return ''
  const iso = date.toISOString()
  const time = iso.slice(11, iso.slice(17, 19) === '00' ? 16 : 19)
  if (date.getUTCFullYear() <= 1900) return time
  return date.getTime() % dayMs === 0 ? iso.slice(0, 10) : `${iso.slice(0, 10)} ${time}`
}

function toCellText(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (value instanceof Date) return toDateText(value)
  // 15 digits, as the program itself shows them: 0.1 + 0.2 is 0.3.
  if (typeof value === 'number') return String(Number(value.toPrecision(15)))
  if (typeof value === 'boolean') return value ? 'TRUE' : 'FALSE'
  return typeof value === 'string' ? value.replaceAll('\r', '') : ''
}

/** A workbook: each sheet with cells under its name, as a table. */
export const readXlsx: ReadDocument = async ({ bytes, limits }) => {
  openArchive(bytes, { ...limits, verify: true })
  const sheets = await readExcel(bytes)
  return sheets.flatMap(({ sheet, data }, index): PageText[] => {
    const table = toMarkdownTable(data.map((row) => row.map(toCellText)))
    return table === '' ? [] : [{ page: index + 1, markdown: `## ${sheet}\n\n${table}` }]
  })
}
