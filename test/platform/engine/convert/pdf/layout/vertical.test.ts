import { expect, it } from 'vitest'
import { bestOf } from '#platform/engine/convert/pdf/layout/choose.ts'
import { verticalOf } from '#platform/engine/convert/pdf/layout/vertical.ts'
import type { NativePage } from '#platform/engine/convert/pdf/native-reader.ts'

const SIZE = 14

/** A page of signs at these distances; each string is a column or, where `isLevel`, a row. */
function pageOf(lines: readonly string[], { apart = 30, step = SIZE, isLevel = false } = {}): NativePage {
  const words = lines.flatMap((line, index) =>
    line
      .split('')
      .map((text, at) =>
        isLevel
          ? { text, x: 60 + at * step, y: 80 + index * apart, width: SIZE, height: SIZE }
          : { text, x: 500 - index * apart, y: 80 + at * step, width: SIZE, height: SIZE },
      ),
  )
  return { pageNum: 1, text: lines.join('\n'), markdown: 'rows', textItems: [{ text: lines.join(''), words }] }
}

const columns = ['港の規則は三月一日から', '有効となる。', '船長は入港の前に港長へ', '知らせること。']

it('reads columns from right to left, and sentences over their ends', () => {
  const expected = '港の規則は三月一日から有効となる。\n\n船長は入港の前に港長へ知らせること。'
  expect(verticalOf(pageOf(columns))).toBe(expected)
  expect(bestOf(pageOf(columns, { apart: 24, step: 15 }))).toBe(expected)
})

it.each([
  ['level lines', pageOf(columns, { isLevel: true, apart: 20 })],
  ['level lines with much space', pageOf(columns, { isLevel: true, apart: 40 })],
  ['few signs', pageOf(['港の規則', '有効'])],
  ['letters', pageOf(['Rules of the harbour', 'of the first of March'])],
])('takes nothing else for columns: %s', (_, page) => {
  expect(verticalOf(page)).toBeUndefined()
})
