/** Rows that a letter names, and days on which a contract began. */
import { expect, it } from 'vitest'
import { answerFromTables } from '#platform/engine/answer/tables/table-answer.ts'
import { toTable } from './rows.ts'

const BERTHS = toTable(
  'Berth;Pontoon;Boat;Annual fee;Since;Paid 2026',
  'A03;A;Kittiwake;£2680;2015-04-01;yes',
  'A07;A;Mistral;£1990;2019-06-01;yes',
  'B02;B;Sula;£3100;2024-06-01;no',
  'B14;B;Zephyr;£1860;2024-06-01;yes',
  'D16;D;Gannet;£2060;2026-04-01;no',
)
const ask = (question: string) =>
  answerFromTables(question, [{ file: 'berths.csv.md', tables: BERTHS }], question.startsWith('Wie') ? 'de' : 'en')
    ?.text ?? ''

it.each([
  ['average annual fee on pontoon B?', 'Average of Annual fee: £2480 (2 rows)'],
  ['average annual fee on pontoon b', 'Average of Annual fee: £2480 (2 rows)'],
  ['What is the total annual fee of Pontoon A?', 'Sum of Annual fee: £4670'],
  ['What is the total annual fee of boats since 2024?', 'Sum of Annual fee: £7020'],
])('%s', (question, answer) => {
  expect(ask(question)).toContain(answer)
})

it.each([
  'average annual fee on pontoon C?',
  'What is the total income in June?',
  'Wie hoch waren die Einnahmen im Juni?',
])('%s is not computed', (question) => {
  expect(ask(question)).not.toMatch(/Sum|Average|Summe|Durchschnitt/)
})

it('which boats have not paid for 2026 yet?', () => {
  const answer = ask('which boats have not paid for 2026 yet?')
  expect(answer.includes('Gannet')).toBe(answer.includes('Sula'))
})
