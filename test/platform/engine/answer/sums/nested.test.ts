/** A cell of the one who has the most in another table. */
import { expect, it } from 'vitest'
import { readTables } from '#platform/engine/answer/tables/read-tables.ts'
import { answerFromTables } from '#platform/engine/answer/tables/table-answer.ts'
import { toMarkdown, toTable } from './rows.ts'

const LOG = toTable(
  'hire_no;out;due;client;desk;charge_gbp',
  '4101;2026-01-05;2026-01-08;Oak Films;Ida Holm;210.00',
  '4102;2026-01-19;2026-01-30;Brun Media;Raj Nair;90.50',
  '4103;2026-02-06;2026-02-07;Oak Films;Ida Holm;120.00',
  '4104;2026-03-02;2026-03-09;Pennant;Ona Byrd;80.00',
  '4105;2026-03-21;2026-04-02;Oak Films;Ida Holm;310.25',
  '4106;2026-04-11;2026-04-12;Brun Media;Raj Nair;40.00',
)
const STAFF = readTables(
  `## Staff\n\n${toMarkdown(
    'Name;Job;Pay per hour;Locker',
    'Ida Holm;Desk clerk;£14.40;7',
    'Raj Nair;Desk clerk;£13.10;9',
    'Una Lind;Driver;£12.80;11',
  )}`,
)
const ask = (question: string) =>
  answerFromTables(
    question,
    [
      { file: 'hire log 2026.csv.md', tables: LOG },
      { file: 'Staff.xlsx.md', tables: STAFF },
    ],
    'en',
  )?.text

it.each([
  ['what is the hourly pay of the desk person who handled the most hires in the log', 'Ida Holm, Pay per hour: £14.40'],
  ['please add up the charges in the hire log by month (date out), January to March', '| 2026-03 | 390.25'],
])('answers %s', (question, part) => {
  expect(ask(question)).toContain(part)
})

it.each([
  // Ona Byrd is in no list.
  'what is the hourly pay of the desk person who handled the fewest hires in the log',
  'what is the hourly pay of the driver who drove the most miles',
  'what is the weekly pay of the desk person who handled the most complaints',
])('says nothing of %s', (question) => {
  expect(ask(question)).toBeUndefined()
})
