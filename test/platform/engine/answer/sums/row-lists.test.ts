/** Lists of rows by empty cells, by two columns, and with a note on what to show. */
import { expect, it } from 'vitest'
import { answerFromTables } from '#platform/engine/answer/tables/table-answer.ts'
import { toTable } from './rows.ts'

const LOANS = toTable(
  'Loan no;Taken;Due;Returned;Reader;Book;Value (£)',
  '401;2026-01-05;2026-01-08;2026-01-10;Ines Roth;Atlas;12.00',
  '402;2026-01-06;2026-01-09;2026-01-09;Karl Bohm;Herbal;30.00',
  '403;2026-01-07;2026-01-12;;Ines Roth;Herbal;30.00',
  '404;2026-02-01;2026-02-04;2026-02-09;Uma Lee;Psalter;55.50',
  '405;2026-02-03;2026-02-06;;Karl Bohm;Atlas;12.00',
)
const MEMBERS = toTable(
  'Member no;Surname;Section;Joined;Annual fee (£);Fee paid (£)',
  '11;Arkwright;Rowing;2019-04-01;£90.00;£90.00',
  '12;Bellamy;Rowing;2023-02-01;£90.00;£45.00',
  '13;Castell;Sailing;2024-05-01;£120.00;',
  '14;Drury;Sailing;2018-06-01;£120.00;£120.00',
)
const AUFTRAEGE = toTable(
  'Auftrag-Nr.;Leistung;Angebot (€);Rechnungsbetrag (€);Geliefert am',
  '71;Regal;560,50 €;540,00 €;03.02.2026',
  '72;Treppe;9.200,00 €;;',
  '73;Tisch;1.450,00 €;1.500,00 €;',
)
const ask = (question: string, table: ReturnType<typeof toTable>, language = 'en') =>
  answerFromTables(question, [{ file: 'list.csv.md', tables: table }], language)?.text

it.each([
  ['Which loans have not been returned yet?', '2 rows: 403, 405'],
  ['Which loans have not been returned? Just the loan numbers please', '2 rows: 403, 405'],
  ['Which loans have not been returned? Just the books, please', '2 rows: Herbal, Atlas'],
  ['Which loans have no return date yet?', '2 rows: 403, 405'],
  ['How many loans have not been returned so far?', 'Loans: 2'],
  ['How many loans were returned later than due?', 'Loans: 2'],
  ['Which loans were returned after the due date?', '2 rows: 401, 404'],
  ['Which loans were returned late?', '2 rows: 401, 404'],
])('%s', (question, part) => {
  expect(ask(question, LOANS)).toContain(`**${part}**`)
})

it.each([
  ['Which members have not fully paid their annual fee? Surnames are enough', '2 rows: Bellamy, Castell'],
  ['Which members have paid less than the annual fee?', '2 rows: 12 Bellamy, 13 Castell'],
  ['The names of members who joined after 2022', '2 rows: 12 Bellamy, 13 Castell'],
  ['How many members are in the Rowing section?', 'Members: 2'],
])('%s', (question, part) => {
  expect(ask(question, MEMBERS)).toContain(`**${part}**`)
})

it.each([
  ['Welche Aufträge sind noch nicht geliefert? Bitte nur die Auftragsnummern', '2 Zeilen: 72, 73'],
  ['Welche Aufträge sind abgerechnet, aber noch nicht geliefert?', '73'],
  ['Wie viele Aufträge sind noch nicht abgerechnet?', 'Aufträge: 1'],
  [
    'Wie viele Aufträge sind noch nicht abgerechnet und was ergeben deren Angebote zusammen?',
    'Aufträge: 1, Summe von Angebot (€): 9.200,00 €',
  ],
])('%s', (question, part) => {
  expect(ask(question, AUFTRAEGE, 'de')).toContain(`**${part}**`)
})

it('says one paid nothing where a part is no payment of the whole', () => {
  expect(ask('How many members have paid nothing at all so far?', MEMBERS)).toContain('**Members: 1**')
  expect(ask('Which members have not paid?', MEMBERS)).toBeUndefined()
})

it.each([
  'Which loans have not been insured?',
  'Which loans were returned after the reminder date?',
  'Which loans have not been returned? Just the phone numbers',
])('does not guess what a table does not have: %s', (question) => {
  expect(ask(question, LOANS)).toBeUndefined()
})

it('says twenty names and how many more there are', () => {
  const many = toTable(
    'Parcel no;Sent',
    ...Array.from({ length: 25 }, (_, at) => `${at + 500};${at < 24 ? '' : '2026-01-02'}`),
  )
  expect(ask('Which parcels have not been sent?', many)).toMatch(/\*\*24 rows: 500, [^*]*, 519 and 4 more\*\*/)
})
