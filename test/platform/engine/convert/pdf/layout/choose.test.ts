import Pdf from 'pdfkit'
import { describe, expect, it } from 'vitest'
import type { NativePage } from '#platform/engine/convert/pdf/native-reader.ts'
import { bestOf } from '#platform/engine/convert/pdf/layout/choose.ts'
import { readPdf } from '#platform/engine/convert/pdf/pdf.ts'
import { toSource } from '#test/fixtures/documents/source.ts'
import { growsFaster } from '#test/support/growth.ts'

type Text = readonly [x: number, y: number, text: string]

async function pageOf(texts: readonly Text[], size = 10): Promise<string> {
  const document = new Pdf({ size: [595, 842], margin: 0 })
  const parts: Buffer[] = []
  const done = new Promise<Buffer>((resolve) => {
    document.on('data', (part: Buffer) => parts.push(part))
    document.on('end', () => resolve(Buffer.concat(parts)))
  })
  document.fontSize(size)
  for (const [x, y, text] of texts) document.text(text, x, y, { lineBreak: false })
  document.end()
  const pages = await Array.fromAsync(readPdf(toSource(await done)))
  return pages.map(({ markdown }) => markdown).join('\n\n')
}

/** A page as the native reader gives it, with words of six points a letter. */
function nativePage(lines: readonly Text[], markdown: string): NativePage {
  const textItems = lines.map(([left, y, text]) => {
    let x = left
    const words = text.split(/(?<= )/).map((word) => {
      const box = { text: word.trim(), x, y, width: word.trim().length * 5, height: 10 }
      x += word.length * 5
      return box
    })
    return { text, words }
  })
  return { pageNum: 1, text: lines.map(([, , text]) => text).join('\n'), markdown, textItems }
}

const left = [
  'The keeper climbs the stairs each evening',
  'and lights the lamp before the sun goes down,',
  'because ships come in late in the autumn.',
  'He writes the hour into the brown book',
  'and the height of the water beside it.',
  'Nobody has ever corrected a line in there.',
]
const right = [
  'Visitors may see the book on Sunday',
  'when the weather lets the ferry cross over.',
  'The old harbour office sells the tickets',
  'and keeps a list of everybody who came.',
  'Children under six years travel for free',
  'with an adult who holds a valid ticket.',
]

const wordsIn = (line: string) => line.split(' ')
const cut = (line: string) => `| ${wordsIn(line).slice(0, 2).join(' ')} | ${wordsIn(line).slice(2).join(' ')} |`

it('takes lines of prose that the native reader cut into cells for prose, and rows of cells for a table', () => {
  const prose = nativePage(
    left.map((line, index): Text => [40, 100 + index * 13, line]),
    left.map(cut).join('\n'),
  )
  expect(bestOf(prose)).not.toContain('|')
  const cells = left.flatMap((line, index): Text[] => [
    [40, 100 + index * 13, wordsIn(line).slice(0, 2).join(' ')],
    [240, 100 + index * 13, wordsIn(line).slice(2).join(' ')],
  ])
  expect(bestOf(nativePage(cells, left.map(cut).join('\n')))).toContain('| The keeper |')
})

