/** Questions in plain words: what is spent, not paid, before a day, in which month, below another column. */
import { expect, it } from 'vitest'
import { answerFromTables } from '#platform/engine/answer/tables/table-answer.ts'
import { toTable } from './rows.ts'

const resultOf = (question: string, files: readonly (readonly [string, ReturnType<typeof toTable>])[]) =>
  answerFromTables(
    question,
    files.map(([file, tables]) => ({ file, tables })),
    /[äöüß]|Wie |Was |Welche/.test(question) ? 'de' : 'en',
  )?.text ?? ''

const RENTALS = [
  'rentals.csv.md',
  toTable(
    'Rental;Out;Bike;Member;Days;Fee (£);Paid',
    'R-1;2026-03-02;Tandem;Ida Holm;3;36;yes',
    'R-2;2026-03-28;Cargo;Raj Nair;2;50;no',
    'R-3;2026-04-05;Tandem;Ida Holm;7;84;yes',
    'R-4;2026-05-01;Cargo;Ona Byrd;1;25;no',
  ),
] as const
const COSTS = [
  'expenses.csv.md',
  toTable(
    'Month;Heading;Amount',
    'January;Rent;400',
    'January;Tools;90',
    'February;Rent;400',
    'February;Tools;310',
    'March;Rent;400',
    'March;Tools;75',
  ),
] as const
const STORE = [
  'store.csv.md',
  toTable(
    'Part;Supplier;Unit price;In stock;Minimum',
    'Chain;Halden;£20.00;4;10',
    'Tyre;Orme;£15.00;30;12',
    'Bell;Halden;£4.50;6;8',
  ),
] as const
const TEAM = [
  'team.csv.md',
  toTable('Name;Role;Hours a week', 'Ida;Mechanic;30', 'Raj;Mechanic;20', 'Ona;Desk;12.5'),
] as const
const ALL = [RENTALS, COSTS, STORE, TEAM]

it.each([
  ['How much did we spend altogether?', 'Sum of Amount: 1675 (6 rows)'],
  ['How much did we charge for the cargo bike?', 'Sum of Fee (£): 75 (2 rows)'],
  ['How much do the unpaid rentals come to?', 'Sum of Fee (£): 75 (2 rows)'],
  ['How many rentals were there after 28 March 2026?', 'Rentals: 2'],
  ['How many rentals were there before April?', 'Rentals: 2'],
  ['How many days were there in total before the end of March 2026?', 'Sum of Days: 5 (2 rows)'],
  ['What is the median fee?', 'Median of Fee (£): 43 (4 rows)'],
  ['What is the average fee per rental?', 'Average of Fee (£): 48.75 (4 rows)'],
  ['In which month did we spend the most?', 'Highest: February, 710'],
  ['In which month did we spend the most on tools?', 'Highest: February, 310'],
  ['What did we spend per month on average?', 'Average of Amount: 558.33 (1675 / 3)'],
  ['What share of the expenses is rent?', 'Share of Amount: 71.6 % (1200 of 1675)'],
  ['Which parts are below the minimum?', '2 rows: Chain, Bell'],
  ['How many parts are below their minimum stock?', 'Parts: 2'],
  ['What is the stock worth?', 'Sum of In stock × Unit price: £557.00 (3 rows)'],
  ['How much is the stock from Halden worth?', 'Sum of In stock × Unit price: £107.00 (2 rows)'],
  ['How many hours does the whole team work in a week?', 'Sum of Hours a week: 62.5 (3 rows)'],
  ['How many hours do the mechanics work per week together?', 'Sum of Hours a week: 50 (2 rows)'],
  ['How much did each member pay altogether?', 'Sum of Fee (£) by Member'],
  ['Wie viel haben wir insgesamt ausgegeben?', 'Summe von Amount: 1675 (6 Zeilen)'],
] as const)('%s', (question, part) => {
  expect(resultOf(question, ALL)).toContain(`**${part}**`)
})

it.each([
  // What comes in is not what is spent.
  ['How much did we spend?', [RENTALS]],
  ['How much did we spend on helmets?', ALL],
  ['How many rentals were there after 31 June 2026?', ALL],
  // The price of one is not what all of them are worth.
  ['What is the stock worth?', [['s.csv.md', toTable('Part;Price A;Price B;In stock', 'Chain;2;3;4', 'Bell;1;2;5')]]],
] as const)('computes nothing for %s', (question, files) => {
  expect(/\*\*.*\*\*/.exec(resultOf(question, files))?.[0]).toBeUndefined()
})
