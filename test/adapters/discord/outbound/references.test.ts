import { describe, expect, test } from 'vitest'
import { compose } from '#adapters/discord/outbound/references.ts'
import type { Reference } from '#bridge/port/message.ts'

const link = 'https://discord.com/channels/1/2/3'
const whole: Reference = {
  number: 1,
  file: 'file.pdf',
  place: 'p.3',
  passage: 'The ferry sails daily.\n\n## Times\nIt takes\n47 minutes. Dogs are free.',
  support: 'It takes\n47 minutes.',
  version: 2,
  droppedBy: 'Ada',
  droppedAt: '2026-11-12T10:00:00.000Z',
  link,
}
const shown = (...references: readonly Reference[]) => compose({ text: 'x', references })
const line = (reference: Reference) => shown(reference).content.split('\n').slice(2).join('\n')

describe('a reference', () => {
  test('says file, place, version, who, when and where, and marks the sentence that counts', () => {
    expect(line(whole)).toBe(
      `-# [1] **file.pdf**, p.3 · v2 · Ada, <t:1794477600:d> · <${link}>\n` +
        '-# “The ferry sails daily. / Times / **It takes 47 minutes.** Dogs are free.”',
    )
  })

  test('is followed by small print, which nothing can turn into markup or a mention', () => {
    const { content } = compose({ text: 'x', references: [whole], note: 'It *is* <@1>' })
    expect(content.split('\n').at(-1)).toBe('-# It \\*is\\* \\<\u200B@1\\>')
    expect(compose({ text: 'x', note: 'Small.' }).content).toBe('x\n\n-# Small.')
  })

  test('says only what is known, and a version from the second on', () => {
    const bare = { number: 2, file: 'a.md', passage: 'p', version: 1, droppedBy: 'Ada' }
    expect(line(bare)).toBe('-# [2] **a.md** · Ada: “p”')
  })

  test('shows the sentence of a long passage with what stands around it', () => {
    const passage = `${'before '.repeat(90)}It takes 47 minutes. ${'after '.repeat(90)}`
    const text = line({ ...whole, passage, support: 'It takes 47 minutes.' })
    expect(text).toMatch(/“….*before \*\*It takes 47 minutes\.\*\* after.*…”/)
    expect(text.length).toBeLessThan(400)
  })

  test('ends no cut with a sign between cells or rows', () => {
    const rows = Array.from({ length: 40 }, (_, index) => `| ${'x'.repeat(index)} | ${'y'.repeat(7)} |`).join('\n')
    for (let length = 0; length < 40; length += 1) {
      const text = line({
        ...whole,
        passage: `${rows}\n${'z'.repeat(length)} It takes.\n${rows}`,
        support: 'It takes.',
      })
      expect(text).not.toMatch(/[·/] ?…|…[ ·/]/)
    }
  })

  test('shows rows of a table as words', () => {
    const passage = '# Prices\n\n| item | price |\n| --- | ---: |\n| pea soup | 4.20 |\n| a \\| b |  |'
    const text = line({ ...whole, passage, support: 'pea soup | 4.20 |' })
    expect(text).toContain('“Prices / item · price / **pea soup · 4.20** / a \\| b”')
    expect(line({ ...whole, passage: 'a | b', support: 'a | b' })).toContain('“**a \\| b**”')
  })

  test.each(['javascript:alert(1)', 'https://x> <@1', 'https://a b', `https://x/${'y'.repeat(300)}`])(
    'does not lead to %s',
    (odd) => {
      expect(line({ ...whole, link: odd })).not.toMatch(/<(?!t:)/)
    },
  )

  test('keeps markup, mentions and addresses in names from working', () => {
    const evil = '**b** @everyone <@1> <#2> `c` ||d|| [e](https://evil.example) https://evil.example'
    const { link: _link, droppedAt: _at, ...rest } = whole
    const text = line({ ...rest, file: evil, droppedBy: evil, place: evil })
    expect(text).not.toMatch(/https:\/\//)
    expect(text).not.toMatch(/<@\d|<#\d|@everyone/)
    expect(text.slice('-# [1]'.length).replaceAll(/\\./g, '')).not.toMatch(/[`|[\]]/)
  })

  test('stays in one piece where the references need messages of their own', () => {
    const many = Array.from({ length: 30 }, (_, index) => ({ ...whole, number: index + 1 }))
    const { content, following } = shown(...many)
    expect(content).toBe('x')
    for (const page of following) {
      expect(page.length).toBeLessThanOrEqual(2_000)
      expect(page.split('\n').length % 2).toBe(0)
    }
  })
})
