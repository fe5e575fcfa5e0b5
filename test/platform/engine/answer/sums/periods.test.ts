/** Periods of time, and what only looks like one. */
import { describe, expect, it } from 'vitest'
import { answerFromTables } from '#platform/engine/answer/tables/table-answer.ts'
import { toMarkdown, toTable } from './rows.ts'
import { readTables } from '#platform/engine/answer/tables/read-tables.ts'

const SPENT = toTable(
  'Date;Supplier;Expenses',
  '2025-05-04;Quay;£100.00',
  '2025-06-04;Quay;£700.00',
  '2025-11-09;Mill;£30.00',
  '2026-01-20;Mill;£40.00',
  '2026-02-11;Mill;£50.00',
  '2026-05-04;Quay;£300.00',
  '2026-06-07;Quay;£120.00',
  '2026-11-07;Quay;£60.00',
)
const INVOICES = toTable(
  'Invoice no;Customer;Amount',
  '2024-01;Ash;£10.00',
  '2024-02;Elm;£20.00',
  '2024-03;Oak;£35.00',
  '2024-04;Yew;£40.00',
  '2024-13;Fir;£50.00',
)
const MONTHLY = toTable('Month;Sales', '2026-04;100.00', '2026-05;250.00', '2026-06;300.00', '2026-07;400.00')
const MARGINS = toTable('Shop;Jan 2026;Feb 2026;Margin 2026', 'Quay;100.00;120.00;30.00', 'Mill;200.00;210.00;40.00')
const MEMBERS = toTable(
  'Name;Phone;E-mail',
  'Ann;123 456;ann@example.org',
  'Bo;;',
  'Cy;123 789;cy@example.org',
  'Di;123 012;di@example.org',
)

const ask = (question: string, tables: ReturnType<typeof toTable>) =>
  answerFromTables(question, [{ file: 'file.csv.md', tables }], 'en')?.text ?? ''

describe('a year that one of two periods names', () => {
  it.each([
    'How much more did we spend in May 2026 than in June?',
    'How much more did we spend in May than in June 2026?',
  ])('is that of both: %s', (question) => {
    expect(ask(question, SPENT)).toContain('**Difference of Sum of Expenses: £180.00')
  })
})

it.each([
  ['a range over New Year is in no one year', 'How much did we spend from November to February 2026?', SPENT],
  ['a day is neither before nor after its month', 'What are the total sales before 15 May 2026?', MONTHLY],
  ['a margin is no March', 'What is the total of Quay from January to March 2026?', MARGINS],
  ['a row with a name alone may be a member', 'How many members are there?', MEMBERS],
])('%s', (_, question, tables) => {
  expect(ask(question, tables)).not.toMatch(/^Computed/)
})

it('numbers of invoices are names, though they look like months', () => {
  expect(ask('What is the amount of invoice 2024-03?', INVOICES)).toContain('35.00')
})

const BOOK = readTables(
  [
    `## Hires\n\n${toMarkdown(
      'Hire no;Date out;After the hire Paid on;Price',
      '1;2024-11-03;2025-01-02;£100.00',
      '2;2025-02-01;2025-02-09;£200.00',
      '3;2025-03-01;;£400.00',
    )}`,
    `## Pool hire\n\n${toMarkdown('Pool;Jan 2025;Feb 2025;Mar 2025', 'Lido;£10.00;£20.00;£40.00', 'Quay;£11.00;£21.00;£41.00')}`,
  ].join('\n'),
)

it.each(['How many hires in 2025?', 'Total price of the hires in 2025?', 'What did the 2025 hires cost in total?'])(
  'the day of two that is meant is open, and no other table answers: %s',
  (question) => {
    expect(answerFromTables(question, [{ file: 'book.xlsx.md', tables: BOOK }], 'en')).toBeUndefined()
  },
)

const INCOME = readTables(
  `## Income\n\n${toMarkdown('Source;Jan 2025;Feb 2025;Mar 2025', 'Lido;£10.00;£20.00;£40.00', 'Quay;£11.00;£21.00;£38.00')}`,
)

it('a share of the year of all values is one of all of them', () => {
  expect(ask('What share of the whole 2025 income came from Lido?', INCOME)).toContain('50.0 % (£70.00 of £140.00)')
  expect(ask('What share of the 2024 income came from Lido?', INCOME)).toBe('')
})
