import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { splitMarkdown, splitOnce } from '#bridge/delivery/split.ts'

const utf16 = (text: string) => text.length
const bytes = (text: string) => Buffer.byteLength(text)
/** As a service that escapes counts: five characters for one. */
const escaped = (text: string) => text.replace(/[&<>]/g, '&amp;').length
const measures = { utf16, bytes, escaped }

const tokens = (text: string) => text.match(/\b[a-z]+\d+\b/g) ?? []
const solid = (text: string) => text.replace(/\s/g, '')

/** Fences by the letter of CommonMark, as far as these tests write them: the number of code blocks, or a fault. */
function countFences(markdown: string): number {
  let open: string | undefined
  let count = 0
  for (const line of markdown.split('\n')) {
    const [, marker, info] = /^[ >]*(?:- )?(`{3,}|~{3,})(.*)$/.exec(line) ?? []
    if (marker === undefined) continue
    if (open === undefined) {
      open = marker
      count += 1
    } else if (marker.startsWith(open) && info?.trim() === '') open = undefined
  }
  if (open !== undefined) throw new Error(`A fence is left open in:\n${markdown}`)
  return count
}

/** Every row of a table is under a head and a delimiter row. */
function expectTablesWhole(markdown: string): void {
  const lines = markdown.split('\n')
  for (const [index, line] of lines.entries()) {
    if (!line.startsWith('|') || lines[index - 1]?.startsWith('|') === true) continue
    expect(line).toMatch(/^\| head/)
    expect(lines[index + 1]).toMatch(/^\|[ -]+\|/)
    expect(lines[index + 2]).toMatch(/^\| cell/)
  }
}

let serial = 0
const word = () => `w${++serial}`
const sentence = (length: number) => `${Array.from({ length }, word).join(' ')}.`
const prose = (sentences: number) => Array.from({ length: sentences }, () => sentence(8)).join(' ')
const code = (lines: number, info = 'ts', marker = '```') =>
  [marker + info, ...Array.from({ length: lines }, () => `  const ${word()} = ${word()}`), marker].join('\n')
const table = (rows: number) =>
  [
    `| head${++serial} | head${++serial} |`,
    '| --- | --- |',
    ...Array.from({ length: rows }, () => `| cell${++serial} | cell${++serial} |`),
  ].join('\n')
const list = (items: number) => Array.from({ length: items }, () => `- ${sentence(6)}\n  - ${sentence(4)}`).join('\n')
const quote = (lines: number) => Array.from({ length: lines }, () => `> ${sentence(9)}`).join('\n')
const heading = () => `## ${word()}`

const document = fc
  .array(
    fc.oneof(
      fc.nat(12).map((n) => ['prose', n + 1] as const),
      fc.nat(20).map((n) => ['code', n + 1] as const),
      fc.nat(20).map((n) => ['table', n + 1] as const),
      fc.nat(8).map((n) => ['list', n + 1] as const),
      fc.nat(6).map((n) => ['quote', n + 1] as const),
      fc.constant(['heading', 1] as const),
    ),
    { minLength: 1, maxLength: 10 },
  )
  .map((blocks) => {
    serial = 0
    const make = { prose, code, table, list, quote, heading }
    return blocks.map(([kind, n]) => make[kind](n)).join('\n\n')
  })

/** Tokens of all parts, without the heads of tables that were said before. */
function tokensOf(parts: readonly string[]): readonly string[] {
  const heads = new Set<string>()
  return tokens(parts.join('\n')).filter((token) => {
    if (!token.startsWith('head')) return true
    const isNew = !heads.has(token)
    heads.add(token)
    return isNew
  })
}

const isStructure = (text: string) => /^[ \t]*(?:[>|#`~]|[-+*]|\d+[.)])/m.test(text) || /[|`~]/.test(text)

const cut = (text: string, limit: number, min?: number) =>
  splitOnce(text, { limit, measure: utf16, ...(min === undefined ? {} : { min }) })

const limits = fc.integer({ min: 120, max: 900 })
const measureNames = fc.constantFrom(...(['utf16', 'bytes', 'escaped'] as const))

describe('splitMarkdown', () => {
  test('loses nothing, keeps the limit, closes every fence and heads every table', () => {
    fc.assert(
      fc.property(document, limits, measureNames, (text, limit, name) => {
        const measure = measures[name]
        const parts = splitMarkdown(text, { limit, measure })
        expect(tokensOf(parts)).toEqual(tokens(text))
        for (const part of parts) {
          expect(measure(part)).toBeLessThanOrEqual(limit)
          expect(part.trim()).not.toBe('')
          countFences(part)
          expectTablesWhole(part)
        }
      }),
      { numRuns: 400 },
    )
  })

  test('breaks no grapheme of any text, at any limit that holds one', () => {
    const family = '👨‍👩‍👧‍👦'
    const unit = fc.oneof(
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }),
      fc.constantFrom(family, '🇩🇪', 'é', '한', '漢', 'ก', ' ', '\n', 'word'),
    )
    const texts = fc
      .array(unit, { maxLength: 120 })
      .map((units) => units.join(''))
      .filter((text) => !isStructure(text))
    const segmenter = new Intl.Segmenter('und', { granularity: 'grapheme' })
    const graphemes = (text: string) => Array.from(segmenter.segment(text), (each) => each.segment)
    fc.assert(
      fc.property(texts, fc.integer({ min: 30, max: 80 }), (text, limit) => {
        fc.pre(graphemes(text).every((each) => each.length <= 20))
        const parts = splitMarkdown(text, { limit, measure: utf16 })
        expect(solid(parts.join(''))).toBe(solid(text))
        for (const part of parts) expect(part.length).toBeLessThanOrEqual(limit)
        const whole = new Set(graphemes(text))
        for (const part of parts) for (const each of graphemes(part)) expect(whole).toContain(each)
      }),
      { numRuns: 500 },
    )
  })

  test('leaves parts that are complete as they are while the text grows', () => {
    fc.assert(
      fc.property(document, limits, fc.integer({ min: 1, max: 60 }), (text, limit, step) => {
        let before: readonly string[] = []
        for (let length = step; length < text.length + step; length += step) {
          const parts = splitMarkdown(text.slice(0, length), { limit, measure: utf16 })
          expect(parts.slice(0, Math.max(0, before.length - 1))).toEqual(before.slice(0, -1))
          before = parts
        }
      }),
      { numRuns: 60 },
    )
  })

  test('brings 20,000 characters with fences and a table whole through 2,000 a part', () => {
    serial = 0
    const text = [heading(), prose(90), code(150), table(190), prose(60), code(60, 'py', '~~~~'), list(30), prose(60)]
      .join('\n\n')
      .concat(`\n\n${prose(20)}`)
    expect(text.length).toBeGreaterThan(20_000)
    const parts = splitMarkdown(text, { limit: 2000, measure: utf16 })
    expect(tokensOf(parts)).toEqual(tokens(text))
    for (const part of parts) {
      expect(part.length).toBeLessThanOrEqual(2000)
      countFences(part)
      expectTablesWhole(part)
    }
    // Not one part more than half-full parts would need.
    expect(parts.length).toBeLessThanOrEqual(Math.ceil(text.length / 1000))
  })

  test('reads 100 kB without measuring it again and again', () => {
    for (const text of [prose(2500), code(4000), table(4000), 'x'.repeat(100_000), '漢'.repeat(100_000)]) {
      let measured = 0
      const measure = (markdown: string) => {
        measured += markdown.length
        return markdown.length
      }
      const parts = splitMarkdown(text, { limit: 2000, measure })
      expect(parts.length).toBeGreaterThan(40)
      expect(measured).toBeLessThan(text.length * 60)
    }
  })

  test('gives a text that fits as it is', () => {
    expect(splitMarkdown('short\n', { limit: 10, measure: utf16 })).toEqual(['short\n'])
    expect(splitMarkdown('', { limit: 10, measure: utf16 })).toEqual([''])
  })

  test('ends also where the limit is next to nothing', () => {
    for (const text of [
      '```javascript\nlet a = 1\n```',
      table(3),
      '> a quoted line',
      '👨‍👩‍👧‍👦'.repeat(3),
      '    - deep item',
    ]) {
      for (let limit = 1; limit < 30; limit += 1) {
        const parts = splitMarkdown(text, { limit, measure: utf16 })
        expect(parts.length).toBeLessThan(text.length * 2)
        expect(parts.join('')).toMatch(/\S/)
      }
    }
  })
})

describe('the place of a cut', () => {
  test.each([
    [
      'a paragraph',
      'One two three.\n\nFour five.\nSix seven eight nine.',
      30,
      'One two three.',
      'Four five.\nSix seven eight nine.',
    ],
    ['a line', 'One two three\nfour five six seven eight', 24, 'One two three', 'four five six seven eight'],
    ['a sentence', 'One two three. Four five six seven eight', 24, 'One two three.', 'Four five six seven eight'],
    ['a word', 'One two three four five six', 16, 'One two three', 'four five six'],
    ['a word of a script without spaces', 'データベースの管理システム', 10, 'データベースの管理', 'システム'],
    ['a grapheme', 'xxxxxxxxxxxxxxxx', 10, 'xxxxxxxxx', 'xxxxxxx'],
    [
      'not inside a link',
      'See the long text [the plan](https://a.b/c) now',
      38,
      'See the long text',
      '[the plan](https://a.b/c) now',
    ],
    [
      'not under a heading',
      'One two three four.\n\n## Head\n\nText text text',
      32,
      'One two three four.',
      '## Head\n\nText text text',
    ],
  ])('is %s', (_name, text, limit, head, rest) => {
    expect(cut(text, limit)).toEqual({ head, rest })
  })

  test('opens a fence again with its info string', () => {
    const text = '```ts title="a.ts"\nconst a = 1\nconst b = 2\nconst c = 3\n```\n\nDone.'
    expect(cut(text, 50)).toEqual({
      head: '```ts title="a.ts"\nconst a = 1\nconst b = 2\n```',
      rest: '```ts title="a.ts"\nconst c = 3\n```\n\nDone.',
    })
  })

  test('leaves no empty fence where the code ends at the cut', () => {
    const text = '```ts\nconst a = 1\nconst b = 2\n```\n\nDone, and more than that.'
    expect(cut(text, 34)).toEqual({ head: '```ts\nconst a = 1\nconst b = 2\n```', rest: 'Done, and more than that.' })
  })

  test('keeps a fence of four around a fence of three', () => {
    const text = ['````md', ...Array.from({ length: 4 }, () => '```ts\nconst a = 1\n```'), '````'].join('\n')
    for (const part of splitMarkdown(text, { limit: 50, measure: utf16 })) {
      expect(part).toMatch(/^````md\n[^]*\n````$/)
    }
  })

  test('repeats the head of a table', () => {
    const text = '| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |\n| 5 | 6 |'
    expect(cut(text, 42)).toEqual({
      head: '| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |',
      rest: '| a | b |\n|---|---|\n| 5 | 6 |',
    })
  })

  test('goes on in a quote', () => {
    const { rest } = cut('> One two three four five six seven', 20) ?? { rest: '' }
    expect(rest).toBe('> five six seven')
  })

  test('moves a nested item to the left, so that it does not read as code', () => {
    const text = '- One two three four\n    - nested one\n    - nested two\n- five'
    expect(cut(text, 38)?.rest).toBe('- nested two\n- five')
  })

  test('closes and opens a fence in a quote with the quote', () => {
    const parts = splitMarkdown('> ```ts\n> const a = 1\n> const b = 2\n> ```\nAfter.', { limit: 36, measure: utf16 })
    expect(parts).toEqual(['> ```ts\n> const a = 1\n> ```', '> ```ts\n> const b = 2\n> ```\nAfter.'])
  })

  test('does not come before what has been shown', () => {
    fc.assert(
      fc.property(document, limits, fc.double({ min: 0, max: 1, noNaN: true }), (text, limit, share) => {
        const min = Math.floor(Math.min(limit - 20, text.length) * share)
        const split = splitOnce(text, { limit, measure: utf16, min })
        fc.pre(split !== undefined)
        expect(split?.head.startsWith(text.slice(0, min))).toBe(true)
        expect(tokensOf([split?.head ?? '', split?.rest ?? '']).length).toBeGreaterThanOrEqual(tokens(text).length)
      }),
      { numRuns: 300 },
    )
  })

  test('keeps what has been shown also when it is over the limit', () => {
    expect(cut('One two three four', 5, 9)).toEqual({ head: 'One two t', rest: 'hree four' })
  })
})
