import { assert, json as anyJson, property } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { jsonExcess } from '#platform/wire/limits.ts'
import { growsFaster } from '#test/support/growth.ts'

const bounds = { depth: 3, values: 10 }

describe('the bounds of JSON', () => {
  it.each([
    ['[[[0]]]', undefined],
    ['[[[[0]]]]', 'is nested deeper than 3 levels'],
    ['{"a":{"b":{"c":{}}}}', 'is nested deeper than 3 levels'],
    ['[1,2,3,4,5,6,7,8,9,10]', undefined],
    ['[1,2,3,4,5,6,7,8,9,10,11]', 'holds more than 10 values'],
    ['[{},{},{},{},{},{}]', 'holds more than 10 values'],
    ['{"text":"[[[[,,,,,,,,,,,,"}', undefined],
    [String.raw`["\"[[[[", "\\", [[0]]]`, undefined],
    [String.raw`["\\\\", [[[0]]]]`, 'is nested deeper than 3 levels'],
    ['["never ends [[[[[[[', undefined],
    ['', undefined],
  ])('%s', (json, excess) => {
    expect(jsonExcess(json, bounds)).toBe(excess)
  })

  it('let every document within them through, whatever its strings hold', () => {
    assert(
      property(anyJson({ maxDepth: 5 }), (json) => {
        expect(jsonExcess(json)).toBeUndefined()
      }),
    )
  })

  it.each([
    ['brackets', (size: number) => '['.repeat(size)],
    ['backslashes', (size: number) => `["${'\\'.repeat(size)}`],
    ['escaped quotation marks', (size: number) => `["${'\\"'.repeat(size / 2)}`],
    ['empty strings', (size: number) => `[${'"",'.repeat(size / 3)}`],
  ])('are found in time that grows with the text: %s', (_, make) => {
    const huge = { depth: Infinity, values: Infinity }
    expect(growsFaster((text) => jsonExcess(text, huge), make)).toBeUndefined()
  })
})
