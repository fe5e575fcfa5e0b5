/** Money that is owed or earned, the largest by a column, and the range of one. */
import { expect, it } from 'vitest'
import { answerFromTables } from '#platform/engine/answer/tables/table-answer.ts'
import { toTable } from './rows.ts'

const ask = (question: string, file: string, tables: ReturnType<typeof toTable>, language = 'en') =>
  answerFromTables(question, [{ file, tables }], language)?.text

const HIRES = toTable(
  'Hire;Date;Boat;Guests;Fee;Settled',
  'H1;2026-01-16;Heron;42;210.00;yes',
  'H2;2026-01-24;Teal;18;171.00;no',
  'H3;2026-02-06;Swan;28;400.00;yes',
  'H4;2026-03-13;Teal;12;170.00;no',
  'H5;2026-03-20;Heron;35;175.00;yes',
  'H6;2026-03-27;Swan;51;255.00;yes',
)
const STAFF = toTable(
  'Name;Role;Start date;Hours;Annual salary',
  'Ada;Pilot;2026-01-15;20;52000',
  'Ben;Cook;2026-03-01;36;41000',
  'Cy;Mate;2026-03-20;30;48000',
)
const MIETEN = toTable(
  'Nr;Datum;Boot;Gäste;Gebühr;Bezahlt',
  'M1;16.01.2026;Reiher;42;210,00 €;ja',
  'M2;24.01.2026;Ente;18;171,00 €;nein',
  'M3;06.02.2026;Schwan;28;120,00 €;nein',
)

it.each([
  ['How much money is still outstanding from unpaid hires?', '**Sum of Fee: 341.00 (2 rows)**'],
  ['How much money is outstanding?', '**Sum of Fee: 341.00 (2 rows)**'],
  ['How many hires are outstanding?', '**Hires: 2**'],
  ['What are the two biggest hires by guests?', '**Highest Guests: H6 51, H1 42**'],
  ['the two smallest hires by fee', '**Lowest Fee: H4 170.00, H2 171.00**'],
  ['Which month has the highest fees?', '**Highest: March 2026, 600.00**'],
])('answers %s', (question, said) => {
  expect(ask(question, 'boat hires.csv.md', HIRES)).toContain(said)
})

it.each([
  ['What is the difference between the highest and the lowest salary?', 'Annual salary: 11,000 (Ada 52000, Ben 41000)'],
  ['difference between the lowest and highest salary', 'Annual salary: 11,000 (Ada 52000, Ben 41000)'],
])('answers %s of a staff list', (question, said) => {
  expect(ask(question, 'staff.csv.md', STAFF)).toContain(said)
})

it.each([
  ['Was sind die zwei größten Mieten nach Gästen?', 'M1 42, M3 28'],
  ['Was ist der Unterschied zwischen der höchsten und der niedrigsten Gebühr?', '90,00'],
])('answers %s', (question, said) => {
  expect(ask(question, 'Mieten.csv.md', MIETEN, 'de')).toContain(said)
})

it.each([
  // The month of the highest fee is another one than that of the highest sum.
  ['Which month has the highest fee?', HIRES],
  // A salary is no income, and the day of a hire no day of pay.
  ['In which month did we earn the most?', STAFF],
  ['How much did we earn in March?', STAFF],
  ['How much money is still outstanding?', STAFF],
  ['What are the two biggest hires by boat?', HIRES],
])('computes nothing for %s', (question, tables) => {
  expect(ask(question, 'list.csv.md', tables)).toBeUndefined()
})

it('says one more row, not one more rows', () => {
  const rows = Array.from({ length: 11 }, (_, at) => `H${at};${at + 1}`)
  expect(ask('What is the total fee?', 'hires.csv.md', toTable('Hire;Fee', ...rows))).toContain('… and 1 more row.')
})
