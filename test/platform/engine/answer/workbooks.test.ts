/** From a workbook to a computed answer: numbers are read in the dress in which the cells show them. */
import { expect, it } from 'vitest'
import { readTables } from '#platform/engine/answer/tables/read-tables.ts'
import { answerFromTables } from '#platform/engine/answer/tables/table-answer.ts'
import { readXlsx } from '#platform/engine/convert/office/xlsx.ts'
import { toSource } from '#test/fixtures/documents/source.ts'
import { makeSheet, type SheetCell } from '#test/fixtures/documents/workbook.ts'

async function ask(question: string, rows: readonly (readonly SheetCell[])[]): Promise<string> {
  const [page] = await readXlsx(toSource(makeSheet(rows)))
  const tables = readTables(page?.markdown ?? '', true)
  return answerFromTables(question, [{ file: 'boats.xlsx.md', tables }], 'en')?.text ?? ''
}

const boats = (format: string, ...values: readonly number[]) => [
  ['Boat', 'Price'],
  ...values.map((value, at) => [['Finn', 'Laser', 'Optimist', 'Pirat'][at] ?? '', { value, format }]),
]

it.each([
  ['£#,##0', [16_900, 1_200], 'Sum of Price: £18,100'],
  ['₹#,##0', [16_900, 1_200], 'Sum of Price: 18,100 ₹'],
  ['#,##0', [16_900, 1_200], 'Sum of Price: 18,100'],
  ['0%', [0.42, 0.08], 'Sum of Price: 50 %'],
  ['0.00 "kg"', [2.5, 1.25], 'Sum of Price: 3.75 kg'],
  ['#,##0.00 [$€-407]', [1_299, 0.5], 'Sum of Price: €1,299.50'],
  ['_($* #,##0.00_);_($* (#,##0.00);_($* "-"??_);_(@_)', [12.5, 0, -2.5], 'Sum of Price: $10.00 (3 rows)'],
  ['#,##0;(#,##0)', [250, -300], 'Sum of Price: -50'],
  ['0 "days"', [3, 4], 'Sum of Price: 7 days'],
])('adds up numbers shown as %s', async (format, values, sum) => {
  const answer = await ask('What is the sum of the prices?', boats(format, ...values))
  expect(answer).toContain(sum)
  expect(answer).not.toContain('rounded')
})

it('says that numbers which a sheet shows rounded may add up to something else', async () => {
  const rows = boats('0%', 0.414, 0.084)
  expect(await ask('What is the sum of the prices?', rows)).toMatch(/49 %[^]*shows these numbers rounded/)
  expect(await ask('What is the highest price?', rows)).toMatch(/Highest Price: 42%|Highest Price: 41%/)
  expect(await ask('What is the highest price?', rows)).not.toContain('rounded')
})

it.each([
  ['00000', [1234, 80_331]],
  ['"PO-"0000', [42, 43]],
  ['(000) 000-0000', [5_551_234_567, 5_551_234_568]],
  ['# ?/?', [2.5, 0.25]],
  ['0.00E+00', [123_456, 42]],
])('adds up no names and no fractions: %s', async (format, values) => {
  expect(await ask('What is the sum of the prices?', boats(format, ...values))).toBe('')
})

it('computes each of two tables of a sheet from its own rows', async () => {
  const rows = [
    ['Staff', 'Desk'],
    ['Ana', 12],
    ['Bo', 14],
    [],
    [],
    ['Visitor', 'Badge', 'Host'],
    ['Cy', 7, 'Ana'],
    ['Di', 9, 'Bo'],
  ]
  expect(await ask('How many visitors are there?', rows)).toContain('Computed from all 2 rows')
  expect(await ask('What is the badge of Di?', rows)).toMatch(/Badge: 9[^]*Visitor: Di/)
  expect(await ask('What is the highest desk?', rows)).toContain('Computed from all 2 rows')
})
