/** Limits whose column no word names: the only one in whose range they lie. */
import { expect, it } from 'vitest'
import { readTables } from '#platform/engine/answer/tables/read-tables.ts'
import { answerFromTables } from '#platform/engine/answer/tables/table-answer.ts'
import { toMarkdown, toTable } from './rows.ts'

const JOBS = toTable(
  'job_no;date;boat;done_by;hours;price;deposit;status',
  'Y1;2026-04-03;Fulmar;Hanne Dahl;4.5;£272.50;£20;open',
  'Y2;2026-04-05;Selkie;Bogdan Ilie;2;£192.50;£15;paid',
  'Y3;2026-04-07;Corrigan;Hanne Dahl;2.5;£247.50;£25;open',
  'Y4;2026-04-10;Dunlin;Hanne Dahl;6;£125.00;£10;open',
  'Y5;2026-04-12;Dunlin;Bogdan Ilie;5;£310.00;£30;open',
)
const NUMBERS = toTable('Crate;Weight;Value', 'A;120;300', 'B;240;180', 'C;310;220')
const RECHNUNGEN = toTable(
  'Rechnung;Lieferant;Betrag;Bezahlt',
  'R1;Hopf;312,40 €;ja',
  'R2;Hopf;1.246,00 €;nein',
  'R3;Wucher;1.980,00 €;ja',
  'R4;Puchner;720,00 €;nein',
)
const BERTHS = readTables(
  `## Berths\n\n${toMarkdown(
    'Berth No.;Boat Boat name;Boat Owner;Boat Length (m);Contract Annual fee',
    'A03;Kittiwake;Helen Ashby;9.4;£2,680',
    'A07;Mistral;Colin Farquhar;7.6;£1,990',
    'B02;Sula;Helen Ashby;11.2;£3,340',
  )}`,
)

const ask = (question: string, language: 'de' | 'en', tables: readonly ReturnType<typeof toTable>[number][]) =>
  answerFromTables(question, [{ file: 'yard_jobs.csv.md', tables }], language)?.text

it.each([
  ['How many jobs over 200 are open?', 'Jobs: 3'],
  ['How many open jobs over £200 did Hanne Dahl do?', 'Jobs: 2'],
  ['open jobs over 200 and done by Hanne', '2 rows: Y1, Y3'],
  ['Which open jobs are over 300 pounds?', 'Y5, Dunlin'],
])('%s', (question, part) => {
  expect(ask(question, 'en', JOBS)).toContain(`**${part}**`)
})

it.each([
  ['Wie viele Rechnungen über 1000 Euro sind unbezahlt?', 'Rechnungen: 1'],
  ['Welche Rechnungen über 500 Euro sind bezahlt?', 'R3'],
  ['Welche zwei Lieferanten haben am meisten gekostet?', 'Am höchsten: Wucher, 1.980,00 €'],
])('in German: %s', (question, part) => {
  expect(ask(question, 'de', RECHNUNGEN)).toContain(`**${part}**`)
})

it.each([
  ['How many members over 60 are there?', toTable('Name;Fee', 'Ida;40', 'Raj;65', 'Ona;80')],
  ['How many jobs over 60 did the staff do?', toTable('Name;Fee', 'Ida;40', 'Raj;65', 'Ona;80')],
  ['How many jobs were there before 2020?', toTable('Job;Price', 'J1;1800', 'J2;2400', 'J3;900')],
] as const)('no guess: %s', (question, table) => {
  expect(ask(question, 'en', table)).toBeUndefined()
})

it('leaves open which of two columns is meant', () => {
  expect(ask('How many crates over 200 are there?', 'en', NUMBERS)).toBeUndefined()
})

it('ranks boats where another column says their length', () => {
  expect(ask('top 2 boats by annual fee', 'en', BERTHS)).toContain('Sula £3,340, Kittiwake £2,680')
})
