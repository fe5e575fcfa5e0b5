import Pdf from 'pdfkit'
import { expect, it } from 'vitest'
import { readPdf } from '#platform/engine/convert/pdf/pdf.ts'
import { type DrawnText, withAccents } from '#platform/engine/convert/pdf/second/accents.ts'
import { toSource } from '#test/fixtures/documents/source.ts'
import { growsFaster } from '#test/support/growth.ts'

/** Lines as TeX sets them: `B"ucher` draws the accent first, goes back and draws the letter under it. */
async function readDrawn(lines: readonly string[]): Promise<string> {
  const document = new Pdf({ size: [595, 842], margin: 0 })
  const parts: Buffer[] = []
  const done = new Promise<Buffer>((resolve) => {
    document.on('data', (part: Buffer) => parts.push(part))
    document.on('end', () => resolve(Buffer.concat(parts)))
  })
  document.fontSize(11)
  for (const [index, line] of lines.entries()) {
    let x = 60
    for (const part of line.split(/(?<=["^])/)) {
      const text = part.replace('"', '\u00a8').replace('^', '\u02c6')
      document.text(text, x, 100 + index * 16, { lineBreak: false })
      x += document.widthOfString(part === text ? text : text.slice(0, -1))
    }
  }
  document.end()
  const pages = await Array.fromAsync(readPdf(toSource(await done)))
  return pages
    .map(({ markdown }) => markdown)
    .join(' ')
    .replace(/\s+/g, ' ')
}

it('accents that a font draws apart are on their letters, as in documents of TeX', async () => {
  const read = await readDrawn([
    'Die B"ucherei "offnet um neun Uhr; am Freitag schon',
    'fr"uher, weil die for^et gesperrt ist und in',
    '"Uberlingen gebaut wird. Es ist sch"on dort.',
  ])
  expect(read).toBe(
    'Die Bücherei öffnet um neun Uhr; am Freitag schon früher, weil die forêt gesperrt ist und in Überlingen gebaut wird. Es ist schön dort.',
  )
})

const drawn = (text: string, left: number, right: number): DrawnText => ({
  text,
  left,
  right,
  size: 10,
  endsLine: false,
})
const book = [drawn('B\u00a8', 0, 12), drawn('ucher und Max\u00b4', 7, 80), drawn('s Heft', 80, 110)]

it.each([
  ['within a word that the gap cut', 'B\u00a8 ucher und Max\u00b4s Heft', 'Bücher und Max\u00b4s Heft'],
  [
    'where the other reader put the accent at the end',
    'Bucher\u00a8 und Max\u00b4s Heft',
    'Bücher und Max\u00b4s Heft',
  ],
  ['in another order', '| Max\u00b4s Heft | und Bucher\u00a8 |', '| Max\u00b4s Heft | und Bücher |'],
  ['nowhere else', 'no such \u00a8 word', 'no such \u00a8 word'],
])('an accent goes onto its letter: %s', (_, markdown, whole) => {
  expect(withAccents(markdown, book)).toBe(whole)
})

const work = (text: string) => {
  const texts = Array.from({ length: text.length / 8 }, () => book).flat()
  return withAccents(`${text}\u00a8`, texts)
}

it('takes linear time where many words are alike, or none is found', () => {
  expect(growsFaster(work, (length) => 'Bucher u'.repeat(length / 8))).toBeUndefined()
  expect(growsFaster(work, (length) => 'nothings'.repeat(length / 8))).toBeUndefined()
})
