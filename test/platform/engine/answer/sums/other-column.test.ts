/** A column that the question does not ask for gives no number. */
import { expect, it } from 'vitest'
import { answerFromTables } from '#platform/engine/answer/tables/table-answer.ts'
import { toTable } from './rows.ts'

const ORDERS = toTable('Order;Customer;Boxes', '1;Mill Inn;4', '2;Mill Inn;6', '3;Deli;5')
const RENT = toTable(
  'Month;Category;Amount EUR',
  '2025-01;Rent;1000',
  '2025-01;Power;100',
  '2025-02;Rent;1000',
  '2025-03;Rent;1100',
  '2025-03;Power;130',
)
const GAP = toTable('Month;Category;Amount EUR', '2025-01;Rent;1000', '2025-03;Rent;1100', '2025-03;Power;130')
const STAFF = toTable(
  'Name;Role;Salary;Hours per week;Joined',
  'Ann;Clerk;30000;40;2020-01-01',
  'Dee;Clerk;31000;20;2023-05-01',
  'Cid;Manager;50000;40;2015-05-01',
)
const PRICES = toTable('Tea;Price per box', 'Assam;9.40', 'Sencha;11.80')
const FEES = toTable('Member;Fee 2024;Fee 2025', 'Ann;100;110', 'Bob;90;95', 'Cid;80;120')
const TRIPS = toTable(
  'Date;Driver;Km;Fuel litres;Cost',
  '2025-01-03;Ann;120;10;18.50',
  '2025-02-03;Bob;80;7;12.10',
  '2025-03-03;Ann;60;5;9.00',
)
const ITEMS = toTable('Item;Quantity;Price', 'Pen;4;2.50', 'Desk;2;300.00')
const SOLD = toTable('Item;Quantity;Total price', 'Pen;4;10.00', 'Desk;2;600.00')
const MEMBERS = toTable('Member;Born', 'Ann;1948-02-11', 'Bob;1955-07-30', 'Cid;1939-10-02')

const ask = (question: string, tables: ReturnType<typeof toTable>) =>
  /\*\*(.*)\*\*/.exec(answerFromTables(question, [{ file: 'office.csv.md', tables }], 'en')?.text ?? '')?.[1]

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
  // The price of one, or of all four?
  ['Total price of all items', ITEMS],
  ['What is the total price of the desks?', ITEMS],
  ['Which customer has the highest price?', PRICES],
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
  ['Total price of all items', SOLD, 'Sum of Total price: 610.00 (2 rows)'],
  ['Which tea has the highest price?', PRICES, 'Highest Price per box: 11.80 (Sencha)'],
  ['How many members were born before March 1950?', MEMBERS, 'Members: 2'],
  ['How many members were born in 1955?', MEMBERS, 'Members: 1'],
] as const)('%s', (question, sheet, result) => {
  expect(ask(question, sheet)).toBe(result)
})
