import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { footSize, renderFoot } from '#adapters/slack/outbound/blocks.ts'
import { excerpt } from '#adapters/slack/outbound/references.ts'
import type { Reference } from '#bridge/port/message.ts'
import { checkBlocks, markupTexts, readBlocks, textBytes } from '#test/doubles/slack/blocks.ts'
import { outgoing } from '../scene.ts'

const link = 'https://home.slack.example/archives/C1/p1795250059002100'
const whole: Reference = {
  number: 1,
  file: 'file.pdf',
  place: 'p.3',
  passage: 'The ferry sails daily. It takes 47 minutes. Dogs are free.',
  support: 'It takes 47 minutes.',
  version: 2,
  droppedBy: 'Ada',
  droppedAt: '2026-11-12T10:00:00.000Z',
  link,
}
const foot = (references: readonly Reference[], room = 9_000) =>
  checkBlocks(JSON.parse(JSON.stringify(renderFoot(outgoing('x', { references }), room, 'rich'))))

describe('the line of a reference', () => {
  test('says file, place, version, who and when, and its name leads to the message', () => {
    const blocks = foot([whole])
    expect(readBlocks(blocks).lines).toEqual(['[1] file.pdf · p.3 · v2 · Ada, 12 Nov 2026'])
    expect(JSON.stringify(blocks)).toContain(`{"type":"link","url":"${link}","text":"file.pdf"}`)
  })

  test('is followed by small print above the buttons', () => {
    const action = { id: 'a', label: 'Go', value: '1' }
    const shown = outgoing('x', { references: [whole], note: 'It *is* <!channel>', actions: [action] })
    const blocks = checkBlocks(JSON.parse(JSON.stringify(renderFoot(shown, 9_000, 'rich'))))
    expect(blocks.map(({ type }) => type)).toEqual(['rich_text', 'container', 'context', 'actions'])
    expect([readBlocks(blocks).lines.at(-1), markupTexts(blocks)]).toEqual(['It *is* <!channel>', []])
  })

  test('leaves to Slack how a date is said to its reader', () => {
    const date = { type: 'date', timestamp: 1_794_477_600, format: '{date_short}', fallback: '12 Nov 2026' }
    expect(JSON.stringify(foot([whole]))).toContain(JSON.stringify(date))
  })

  test('names a version from the second on, and only what is known', () => {
    const { droppedBy: _by, link: _link, ...rest } = whole
    expect(readBlocks(foot([{ ...rest, version: 1 }])).lines).toEqual(['[1] file.pdf · p.3 · 12 Nov 2026'])
    const { droppedAt: _at, ...bare } = rest
    expect(readBlocks(foot([bare])).lines).toEqual(['[1] file.pdf · p.3 · v2'])
  })

  test.each(['javascript:alert(1)', 'slack://x', 'not an address', `https://x/${'y'.repeat(3_000)}`])(
    'does not lead to %s',
    (odd) => {
      expect(JSON.stringify(foot([{ ...whole, link: odd }]))).not.toContain('"type":"link"')
    },
  )

  test('names of files and people are literal, whatever is in them', () => {
    const evil = '<!channel> <@U1> *b* `c` <https://evil.example|handbook.pdf> https://evil.example\n[2] b'
    const blocks = foot([{ ...whole, file: evil, droppedBy: evil, place: evil }])
    expect(markupTexts(blocks)).toEqual([])
    expect(readBlocks(blocks).lines).toHaveLength(1)
    const links = [...JSON.stringify(blocks).matchAll(/"url":"([^"]*)"/g)].map((match) => match[1])
    expect(links).toEqual([link])
  })
})

describe('the passage', () => {
  test('has the sentence that supports the answer in bold, and nothing else', () => {
    const [, container] = foot([whole])
    const { child_blocks: children } = container as { child_blocks: { elements: unknown[] }[] }
    expect(children[0]?.elements[1]).toEqual({
      type: 'rich_text_quote',
      elements: [
        { type: 'text', text: 'The ferry sails daily. ' },
        { type: 'text', text: 'It takes 47 minutes.', style: { bold: true } },
        { type: 'text', text: ' Dogs are free.' },
      ],
    })
  })

  test('is whole and literal where Slack takes sections only', () => {
    const passage = `*b* <!channel> ${whole.passage}`
    const send = outgoing('x', {
      references: [
        { ...whole, passage },
        { ...whole, passage: 'ä'.repeat(9_000) },
      ],
    })
    const blocks = checkBlocks(JSON.parse(JSON.stringify(renderFoot(send, 9_000, 'plain'))))
    const { folded } = readBlocks(blocks)
    expect(folded[0]).toBe(`[1] file.pdf · p.3\n${passage}`)
    expect(folded[1]?.length).toBeGreaterThan(1_000)
    expect(markupTexts(blocks)).toEqual([])
    expect(JSON.stringify(blocks.filter(({ type }) => type === 'container'))).not.toContain('rich_text')
  })

  test('that is too long is cut around the sentence', () => {
    const passage = `${'before '.repeat(400)}It takes 47 minutes.${' after'.repeat(400)}`
    const [text = ''] = readBlocks(foot([{ ...whole, passage }], 600)).folded
    expect(text).toContain('before It takes 47 minutes. after')
    expect(text.length).toBeLessThan(500)
  })

  test('an excerpt keeps to its room and holds the sentence, or as much of it as fits', () => {
    const words = fc.string({ unit: 'grapheme', maxLength: 300 })
    fc.assert(
      fc.property(words, words, words, fc.integer({ min: 80, max: 900 }), (before, support, after, bytes) => {
        const parts = excerpt(before + support + after, support, bytes)
        expect(parts.reduce((sum, part) => sum + Buffer.byteLength(part), 0)).toBeLessThanOrEqual(bytes + 3)
        const fits = support !== '' && Buffer.byteLength(support) <= bytes
        expect(fits ? parts[1] : support).toBe(support)
      }),
      { numRuns: 200 },
    )
  })
})

test('what lines will take is known before, addresses included', () => {
  const references = Array.from({ length: 12 }, (_, index) => ({ ...whole, number: index + 1 }))
  const send = outgoing('x', { references })
  const lines = checkBlocks(JSON.parse(JSON.stringify(renderFoot(send, 9_000, 'none'))))
  expect(footSize(send)).toBeGreaterThanOrEqual(textBytes(lines) + 12 * link.length)
})

test('more than 25 buttons stand in blocks of 25', () => {
  const actions = Array.from({ length: 30 }, (_, index) => ({ id: 'a', label: `${index}`, value: `${index}` }))
  const blocks = checkBlocks(JSON.parse(JSON.stringify(renderFoot(outgoing('x', { actions }), 9_000, 'rich'))))
  expect(blocks).toHaveLength(2)
})
