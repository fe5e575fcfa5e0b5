import { type CellObject, utils, write } from '@e965/xlsx'
import { expect, it } from 'vitest'
import { readOpenDocument } from '#platform/engine/convert/office/opendocument.ts'
import { readXlsx } from '#platform/engine/convert/office/xlsx.ts'
import { readXls } from '#platform/engine/convert/old/excel.ts'
import { toSource } from '#test/fixtures/documents/source.ts'
import { makeZip } from '#test/fixtures/documents/zip.ts'
import { makeSheet } from '#test/fixtures/documents/workbook.ts'

const read = async (...sheet: Parameters<typeof makeSheet>) => {
  const [page] = await readXlsx(toSource(makeSheet(...sheet)))
  return (page?.markdown ?? '')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('| ---'))
    .slice(1)
}
const merge = (...refs: readonly string[]) => ({
  below: `<mergeCells>${refs.map((ref) => `<mergeCell ref="${ref}"/>`).join('')}</mergeCells>`,
})

it.each([
  ['0%', 0.418273645, '42%'],
  ['$#,##0.00', 48_213.0672, '$48,213.07'],
  ['00000', 1234, '01234'],
  ['(000) 000-0000', 5_551_234_567, '(555) 123-4567'],
  ['[<=9999999]###-####;(###) ###-####', 5_551_234, '555-1234'],
  ['# ?/?', 2.5, '2 1/2'],
  ['# ??/??', 1 / 3, '1/3'],
  ['#,##0.00 [$€-407]', 1234.5, '1,234.50 €'],
  ['[$CHF-807] #,##0.00', 12, 'CHF 12.00'],
  ['[$-409]#,##0', 1200, '1,200'],
  ['[$₹-4009] #,##,##0.00', 1234.5, '₹ 1,234.50'],
  ['0.0,,"M"', 12_345_678, '12.3M'],
  ['0.0\\ %', 0.25, '25.0%'],
  ['0.00E+00', 123_456, '1.23E+05'],
  ['0.###', 3, '3'],
  ['0"."', 3, '3.'],
  ['???.???', 1.5, '1.5'],
  ['General" pcs"', 5.5, '5.5 pcs'],
  ['"yes";;"no"', 0, 'no'],
  ['[=1]"Yes";[=0]"No";General', 1, 'Yes'],
  ['[=1]"Yes";[=0]"No";General', 7.25, '7.25'],
  // A value that a format hides is shown, so that nothing gets lost and blank is never zero.
  [';;;', 5, '5'],
  ['_($* #,##0.00_);_($* (#,##0.00);_($* "-"??_);_(@_)', 0, '0'],
  ['@', 1_234_567_890_123, '1234567890123'],
])('shows %s as the cell does', async (format, value, shown) => {
  expect(
    (
      await read([
        ['Boat', 'Value'],
        ['Finn', { value, format }],
      ])
    )[1],
  ).toBe(`| Finn | ${shown} |`)
})

it('says a merged name in each of its rows, and adds no number twice', async () => {
  const rows = [
    ['Region', 'Sum', 'City'],
    ['North', 30, 'Aalborg'],
    ['', '', 'Skagen'],
    ['South', 9, 'Ribe'],
  ]
  expect(await read(rows, merge('A2:A3', 'B2:B3'))).toEqual([
    '| Region | Sum | City |',
    '| North | 30 | Aalborg |',
    '| North |  | Skagen |',
    '| South | 9 | Ribe |',
  ])
})

it('joins heads of two rows of which merged cells tell', async () => {
  const rows = [
    ['Region', '2025', '', '2026', ''],
    ['', 'Rate', 'Sum', 'Rate', 'Sum'],
    ['North', 1, 2, 3, 4],
  ]
  const joined = ['| Region | 2025 Rate | 2025 Sum | 2026 Rate | 2026 Sum |', '| North | 1 | 2 | 3 | 4 |']
  expect(await read(rows, merge('A1:A2', 'B1:C1', 'D1:E1'))).toEqual(joined)
  expect(await read(rows, merge('B1:C1', 'D1:E1'))).toEqual(joined)
  const shared = [
    ['', '2025', ''],
    ['Region', 'Rate', 'Sum'],
    ['North', 1, 2],
  ]
  expect(await read(shared, merge('B1:C1'))).toEqual(['| Region | 2025 Rate | 2025 Sum |', '| North | 1 | 2 |'])
  // A head over two columns of data, and a title over all.
  const data = [
    ['Name', 'Reach', ''],
    ['Ana', 'by mail', 'or phone'],
    ['Bo', 'by mail', ''],
  ]
  expect(await read(data, merge('B1:C1'))).toEqual([
    '| Name | Reach |  |',
    '| Ana | by mail | or phone |',
    '| Bo | by mail |  |',
  ])
  const titled = [
    ['Prices', ''],
    ['Boat', 'Price'],
    ['Finn', 3],
  ]
  expect(await read(titled, merge('A1:B1'))).toEqual(['Prices', '| Boat | Price |', '| Finn | 3 |'])
})

