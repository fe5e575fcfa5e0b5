import { decodeText } from '#platform/engine/text/decode.ts'
import { toMarkdownSheet } from '../markdown/sheet.ts'
import type { ReadDocument } from '../reader.ts'

/** The place of the quote that ends a cell; two quotes in a row are one of the cell. -1: the cell does not end. */
function findClosingQuote(text: string, from: number): number {
  let at = text.indexOf('"', from)
  while (at !== -1 && text[at + 1] === '"') at = text.indexOf('"', at + 2)
  return at
}

/**
 * Cells of separated values; quotes as in RFC 4180. Where a quote stays open, or text follows a closing one, the rest of
 * the line is one cell. Cells are looked for, not matched: a pattern overflows the stack at some 8 MB.
 */
export function parseSeparated(text: string, separator: string): string[][] {
  const rows: string[][] = []
  let row: string[] = []
  const cellEnd = new RegExp(`${RegExp.escape(separator)}|\\r\\n?|\\n|$`, 'g')
  const lineEnd = /\r\n?|\n|$/g
  const find = (end: RegExp, from: number) => {
    end.lastIndex = from
    const match = end.exec(text)
    return { at: match?.index ?? text.length, sign: match?.[0] ?? '' }
  }
  let from = 0
  while (from < text.length) {
    const isQuoted = text[from] === '"'
    const closing = isQuoted ? findClosingQuote(text, from + 1) : -1
    let end = find(cellEnd, closing === -1 ? from : closing + 1)
    if (!isQuoted) {
      row.push(text.slice(from, end.at))
    } else if (closing !== -1 && end.at === closing + 1) {
      row.push(text.slice(from + 1, closing).replaceAll('""', '"'))
    } else {
      end = find(lineEnd, from)
      row.push(text.slice(from, end.at))
    }
    from = end.at + end.sign.length
    if (end.sign === separator) {
      if (from < text.length) continue
      row.push('')
    }
    rows.push(row)
    row = []
  }
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
