/** Two tables that share a key are asked together. */
import { expect, it } from 'vitest'
import { readTables } from '#platform/engine/answer/tables/read-tables.ts'
import { answerFromTables } from '#platform/engine/answer/tables/table-answer.ts'
import { toMarkdown } from './rows.ts'

const toText = (title: string, ...rows: readonly string[]) => `## ${title}\n\n${toMarkdown(...rows)}`
const ORDERS = toText(
  'Orders',
  'Order;Customer;Code;Boxes',
  'ORD-101;Harbour Cafe;P-2;10',
  'ORD-102;Mill Inn;P-1;4',
  'ORD-103;Harbour Cafe;P-1;6',
  'ORD-104;Mill Inn;P-3;2',
)
const PRICES = toText(
  'Prices',
  'Code;Tea;Kind;Price per box',
  'P-1;Assam;black;£5.00',
  'P-2;Sencha;green;£8.50',
  'P-3;Oolong;blue;£9.00',
)
const CUSTOMERS = toText('Customers', 'Customer;Town;Contact', 'Harbour Cafe;Whitby;Jo Reed', 'Mill Inn;York;Al Moss')

const ask = (question: string, ...sheets: readonly string[]) =>
  answerFromTables(question, [{ file: 'sales.xlsx.md', tables: readTables(sheets.join('\n'), true) }], 'en')

it.each([
  ['How much is order ORD-101 worth?', 'ORD-101, Harbour Cafe, Boxes × Price per box: £85.00'],
  ['What is the total value of all orders?', 'Sum of Boxes × Price per box: £153.00 (4 rows)'],
  ['How many boxes went to Whitby?', 'Sum of Boxes: 16 (2 rows)'],
  ['How many boxes of black tea were there?', 'Sum of Boxes: 10 (2 rows)'],
] as const)('%s', (question, part) => {
  expect(ask(question, ORDERS, PRICES, CUSTOMERS)?.text).toContain(`**${part}**`)
})

it('refers to the rows of both tables', () => {
  const answer = ask('Who is the contact for order ORD-102?', ORDERS, CUSTOMERS)
  expect(answer?.text).toContain('sales.xlsx, Orders and Customers')
  expect(answer?.passages.map(({ body }) => body)).toEqual([
    '| ORD-102 | Mill Inn | P-1 | 4 |',
    '| Mill Inn | York | Al Moss |',
  ])
})

it('names a file whose tables have no headings once', () => {
  const [orders, customers] = [ORDERS, CUSTOMERS].map((sheet) => sheet.replace(/^## .*\n/, ''))
  const answer = ask('Who is the contact for order ORD-102?', `${orders}\nThe customers:\n`, customers ?? '')
  expect(answer?.text).toContain('From sales.xlsx:')
})

const STATIONS = toText('Stations', 'Tea;Station;Seats', 'Assam;Hill;40', 'Sencha;Dale;30')

it.each([
  // A code without a price would leave out its order.
  ['What is the total value of all orders?', [ORDERS, PRICES.replace('P-3;', 'P-9;').replace('| P-3 ', '| P-9 ')]],
  ['How many seats do the orders of Mill Inn have?', [ORDERS, PRICES, STATIONS]],
] as const)('computes nothing for %s', (question, sheets) => {
  expect(/\*\*.*\*\*/.exec(ask(question, ...sheets)?.text ?? '')?.[0]).toBeUndefined()
})

it('takes a name for no header that begins so, and adds up what was ordered', () => {
  const orders = toText(
    'Orders',
    'Order;Ordered on;Customer;Boxes;Delivered',
    'ORD-1;2026-01-09;Wickham Deli;40;Y',
    'ORD-2;2026-02-10;Wickham Deli;18;N',
    'ORD-3;2026-03-11;Mill Inn;70;Y',
  )
  expect(ask('How many boxes did Wickham Deli order in total?', orders)?.text).toContain(
    '**Sum of Boxes: 58 (2 rows)**',
  )
  expect(ask('Which customer ordered the most boxes?', orders)?.text).toContain('**Highest: Mill Inn, 70**')
})
