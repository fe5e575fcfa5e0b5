/** Who did most, the difference of two sums, months that are columns, and what a table does not say. */
import { expect, it } from 'vitest'
import { readTables } from '#platform/engine/answer/tables/read-tables.ts'
import { answerFromTables } from '#platform/engine/answer/tables/table-answer.ts'
import { toMarkdown, toTable } from './rows.ts'

const TOURS = toTable(
  'Tour;Date;Group;Type;Visitors;Fee;Guide',
  'T1;2026-01-16;Elm School;School;42;210.00;Ida Holm',
  'T2;2026-01-24;Rotary;Club;18;171.00;Raj Nair',
  'T3;2026-02-06;Ash School;School;28;140.00;Ida Holm',
  'T4;2026-04-13;Rotary;Club;12;170.00;Ona Byrd',
  'T5;2026-05-20;Elm School;School;35;175.00;Ida Holm',
)
const TAKINGS = readTables(
  `## Takings 2026\n\n${toMarkdown(
    'Shop;Manager;Jan;Feb;Mar;Apr;Total',
    'Mill Lane;Ida;£100;£110;£125;£131;£466',
    'Quay;Raj;£200;£205;£215;£222;£842',
    'Total;;£300;£315;£340;£353;£1,308',
    'Target for the year: £5,000;;;;;;',
  )}`,
)
const STAFF = toTable(
  'No.;Name;Job;Place of work;Start;Hours per week;Pay per hour',
  '1;Ida Holm;Shop manager;Mill Lane;2019-03-04;38;£16.80',
  '2;Raj Nair;Shop manager;Quay;2015-11-02;36;£17.20',
  '3;Ona Byrd;Driver;Quay;2022-05-09;30;£12.95',
)
const GOODS = toTable('Code;Product;Cost;Trade price', 'A;Pie;£5.00;£6.00', 'B;Tart;£7.00;£8.00', 'C;Bun;£9.00;£7.50')

const ask = (question: string, ...files: readonly ReturnType<typeof toTable>[]) =>
  answerFromTables(
    question,
    files.map((tables, at) => ({ file: `file-${at}.csv.md`, tables })),
    'en',
  )?.text ?? ''

it.each([
  ['Who guided the most groups?', 'Highest: Ida Holm, 3'],
  ['Which guide led the most tours?', 'Highest: Ida Holm, 3'],
  ['What is the average number of visitors per school tour?', 'Average of Visitors: 35 (3 rows)'],
  ['How many more visitors did Ida Holm guide than Raj Nair?', 'Difference of Sum of Visitors: 87 (105, 18)'],
  ['How many visitors came from January to February?', 'Sum of Visitors: 88 (3 rows)'],
  ['How many tours did Ida Holm guide?', 'Tours: 3'],
])('of tours: %s', (question, part) => {
  expect(ask(question, TOURS)).toContain(`**${part}**`)
})

it.each([
  ['What were the total takings of all shops?', 'Sum of Total: £1308 (2 rows)'],
  ['What were the takings of Quay in the first quarter?', 'Sum of Takings 2026: £620 (3 values)'],
  ['How much more did we take in March than in January?', 'Difference of Sum of Takings 2026: £40 (£340, £300)'],
  ['Which month had the highest takings?', 'Highest: April 2026, £353'],
  ['How many shops are there?', 'Shops: 2'],
])('of months that are columns: %s', (question, part) => {
  expect(ask(question, TAKINGS)).toContain(`**${part}**`)
})

it('quotes rows of months that are columns as they are in the file', () => {
  expect(ask('What were the takings of Quay in the first quarter?', TAKINGS)).toContain(
    '> Shop: Quay · Manager: Raj · Jan: £200 · Feb: £205 · Mar: £215 · Apr: £222 · Total: £842 (row 3) ',
  )
})

it.each([
  ['What is the average hourly pay of the shop managers?', 'Average of Pay per hour: £17.00 (2 rows)'],
  ['How many hours a week do the people at Quay work together?', 'Sum of Hours per week: 66 (2 rows)'],
])('of staff: %s', (question, part) => {
  expect(ask(question, STAFF)).toContain(`**${part}**`)
})

it('takes no cost and no salary for a price', () => {
  expect(ask('What is the most expensive product?', STAFF, GOODS)).toContain('**Highest Trade price: £8.00 (B, Tart)**')
  expect(ask('What is the total price?', STAFF)).toBe('')
  expect(ask('What is the most expensive thing of Quay?', STAFF)).toBe('')
})

it('adds up nothing of which a table does not say what it costs', () => {
  expect(ask('How much did we spend on boxes?', toTable('Order;Boxes', 'O-1;12', 'O-2;30'))).toBe('')
  expect(ask('What were the takings of Quay?', STAFF)).toBe('')
})

it('leaves questions about files to the shelf', () => {
  expect(ask('Which file is the newest?', TOURS)).toBe('')
  expect(ask('Welche Datei ist die neueste?', TOURS)).toBe('')
})

it('names no group by the unit of an amount', () => {
  const rooms = toTable('Room;Size;Rent per month;Status', 'R1;8;£96;paid', 'R2;12;£138;overdue', 'R3;20;£214;overdue')
  expect(ask('How much rent per month is overdue?', rooms)).not.toContain('Sum of Size')
})

it('takes no day on which people began for one on which their shop sold something', () => {
  const takings = toTable('Shop;Manager;Sales', 'Mill Lane;Ida Holm;£100', 'Quay;Raj Nair;£200')
  expect(ask('What were the sales in March?', takings, STAFF)).toBe('')
})
