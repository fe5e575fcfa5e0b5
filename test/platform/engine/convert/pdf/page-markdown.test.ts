import Pdf from 'pdfkit'
import { expect, it } from 'vitest'
import {
  isSideways,
  markdownOf,
  toReadingOrder,
  withoutLeaders,
  withTurnedWords,
} from '#platform/engine/convert/pdf/page-markdown.ts'
import { toSource } from '#test/fixtures/documents/source.ts'
import { readPdf } from '#platform/engine/convert/pdf/pdf.ts'

const lines = [
  'Tides of the northern pier',
  'It was measured by the harbour master and his two daughters.',
  'Nothing in it was corrected later, not even the obvious slips.',
]

/** A page that is written from its bottom to its top: a wide table with text above it. */
async function makeSideways(turn: 90 | -90): Promise<Buffer> {
  const document = new Pdf({ size: [595, 842], margin: 0 })
  const parts: Buffer[] = []
  const done = new Promise<Buffer>((resolve) => {
    document.on('data', (part: Buffer) => parts.push(part))
    document.on('end', () => resolve(Buffer.concat(parts)))
  })
  document.rotate(turn, { origin: [0, 0] })
  document.translate(turn === -90 ? -842 : 0, turn === -90 ? 0 : -595)
  for (const [index, line] of lines.entries()) document.text(line, 40, 40 + index * 18, { lineBreak: false })
  for (const row of [0, 1, 2, 3]) {
    for (const column of [0, 1, 2, 3, 4]) {
      document.text(`v${row}${column}`, 40 + column * 120, 200 + row * 20, { lineBreak: false })
    }
  }
  document.end()
  return done
}

it.each([90, -90] as const)('reads all of a page that is written sideways (%i°)', async (turn) => {
  const pages = await Array.fromAsync(readPdf(toSource(await makeSideways(turn))))
  expect(pages).toEqual([{ page: 1, markdown: expect.stringContaining(lines.join('\n')) }])
  expect(pages[0]?.markdown.match(/v\d\d/g)).toHaveLength(20)
})

it('takes a page for sideways when most of its text is', () => {
  const page = { pageNum: 1, text: '', markdown: '' }
  const up = { text: 'arXiv:1234', rotation: 90 }
  expect(isSideways({ ...page, textItems: [up, { text: 'a long line of text' }] })).toBe(false)
  expect(isSideways({ ...page, textItems: [up, { text: 'a page', rotation: 0 }] })).toBe(true)
  expect(isSideways(page)).toBe(false)
})

it('gives the plain text of a page whose markdown lost words', () => {
  const text = '   The  ferry\n\n\n\n   leaves at   9:40'
  expect(markdownOf({ text, markdown: '| 9:40 |\n|---|' })).toBe('The ferry\n\nleaves at 9:40')
  expect(markdownOf({ text, markdown: '# The ferry leaves' })).toBe('# The ferry leaves')
})

it('puts each point of a list on a line of its own', () => {
  const markdown = 'Bring:\n\n•oil • rope\n\nharbour • pier'
  expect(markdownOf({ text: '', markdown })).toBe('Bring:\n\n- oil\n- rope\n\nharbour • pier')
})

it('reads lines of Hebrew and Arabic from their right end', () => {
  expect(toReadingOrder('.מארש אדה ידי על 1887 בשנת נבנה המגדלור')).toBe('המגדלור נבנה בשנת 1887 על ידי אדה מארש.')
  expect(toReadingOrder('בנמל Ada Marsh של הבית')).toBe('הבית של Ada Marsh בנמל')
  // Words of two scripts in one, and a sign for two letters that the font tells in the wrong order.
  expect(toReadingOrder('األدوات منPython و R بلغة')).toBe('بلغة R و Python من الأدوات')
  expect(toReadingOrder('the word שלום is Hebrew')).toBe('the word שלום is Hebrew')
  const page = { text: '  עולם שלום\n   שתיים שקופית', markdown: '# עולם שלום שתיים שקופית' }
  expect(markdownOf(page)).toBe('שלום עולם\nשקופית שתיים')
})

it.each([
  ['Scope ........ 3 Fees ........ 7 Deposits ........ 12', 'Scope … 3\n\nFees … 7\n\nDeposits … 12'],
  ['Preface . . . . . . . iv Tides . . . . . . . 1', 'Preface … iv\n\nTides … 1'],
  ['| Fees ........ | 7 |', '| Fees … | 7 |'],
  ['Adult ........ 37 euros a day', 'Adult … 37 euros a day'],
  ['He waited... and then 1.5 … 2', 'He waited... and then 1.5 … 2'],
])('leaves out the dots of a table of contents: %s', (line, expected) => {
  expect(withoutLeaders(line)).toBe(expected)
})

it('puts words that run from the right within a line of others in their order, and turns their brackets', () => {
  expect(toReadingOrder('The word עולם שלום means hello.')).toBe('The word שלום עולם means hello.')
  expect(toReadingOrder('Class 4 גדולה 90 סירה costs 12 EUR')).toBe('Class 4 סירה 90 גדולה costs 12 EUR')
  expect(toReadingOrder('Read (كبير نص( here')).toBe('Read (نص كبير) here')
  expect(toReadingOrder('.2026 יוני עד תוקף')).toBe('תוקף עד יוני 2026.')
  const text = 'Pier   גדולה סירה\nsaid עולם שלום, then\nעולם שלום left'
  expect(withTurnedWords('| Pier | גדולה סירה |\n\nsaid עולם שלום, then עולם שלום left', text)).toBe(
    '| Pier | סירה גדולה |\n\nsaid שלום עולם, then שלום עולם left',
  )
})
