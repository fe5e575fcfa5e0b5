import { describe, expect, it } from 'vitest'
import { bestOf } from '#platform/engine/convert/pdf/layout/choose.ts'
import { withMissedTables } from '#platform/engine/convert/pdf/layout/missed-tables.ts'
import type { NativePage } from '#platform/engine/convert/pdf/native-reader.ts'
import { growsFaster } from '#test/support/growth.ts'

type Cell = readonly [x: number, y: number, text: string, height?: number]

/** A page of words of five points a letter with blanks of three, as the native reader gives it. */
function pageOf(cells: readonly Cell[], markdown = cells.map(([, , text]) => text).join(' '), ruled = 0): NativePage {
  const textItems = cells.map(([left, y, text, height = 10]) => {
    let x = left
    const words = text.split(' ').map((word) => {
      const box = { text: word, x, y, width: word.length * 5, height }
      x += word.length * 5 + 3
      return box
    })
    return { text, words }
  })
  const layout = { ruledTableCount: ruled }
  const measures = { textLength: 1, textCoverage: 0, imageCoverage: 0, largestImageCoverage: 0 }
  const complexity = { ...measures, fullPageImage: false, isGarbled: false, layout }
  return { pageNum: 1, text: cells.map(([, , text]) => text).join('\n'), markdown, textItems, complexity }
}

const rowsAt = (columns: readonly number[], top: number, step: number, rows: readonly (readonly string[])[]): Cell[] =>
  rows.flatMap((row, at) =>
    row.flatMap((text, column): Cell[] => (text === '' ? [] : [[columns[column] ?? 0, top + at * step, text]])),
  )

const rowOf = (...cells: readonly string[]) => `| ${cells.join(' | ')} |`

describe('a table without rules', () => {
  it('parts cells with next to no blank between them where those of other rows are', () => {
    const rows = [
      ['Tool', 'Shelf', 'Deposit'],
      ['Drill', 'A3', '20 €'],
      ['Saw', 'B1', '60 €'],
      ['Ladder', 'Yard', 'none'],
    ]
    const text = bestOf(pageOf(rowsAt([40, 100, 130], 100, 16, rows)))
    for (const row of rows) expect(text).toContain(rowOf(...row))
  })

  it('keeps words together that begin above no column', () => {
    const rows = [
      ['Brockmoor Pottery Ltd', 'Invoice 2207'],
      ['14 Kiln Lane', 'Date: 3 March'],
      ['Stoke', 'Due: 2 April'],
    ]
    expect(bestOf(pageOf(rowsAt([40, 300], 100, 14, rows)))).toContain(rowOf(...(rows[0] ?? [])))
  })

  it('ends at a heading, and the next one begins with its own head', () => {
    const text = bestOf(
      pageOf(
        [
          ...rowsAt([40, 160, 280], 100, 16, [
            ['Plot', 'Tenant', 'Rent'],
            ['A1', 'Noor', '45 €'],
            ['A2', 'Piet', '45 €'],
          ]),
          [40, 156, 'Water days', 14],
          ...rowsAt([40, 160], 180, 16, [
            ['Bed', 'Day'],
            ['North', 'Tuesday'],
            ['South', 'Friday'],
          ]),
        ],
        'nothing',
      ),
    )
    expect(text).toContain(`${rowOf('A2', 'Piet', '45 €')}\n\nWater days\n\n${rowOf('Bed', 'Day')}\n| --- | --- |`)
  })

  it('has sums in rows of their own', () => {
    const rows = [
      ['Item', 'Qty', 'Unit', 'Total'],
      ['Mugs', '24', '6.50', '156.00'],
      ['Delivery', '1', '18.00', '18.00'],
      ['', '', 'Subtotal', '174.00'],
      ['', '', 'Total due', '208.80'],
    ]
    const text = bestOf(pageOf(rowsAt([40, 160, 240, 320], 100, 16, rows)))
    for (const row of rows) expect(text).toContain(rowOf(...row))
  })

  it('has rows of several lines, also where no row is further from the next than its lines', () => {
    const rows = [
      ['Medium', 'Condition', 'Fee'],
      ['Books', 'four weeks, may be renewed', '0.00 Euro'],
      ['', 'unless somebody waits', ''],
      ['Films', 'one week', '1.50 Euro'],
      ['Games', 'two weeks', '2.00 Euro'],
    ]
    const text = bestOf(pageOf([...rowsAt([40, 120, 300], 100, 12, rows), ...rowsAt([40], 178, 20, [['a'], ['b']])]))
    expect(text).toContain(rowOf('Books', 'four weeks, may be renewed unless somebody waits', '0.00 Euro'))
    expect(text).toContain(rowOf('Films', 'one week', '1.50 Euro'))
  })

  it('has columns by its fullest rows: a head lies over two of them', () => {
    const rows = [
      ['Season', 'Yield in all', ''],
      ['', 'kg', 'jars'],
      ['2024', '62', '120'],
      ['2025', '48', '94'],
    ]
    const text = bestOf(pageOf(rowsAt([40, 120, 160], 100, 16, rows)))
    for (const row of rows.slice(1)) expect(text).toContain(rowOf(...row))
  })
})

