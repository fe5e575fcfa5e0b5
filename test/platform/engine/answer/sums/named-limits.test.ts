/** A limit that names its column, with the amount of another one. */
import { expect, it } from 'vitest'
import { readTables } from '#platform/engine/answer/tables/read-tables.ts'
import { answerFromTables } from '#platform/engine/answer/tables/table-answer.ts'
import { toMarkdown, toTable } from './rows.ts'

const COACHES = toTable(
  'Coach no;Built;Class;Seats;Total weight;Deposit;Deposit back',
  '31;1894;First;24;£110.00;£20;yes',
  '32;1899;Third;48;£240.00;£30;no',
  '33;1923;Third;56;£310.50;£40;yes',
  '34;1951;First;42;£720.00;£10;no',
)
const AUFTRAEGE = toTable(
  'Auftrag-Nr.;Leistung;Angebot (€);Anzahlung (€)',
  '5003;Reparatur;560.00 €;100.00 €',
  '5006;Treppe;9,200.00 €;2,750.00 €',
  '5009;Treppe;7,450.50 €;2,250.00 €',
)
const BUDGET = readTables(
  `## Job sheet\n\n${toMarkdown('Cost;Jan 2025;Feb 2025;Mar 2025', 'Rent;£300;£310;£620', 'Water;£40;£210;£50')}`,
)
const ask = (question: string, language: 'de' | 'en', tables: readonly ReturnType<typeof toTable>[number][]) =>
  answerFromTables(question, [{ file: 'book.xlsx.md', tables }], language)?.text

it.each([
  ['total seats of coaches built before 1900', 'Sum of Seats: 72 (2 rows)'],
  ['What do the deposits of coaches with a total weight over £200 sum to?', 'Sum of Deposit: £80 (3 rows)'],
  ['How many coaches have a total weight between £200 and £500?', 'Coaches: 2'],
  [
    'deposits in total on everything with more than 40 seats and a total weight under £300',
    'Sum of Deposit: £30 (1 row)',
  ],
  ['How much deposit is there in total for coaches of the First class?', 'Sum of Deposit: £30 (2 rows)'],
])('%s', (question, part) => {
  expect(ask(question, 'en', COACHES)).toContain(`**${part}**`)
})

it.each([
  [
    'wie viel Anzahlung ergeben die Aufträge mit einem Angebot über 5.000 € zusammen?',
    'Summe von Anzahlung (€): €5,000.00 (2 Zeilen)',
  ],
  ['Wie viele Aufträge haben ein Angebot über 5.000 €?', 'Aufträge: 2'],
])('in German, where the table is written in English: %s', (question, part) => {
  expect(ask(question, 'de', AUFTRAEGE)).toContain(`**${part}**`)
})

it('adds up no values of months where things within a limit are counted', () => {
  expect(ask('How many jobs cost between £200 and £500?', 'en', BUDGET)).toBeUndefined()
})

it('never adds up numbers of jobs', () => {
  const jobs = toTable('Job #;Product;Total', '7120;Cards;$30', '7124;Menus;$20', '7130;Cards;$15')
  expect(ask('total of all card jobs?', 'en', jobs)).toContain('**Sum of Total: $45 (2 rows)**')
})
