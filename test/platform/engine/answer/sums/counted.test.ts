/** What is counted has to be in the table: rows of jobs are no complaints. */
import { expect, it } from 'vitest'
import { answerFromTables } from '#platform/engine/answer/tables/table-answer.ts'
import { toTable } from './rows.ts'

const JOBS = toTable(
  'Job;Date;Boat;Price;Paid',
  'J-1;2026-04-03;Fulmar;272.50;yes',
  'J-2;2026-04-15;Selkie;192.50;no',
  'J-3;2026-05-07;Dunlin;247.50;yes',
  'J-4;2026-08-07;Fulmar;90.00;yes',
)

const ask = (question: string, language: 'de' | 'en') =>
  answerFromTables(question, [{ file: 'yard.csv.md', tables: JOBS }], language)?.text

it.each([
  ['How many complaints came in in April?', 'en'],
  ['How many burglaries were there before June?', 'en'],
  ['How many batteries were not paid?', 'en'],
  ['Wie viele Beschwerden gab es im August?', 'de'],
] as const)('counts no rows of other things: %s', (question, language) => {
  expect(ask(question, language)).toBeUndefined()
})

it.each([
  ['How many jobs came in in April?', 'Jobs: 2'],
  ['How many jobs were there before June?', 'Jobs: 3'],
  ['How many jobs are not paid?', 'Jobs: 1'],
  ['How many boats were there in April?', 'Boats: 2'],
])('counts what a column names: %s', (question, part) => {
  expect(ask(question, 'en')).toContain(`**${part}**`)
})
