/** Differences of two named things, the sum of what is counted, shares of a total, and what brings nothing in. */
import { expect, it } from 'vitest'
import { questionsIn } from '#lexicon/asked.ts'
import { readTables } from '#platform/engine/answer/tables/read-tables.ts'
import { answerFromTables } from '#platform/engine/answer/tables/table-answer.ts'
import { toMarkdown, toTable } from './rows.ts'

const JOBS = toTable(
  'Job #;Ordered;Depot;Driver;Total;Weight (kg);Delivered;Paid out',
  '7120;2025-05-08;Ely;Ida Holm;$30.50;12;2025-05-10;yes',
  '7124;2025-06-11;March;Raj Nair;$20.00;8;2025-06-12;no',
  '7130;2025-06-17;Ely;Ida Holm;$15.00;20;2025-06-20;no',
  '7141;2025-08-02;Wisbech;Ona Byrd;$44.25;31;2025-08-05;yes',
  '7149;2025-08-20;Ely;Raj Nair;$10.25;9;2025-08-22;yes',
)
const INCOME = readTables(
  `## Income by month\n\n${toMarkdown('Source;Jan 2025;Feb 2025;Mar 2025;Dec 2025', 'Boat hire;310;420;610;90', 'Lessons;120;240;180;60')}`,
)
const BUDGET = readTables(
  `## Budget 2025\n\n${toMarkdown('Cost;Jan;Feb;Mar', 'Rent;£300;£310;£620', 'Water;£40;£210;£50')}`,
)
const ask = (question: string, tables: readonly ReturnType<typeof toTable>[number][], language: 'de' | 'en' = 'en') =>
  answerFromTables(question, [{ file: 'book.xlsx.md', tables }], language)?.text

it.each([
  ['How far apart are Ely and Wisbech in total?', 'Difference of Sum of Total: $11.50 ($55.75, $44.25)'],
  ['By how much do the totals of Ely and Wisbech differ?', 'Difference of Sum of Total: $11.50 ($55.75, $44.25)'],
  ['how many jobs are not paid out and what is that all together in total?', 'Jobs: 2, Sum of Total: $35.00'],
  ['How many jobs of the Ely depot were there, and what was their total value?', 'Jobs: 3, Sum of Total: $55.75'],
  ['Ely as a percentage of the total of all jobs?', 'Share of Total: 46.5 % ($55.75 of $120.00)'],
])('%s', (question, part) => {
  expect(ask(question, JOBS)).toContain(`**${part}**`)
})

it.each([
  ['What is the difference in boat hire income between March and December 2025?', '520 ('],
  ['how much more or less boat hire was there in February compared with January?', '110 ('],
])('months: %s', (question, part) => {
  expect(ask(question, INCOME)).toContain(part)
})

it.each([
  ['which month of 2025 brought in the most?', BUDGET],
  ['How many jobs are not paid out, and what do their invoices add up to?', JOBS],
  ['How far apart are Ely and Cambridge in total?', JOBS],
] as const)('computes nothing for %s', (question, tables) => {
  expect(ask(question, tables)).toBeUndefined()
})

it('asks for the sum of what is counted in one question', () => {
  expect(questionsIn('How many jobs got cancelled and what was their total value?')).toEqual([])
})
