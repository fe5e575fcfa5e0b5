import { expect, it } from 'vitest'
import { readTables } from '#platform/engine/answer/tables/read-tables.ts'
import { answerFromTables } from '#platform/engine/answer/tables/table-answer.ts'
import { MAX_ASKED, tablesToAsk, type TableSource } from '#platform/engine/answer/tables/table-files.ts'

const tableOf = (columns: number, rows: number, name: string) =>
  [
    `| ${Array.from({ length: columns }, (_, at) => `${name}${at}`).join(' | ')} |`,
    `|${' --- |'.repeat(columns)}`,
    ...Array.from({ length: rows }, (_, row) => `|${` ${row}${name} |`.repeat(columns)}`),
    '',
  ].join('\n')

/** Many tables in one file, and how often the cells of a row were read. */
function countedSource(text: string, found?: TableSource['found']) {
  const counted = { reads: 0 }
  const tables = readTables(text).map((table) => ({
    ...table,
    rows: table.rows.map(({ cells, ...row }) => ({
      ...row,
      get cells() {
        counted.reads += 1
        return cells
      },
    })),
  }))
  return { counted, source: { file: 'all.xlsx.md', tables, found } }
}

const MANY = Array.from({ length: 3_000 }, (_, at) => `${tableOf(2, 2, `t${at}x`)}\n`).join('')
const QUESTION = 'Which product has the highest price of all the things we bought for the office in the north'

it('a question looks at so many tables, and reads their cells once', () => {
  const { counted, source } = countedSource(MANY)
  answerFromTables(QUESTION, [source], 'en')
  const first = counted.reads
  expect(first).toBeGreaterThan(0)
  // Each row is read a few times for each of its columns.
  expect(first).toBeLessThan(MAX_ASKED.tables * 2 * 10)
  answerFromTables(`${QUESTION} and elsewhere`, [source], 'en')
  expect(counted.reads).toBe(first)
})

it('looks first at the tables of which a passage was found', () => {
  const prices = '| Product | Price |\n| --- | --- |\n| Desk | 30 |\n| Lamp | 12 |\n'
  const text = `${MANY}\n${prices}`
  const last = text.split('\n').length
  const question = 'Which product is the cheapest?'
  expect(answerFromTables(question, [countedSource(text).source], 'en')).toBeUndefined()
  const { source } = countedSource(text, [[last - 4, last]])
  expect(answerFromTables(question, [source], 'en')?.text).toMatch(/Lowest Price: 12/)
})

it('takes no more columns and cells than it may', () => {
  const tables = readTables(Array.from({ length: 60 }, (_, at) => `${tableOf(100, 2, `c${at}x`)}\n`).join(''))
  const long = readTables(tableOf(2, MAX_ASKED.cells / 2, 'l'))
  const taken = tablesToAsk([{ file: 'wide.xlsx.md', tables: [...long, ...tables] }])
  expect(taken).toHaveLength(MAX_ASKED.columns / 100)
  expect(taken.some(({ table }) => table === long[0])).toBe(false)
})
