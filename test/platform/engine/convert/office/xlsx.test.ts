import { expect, it } from 'vitest'
import { readXlsx } from '#platform/engine/convert/office/xlsx.ts'
import { toSource } from '#test/fixtures/documents/source.ts'
import { makeZip } from '#test/fixtures/documents/zip.ts'

const relations = (...all: readonly (readonly [id: string, type: string, target: string])[]) =>
  `<Relationships>${all
    .map(([id, type, target]) => `<Relationship Id="${id}" Type="http://x/${type}" Target="${target}"/>`)
    .join('')}</Relationships>`

interface Parts {
  readonly cells: string
  readonly texts?: string
  readonly styles?: string
  readonly bookSettings?: string
}

/** The markdown of a workbook with one sheet. */
async function read({ cells, texts = '', styles = '', bookSettings = '' }: Parts): Promise<string> {
  const bytes = makeZip({
    '_rels/.rels': relations(['r', 'officeDocument', 'xl/book.xml']),
    'xl/book.xml': `<workbook>${bookSettings}<sheets><sheet name="Tides" r:id="a"/></sheets></workbook>`,
    'xl/_rels/book.xml.rels': relations(
      ['a', 'worksheet', '/xl/one.xml'],
      ['b', 'sharedStrings', 'texts.xml'],
      ['c', 'styles', 'styles.xml'],
    ),
    'xl/one.xml': `<worksheet><sheetData>${cells}</sheetData></worksheet>`,
    'xl/texts.xml': `<sst>${texts}</sst>`,
    'xl/styles.xml': `<styleSheet>${styles}</styleSheet>`,
  })
  const pages = await readXlsx(toSource(bytes))
  return pages.map(({ markdown }) => markdown).join('\n\n')
}

const tableOf = async (parts: Parts) =>
  (await read(parts))
    .split('\n')
    .slice(2)
    .join('\n')
    .replace(/\n\| --- .*\n?/, '\n')
    .trim()

it('puts cells where their names say, and those without a name behind the one before', async () => {
  const cells =
    '<row><c r="B1"><v>1</v></c><c><v>2</v></c><c r="E1"><v>5</v></c></row><row><c r="A2"><v>9</v></c><c r="D2"><v>8</v></c></row>'
  expect(await tableOf({ cells })).toBe('|  | 1 | 2 |  | 5 |\n| 9 |  |  | 8 |  |')
})

it('reads texts shared and inline, with runs and escaped signs, without how they are pronounced', async () => {
  const texts =
    '<si><r><t>Light</t></r><r><t xml:space="preserve"> house</t></r></si><si><t>灯台</t><rPh><t>トウダイ</t></rPh></si><si><t>a_x0041_</t></si>'
  const cells =
    '<row><c t="s"><v>0</v></c><c t="s"><v>1</v></c><c t="s"><v>2</v></c><c t="inlineStr"><is><t>in</t></is></c><c t="str"><f>A1</f><v>12</v></c></row>'
  expect(await tableOf({ cells, texts })).toBe('| Light house | 灯台 | aA | in | 12 |')
})

it('tells truth, shows how formulas failed, and shows numbers as programs do', async () => {
  const cells =
    '<row><c t="b"><v>1</v></c><c t="b"><v>0</v></c><c t="e"><v>#DIV/0!</v></c><c><v>0.30000000000000004</v></c><c><v>1E-3</v></c></row>'
  expect(await tableOf({ cells })).toBe('| TRUE | FALSE | #DIV/0! | 0.3 | 0.001 |')
})

const formats = [
  ['14', undefined, '2026-03-02'],
  ['22', undefined, '2026-03-02'],
  ['164', 'dd"."mm"."yyyy', '2026-03-02'],
  ['164', '[$-407]d. mmmm yyyy;@', '2026-03-02'],
  ['164', '0.00"days"', '46083.00days'],
  ['164', '[Red]#,##0', '46,083'],
  ['164', 'General', '46083'],
  ['0', undefined, '46083'],
] as const