describe('a table that the native reader missed', () => {
  const rows = [
    ['Hive', 'Treatment', 'Date'],
    ['H1', 'Oxalic acid', '12 Dec'],
    ['H2', 'Formic acid', '3 Aug'],
  ]
  const ruled = [rowOf('Jars', 'Price'), '|---|---|', rowOf('42', '7.50'), rowOf('18', '6.80')]

  it('is put where its words stand, also on a page with tables of rules', () => {
    const cells: Cell[] = [
      ...rowsAt([40, 120, 300], 100, 16, rows),
      [40, 200, 'Honey is sold here'],
      ...rowsAt([40, 120], 260, 16, [
        ['Jars', 'Price'],
        ['42', '7.50'],
        ['18', '6.80'],
      ]),
    ]
    const prose = `${rows.flat().join(' ')} Honey is sold here`
    const text = bestOf(pageOf(cells, [prose, '', ...ruled].join('\n'), 1))
    expect(text.split('\n\n').slice(1)).toEqual(['Honey is sold here', ruled.join('\n')])
    expect(text).toContain(rowOf('H1', 'Oxalic acid', '12 Dec'))
  })

  it('replaces one whose cells are empty, while its words stand under it', () => {
    const parts = Array.from({ length: 6 }, (_, at) => [String(at + 1), `Valve ${at}`, `B0${at}`, String(at * 3)])
    const all = [['No', 'Part', 'Bin', 'Qty'], ...parts]
    const half = all.map(([no = '', part = '']) => rowOf(no, part, '', ''))
    const rest = all.map(([, , bin = '', count = '']) => `${bin} ${count}`).join(' ')
    const native = [half[0], '|---|---|---|---|', ...half.slice(1), '', rest].join('\n')
    const text = bestOf(pageOf(rowsAt([40, 120, 220, 300], 100, 18, all), native, 1))
    for (const row of all) expect(text).toContain(rowOf(...row))
  })

  it('is taken in linear time', () => {
    const many = Array.from({ length: 400 }, () => '| abcdefg | hijklmn |')
    expect(
      growsFaster(
        (text) => withMissedTables(text, many),
        (length) => 'abcdefg hijklm '.repeat(length / 15),
      ),
    ).toBeUndefined()
  })
})

it('columns of prose below a table are read one after the other', () => {
  const left = [
    'The workshop is open to members',
    'who have done the course on the',
    'machines. The course takes a day',
    'and is held every second week.',
  ]
  const right = [
    'Bring shoes that cover the toes',
    'and tie up long hair. Dust is',
    'collected at noon; the bags go',
    'into the grey bin by the shed.',
  ]
  const table = rowsAt([40, 120, 200], 100, 16, [
    ['Tool', 'Shelf', 'Days'],
    ['Drill', 'A3', '4'],
    ['Saw', 'B1', '7'],
    ['Ladder', 'Yard', '2'],
  ])
  const columns = left.flatMap((line, at): Cell[] => [
    [40, 200 + at * 12, line],
    [240, 200 + at * 12, right[at] ?? ''],
  ])
  expect(bestOf(pageOf([...table, ...columns], 'nothing'))).toContain(`${left.join(' ')}\n\n${right.join(' ')}`)
})
