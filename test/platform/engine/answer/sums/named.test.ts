/** Names that a question must have before anything is computed for it. */
import { expect, it } from 'vitest'
import { readTables } from '#platform/engine/answer/tables/read-tables.ts'
import { answerFromTables } from '#platform/engine/answer/tables/table-answer.ts'

const WORKBOOK = `## Budget 2026

| Department | Q1 | Q2 | Q3 | Q4 | Year |
| --- | --- | --- | --- | --- | --- |
| Marketing | £15,200 | £18,400 | £16,900 | £22,100 | £72,600 |
| Workshop | £81,000 | £85,500 | £90,300 | £96,000 | £352,800 |
| Shops | £120,000 | £126,400 | £131,200 | £129,200 | £506,800 |
| Total | £216,200 | £230,300 | £238,400 | £247,300 | £932,200 |

## Staff

| Name | Role | Hours a week |
| --- | --- | --- |
| Ada Byron | Mechanic | 37.5 |
| Ben Cole | Sales | 20 |
| Cy Dean | Accounts | 30 |

## Fleet

| Model | Price |
| --- | --- |
| Cargo 500 | £4,899 |
| Cargo 700 | £6,349 |
`
const PRICES = `| Article | Description | Price |
| --- | --- | --- |
| H-6001 | Helmet Adult | £49.90 |
| H-6002 | Helmet Kids S | £34.90 |
| L-7001 | Lamp | £19.95 |
`

const ask = (question: string, language = 'en') =>
  answerFromTables(
    question,
    [
      { file: 'Budget and staff 2026.xlsx.md', tables: readTables(WORKBOOK, true) },
      { file: 'price-list.csv.md', tables: readTables(PRICES) },
    ],
    language,
  )?.text ?? ''

it.each(['What is the total budget?', 'What is the total budget for 2026?', 'Wie hoch ist das Budget insgesamt?'])(
  'adds up the sheet that is named: %s',
  (question) => {
    expect(ask(question)).toContain('Sum of Year: £932,200 (3 rows)')
  },
)

it.each([
  "What's the newest file?",
  'What is the total?',
  'What is the latest document?',
  'Wie viel ist das insgesamt?',
])('computes nothing where neither a column nor a sheet is named: %s', (question) => {
  expect(ask(question)).toBe('')
})

it('says an average of money in cents', () => {
  expect(ask('What is the average price of a helmet?')).toContain('Average of Price: £42.40')
})

it('says where the row of the total is not the sum of its rows', () => {
  const tables = readTables(WORKBOOK.replace('£932,200 |', '£932,300 |'), true)
  const { text = '' } = answerFromTables('What is the total budget?', [{ file: 'a.xlsx.md', tables }], 'en') ?? {}
  expect(text).toContain('Sum of Year: £932,200')
  expect(text).toContain('The row “Total” of the table says £932,300.')
  expect(ask('What is the total budget?')).not.toContain('The row “Total”')
})

it('names the cell that is asked for, else the row', () => {
  const tables = readTables(
    '| Lamp | Supplier |\n| --- | --- |\n| paraffin burner | Fresnel and Sons |\n| LED | Volt |\n',
  )
  const say = (question: string) => answerFromTables(question, [{ file: 'lamps.csv.md', tables }], 'en')?.text ?? ''
  expect(say('Which supplier has the paraffin burner?')).toContain('**Fresnel and Sons**')
  expect(say('Which lamps are from Volt?')).toContain('**LED**')
})

it('names what is asked for next to an extreme, not the group of its row', () => {
  const rows = '| North | Lamp | 1520.50 |\n| South | Desk | 4100.75 |\n'
  const tables = readTables(`| Region | Product | Revenue |\n| --- | --- | --- |\n${rows}`)
  const say = (question: string) => answerFromTables(question, [{ file: 'b.csv.md', tables }], 'en')?.text ?? ''
  expect(say('Which product has the highest revenue?')).toContain('Highest Revenue: 4100.75 (Desk)')
  expect(say('Which region has the lowest revenue?')).toContain('Lowest Revenue: 1520.50 (North)')
  expect(say('What is the highest revenue?')).toContain('(South)')
})

it('says an average of cents in cents', () => {
  const tables = readTables('| Item | Cost |\n| --- | --- |\n| a | 800.25 |\n| b | 1100.10 |\n| c | 0.01 |\n')
  const { text = '' } = answerFromTables('What is the average cost?', [{ file: 'b.csv.md', tables }], 'en') ?? {}
  expect(text).toContain('Average of Cost: 633.45 (3 rows)')
})
