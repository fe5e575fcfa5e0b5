import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { renderFallback, renderFoot, renderText } from '#adapters/slack/outbound/blocks.ts'
import { readButtonId } from '#adapters/slack/outbound/buttons.ts'
import { AdapterError } from '#bridge/port/errors.ts'
import type { Reference } from '#bridge/port/message.ts'
import { checkBlocks, markupTexts, readBlocks, textLength } from '#test/doubles/slack/blocks.ts'
import { outgoing } from '../scene.ts'

const reference = (number: number, passage: string): Reference => ({
  number,
  file: `file-${number}.pdf`,
  place: 'p.3',
  passage,
})
const check = (blocks: unknown) => checkBlocks(JSON.parse(JSON.stringify(blocks)))

test('each reference is one line, its passage behind a fold, its markup literal', () => {
  const foot = check(
    renderFoot(
      outgoing('x', { references: [reference(1, '*47* <!here> minutes'), reference(2, 'twice')] }),
      9_000,
      'rich',
    ),
  )
  expect(readBlocks(foot)).toEqual({
    body: '',
    lines: ['[1] file-1.pdf · p.3', '[2] file-2.pdf · p.3'],
    folded: ['[1] file-1.pdf · p.3*47* <!here> minutes', '[2] file-2.pdf · p.3twice'],
  })
  expect(markupTexts(foot)).toEqual([])
})

test('without a fold the lines remain', () => {
  const foot = check(renderFoot(outgoing('x', { references: [reference(1, 'passage')] }), 9_000, 'none'))
  expect(readBlocks(foot)).toEqual({ body: '', lines: ['[1] file-1.pdf · p.3'], folded: [] })
})

test('a reference without a place is a line without one', () => {
  const foot = renderFoot(outgoing('x', { references: [{ number: 4, file: 'a.md', passage: 'p' }] }), 9_000, 'none')
  expect(readBlocks(check(foot)).lines).toEqual(['[4] a.md'])
})

test('whatever the references, Slack takes the blocks and they keep to their room', () => {
  const any = fc.record({
    number: fc.integer({ min: 1, max: 99 }),
    file: fc.string({ minLength: 1, maxLength: 400 }),
    place: fc.constant('p.1'),
    passage: fc.string({ minLength: 1, maxLength: 4_000, unit: 'grapheme' }),
  })
  fc.assert(
    fc.property(
      fc.array(any, { minLength: 1, maxLength: 24 }),
      fc.integer({ min: 1_600, max: 12_000 }),
      (references, room) => {
        const send = outgoing('x', { references })
        const lines = textLength(check(renderFoot(send, room, 'none')))
        for (const fold of ['rich', 'plain'] as const)
          expect(textLength(check(renderFoot(send, room, fold)))).toBeLessThanOrEqual(Math.max(room, lines))
      },
    ),
    { numRuns: 60 },
  )
})

test('short passages stay whole when long ones are cut', () => {
  const foot = renderFoot(
    outgoing('x', { references: [reference(1, 'short'), reference(2, 'long '.repeat(1_000))] }),
    1_000,
    'rich',
  )
  const [short, long] = readBlocks(check(foot)).folded
  expect(short).toBe('[1] file-1.pdf · p.3short')
  expect(long).toMatch(/long.*…$/)
})

test('buttons carry their action through Slack', () => {
  const actions = [
    { id: 'retry', label: 'Retry', value: 'job:1' },
    { id: 'retry', label: 'r'.repeat(90), value: 'job:2', style: 'danger' as const },
  ]
  const [block] = check(renderFoot(outgoing('x', { actions }), 9_000, 'rich'))
  expect(block).toMatchObject({ type: 'actions', elements: [{ value: 'job:1' }, { value: 'job:2', style: 'danger' }] })
  expect(['fb:0:retry', 'fb:1?:retry'].map(readButtonId)).toEqual([
    { id: 'retry', prompted: false, hasForm: false },
    { id: 'retry', prompted: true, hasForm: false },
  ])
  expect(readButtonId('theirs')).toBeUndefined()
})

test('a value that Slack would refuse is refused with a reason', () => {
  const actions = [{ id: 'retry', label: 'Retry', value: 'v'.repeat(2_001) }]
  expect(() => renderFoot(outgoing('x', { actions }), 9_000, 'rich')).toThrow(AdapterError)
})

test('the text is one markdown block, none when it is empty; the fallback is short and harmless', () => {
  expect(renderText('| a |\n|---|')).toEqual([{ type: 'markdown', text: '| a |\n|---|' }])
  expect(renderText(' \n')).toEqual([])
  const fallback = renderFallback(`<!channel> & ${'long '.repeat(2_000)}`)
  expect(fallback.length).toBeLessThanOrEqual(3_000)
  expect(fallback).not.toContain('<')
})
