import { expect, test } from 'vitest'
import { formatReferences, referenceMark, toReferences } from '#platform/wire/references.ts'

test('the block has a rule of 41 hyphens, the heading, and an entry a chunk with its distance', () => {
  const block = formatReferences([
    { file: 'lighthouse.md', distance: 0.1349, body: '# The lamp\nburns kerosene' },
    { file: 'my handbook.pdf', place: 'p.3', distance: 1, body: 'verbatim, with a break at its end\n' },
  ])
  expect(block).toBe(
    [
      '',
      '-----------------------------------------',
      'References:',
      '',
      '[RREF1] lighthouse.md (0.135)',
      '# The lamp',
      'burns kerosene',
      '[RREF2] my handbook.pdf (1.000)',
      'verbatim, with a break at its end',
      '',
    ].join('\n'),
  )
  expect(block.split('\n')[1]).toHaveLength(41)
})

test('the place of an entry is in a field beside the block', () => {
  expect(
    toReferences([
      { file: 'lighthouse.md', distance: 0.1349, body: 'kerosene' },
      { file: 'my handbook.pdf', place: 'p.3', distance: 1, body: 'verbatim' },
    ]),
  ).toEqual([
    { number: 1, file: 'lighthouse.md', distance: 0.135 },
    { number: 2, file: 'my handbook.pdf', place: 'p.3', distance: 1 },
  ])
})

test('nothing retrieved makes no block', () => {
  expect(formatReferences([])).toBe('')
})

test('marks count from 1', () => {
  expect(referenceMark(1)).toBe('[RREF1]')
})
