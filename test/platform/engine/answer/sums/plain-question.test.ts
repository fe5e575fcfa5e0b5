/** Questions in other words: who is the biggest by an amount, and a second question for the same row. */
import { expect, it } from 'vitest'
import { readTables } from '#platform/engine/answer/tables/read-tables.ts'
import { answerFromTables } from '#platform/engine/answer/tables/table-answer.ts'
import { toMarkdown } from './rows.ts'

const TABLES = readTables(
  `## Hires\n\n${toMarkdown(
    'Hire no;Date out;Paid on;Customer no;Boat;Driver;Total price (£)',
    '4101;2024-12-05;2025-01-08;1007;Sula;Ida Holm;£210.00',
    '4102;2025-01-19;2025-01-30;1012;Puffin;Raj Nair;£90.50',
    '4103;2025-02-06;2025-03-07;1007;Sula;Ida Holm;£120.00',
    '4104;2025-03-02;2025-03-09;1019;Skua;Ida Holm;£80.00',
    '4105;2025-03-21;2025-04-02;1007;Puffin;Ona Byrd;£310.25',
    '4106;2025-04-11;2025-04-12;1012;Skua;Raj Nair;£340.00',
  )}## Customers\n\n${toMarkdown(
    'Customer no;Name;Town',
    '1007;Oak Films;Ludlow',
    '1012;Brun Media;Tenbury',
    '1019;Pennant;Ludlow',
  )}`,
)
const ask = (question: string, language = 'en') =>
  answerFromTables(question, [{ file: 'Hires.xlsx.md', tables: TABLES }], language)?.text

it.each([
  [
    'Who is our biggest customer by total price, and how much have they spent?',
    '**Highest: Oak Films (1007), £640.25**',
  ],
  ['which is our best customer by total price', 'Oak Films (1007), £640.25'],
  ['which hire had the highest total price, and who drove it?', 'Driver: Raj Nair · Total price (£): £340.00'],
  ['which month of 2025 had the highest total price in total?', '**Highest: March 2025, £390.25**'],
  ['total price for every month of the season', '| 2025-03 | £390.25'],
])('answers %s', (question, part) => {
  expect(ask(question)).toContain(part)
})

it.each([
  'which hire had the highest total price, and which one the lowest?',
  'who is our biggest customer by weight?',
])('says nothing of %s', (question) => {
  expect(ask(question)).toBeUndefined()
})
