/** The rows that an answer and a reference name are those that a spreadsheet program shows. */
import { utils, write } from '@e965/xlsx'
import { describe, expect, it } from 'vitest'
import { toOutline } from '#bridge/answers/outline.ts'
import { markAt, toLetters, toSourceText } from '#bridge/references/source-text.ts'
import { textsFor } from '#bridge/texts/texts.ts'
import { readTables } from '#platform/engine/answer/tables/read-tables.ts'
import { createPictures } from '#platform/engine/convert/images/pictures.ts'
import { readDocument } from '#platform/engine/convert/read-document.ts'
import { render } from '#platform/engine/convert/render.ts'
import { chunkMarkdown } from '#platform/engine/chunk/document.ts'
import { toSource } from '#test/fixtures/documents/source.ts'
import { makeZip } from '#test/fixtures/documents/zip.ts'

async function convert(name: string, bytes: Uint8Array | string): Promise<string> {
  const source = toSource(bytes, { name })
  return (await render({ name, ...(await readDocument(source)) }, source.query, createPictures(0))).markdown ?? ''
}

/** Rows by their first cell: as an answer says them, and as a reference does. */
function rowsOf(markdown: string): Readonly<Record<string, number>> {
  const source = toSourceText(markdown)
  const rows = readTables(markdown).flatMap((table) => table.rows)
  return Object.fromEntries(
    rows.map(({ cells, number, raw }) => {
      expect(markAt(source.rows, source.letters.indexOf(toLetters(raw)))).toBe(number)
      return [cells[0], number]
    }),
  )
}

/** A title, a merged header above the names of columns, hidden rows, gaps, and a second table further down. */
const SHEET = [
  ['Price list'],
  [],
  ['Spring edition'],
  [],
  [null, 'In euros', null, 'In store'],
  ['Product', 'Net', 'Gross', 'Pieces'],
  ['Sofa', 1299, 1546, 4],
  [],
  ['Lamp', 45, 54, 52],
  ['Chair', 349, 415, 40],
  [],
  [],
  ['Supplier', 'City'],
  ['Nord', 'Kiel'],
]
const SEEN = { Product: 6, Sofa: 7, Lamp: 9, Chair: 10, Nord: 14 }
const STAFF = [['Name', 'City'], [], ['Ada', 'Oslo'], ['Ben', 'Rome']]

function makeBook(bookType: 'xlsx' | 'xlsb' | 'biff8' | 'ods'): Uint8Array {
  const book = utils.book_new()
  const prices = utils.aoa_to_sheet(SHEET)
  prices['!merges'] = [utils.decode_range('A1:D1'), utils.decode_range('B5:C5')]
  prices['!rows'] = Array.from({ length: 9 }, (_, row) => ({ hidden: row === 8 }))
  utils.book_append_sheet(book, prices, 'Prices')
  utils.book_append_sheet(book, utils.aoa_to_sheet(STAFF), 'Staff')
  return write(book, { type: 'buffer', bookType }) as Buffer
}

describe.each([
  ['xlsx', 'prices.xlsx'],
  ['xlsb', 'prices.xlsb'],
  ['biff8', 'prices.xls'],
  ['ods', 'prices.ods'],
] as const)('a workbook: %s', (type, name) => {
  it('has the rows of the program, on each sheet', async () => {
    expect(rowsOf(await convert(name, makeBook(type)))).toEqual({ ...SEEN, Ada: 3, Ben: 4 })
  })

  it('is read without its row numbers by people and models', async () => {
    const chunks = chunkMarkdown(await convert(name, makeBook(type)))
    expect(chunks.map(({ body }) => body).join('\n')).toMatch(
      /^## Prices\n\nPrice list\n\nSpring edition\n\n\| {2}\| In euros/,
    )
  })
})

const relations = (type: string, target: string) =>
  `<Relationships><Relationship Id="a" Type="http://x/${type}" Target="${target}"/></Relationships>`
const cells = (word: string) => `<c t="str"><v>${word}</v></c><c><v>1</v></c>`

