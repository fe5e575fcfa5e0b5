/** Units in words, of columns that have them in their header. */
import { expect, it } from 'vitest'
import { answerFromTables } from '#platform/engine/answer/tables/table-answer.ts'
import { toTable } from './rows.ts'

const DELIVERIES = toTable(
  'Delivery no;Date;Keeper;Kind;Weight (kg);Juice (l);Price per kg;Amount',
  '1403;2025-05-05;Ivy Castle;Lime;40.8;12.5;€6.00;€244.80',
  '1405;2025-05-12;Greta Holm;Heather;99.9;8.0;€9.00;€899.10',
  '1410;2025-06-03;Ivy Castle;Heather;20.1;4.5;€9.50;€190.95',
  '1411;2025-06-09;Greta Holm;Lime;11.2;3.0;€6.00;€67.20',
)
const ask = (question: string, language = 'en') =>
  answerFromTables(question, [{ file: 'deliveries.csv.md', tables: DELIVERIES }], language)?.text

it.each([
  ['how many kilos of heather came in?', 'Weight (kg): 120.0'],
  ['how many kilograms of lime did Ivy Castle bring?', 'Weight (kg): 40.8'],
  ['How many kg of heather in June', 'Weight (kg): 20.1'],
  ['how many litres of lime?', 'Juice (l): 15.5'],
  ['Wie viele Kilogramm Heather?', 'Weight (kg): 120.0'],
  ['Wie viele Liter Lime?', 'Juice (l): 15.5'],
])('answers %s', (question, part) => {
  expect(ask(question, question.startsWith('Wie') ? 'de' : 'en')).toContain(part)
})

it.each(['how many tonnes of heather?', 'how many kilos of clover came in?', 'how many kilos were returned?'])(
  'says nothing of %s',
  (question) => {
    expect(ask(question)).toBeUndefined()
  },
)