describe('a page whose words stand side by side', () => {
  const rows = left.flatMap((line, index): Text[] => [
    [40, 100 + index * 13, line],
    [310, 100 + index * 13, right[index] ?? ''],
  ])

  it('two columns are read one after the other', async () => {
    const text = (
      await pageOf([[40, 60, 'A title over both of the columns of this page, in one line'], ...rows])
    ).replace(/\s+/g, ' ')
    expect(text).toContain(`${left.join(' ')} ${right.join(' ')}`)
  })

  it('also where the native reader took them for a table', () => {
    const table = left.map((line, index) => `| ${line} | ${right[index] ?? ''} |`).join('\n')
    expect(bestOf(nativePage(rows, table))).toBe(`${left.join(' ')}\n\n${right.join(' ')}`)
  })

  it('a table without rules is a table', async () => {
    const cells = [
      ['Harbour', 'High water', 'Low water'],
      ['Svolvær', '6:10', '12:25'],
      ['Kinsale', '7:45', '14:02'],
      ['Cuxhaven', '9:30', '15:48'],
    ]
    const texts = cells.flatMap((row, at) => row.map((cell, column): Text => [60 + column * 150, 120 + at * 18, cell]))
    const text = await pageOf([[60, 80, 'The hours of this week, as the harbour office gives them:'], ...texts])
    for (const row of cells) expect(text).toContain(`| ${row.join(' | ')} |`)
  })

  it('a cell of two lines stays one cell', async () => {
    const texts: Text[] = [
      [60, 100, 'Code'],
      [160, 100, 'Meaning'],
      [400, 100, 'What to do'],
      [60, 125, 'E17'],
      [160, 125, 'The vent tube is blocked'],
      [400, 125, 'Dry it and put'],
      [400, 137, 'in a new filter'],
      [60, 162, 'E23'],
      [160, 162, 'The strain gauge is broken'],
      [400, 162, 'Send the head back'],
    ]
    expect(await pageOf(texts)).toContain('| E17 | The vent tube is blocked | Dry it and put in a new filter |')
  })
})

it('words that the native reader left out are there', () => {
  const lines = left.map((line, index): Text => [40, 100 + index * 13, line])
  expect(bestOf(nativePage(lines, left.slice(0, 4).join(' ')))).toBe(left.join(' '))
  expect(bestOf(nativePage(lines, left.join(' ')))).toBe(left.join(' '))
})

const word = (text: string, x: number) => ({ text, x, y: 50, width: text.length * 5, height: 10 })

it('letters that are set apart are words, and signs of markdown stay signs', () => {
  const words = [word('T', 40), word('he', 45.7), word('*tide*', 59), word('t', 93), word('urns', 98.7)]
  const page = { pageNum: 1, text: 'T he *tide* t urns', markdown: 'T he t urns', textItems: [{ text: '', words }] }
  expect(bestOf(page)).toBe(String.raw`The \*tide\* turns`)
})

it.each([
  ['far away', word('far', 1e17)],
  ['nowhere', word('far', Infinity)],
  ['very large', { ...word('far', 3e8), height: 1e9 }],
])('a page with a word that is %s is left to the native reader', (_, far) => {
  const page = { pageNum: 1, text: 'T', markdown: 'T', textItems: [{ text: '', words: [word('T', 40), far] }] }
  expect(bestOf(page)).toBe('T')
})

it('a text of more words than people read is left to the native reader', () => {
  const words = Array.from({ length: 200_000 }, (_, index) => word('word', (index % 100) * 30))
  expect(bestOf({ pageNum: 1, text: '', markdown: 'T', textItems: [{ text: '', words }] })).toBe('T')
})

it.each([
  ['one line', (index: number): Text => [index * 40, 50, 'word']],
  ['one column', (index: number): Text => [40, index * 12, 'word']],
  ['pairs', (index: number): Text => [(index % 2) * 300, Math.floor(index / 2) * 12, 'word']],
  ['a staircase', (index: number): Text => [(index % 50) * 40, index * 3, 'a longer line of words']],
  ['one place', (): Text => [40, 50, 'word']],
  [
    'rows with lines across them',
    (index: number): Text => {
      const y = Math.floor(index / 3) * 24
      return index % 3 === 2 ? [40, y + 12, 'across'.repeat(12)] : [40 + (index % 3) * 260, y, 'word']
    },
  ],
])('time is linear in the words: %s', (_, place) => {
  const work = (count: string) => {
    const lines = Array.from({ length: Number(count) }, (__, index) => place(index))
    return bestOf(nativePage(lines, 'nothing of it'))
  }
  expect(growsFaster(work, (length) => String(length / 4))).toBeUndefined()
})

/** A scan: its lines are put together by their positions. */
const paragraph = (...lines: readonly string[]): NativePage => {
  const page = nativePage(
    lines.map((line, at): Text => [40, 100 + at * 13, line]),
    '',
  )
  return { ...page, textItems: page.textItems?.map((item) => ({ ...item, confidence: 0.9 })) }
}