const isHead = (lines: readonly string[], name: string) => lines.some((line) => line.startsWith(`| ${name} |`))

it('gives a table below blank rows its own head', async () => {
  const numbers = [['Boat', 'Price'], ['Finn', 3], [], ['Pier', 'Depth'], ['East', 4]]
  expect((await readXlsx(toSource(makeSheet(numbers))))[0]?.markdown).toContain('| Pier | Depth |\n| --- |')
  const titled = [['Boat', 'Price', 'Class'], ['Finn', 3, 'A'], [], ['Piers'], ['Pier', 'Side'], ['East', 'left']]
  expect((await readXlsx(toSource(makeSheet(titled))))[0]?.markdown).toContain('Piers\n\n| Pier | Side |\n| --- |')
  const words = [['Boat', 'Class'], ['Finn', 'A'], [], ['Pier', 'Side'], ['East', 'left']]
  expect((await readXlsx(toSource(makeSheet(words, { bold: [0, 3] }))))[0]?.markdown).toContain(
    '| Pier | Side |\n| --- |',
  )
})

it.each([
  [[['Name', 'City'], ['Ana', 'Bonn'], [], ['Name', 'Badge'], ['Bo', 'red']], '| Name | Badge |'],
  [[['Boat', 'Price'], ['Finn', 3], ['Laser', 4], [], ['Guest', 'Town'], ['Ana', 'Bonn']], '| Guest | Town |'],
] as const)(
  'gives a table of words one blank row below its own head by its names or its words: %j',
  async (rows, head) => {
    expect((await readXlsx(toSource(makeSheet(rows))))[0]?.markdown).toContain(`${head}\n| --- |`)
  },
)

it('knows a head by its colour, where no other row has one', async () => {
  const rows = [['Boat', 'Class'], ['Finn', 'A'], [], ['Pier', 'Side'], ['East', 'left']]
  const markdownOf = async (filled: readonly number[]) =>
    (await readXlsx(toSource(makeSheet(rows, { filled }))))[0]?.markdown ?? ''
  expect(await markdownOf([0, 3])).toContain('| Pier | Side |\n| --- |')
  // Stripes.
  expect((await markdownOf([0, 3, 4])).match(/^\| ---/gm)).toHaveLength(1)
  expect((await markdownOf([3])).match(/^\| ---/gm)).toHaveLength(1)
})

it('takes the lines above a declared table for titles, whatever is below it', async () => {
  const rows = [['Stock'], [], ['Part', 'Number'], ['Nut', 30], [], ['checked'], ['by Ana'], ['in May']]
  const table = '<table ref="A3:B4"/>'
  const bytes = makeSheet(rows, { below: '<tableParts><tablePart r:id="t"/></tableParts>', table })
  expect((await readXlsx(toSource(bytes)))[0]?.markdown).toContain('Stock\n\n| Part | Number |\n| --- |')
})

it('takes no row of data for a head, where a blank row parts the groups of one table', async () => {
  const groups = [
    ['Name', 'Team', 'City'],
    ['Ana', 'Sales', 'Bonn'],
    [],
    ['Bo', 'Support', 'Kiel'],
    ['Cy', 'Support', 'Bonn'],
  ]
  const markdown = (await readXlsx(toSource(makeSheet(groups))))[0]?.markdown ?? ''
  expect(markdown.match(/^\| ---/gm)).toHaveLength(1)
  expect(isHead(markdown.split('\n'), 'Bo')).toBe(true)
  const sums = [['Name', 'Sum'], ['Ana', 3], [], ['Bo', 4], ['Cy', 5], [], ['Total', 12]]
  expect((await readXlsx(toSource(makeSheet(sums))))[0]?.markdown.match(/^\| ---/gm)).toHaveLength(1)
})

