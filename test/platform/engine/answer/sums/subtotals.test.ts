/** Rows that sum up a part of a table, asked by their name. */
import { expect, it } from 'vitest'
import { readTables } from '#platform/engine/answer/tables/read-tables.ts'
import { answerFromTables } from '#platform/engine/answer/tables/table-answer.ts'
import { toMarkdown } from './rows.ts'

const TABLES = readTables(
  `## Sales\n\n${toMarkdown(
    'Shop;Region;Units;Takings (€)',
    'Ulm;North;4;1,210.50',
    'Bonn;North;7;844.25',
    'Subtotal North;;11;2,054.75',
    'Wels;South;3;512.00',
    'Graz;South;9;998.40',
    'Subtotal South;;12;1,510.40',
    'Total;;23;3,565.15',
  )}## Stunden 2025\n\n${toMarkdown(
    'Mitarbeiter;Januar;Februar;März;Summe',
    'Uwe Hinz;10.5;12.0;9.0;31.5',
    'Deniz Kay;8.0;11.5;10.0;29.5',
    'Zwischensumme Werkstatt;18.5;23.5;19.0;61.0',
    'Ida Holm;6.0;7.5;8.0;21.5',
    'Ona Byrd;5.5;6.5;3.0;15.0',
    'Zwischensumme Montage;11.5;14.0;11.0;36.5',
    'Gesamt;30.0;37.5;30.0;97.5',
  )}`,
)
const ask = (question: string, language = 'en') =>
  answerFromTables(question, [{ file: 'Figures.xlsx.md', tables: TABLES }], language)?.text

it.each([
  ['what is the takings subtotal for the north', 'Subtotal North, Takings (€): 2,054.75'],
  ['What is the subtotal of units in the South?', 'Subtotal South, Units: 12'],
  ['Wie lautet die Zwischensumme Montage im März?', 'Zwischensumme Montage, März: 11.0'],
  ['Wie lautet die Zwischensumme Montage fürs ganze Jahr?', 'Zwischensumme Montage, Summe: 36.5'],
])('answers %s', (question, part) => {
  expect(ask(question, question.startsWith('Wie') ? 'de' : 'en')).toContain(part)
})

it.each([
  'what is the subtotal for the west',
  'what is the subtotal for the north',
  'what is the planned takings subtotal for the north',
])('says nothing of %s', (question) => {
  expect(ask(question)).toBeUndefined()
})
