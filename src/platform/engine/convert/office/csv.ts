import { decodeText } from '../../text/decode.ts'
import { toMarkdownSheet } from '../markdown/sheet.ts'
import type { ReadDocument } from '../reader.ts'

/** Cells of separated values; quotes as in RFC 4180. */
export function parseSeparated(text: string, separator: string): string[][] {
  const rows: string[][] = []
  let row: string[] = []
  const sign = RegExp.escape(separator)
  const cell = new RegExp(`(?:"((?:[^"]|"")*)"|([^"\\r\\n${sign}][^\\r\\n${sign}]*)?)(${sign}|\\r\\n?|\\n|$)`, 'gy')
  while (cell.lastIndex < text.length) {
    const from = cell.lastIndex
    const match = cell.exec(text)
    if (match === null) {
      // An open quote, or text after a closing quote: the rest of the line is taken as it is.
      const end = /\r\n?|\n|$/g
      end.lastIndex = from
      const line = end.exec(text)
      row.push(text.slice(from, line?.index))
      rows.push(row)
      row = []
      cell.lastIndex = (line?.index ?? text.length) + (line?.[0].length ?? 0)
      continue
    }
    row.push(match[1]?.replaceAll('""', '"') ?? match[2] ?? '')
    if (match[3] === separator) {
      if (cell.lastIndex === text.length) row.push('')
      else continue
    }
    rows.push(row)
    row = []
  }
  if (row.length > 0) rows.push(row)
  return rows
}

/** The separator: most frequent in the first lines, outside quotes, and equally often in each of them. */
export function findSeparator(text: string): string {
  const lines = text
    .slice(0, 20_000)
    .replace(/"(?:[^"]|"")*"/g, '')
    .split(/\r\n?|\n/)
    .filter((line) => line !== '')
    .slice(0, 20)
  const score = (sign: string) => {
    const counts = lines.map((line) => line.split(sign).length - 1)
    const first = counts[0] ?? 0
    return first === 0 ? 0 : counts.filter((count) => count === first).length + first / 1000
  }
  const best = [',', ';', '\t', '|'].map((sign) => ({ sign, score: score(sign) }))
  return best.reduce((one, other) => (other.score > one.score ? other : one)).sign
}

export const readCsv: ReadDocument = async ({ name, bytes }) => {
  const text = decodeText(bytes).replace(/^\uFEFF/, '')
  // Spreadsheet programs name the separator in a first line.
  const hint = /^sep=(.)\r?\n/i.exec(text)
  const separator = hint?.[1] ?? (/\.tsv$/i.test(name) ? '\t' : findSeparator(text))
  const rows = parseSeparated(text.slice(hint?.[0].length ?? 0), separator)
  // A line without values is a row, too; one with line breaks in quotes is one row.
  return [{ page: 1, ...toMarkdownSheet(rows.map((cells, index) => ({ number: index + 1, cells }))) }]
}
