import { describe, expect, it } from 'vitest'
import { findSeparator, parseSeparated } from '#platform/engine/convert/office/csv.ts'

describe('parseSeparated', () => {
  it.each([
    [
      'a,b\n1,2\n',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      'a,b\r\n1,\r\n',
      [
        ['a', 'b'],
        ['1', ''],
      ],
    ],
    ['"a,1","b ""q"""\n', [['a,1', 'b "q"']]],
    ['"two\nlines",x', [['two\nlines', 'x']]],
    [',\n', [['', '']]],
    ['a\n\nb', [['a'], [''], ['b']]],
    ['"never closed,x\n1,2', [['"never closed,x'], ['1', '2']]],
    ['"a"b,c\n1,2', [['"a"b,c'], ['1', '2']]],
    ['a,', [['a', '']]],
  ])('reads %j', (text, rows) => {
    expect(parseSeparated(text, ',')).toEqual(rows)
  })

  it('takes a bar as a separator', () => {
    expect(parseSeparated('a|b\n1|2', '|')).toEqual([
      ['a', 'b'],
      ['1', '2'],
    ])
  })

  it.each(['^', ']', '\\', '-', '.', '*', '$', 'd'])('takes %s, a sign of patterns, as a separator', (sign) => {
    expect(parseSeparated(`a${sign}b\n1${sign}2`, sign)).toEqual([
      ['a', 'b'],
      ['1', '2'],
    ])
  })

  it('takes hostile text in one pass', () => {
    expect(parseSeparated('"'.repeat(200_001), ',').length).toBeGreaterThan(0)
    expect(parseSeparated('a,'.repeat(200_000), ',')[0]).toHaveLength(200_001)
    expect(parseSeparated('\n'.repeat(200_000), ',')).toHaveLength(200_000)
  })

  it('reads a quoted cell of many megabytes, and a quote that stays open before as much', () => {
    const long = 'x'.repeat(12_000_000)
    expect(parseSeparated(`a,"${long}"\nb,c\n`, ',').map((cells) => cells.map(({ length }) => length))).toEqual([
      [1, long.length],
      [1, 1],
    ])
    expect(parseSeparated(`"a,b\n${long}`, ',')).toEqual([['"a,b'], [long]])
  })
})

describe('findSeparator', () => {
  it.each([
    ['a,b\n1,2', ','],
    ['a;b\n1,5;2,5', ';'],
    ['a\tb, c\n1\t2', '\t'],
    ['a|b\n1|2', '|'],
    ['"x;y;z",b\n"x;y",c', ','],
    ['one column', ','],
  ])('of %j', (text, separator) => {
    expect(findSeparator(text)).toBe(separator)
  })
})
