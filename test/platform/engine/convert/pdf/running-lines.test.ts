import { expect, it } from 'vitest'
import { readPdf } from '#platform/engine/convert/pdf/pdf.ts'
import { createRunningLines } from '#platform/engine/convert/pdf/running-lines.ts'
import { toSource } from '#test/fixtures/documents/source.ts'
import { makePdf } from '#test/fixtures/pdf.ts'

const pages = (...all: readonly string[]) => {
  const withoutRepeats = createRunningLines()
  return all.map((markdown, index) => withoutRepeats(markdown, index + 1))
}

const page = (text: string, number: number) => `Harbour handbook\n\n${text}\n\nPage ${number} of 9`

it('keeps the heads and feet of the first page, and drops their repetitions', () => {
  expect(pages(page('One', 1), page('Two', 2), page('Three', 3))).toEqual([page('One', 1), 'Two', 'Three'])
})

it('leaves sentences that clauses repeat', () => {
  const [first, second] = [1, 2].map(
    (number) => `Fees, page ${number}\n\n# Part ${number}\n\nNo refund.\n\n## Dogs ${number}\n\nNo refund.`,
  )
  const drop = createRunningLines()
  expect(drop(first ?? '', 1)).toBe(first)
  expect(drop(second ?? '', 2)).toBe('# Part 2\n\nNo refund.\n\n## Dogs 2\n\nNo refund.')
})

it('knows the heads of left and right pages', () => {
  expect(pages('Left\n\na b', 'Right\n\nc d', 'Left\n\ne f', 'Right\n\ng h')).toEqual([
    'Left\n\na b',
    'Right\n\nc d',
    'e f',
    'g h',
  ])
})

it.each([
  [['## Chapter 1\n\na', '## Chapter 2\n\nb']],
  [['Page 1', 'Page 2']],
  [['Deposit 100\n\na', 'Deposit 250\n\nb']],
  [['| a | b |\n\nx', '| a | b |\n\ny']],
])('keeps what only looks alike: %j', (all) => {
  expect(pages(...all)).toEqual(all)
})

it('reads a PDF with other bytes before its header', async () => {
  const plain = await makePdf([{ text: 'High water at nine in the morning.' }])
  const source = toSource(Buffer.concat([Buffer.from('HTTP/1.1 200 OK\r\n\r\n'), plain]))
  expect(await Array.fromAsync(readPdf(source))).toEqual([{ page: 1, markdown: 'High water at nine in the morning.' }])
})
