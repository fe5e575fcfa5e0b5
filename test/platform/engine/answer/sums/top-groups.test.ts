/** The first things of a table: by one value of each, or by the sums of their rows. */
import { expect, it } from 'vitest'
import { readTables } from '#platform/engine/answer/tables/read-tables.ts'
import { answerFromTables } from '#platform/engine/answer/tables/table-answer.ts'
import { toMarkdown, toTable } from './rows.ts'

const HIRES = toTable(
  'Hire;Date;Customer;Item;Days;Price;Driver',
  'H1;2026-04-02;Elm Farm;Mixer;3;£120;Ida',
  'H2;2026-04-09;Rotary;Marquee;2;£310;Raj',
  'H3;2026-05-03;Elm Farm;Mixer;4;£160;Raj',
  'H4;2026-05-11;Quay Ltd;Digger;9;£290;Ida',
  'H5;2026-06-20;Quay Ltd;Digger;2;£95;Ona',
  'H6;2026-06-21;Ash School;Marquee;1;£180;Raj',
)
const CUSTOMERS = toTable(
  'Customer;Town;Kind',
  'Elm Farm;Hale;Trade',
  'Rotary;Wick;Club',
  'Quay Ltd;Wick;Trade',
  'Ash School;Hale;Public',
)
/** Heads above several columns. */
const BERTHS = readTables(
  `## Berth holders\n\n${toMarkdown(
    'Berth No.;Boat Boat name;Boat Owner;Contract Annual fee;Contract Paid 2026',
    'A03;Kittiwake;Helen Ashby;£2,680;yes',
    'A07;Mistral;Colin Farquhar;£1,990;no',
    'B02;Sula;Helen Ashby;£3,340;no',
    'B04;Puffin;Greta Lind;£1,740;yes',
  )}`,
)
const PRODUCTS = toTable('Order;Product;Price', '1;Lamp;£20', '2;Desk;£90', '3;Lamp;£20', '4;Sofa;£70', '5;Desk;£90')
const TEAM = toTable(
  'Name;Team;Hours a week;Hourly pay',
  'Ida Holm;Site;40;£24.80',
  'Raj Nair;Site;37;£13.40',
  'Ona Byrd;Transport;42;£17.30',
)

const ask = (question: string, ...files: readonly ReturnType<typeof toTable>[]) =>
  answerFromTables(
    question,
    files.map((tables, at) => ({ file: `file-${at}.csv.md`, tables })),
    'en',
  )?.text

it.each([
  ['Which two customers did we earn the most with?', '| Rotary | £310'],
  ['top 2 customers by total price', '**Highest: Quay Ltd, £385**'],
  ['Which two customers brought in the most?', '| Rotary | £310'],
  ['Which customer paid the most?', '**Highest: Quay Ltd, £385**'],
  ['Which driver has the most days?', '**Highest: Ida, 12**'],
])('by sums of rows: %s', (question, part) => {
  expect(ask(question, HIRES)).toContain(part)
})

it('lists as many groups as are asked for', () => {
  expect(ask('top 2 customers by total price', HIRES)).not.toContain('Elm Farm')
})

it.each([
  ['top 2 boats by annual fee', '**Highest Contract Annual fee: Sula £3,340, Kittiwake £2,680**'],
  ['Which boats have not paid for 2026 yet?', 'Mistral'],
])('by a value of each: %s', (question, part) => {
  expect(ask(question, BERTHS)).toContain(part)
})

it.each([
  ['Which town did the most money come from?', '**Highest: Wick, £695**'],
  ['Which town did we earn the most in?', '**Highest: Wick, £695**'],
  ['Which town brings in the most money?', '**Highest: Wick, £695**'],
])('of another table: %s', (question, part) => {
  expect(ask(question, HIRES, CUSTOMERS)).toContain(part)
})

it('names the team that is asked for, not a person', () => {
  expect(ask('Which team has the most hours a week?', TEAM)).toContain('**Highest: Site, 77**')
})

it.each([
  // A price that all rows of a product have is its own, marks are not added up, and rooms of a month have no month.
  ['top 2 products by price', PRODUCTS],
  ['top 2 customers by price', HIRES],
  ['top 2 drivers by rating', toTable('Job;Driver;Rating', '1;Ida;4', '2;Raj;5', '3;Ida;3', '4;Ona;2')],
  [
    'Which course brings in the most money?',
    toTable('Course;Date;Guests;Fee', 'Knots;2026-05-01;9;£40', 'Radio;2026-05-08;4;£55'),
  ],
  ['In which month did we earn the most?', toTable('Room;Customer;Rent per month', 'R1;Elm;£40', 'R2;Ash;£90')],
  ['Which team has the most hours?', toTable('Name;Hours', 'Ida Holm;40', 'Raj Nair;37')],
] as const)('says nothing of %s', (question, table) => {
  expect(ask(question, table)).toBeUndefined()
})