it.each(formats)('takes format %s (%s) for what it is', async (id, code, shown) => {
  const described =
    code === undefined ? '' : `<numFmt numFmtId="${id}" formatCode="${code.replaceAll('"', '&quot;')}"/>`
  const styles = `<numFmts>${described}</numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="${id}"/></cellXfs>`
  expect(await tableOf({ cells: '<row><c s="1"><v>46083</v></c></row>', styles })).toBe(`| ${shown} |`)
})

it('tells dates, times and both apart, and knows both calendars', async () => {
  const styles = '<cellXfs><xf numFmtId="22"/></cellXfs>'
  const cells = '<row><c><v>46083.402777777781</v></c><c><v>0.40277777777777779</v></c><c><v>1462</v></c></row>'
  expect(await tableOf({ cells, styles })).toBe('| 2026-03-02 09:40 | 09:40 | 1904-01-01 |')
  const bookSettings = '<workbookPr date1904="1"/>'
  const other = '<row><c><v>0.5</v></c><c><v>44621</v></c></row>'
  expect(await tableOf({ cells: other, styles, bookSettings })).toBe('| 12:00 | 2026-03-02 |')
})

it('shows hours beyond a day as hours, and parts of a hundred as such', async () => {
  const described =
    '<numFmts><numFmt numFmtId="164" formatCode="[h]:mm"/><numFmt numFmtId="165" formatCode="0.0%;[Red]-0.0%"/></numFmts>'
  const kinds = ['164', '46', '165', '9'].map((id) => `<xf numFmtId="${id}"/>`).join('')
  const styles = `${described}<cellXfs>${kinds}</cellXfs>`
  const cells =
    '<row><c s="0"><v>1.2534722222222223</v></c><c s="1"><v>-0.00010416666</v></c><c s="2"><v>0.256</v></c><c s="3"><v>-1</v></c></row>'
  expect(await tableOf({ cells, styles })).toBe('| 30:05 | -0:00:09 | 25.6% | -100% |')
})

it('shows a formula whose result is left to the program that opens the workbook, but no other 0', async () => {
  const cells = '<row><c><f>A1*2</f><v>0</v></c><c><v>0</v></c><c><f>B1+7</f><v>7</v></c></row>'
  const bookSettings = '<calcPr calcId="124519" fullCalcOnLoad="1"/>'
  expect(await tableOf({ cells, bookSettings })).toBe('| =A1*2 | 0 | 7 |')
  expect(await tableOf({ cells })).toBe('| 0 | 0 | 7 |')
})

it('shows a formula that nobody computed', async () => {
  const cells =
    '<row><c><f>SUM(A1:A3)</f><v></v></c><c><f>1+1</f><v>2</v></c><c t="str"><f>""</f><v></v></c><c><v>7</v></c></row>'
  expect(await tableOf({ cells })).toBe('| =SUM(A1:A3) | 2 | 7 |')
})

const row = (...cells: readonly string[]) =>
  `<row>${cells.map((cell) => `<c t="str"><v>${cell}</v></c>`).join('')}</row>`

it('keeps the title of a sheet above its table, so that the header is the first row', async () => {
  const cells = [
    row('Prices, valid from May'),
    row(''),
    row('', 'all in euros'),
    row('item', 'price'),
    row('soup', '4'),
  ]
  expect(await read({ cells: cells.join('') })).toBe(
    '## Tides\n\nPrices, valid from May\n\nall in euros\n\n| item | price |\n| --- | --- |\n| soup | 4 |',
  )
  // A list has no title, and a single row is no table.
  const list = [row('soup'), row('bread'), row('tea')]
  expect(await read({ cells: list.join('') })).toBe('## Tides\n\n| soup |\n| --- |\n| bread |\n| tea |')
  const last = [row('Soup'), row('item', 'price')]
  expect(await read({ cells: last.join('') })).toBe('## Tides\n\n| Soup |  |\n| --- | --- |\n| item | price |')
})

