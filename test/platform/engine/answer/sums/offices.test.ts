/** Questions that offices ask of workbooks with several sheets. */
import { expect, it } from 'vitest'
import { readTables } from '#platform/engine/answer/tables/read-tables.ts'
import { answerFromTables } from '#platform/engine/answer/tables/table-answer.ts'

const GARAGE = `## Stock

| SKU | Part | Category | Quantity | Unit price | Supplier |
| --- | --- | --- | --- | --- | --- |
| W-1 | Wiper blade | Body | 84 | £3.50 | Halden |
| W-2 | Wing mirror | Body | 12 | £38.00 | Nordvelo |
| Subtotal Body |  |  | 96 |  |  |
| E-1 | Spark plug | Engine | 210 | £4.20 | Halden |
| E-2 | Timing belt | Engine | 18 | £24.50 | Kessel |
| Subtotal Engine |  |  | 228 |  |  |
| Total |  |  | 324 |  |  |

## Jobs

| Job | Vehicle | Mechanic | Received | Finished | Hours | Charge |
| --- | --- | --- | --- | --- | --- | --- |
| J-1 | Astra | Ines | 2026-08-28 | 2026-09-03 | 1.5 | £48.00 |
| J-2 | Transit van | Leo | 2026-09-02 | 2026-09-09 | 3 | £112.50 |
| J-3 | Corsa | Ines | 2026-09-28 | 2026-10-06 | 6.25 | £342.00 |
| J-4 | Vivaro van | Sade | 2026-10-02 | 2026-10-05 | 2 | £64.00 |

## Budget

| Item | Plan | Actual |
| --- | --- | --- |
| Wages | £38,400 | £37,950 |
| Electricity | £2,600 | £3,184 |
| Total | £41,000 | £41,134 |
`
const SHOWS = `| Show | Tickets sold | Ticket price | Venue |
| --- | --- | --- | --- |
| Carols | 605 | £18.00 | Abbey |
| Motets | 131 | £10.00 | Chapel |
`
const HIRES = `| Hire | Van | Days | Price |
| --- | --- | --- | --- |
| H-1 | Cargo van A | 3 | £1,200.00 |
| H-2 | Minibus | 2 | £4150.75 |
| H-3 | Cargo van B | 14 | £280.00 |
`
const ORDERS = `| Article | Quantity | Price |
| --- | --- | --- |
| Chair | 4 | 200.00 |
| Desk | 2 | 300.00 |
`
const MITGLIEDER = `## Discount on parts

| Years | Discount on parts |
| --- | --- |
| 0 to 1 | 5 % |
| 2 to 4 | 10 % |
`

const ask = (question: string, language = 'en', ...files: readonly string[]) =>
  answerFromTables(
    question,
    (files.length === 0 ? [GARAGE] : files).map((text, at) => ({
      file: `garage-${at}.xlsx.md`,
      tables: readTables(text, true),
    })),
    language,
  )?.text ?? ''

it.each([
  ['What is the total value of the stock?', 'en', 'Sum of Quantity × Unit price: £2073.00 (4 rows)'],
  ['What is the stock worth in total?', 'en', 'Sum of Quantity × Unit price: £2073.00 (4 rows)'],
  ['Wie hoch ist der Wert des Lagers insgesamt?', 'de', 'Summe von Quantity × Unit price: £2073.00 (4 Zeilen)'],
  ['Which category has the highest stock value?', 'en', '**Highest: Engine, £1323.00**'],
])('multiplies number and price: %s', (question, language, value) => {
  expect(ask(question, language)).toContain(value)
})

it('tells what the tickets of one show were worth, and quotes the row as it is', () => {
  const text = ask('How much did the tickets of Carols bring in?', 'en', SHOWS)
  expect(text).toContain('£10,890.00')
  expect(text).toContain('> Show: Carols · Tickets sold: 605 · Ticket price: £18.00 · Venue: Abbey ')
})

it.each([
  ['What is the highest value of Quantity?', 'Highest Quantity: 210'],
  ['How many parts were brought in?', 'Parts: 4'],
])('multiplies nothing where a column or a number is asked for: %s', (question, value) => {
  const text = ask(question)
  expect(text).not.toContain('×')
  expect(text).toContain(value)
})

it('never says the number of things for what they are worth', () => {
  expect(ask('What is the total value of the stock?', 'en', ORDERS)).toBe('')
})

it.each([
  ['Which job had the second highest charge?', 'en', 'Highest Charge, place 2: J-2 £112.50'],
  ['Which job had the 3rd highest charge?', 'en', 'Highest Charge, place 3: J-4 £64.00'],
  ['What is the second most expensive part?', 'en', 'Highest Unit price, place 2: E-2 £24.50'],
  ['Was ist der zweithöchste Charge?', 'de', 'Höchster Wert von Charge, Platz 2: J-2 £112.50'],
])('finds a place: %s', (question, language, value) => {
  expect(ask(question, language)).toContain(value)
})

it('computes no place that two share', () => {
  expect(
    ask(
      'What is the second highest amount?',
      'en',
      '| Bill | Amount |\n| --- | --- |\n| A | 10 |\n| B | 10 |\n| C | 5 |\n',
    ),
  ).toBe('')
})

it.each([
  ['By how much did the electricity go over the plan?', 'Difference of Electricity: £584 (Plan £2,600, Actual £3,184)'],
  ['How much more than planned did the electricity cost?', 'Difference of Electricity: £584'],
])('compares two columns of a row: %s', (question, value) => {
  expect(ask(question)).toContain(value)
})

it.each([
  ['How many hours did Ines work on jobs?', 'Sum of Hours: 7.75 (2 rows)'],
  ['How many jobs were finished in September 2026?', 'Jobs: 2'],
  ['How many jobs were received in September 2026?', 'Jobs: 2'],
  ['How many different parts do we get from Halden?', 'Parts: 2'],
  ['What is the total planned budget?', 'Sum of Plan: £41,000 (2 rows)'],
])('adds up and counts what is named: %s', (question, value) => {
  expect(ask(question)).toContain(value)
})

it('counts the rows of a group whatever it did with them, unless a verb may choose some', () => {
  expect(ask('Which mechanic handled the most jobs?')).toContain('**Highest: Ines, 2**')
  expect(ask('Which mechanic cancelled the most jobs?')).toBe('')
})

it('looks for the most expensive parts where parts have a price', () => {
  expect(ask('What are the two most expensive parts?', 'en', MITGLIEDER, GARAGE)).toContain(
    'Highest Unit price: Wing mirror £38.00, Timing belt £24.50',
  )
})

it('adds up nothing where the name of a column is also in some of its cells', () => {
  expect(ask('How many days were the vans hired in total?', 'en', HIRES)).toBe('')
})

it('writes a sum in groups as its column does', () => {
  expect(ask('What is the total price?', 'en', HIRES)).toContain('Sum of Price: £5,630.75 (3 rows)')
})

it.each(['may', 'can'])('a verb before a pronoun is no month, also after `and`: %s', (verb) => {
  expect(ask(`What is the highest unit price and ${verb} I pay it?`)).toContain('Highest Unit price: £38.00')
})

it('a month stays one after another month, and alone before a pronoun', () => {
  expect(ask('What is the highest unit price of april and may we pay?')).toBe('')
  expect(ask('What is the highest unit price in may we pay?')).toBe('')
})
