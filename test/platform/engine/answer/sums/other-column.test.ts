/** A column that the question does not ask for gives no number. */
import { expect, it } from 'vitest'
import { readTables } from '#platform/engine/answer/tables/read-tables.ts'
import { answerFromTables } from '#platform/engine/answer/tables/table-answer.ts'

const toText = (...rows: readonly string[]) => {
  const [head = '', ...others] = rows.map((row) => `| ${row.split(';').join(' | ')} |`)
  return [head, `|${' --- |'.repeat(head.split('|').length - 2)}`, ...others, ''].join('\n')
}
const ORDERS = toText('Order;Customer;Boxes', '1;Mill Inn;4', '2;Mill Inn;6', '3;Deli;5')
const RENT = toText(
  'Month;Category;Amount EUR',
  '2025-01;Rent;1000',
  '2025-01;Power;100',
  '2025-02;Rent;1000',
  '2025-03;Rent;1100',
  '2025-03;Power;130',
)
const GAP = toText('Month;Category;Amount EUR', '2025-01;Rent;1000', '2025-03;Rent;1100', '2025-03;Power;130')
const STAFF = toText(
  'Name;Role;Salary;Hours per week;Joined',
  'Ann;Clerk;30000;40;2020-01-01',
  'Dee;Clerk;31000;20;2023-05-01',
  'Cid;Manager;50000;40;2015-05-01',
)
const PRICES = toText('Tea;Price per box', 'Assam;9.40', 'Sencha;11.80')
const FEES = toText('Member;Fee 2024;Fee 2025', 'Ann;100;110', 'Bob;90;95', 'Cid;80;120')
const TRIPS = toText(
  'Date;Driver;Km;Fuel litres;Cost',
  '2025-01-03;Ann;120;10;18.50',
  '2025-02-03;Bob;80;7;12.10',
  '2025-03-03;Ann;60;5;9.00',
)

const ask = (question: string, sheet: string) =>
  /\*\*(.*)\*\*/.exec(
    answerFromTables(question, [{ file: 'office.csv.md', tables: readTables(sheet) }], 'en')?.text ?? '',
  )?.[1]

it.each([
  ['Sum of the price per box of the orders of Mill Inn', ORDERS],
  ['What is the average weight of the boxes of Mill Inn?', ORDERS],
  ['What is the total price per km of Ann?', TRIPS],
  ['How much did we spend on fuel?', TRIPS],
  ['What did we spend on fuel on average per month?', TRIPS],
  ['What is the average salary per hour of the clerks?', STAFF],
  ['How many hours per month do the clerks work in total?', STAFF],
  ['What is the highest salary per hour?', STAFF],
  ['Who has the highest hourly salary?', STAFF],
  ['Total salary per month', STAFF],
  ['Which tea sold the most boxes?', PRICES],
  ['Who paid the highest fee?', FEES],
  // February has no such row: of two months, or of three?
  ['What do we spend on power on average per month?', RENT],
  ['What do we spend on average per month?', GAP],
] as const)('computes nothing for %s', (question, sheet) => {
  expect(ask(question, sheet)).toBeUndefined()
})

it.each([
  ['How many boxes did Mill Inn order?', ORDERS, 'Sum of Boxes: 10 (2 rows)'],
  ['What do we spend on average per month?', RENT, 'Average of Amount EUR: 1110 (3330 / 3)'],
  ['How much do the clerks earn altogether?', STAFF, 'Sum of Salary: 61,000 (2 rows)'],
  ['How many hours do the clerks work altogether?', STAFF, 'Sum of Hours per week: 60 (2 rows)'],
  ['Who paid the highest fee in 2025?', FEES, 'Highest Fee 2025: 120 (Cid)'],
  ['What did Ann cost altogether?', TRIPS, 'Sum of Cost: 27.50 (2 rows)'],
] as const)('%s', (question, sheet, result) => {
  expect(ask(question, sheet)).toBe(result)
})
