/** Months of a table with two columns of days: the one that is named, else the first. */
import { expect, it } from 'vitest'
import { answerFromTables } from '#platform/engine/answer/tables/table-answer.ts'
import { toTable } from './rows.ts'

const HIRES = toTable(
  'Hire no;Date out;Paid on;Client;Boat;Charge (£);Handled by',
  '4101;2026-01-05;2026-02-08;Oak Films;Sula;210.00;Ida Holm',
  '4102;2026-01-19;2026-01-30;Brun Media;Puffin;90.50;Raj Nair',
  '4103;2026-02-06;2026-03-07;Oak Films;Sula;120.00;Ida Holm',
  '4104;2026-03-02;2026-03-09;Pennant;Skua;80.00;Ida Holm',
  '4105;2026-03-21;2026-04-02;Oak Films;Puffin;310.25;Ona Byrd',
  '4106;2026-04-11;2026-04-12;Brun Media;Skua;40.00;Raj Nair',
)
const ask = (question: string, language = 'en') =>
  answerFromTables(question, [{ file: 'hire log 2026.csv.md', tables: HIRES }], language)?.text

it.each([
  ['what is the charge per month?', '| 2026-01 | 300.50'],
  ['charges per month', '| month (Date out) |'],
  ['please add up the charges in the hire log by month (date out), January to March', '| 2026-03 | 390.25'],
  ['charge per month for january to march 2026', '| 2026-02 | 120.00'],
  ['what is the charge by month paid', '| 2026-04 | 350.25'],
  ['which month had the highest total charge?', 'March 2026, 390.25'],
  ['Welcher Monat hatte die höchste Charge insgesamt?', 'März 2026, 390.25'],
])('answers %s', (question, part) => {
  expect(ask(question, question.startsWith('Welcher') ? 'de' : 'en')).toContain(part)
})

it('a sum in a month does not say by which of two days: none is computed', () => {
  expect(ask('What was the total charge in March?')).toBeUndefined()
  expect(ask('What was the total charge of those paid in March?')).toContain('200.00')
})