it('of a workbook are counted on where the file does not tell them', async () => {
  const bytes = makeZip({
    '_rels/.rels': relations('officeDocument', 'xl/book.xml'),
    'xl/book.xml': '<workbook><sheets><sheet name="A" r:id="a"/></sheets></workbook>',
    'xl/_rels/book.xml.rels': relations('worksheet', 'one.xml'),
    'xl/one.xml': `<worksheet><sheetData><row r="4">${cells('Head')}</row><row>${cells('five')}</row><row r="nine">${cells('six')}</row><row r="90">${cells('ninety')}</row></sheetData></worksheet>`,
  })
  expect(rowsOf(await convert('a.xlsx', bytes))).toEqual({ five: 5, six: 6, ninety: 90 })
})

const row = (words: readonly string[], more = '') =>
  `<table:table-row ${more}>${words.map((word) => `<table:table-cell><text:p>${word}</text:p></table:table-cell>`).join('')}</table:table-row>`

it('of OpenDocument count the rows that it repeats', async () => {
  const rows = [
    row(['Lamps']),
    row([''], 'table:number-rows-repeated="6"'),
    `<table:table-header-rows>${row(['Name', 'Watts'])}</table:table-header-rows>`,
    row(['Gas', '4'], 'table:number-rows-repeated="3"'),
    row([''], 'table:number-rows-repeated="40000"'),
    row(['Oil', '9']),
    row([''], 'table:number-rows-repeated="1008000"'),
  ]
  const content = `<office:document-content><office:body><office:spreadsheet><table:table table:name="A">${rows.join('')}</table:table></office:spreadsheet></office:body></office:document-content>`
  const markdown = await convert('a.ods', makeZip({ 'content.xml': content }))
  expect(readTables(markdown)[0]?.rows.map(({ number }) => number)).toEqual([9, 10, 11, 40_012])
})

it.each([
  ['blank lines', 'Lamps\n\n\nName,Watts\nGas,4\n\nOil,9\n', { Gas: 5, Oil: 7 }],
  ['lines without values', 'Lamps,\r\n,\r\nName,Watts\r\nGas,4\r\n,\r\nOil,9\r\n', { Gas: 4, Oil: 6 }],
  ['line breaks in quotes', 'Name,Watts\n"Gas\n\nlight",4\nOil,9\n', { 'Gas light': 2, Oil: 3 }],
  ['a line that names the separator', 'sep=;\nName;Watts\nGas;4\n', { Gas: 2 }],
])('of separated values with %s are those of the program that opens them', async (_what, text, rows) => {
  expect(rowsOf(await convert('lamps.csv', text))).toEqual(rows)
})

it('are noted where no outline shows it', async () => {
  const markdown = await convert('lamps.csv', 'Name,Watts\n\nGas,4\n')
  expect(markdown).toMatch(/^---\nrows: 6:3\n---\n\| Name/)
  expect(toOutline(markdown, textsFor('en'))).toBe('- a table of 1 row (Name · Watts)')
})

it('that count up from 1 need no note', async () => {
  expect(await convert('lamps.csv', 'Name,Watts\nGas,4\n')).toBe('| Name | Watts |\n| --- | --- |\n| Gas | 4 |')
})

it('are unknown where there are too many gaps to note them all', async () => {
  const rows = Array.from({ length: 8000 }, (_, at) => `lamp ${at},${at}\n\n`)
  const markdown = await convert('lamps.csv', `Name,Watts\n${rows.join('')}`)
  const numbers = readTables(markdown)[0]?.rows.map(({ number }) => number) ?? []
  expect(numbers.slice(0, 3)).toEqual([2, 4, 6])
  expect(numbers.at(-1)).toBe(0)
  expect(numbers.findIndex((number) => number === 0)).toBeGreaterThan(4000)
  const source = toSourceText(markdown)
  expect(markAt(source.rows, source.letters.indexOf('lamp7999'))).toBe(0)
  expect(markAt(source.rows, source.letters.indexOf('lamp100100'))).toBe(202)
})

it('of documents stored before are counted from the header of each table', () => {
  const stored =
    '## Prices\n\nPrice list\n\n| Product | Price |\n| --- | --- |\n| Sofa | 4 |\n\n| Name | City |\n| --- | --- |\n| Ada | Oslo |'
  expect(rowsOf(stored)).toEqual({ Sofa: 2, Ada: 2 })
})
