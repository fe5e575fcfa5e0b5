import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { markdownBlocks } from '#platform/engine/chunk/blocks.ts'
import { packBlocks } from '#platform/engine/chunk/pack.ts'
import { parseSlices } from '#platform/engine/chunk/slices.ts'
import { toLines } from '#platform/engine/chunk/units.ts'
import { inLong } from '#test/support/forms.ts'

const WHOLE = Number.POSITIVE_INFINITY

function toChunks(text: string, sliceLength: number) {
  const lines = toLines(text)
  return packBlocks(lines, markdownBlocks(lines, sliceLength))
}

const many = (count: number, toLine: (index: number) => string) => Array.from({ length: count }, (_, at) => toLine(at))

const count = fc.integer({ min: 1, max: 150 })
const prose = fc
  .array(fc.constantFrom('lamp', 'Dr.', 'ferry', 'wind. ', '漢字。', 'sea'), { minLength: 1, maxLength: 60 })
  .map((words) => words.join(' '))
const block = fc.oneof(
  { weight: 3, arbitrary: prose },
  { weight: 3, arbitrary: fc.tuple(fc.constantFrom('# ', '## ', '### '), prose).map((parts) => parts.join('')) },
  prose.map((title) => `${title}\n===`),
  count.map((items) => many(items, (at) => `- item ${at}${at % 7 === 0 ? '\n\n  goes on' : ''}`).join('\n')),
  count.map((items) => many(items, (at) => `${at + 1}. item${at % 5 === 0 ? '\n   - below' : ''}`).join('\n')),
  count.map((parts) => many(parts, (at) => `> ${at % 4 === 0 ? '## said' : `word ${at}\n>`}`).join('\n')),
  count.map((rows) => ['| a | b |', '|---|---|', ...many(rows, (at) => `| row ${at} | value |`)].join('\n')),
  count.map((rows) => ['```sh', ...many(rows, (at) => (at % 3 === 0 ? '# word' : '')), '```'].join('\n')),
  count.map((rows) => ['~~~', ...many(rows, (at) => `- ${at}`), '~~~'].join('\n')),
  fc.constantFrom('---', '[a]: http://x.y', '    code', '~~~\nopen'),
)
const text = fc
  .array(fc.tuple(block, fc.constantFrom('\n\n', '\n\n', '\n\n\n', '\r\n\r\n')), { minLength: 1, maxLength: 40 })
  .map((parts) => parts.flat().join(''))

describe('parseSlices', () => {
  it('makes the same chunks as a text that is parsed whole', () => {
    fc.assert(
      fc.property(text, fc.integer({ min: 2000, max: 6000 }), (source, sliceLength) => {
        expect(toChunks(source, sliceLength)).toEqual(toChunks(source, WHOLE))
      }),
      { numRuns: 200 },
    )
  })

  it.each([
    ['a list', (at: number) => `- item ${at}\n`],
    ['rows of a table', (at: number) => (at === 0 ? '| a | b |\n' : at === 1 ? '|---|---|\n' : `| ${at} | b |\n`)],
    ['code', (at: number) => (at === 0 ? '```\n' : `# ${at}\n`)],
    ['a quotation', (at: number) => `> word ${at}\n>\n`],
    ['lines without an end', (at: number) => `word ${at} \n`],
    ['one item', (at: number) => (at === 0 ? '- a\n' : `  word ${at}\n`)],
    ['blank lines', () => '\n'],
  ])('holds few tokens at once: %s', (_, toLine) => {
    const source = many(20_000, toLine).join('')
    let slices = 0
    for (const { tokens } of parseSlices(toLines(source), 1000)) {
      slices += 1
      expect(tokens.length).toBeLessThan(3000)
    }
    expect(slices).toBeGreaterThan(source.length / 1100)
    expect(slices).toBeLessThan(source.length / 400)
  })

  it('goes on with the header rows of a table and with the code of a fence', () => {
    const rows = many(600, (at) => `| row ${at} | the value of this row |`)
    const code = many(600, (at) => `# line ${at} of a script`)
    const source = ['| name | value |', '|---|---|', ...rows, '', '```', ...code, '```', '', 'The end.'].join('\n')
    const chunks = toChunks(source, 3000)
    expect(chunks).toEqual(toChunks(source, WHOLE))
    expect(chunks.filter(({ lead }) => lead === '| name | value |\n|---|---|\n').length).toBeGreaterThan(10)
    for (const { headings } of chunks) expect(headings).toEqual([])
  })

  it('sees where a fence or a table ends, wherever the slice does', () => {
    const below = ['# Part', '', 'Text below.', ''].join('\n')
    const fence = ['```', ...many(30, (at) => `# ${at}`), '```', below].join('\n')
    const table = ['| a | b |', '|---|---|', ...many(30, (at) => `| ${at} | b |`), below].join('\n')
    for (let length = 1; length <= table.length; length += 1) {
      const headings = [fence, table].map((source) => toChunks(source, length).at(-1)?.headings)
      expect(headings, `slices of ${length}`).toEqual([['Part'], ['Part']])
    }
  })

  it('comes to an end with any text and any length of a slice', inLong, () => {
    const line = fc.oneof(
      fc.constantFrom('# H', '', '- item', '  more', '| a | b |', '|---|---|', '```', '~~~', '> quote', '[a]: x', '\r'),
      fc.string({ unit: 'binary', maxLength: 60 }),
    )
    fc.assert(
      fc.property(fc.array(line, { maxLength: 40 }), fc.integer({ min: 1, max: 90 }), (parts, sliceLength) => {
        const source = parts.join('\n')
        let end = 0
        for (const chunk of toChunks(source, sliceLength)) {
          expect(source.slice(chunk.start, chunk.end)).toBe(chunk.body)
          expect(chunk.start).toBeGreaterThanOrEqual(end)
          end = chunk.end
        }
      }),
      { numRuns: 400 },
    )
  })
})
