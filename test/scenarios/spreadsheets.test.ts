import { utils, write } from '@e965/xlsx'
import type { DroppedFile } from '../support/people/workspace.ts'
import { scenarioWithoutModel } from './scenario.ts'

/** A title and gaps above and in the table, so that no row is where counting would look for it. */
function workbook(name: string, bookType: 'xlsx' | 'ods', mimeType: string, product: string): DroppedFile {
  const rows = [
    ['Price list'],
    [],
    [],
    ['Product', 'Price', 'Colour'],
    ['Buoy', 129, 'red'],
    [],
    [product, 45, 'green'],
  ]
  const book = utils.book_new()
  const sheet = utils.aoa_to_sheet(rows)
  sheet['!rows'] = [{}, {}, {}, {}, { hidden: true }]
  utils.book_append_sheet(book, sheet, 'Prices')
  return { name, bytes: write(book, { type: 'buffer', bookType }) as Buffer, mimeType }
}

const office = 'application/vnd.openxmlformats-officedocument'
const FILES = [
  workbook('prices.xlsx', 'xlsx', `${office}.spreadsheetml.sheet`, 'Lantern'),
  workbook('parts.ods', 'ods', 'application/vnd.oasis.opendocument.spreadsheet', 'Anchor'),
  {
    name: 'staff.csv',
    bytes: 'Crew of the ferry\n\nName,Duty,Cabin\nAda,"helm\nand radio",seven\n\nBen,engine,nine\n',
    mimeType: 'text/csv',
  },
]

scenarioWithoutModel(
  'an answer and its reference name the row of a spreadsheet that its program shows',
  { killedOn: 'web' },
  async ({ ada, errors, expect }) => {
    await ada.drops(...FILES)
    await ada.sees(/prices\.xlsx.*ready[^]*parts\.ods.*ready[^]*staff\.csv.*ready/)
    await ada.asks('What is the price of the Lantern?')
    const lantern = await ada.seesAnswer(/45.*\(row 7\)/)
    expect(lantern.text).toMatch(/\[1\].*prices\.xlsx.*§ Prices, row 7/)
    await ada.asks('What is the price of the Anchor?')
    expect((await ada.seesAnswer(/45.*\(row 7\)[^]*parts/)).text).toMatch(/\[1\].*parts\.ods.*§ Prices, row 7/)
    await ada.asks('Which cabin does Ben have?')
    expect((await ada.seesAnswer(/nine/)).text).toMatch(/\[1\].*staff\.csv.*row 6/)
    expect(lantern.text).not.toMatch(/rows:|---/)
    expect(errors()).toEqual([])
  },
)
