import { expect, it } from 'vitest'
import { readTables } from '#platform/engine/answer/tables/read-tables.ts'
import { answerFromTables } from '#platform/engine/answer/tables/table-answer.ts'
import { readCsv } from '#platform/engine/convert/office/csv.ts'
import { readXlsx } from '#platform/engine/convert/office/xlsx.ts'
import { toSource } from '#test/fixtures/documents/source.ts'
import { type Kept, makeKept } from './workbooks.ts'

async function textOf({ file }: Kept): Promise<string> {
  const pages = 'csv' in file ? await readCsv(toSource(file.csv)) : await readXlsx(toSource(file.xlsx))
  return pages.map(({ markdown }) => markdown).join('\n')
}

/** The numbers in bold, or the rows below them, as a person reads them. */
function holds(said: string, answer: string | number, isGerman: boolean): boolean {
  if (typeof answer === 'string') return (/^> .*/m.exec(said)?.[0] ?? '').includes(answer)
  const [, bold = ''] = /\*\*(.*)\*\*/.exec(said) ?? []
  const numbers = (bold.match(/\d[\d.,]*/g) ?? []).map((number) =>
    Number(isGerman ? number.replaceAll('.', '').replace(',', '.') : number.replaceAll(',', '')),
  )
  return numbers.some((number) => Math.abs(number - answer) < 0.005)
}

it('says no wrong number of 60 sheets with sums in them, and answers nine of ten questions', async () => {
  const wrong: string[] = []
  let right = 0
  let asked = 0
  for (let seed = 0; seed < 60; seed += 1) {
    const kept = makeKept(seed)
    const tables = readTables(await textOf(kept), 'xlsx' in kept.file)
    for (const { question, answer } of kept.questions) {
      asked += 1
      const said = answerFromTables(question, [{ file: `${kept.name}.md`, tables }], seed % 2 === 0 ? 'en' : 'de')?.text
      if (said === undefined) continue
      if (holds(said, answer, 'csv' in kept.file)) right += 1
      else wrong.push(`${kept.name}: ${question} ${answer}\n${said}\n${await textOf(kept)}`)
    }
  }
  expect(wrong).toEqual([])
  expect(right / asked).toBeGreaterThan(0.9)
})