it('takes the lines of a list with a note in it for its rows, not for titles', async () => {
  const list = [row('Todo'), row('Buy milk'), row('Call Ben', 'urgent'), row('Pay rent'), row('Walk dog')]
  expect(await read({ cells: list.join('') })).toBe(
    '## Tides\n\n| Todo |  |\n| --- | --- |\n| Buy milk |  |\n| Call Ben | urgent |\n| Pay rent |  |\n| Walk dog |  |',
  )
})

it.each([
  ['~~~~~~~~', '\\~~~~~~~~'],
  ['````````', '\\`\\`\\`\\`\\`\\`\\`\\`'],
  ['# 1 shop', '\\# 1 shop'],
  ['----', '\\----'],
  ['* open', '\\* open'],
  ['2. shop', '2\\. shop'],
  ['|---|', '\\|---\\|'],
  ['&lt;!-- page 9 -->', '\\<!-- page 9 -->'],
])('keeps the title %s as text', async (title, shown) => {
  const cells = [row(title), row('item', 'price'), row('soup', '4')].join('')
  expect(await read({ cells })).toBe(`## Tides\n\n${shown}\n\n| item | price |\n| --- | --- |\n| soup | 4 |`)
})

it('refuses a workbook whose cells share one long text too often', async () => {
  const texts = `<si><t>${'tide '.repeat(20_000)}</t></si>`
  const cells = `<row>${'<c t="s"><v>0</v></c>'.repeat(800)}</row>`
  await expect(read({ texts, cells })).rejects.toThrow('too-big')
})

it.each([
  ['@" kg"', '5 kg'],
  ['"No. "@', 'No. 5'],
  ['0.0;-0.0;0;_-@_-', '5'],
  ['@', '5'],
])('shows a text with what the format %s adds', async (code, shown) => {
  const styles = `<numFmts><numFmt numFmtId="200" formatCode="${code.replaceAll('"', '&quot;')}"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="200"/></cellXfs>`
  const cells = '<row><c t="inlineStr"><is><t>Load</t></is></c><c t="inlineStr" s="1"><is><t>5</t></is></c></row>'
  expect(await read({ cells, styles })).toContain(`| Load | ${shown} |`)
})

const lineOf = (number: number, ...cells: readonly string[]) =>
  `<row r="${number}">${cells.map((text) => `<c t="inlineStr"><is><t>${text}</t></is></c>`).join('')}</row>`

it('has each table that the workbook declares under its own head', async () => {
  const bytes = makeZip({
    'xl/workbook.xml': '<workbook><sheets><sheet name="S" r:id="a"/></sheets></workbook>',
    'xl/_rels/workbook.xml.rels': relations(['a', 'worksheet', 'one.xml']),
    'xl/one.xml': `<worksheet><sheetData>${lineOf(1, 'Name', 'Team')}${lineOf(2, 'Ada', 'Blue')}${lineOf(4, 'Rooms of 2026')}${lineOf(5, 'Room', 'Floor')}${lineOf(6, 'Oak', 'Second')}</sheetData></worksheet>`,
    'xl/_rels/one.xml.rels': relations(['a', 'table', 't1.xml'], ['b', 'table', 't2.xml'], ['c', 'table', 't3.xml']),
    'xl/t1.xml': '<table ref="A1:B2"/>',
    'xl/t2.xml': '<table ref="A5:B6"/>',
    // Beside the second one: its head is no head of the sheet.
    'xl/t3.xml': '<table ref="D6:E7"/>',
  })
  const [page] = await readXlsx(toSource(bytes))
  expect(page?.markdown).toBe(
    '## S\n\n| Name | Team |\n| --- | --- |\n| Ada | Blue |\n\nRooms of 2026\n\n| Room | Floor |\n| --- | --- |\n| Oak | Second |',
  )
})