describe('a line that begins with a number', () => {
  it.each([
    ['3.450 Euro auf 3.715 Euro. Die Nebenkosten', 'Die Miete steigt ab dem ersten Januar von'],
    ['14. September 2026 an das Lager geliefert.', 'Die neue Waage wurde wie vereinbart am'],
    ['Dr. Sven Holt beantwortet alle Fragen.', 'Die Stelle leitet seit diesem Sommer Herr'],
  ])('goes on with the sentence above it: %s', (line, above) => {
    expect(bestOf(paragraph('In diesem Haus gilt seit langem eine Regel:', above, line))).toContain(`${above} ${line}`)
  })

  it.each([
    ['2. The second rule is about the lamp', '1. The first rule is about the harbour'],
    ['2.1 Visits are in May and in August now', 'The contractor comes four times a year.'],
    ['(b) the height of the water beside it', '(a) the hour of the day at the harbour'],
  ])('begins an item: %s', (line, above) => {
    expect(bestOf(paragraph(above, line))).toContain(`${above}\n\n${line}`)
  })
})

describe('the last line of a paragraph', () => {
  const rows: readonly Text[] = [
    [72, 130, 'Years of service'],
    [220, 130, 'Annual leave'],
    [72, 145, '0 to 2 years'],
    [220, 145, '25 days'],
    [72, 160, '3 to 5 years'],
    [220, 160, '27 days'],
  ]
  const table = [
    '| Years of service | Annual leave |',
    '|---|---|',
    '| 0 to 2 years | 25 days |',
    '| 3 to 5 years | 27 days |',
  ]
  const headed = (head: string) => [head, '|---|---|', table[0], ...table.slice(2)].join('\n')

  it('is not the head of the table under it, although a word of it begins above a column', () => {
    const line: Text = [72, 115, '31 March. Bank holidays come on top.']
    const page = nativePage(
      [line, ...rows],
      `Leave is taken before\n\n${headed('| 31 March. Bank holidays come | on top. |')}`,
    )
    expect(bestOf(page)).toBe(`Leave is taken before 31 March. Bank holidays come on top.\n\n${table.join('\n')}`)
  })

  it('differs from a head, which no sentence ends', () => {
    const line: Text = [72, 115, 'All full years that count per person']
    const markdown = `Leave is taken early.\n\n${headed('| All full years that count | per person |')}`
    expect(bestOf(nativePage([line, ...rows], markdown))).toBe(markdown)
  })
})

const rows = (y: number, ...cells: readonly (readonly string[])[]): Text[] =>
  cells.flatMap((row, line) => row.map((cell, column): Text => [40 + column * 150, y + line * 16, cell]))
const toTable = ([head = [], ...others]: readonly (readonly string[])[]) =>
  [head, ['---', '---'], ...others].map((row) => `| ${row.join(' | ')} |`).join('\n')

it('keeps each heading above its table where the native reader lifts all headings to the top', () => {
  const piers = [
    ['Pier', 'Fee'],
    ['East', '47'],
    ['West', '12'],
  ]
  const boats = [
    ['Boat', 'Berth'],
    ['Dora', 'B1'],
    ['Karl', 'B2'],
  ]
  const page = nativePage(
    [[40, 60, 'Fees of piers'], ...rows(100, ...piers), [40, 200, 'Boats of members'], ...rows(240, ...boats)],
    `# Fees of piers\n\n# Boats of members\n\n${toTable(piers)}\n\n${toTable(boats)}`,
  )
  const text = bestOf({ ...page, complexity: { layout: { ruledTableCount: 2 } } } as unknown as NativePage)
  const places = ['Fees of piers', 'East', 'Boats of members', 'Dora'].map((words) => text.indexOf(words))
  expect(places).toEqual(places.toSorted((one, other) => one - other))
  expect(text).toContain(toTable(boats))
})
