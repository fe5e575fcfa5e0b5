/** Rows and ranges of real sheets that only look like sums, and numbers that several ranges hold. */
import { expect, it } from 'vitest'
import { answerFromTables } from '#platform/engine/answer/tables/table-answer.ts'
import { toTable } from './rows.ts'

const ask = (question: string, tables: ReturnType<typeof toTable>, language = 'en') =>
  answerFromTables(question, [{ file: 'a.csv.md', tables }], language)

const FARES = toTable('Persons;Price', '1;£12.50', '2;£25.00', '3;£37.50', '4;£50.00')
const TICKETS = toTable('Ticket;Price', 'Adult;24.50', 'Child;12.25', 'Family;36.75')
const STORAGE = toTable('Model;Storage', 'A;2 GB', 'B;4 GB', 'C;8 GB', 'D;16 GB', 'E;32 GB', 'F;64 GB', 'G;128 GB')
const HALVES = toTable('Period;Sales', 'Q1;1204', 'Q2;1311', 'H1;2515', 'Q3;1400', 'Q4;1250', 'H2;2650')
const MARKS = toTable('Mark;Employees', 'Excellent;12', 'Above average;30', 'Average;45', 'Below average;10')

it.each([
  ['What is the average price?', FARES, '£37.50'],
  ['What is the most expensive ticket?', TICKETS, '24.50'],
  ['How many tickets are there?', TICKETS, '**2'],
  ['What is the largest storage?', STORAGE, '64'],
  ['What are the total sales?', HALVES, '7815'],
  ['What is the sum of employees?', MARKS, '12'],
] as const)('says no wrong number where rows add up by chance: %s', (question, tables, wrong) => {
  const { text = '' } = ask(question, tables) ?? {}
  expect(/\*\*.*\*\*/.exec(text)?.[0] ?? '').not.toContain(wrong)
})

it('still answers what stands in such a row', () => {
  expect(ask('What are the sales of H1?', HALVES)?.text).toContain('Sales: 2515')
  expect(ask('What is the price of the family ticket?', TICKETS)?.text).toContain('36.75')
  expect(ask('What is the sum of employees?', MARKS)?.text).toContain('97 (4 rows)')
})

it('passes over an average below the rows, and does not call it another total', () => {
  const hours = toTable('Name;Hours', 'Ada;37.5', 'Ben;20', 'Cy;30', 'Average;29.17')
  const { text = '' } = ask('What is the sum of the hours?', hours) ?? {}
  expect(text).toContain('Sum of Hours: 87.5 (3 rows)')
  expect(text).not.toContain('The row')
})

it('takes a school for a name, though it begins as a German total does', () => {
  const schools = toTable('Schule;Kinder', 'Gesamtschule Nord;120', 'Grundschule;80', 'Gesamt;200')
  expect(ask('Wie viele Kinder gibt es insgesamt?', schools, 'de')?.text).toContain('200 (2 Zeilen)')
})

it('adds up no years', () => {
  const years = toTable('Year;Guests', '2023;120', '2024;140')
  expect(ask('What is the total for the year 2024?', years)?.text ?? '').not.toContain('Sum of Year')
  expect(ask('What is the average for all years?', years)?.text ?? '').not.toContain('2023.5')
})

it('copies no number into the empty cells below it', () => {
  const rows = toTable('Hours;Name;Cost', '3;Ada;1204.50', ';Ben;1311.25', 'Total;;2515.75')
  expect(ask('What is the sum of the hours?', rows)?.text ?? '').not.toContain('Sum of Hours: 6')
})

const LEAVE = toTable(
  'Years of service;Annual leave',
  '0 to 2 years;25 days',
  '3 to 5 years;27 days',
  'over 5 years;30 days',
)
const BREAKS = toTable('Working time;Break', 'over 6 hours;30 minutes', 'over 9 hours;45 minutes')
const WEIGHTS = toTable('Weight;Postage', '0-5 kg;£4.90', '6-10 kg;£6.90')
const NOTICE = toTable(
  'Time employed;Notice',
  '0 to 6 months;2 weeks',
  '7 to 23 months;1 month',
  '2 to 5 years;2 months',
)

it.each([
  ['How much annual leave is there with less than 3 years?', LEAVE],
  ['How much annual leave is there with more than 5 years?', LEAVE],
  ['How long is the break for 10 hours?', BREAKS],
  ['What is the postage of 5.5 kg?', WEIGHTS],
] as const)('names no single row where the number lies in several ranges, or in none: %s', (question, tables) => {
  expect(ask(question, tables)?.text ?? '').not.toMatch(/\*\*.*\d.*\*\*/)
})

it('reads months as months, and every number word', () => {
  expect(ask('What is the notice after 4 months?', NOTICE)?.text ?? '').not.toContain('2 months')
  expect(ask('What is the annual leave after three years?', LEAVE)?.text).toContain('27 days')
  expect(ask('What is the annual leave after five years?', LEAVE)?.text).toContain('27 days')
})

it('reads a long table once', async () => {
  const rows = Array.from({ length: 16_000 }, (_, at) => `Article ${at};${((at * 7919) % 10_007) / 100}`)
  const timeOf = (count: number) => {
    const tables = toTable('Name;Price', ...rows.slice(0, count))
    const since = process.cpuUsage()
    ask('What is the highest price?', tables)
    return process.cpuUsage(since).user / 1000
  }
  timeOf(1_000)
  expect(timeOf(16_000)).toBeLessThan(Math.max(1_500, timeOf(4_000) * 10))
})

it('takes no negative number for a positive one', () => {
  const doses = toTable('Temperature;Dose', '0 to 9 degrees;4 drops', '10 to 20 degrees;2 drops')
  expect(ask('What is the dose at -5 degrees?', doses)?.text ?? '').not.toContain('4 drops')
  expect(ask('What is the dose at 5 degrees?', doses)?.text).toContain('4 drops')
})