it('says of hidden rows and columns that they are', async () => {
  const rows = [
    ['Boat', 'Margin'],
    ['Finn', 3],
    ['Laser', 4],
  ]
  const hidden = { before: '<cols><col min="2" max="2" hidden="1"/></cols>', rowAttributes: { 2: 'hidden="1"' } }
  expect(await read(rows, hidden)).toEqual([
    '| Boat | Margin (hidden) | hidden |',
    '| Finn | 3 |  |',
    '| Laser | 4 | yes |',
  ])
})

it('shows head and foot of the printed pages, without what counts and dates them', async () => {
  const below =
    '<headerFooter><oddHeader>&amp;L&amp;"Arial,Bold"&amp;12Draft &amp;&amp; notes&amp;CPage &amp;P of &amp;N</oddHeader><oddFooter>&amp;RConfidential&amp;D</oddFooter></headerFooter>'
  expect(
    await read(
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
      { below },
    ),
  ).toEqual(['| a | b |', '| c | d |', '### Head and foot', 'Draft & notes', 'Confidential'])
})

it('reads parts that are named by backslashes, or that no relation names', async () => {
  const bytes = makeZip({
    'xl\\workbook.xml': '<workbook><sheets><sheet name="Boats" r:id="a"/></sheets></workbook>',
    'xl\\worksheets\\sheet1.xml':
      '<worksheet><sheetData><row r="1"><c r="A1" t="s"><v>0</v></c></row></sheetData></worksheet>',
    'xl\\sharedStrings.xml': '<sst><si><t>Finn</t></si></sst>',
  })
  expect((await readXlsx(toSource(bytes)))[0]?.markdown).toBe('## Boats\n\n| Finn |\n| --- |')
})

const openCell = (text: string, attributes = '') =>
  `<table:table-cell ${attributes}><text:p>${text}</text:p></table:table-cell>`

it('reads merged cells, hidden rows and hidden columns of ODS', async () => {
  const rows = [
    `<table:table-row>${openCell('Region')}${openCell('City')}${openCell('Rate')}</table:table-row>`,
    `<table:table-row>${openCell('North', 'table:number-rows-spanned="2"')}${openCell('Aalborg')}${openCell('11')}</table:table-row>`,
    `<table:table-row table:visibility="collapse"><table:covered-table-cell/>${openCell('Skagen')}${openCell('14')}</table:table-row>`,
  ]
  const columns =
    '<table:table-column table:number-columns-repeated="2"/><table:table-column table:visibility="collapse"/>'
  const bytes = makeZip({
    'content.xml': `<office:document-content><office:body><office:spreadsheet><table:table table:name="Boats">${columns}${rows.join('')}</table:table></office:spreadsheet></office:body></office:document-content>`,
  })
  expect((await readOpenDocument(toSource(bytes)))[0]?.markdown).toBe(
    '## Boats\n\n| Region | City | Rate (hidden) | hidden |\n| --- | --- | --- | --- |\n| North | Aalborg | 11 |  |\n| North | Skagen | 14 | yes |',
  )
})

it('reads merged cells, formats and hidden parts of XLS', async () => {
  const sheet = utils.aoa_to_sheet([
    ['Region', 'Rate'],
    ['North', 0.42],
    ['', 0.08],
  ])
  sheet['!merges'] = [{ s: { r: 1, c: 0 }, e: { r: 2, c: 0 } }]
  for (const address of ['B2', 'B3']) (sheet[address] as CellObject).z = '0%'
  const book = utils.book_new(sheet, 'Boats')
  utils.book_append_sheet(book, utils.aoa_to_sheet([['Secret']]), 'Old')
  book.Workbook = { Sheets: [{ Hidden: 0 }, { Hidden: 1 }] }
  const bytes = write(book, { type: 'buffer', bookType: 'biff8' }) as Uint8Array
  const pages = await readXls(toSource(bytes, { name: 'boats.xls' }))
  expect(pages.map(({ markdown }) => markdown)).toEqual([
    '## Boats\n\n| Region | Rate |\n| --- | --- |\n| North | 42% |\n| North | 8% |',
    '## Old (hidden)\n\n| Secret |\n| --- |',
  ])
})
