import { expect, it } from 'vitest'
import { toRange } from '#platform/engine/answer/tables/ranges.ts'
import { readTables } from '#platform/engine/answer/tables/read-tables.ts'
import { answerFromTables } from '#platform/engine/answer/tables/table-answer.ts'

const LEAVE = `## Annual leave

| Years of service | Annual leave | Notice |
| --- | --- | --- |
| 0 to 2 years | 25 days | 1 month |
| 3 to 5 years | 27 days | 2 months |
| 6 to 9 years | 29 days | 3 months |
| 10 years and more | 30 days | 4 months |
`
const URLAUB = `| Betriebszugehörigkeit | Urlaubstage |
| --- | --- |
| bis 2 Jahre | 26 |
| 3–5 Jahre | 28 |
| über 5 Jahre | 30 |
`
const PRICES = `| Quantity | Unit price |
| --- | --- |
| 1-9 pieces | £4.90 |
| 10-99 pieces | £4.20 |
| 100+ pieces | £3.50 |
`

const ask = (question: string, text: string, language = 'en') =>
  answerFromTables(question, [{ file: 'handbook.docx.md', tables: readTables(text) }], language)?.text ?? ''

it.each([
  ['How much annual leave do I get after four years?', '27 days'],
  ['How many days of annual leave do I get after 4 years?', '27 days'],
  ['What is the annual leave with 10 years of service?', '30 days'],
  ['What is the annual leave with 23 years of service?', '30 days'],
  ['What is the notice after 1 year?', '1 month'],
  ['annual leave 9 years', '29 days'],
])('%s', (question, answer) => {
  const said = ask(question, LEAVE)
  expect(said).toMatch(new RegExp(String.raw`\*\*[^*]*: ${answer}\*\*`))
})

it.each([
  ['Wie viele Urlaubstage gibt es nach 4 Jahren?', '28'],
  ['Wie viele Urlaubstage gibt es nach acht Jahren?', '30'],
  ['Wie viele Urlaubstage habe ich nach 2 Jahren?', '26'],
])('%s', (question, answer) => {
  expect(ask(question, URLAUB, 'de')).toContain(`Urlaubstage: ${answer}**`)
})

it.each([
  ['What is the unit price of 50 pieces?', '£4.20'],
  ['What is the price for 250 pieces?', '£3.50'],
])('%s', (question, answer) => {
  expect(ask(question, PRICES)).toContain(`${answer}**`)
})

it('says nothing of a number that lies in no range, nor of another unit', () => {
  const gaps = LEAVE.replace(/.*6 to 9.*\n/, '')
  expect(ask('How much annual leave do I get after 7 years?', gaps)).toBe('')
  expect(ask('How much annual leave do I get after 4 weeks?', LEAVE)).toBe('')
})

it.each([
  ['3 to 5 years', 4, 6],
  ['3 - 5', 5, 2],
  ['from 3 to 5 years', 3, 6],
  ['10 years and more', 10, 9],
  ['10+', 11, 9],
  ['> 10 km', 11, 10],
  ['more than 10', 11, 10],
  ['up to 2 years', 2, 3],
  ['under 2', 1, 2],
  ['bis zu 2 Jahre', 2, 3],
  ['ab 10 Jahren', 10, 9],
])('%s holds %d, not %d', (cell, inside, outside) => {
  expect(toRange(cell)?.(inside)).toBe(true)
  expect(toRange(cell)?.(outside)).toBe(false)
})

it.each(['2024-05', 'Room 3 to 5', '5 to 3', 'years', '25 days', ''])('is no range: %s', (cell) => {
  expect(toRange(cell)).toBe(undefined)
})
