/** Words that another table knows, or a title alone, choose nothing here: no number is said of them. */
import { expect, it } from 'vitest'
import { readTables } from '#platform/engine/answer/tables/read-tables.ts'
import { answerFromTables } from '#platform/engine/answer/tables/table-answer.ts'
import { toMarkdown } from './rows.ts'

const FIGURES = [
  '## Skips',
  '',
  toMarkdown(
    'Hire;Date;Customer;Size (yd);Price',
    'H1;2026-04-02;Dunmore;8;£260',
    'H2;2026-04-09;Ames;4;£165',
    'H3;2026-05-04;Dunmore;12;£395',
  ),
  '## Customers',
  '',
  toMarkdown('Customer;Town', 'Dunmore;Oakley', 'Ames;Deane'),
  '## Rooms',
  '',
  toMarkdown('Room;Tenant;Since', 'R1;Elm Farm;2024-05-01', 'R2;Ash Ltd;2026-01-01'),
  '## Vehicles',
  '',
  toMarkdown('Name;Kind;Mileage', 'Bertha;van;48,000', 'Colossus;lorry;91,000'),
  '## Crew',
  '',
  toMarkdown('Name;Job;With us since', 'Ida Holm;driver;2019-02-18', 'Raj Nair;driver;2022-06-01'),
  '## Income',
  '',
  toMarkdown(
    'Department;Lead;2026 May;2026 June;2026 July;Total',
    'Visitor nights;Ida Holm;£620;£840;£910;£2,370',
    'Fuel;Raj Nair;£314;£298;£642;£1,254',
  ),
].join('\n')

const ask = (question: string) =>
  answerFromTables(
    question,
    [{ file: 'Oakley Road figures staff 2026.xlsx.md', tables: readTables(FIGURES, true) }],
    'en',
  )?.text

it.each([
  'How many skips went to Oakley?',
  'Which size is hired the most?',
  'Which department has the most staff?',
  'How many visitors did we have in July?',
  'How many visitor nights did we have in July?',
  'Which van is the newest?',
  'Who is the oldest driver?',
  'What did we spend in April?',
])('says nothing of %s', (question) => {
  expect(ask(question)).toBeUndefined()
})

it('takes no fee for a donation, though both come in', () => {
  const donations =
    '## Donations\n\n' + toMarkdown('Source;2026 May;2026 June;2026 July', 'A;620;840;910', 'B;314;298;642')
  const courses = '## Courses\n\n' + toMarkdown('Course;Teacher;Fee per month', 'Piano;Ida;72', 'Choir;Raj;18')
  const file = { file: 'school 2026.xlsx.md', tables: readTables(`${donations}\n${courses}`, true) }
  expect(answerFromTables('What was the fee per month on average?', [file], 'en')?.text ?? '').not.toContain(
    'Donations',
  )
})

it('says no salary where the most employees are asked for', () => {
  const staff = toMarkdown(
    'Name;Team;City;Salary',
    'Ann;Sales;Ulm;58,000',
    'Ben;Support;Ulm;41,000',
    'Cy;Sales;Bonn;39,500',
  )
  const file = { file: 'a.csv.md', tables: readTables(staff) }
  expect(answerFromTables('Which city has the most offices?', [file], 'en')).toBeUndefined()
})

it.each([
  ['How many skips did Dunmore have?', 'Skips: 2'],
  ['Which size is the largest?', 'Highest Size (yd): 12'],
  ['Which department brought in the most in July?', 'Highest: Visitor nights, £910'],
  ['Who has been with us since 2022?', 'Raj Nair'],
])('answers %s', (question, part) => {
  expect(ask(question)).toContain(`**${part}`)
})
