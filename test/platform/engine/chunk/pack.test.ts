import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { markdownBlocks, plainBlocks } from '#platform/engine/chunk/blocks.ts'
import { packBlocks } from '#platform/engine/chunk/pack.ts'
import { cutUnits, toLines, type Unit } from '#platform/engine/chunk/units.ts'

const word = fc.constantFrom('walrus', 'Dr.', 'ferry', '漢字', 'e.g.', '7.', 'ง่าย', 'lamp', 'lighthouse')
const end = fc.oneof(
  { weight: 12, arbitrary: fc.constantFrom('. ', '! ', '。', '? ', '.\n', ' ', '…\r\n', '.') },
  { weight: 1, arbitrary: fc.constantFrom('\n  ', '.\u2028 ', '.\u0085') },
)
const sentence = fc
  .tuple(fc.array(word, { minLength: 1, maxLength: 24 }), end)
  .map(([words, sign]) => `${words.join(' ')}${sign}`)
const paragraph = fc.array(sentence, { minLength: 1, maxLength: 16 }).map((sentences) => sentences.join(''))
const text = fc
  .array(fc.tuple(paragraph, fc.constantFrom('\n\n', '\n\n', '\n\n# Part\n\n', '\n\n- ')), { maxLength: 10 })
  .map((parts) => parts.flat().join(''))

test('a block that is not cut makes the same chunks as its sentences', () => {
  let whole = 0
  const toCut = (source: string, units: readonly Unit[]) =>
    units.flatMap((unit) => {
      if (unit.most === undefined) return [unit]
      whole += 1
      const cut = cutUnits(source, unit)
      const tokens = cut.reduce((sum, { tokens: one }) => sum + one, 0)
      expect(tokens).toBeGreaterThanOrEqual(unit.tokens)
      expect(tokens).toBeLessThanOrEqual(unit.most)
      return cut
    })
  fc.assert(
    fc.property(text, (source) => {
      const lines = toLines(source)
      for (const blocks of [[...plainBlocks(source)], [...markdownBlocks(lines)]]) {
        const cut = blocks.map((units) => toCut(source, units))
        expect(packBlocks(lines, blocks)).toEqual(packBlocks(lines, cut))
      }
    }),
    { numRuns: 150 },
  )
  expect(whole).toBeGreaterThan(0)
})
