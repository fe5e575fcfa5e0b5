import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { estimateTokens } from '#lib/tokens.ts'
import { chunkMarkdown, chunkPlainText, createPageChunker } from '#platform/engine/chunk/document.ts'
import { CHUNK_TOKENS, toPlace } from '#platform/engine/chunk/units.ts'
import { inLong } from '#test/support/forms.ts'

const sentence = 'The keeper of the lighthouse writes down the weather every evening. '

describe('chunkMarkdown', () => {
  it('cuts at headings and knows the path above', () => {
    const text =
      '# Island\n\nIntro.\n\n## Ferry\n\nLeaves at nine.\n\n### Tickets\n\nTwelve euros.\n\n## Food\n\nFish.\n'
    expect(chunkMarkdown(text).map(({ headings, body }) => [headings.join('/'), body])).toEqual([
      ['Island', '# Island\n\nIntro.'],
      ['Island/Ferry', '## Ferry\n\nLeaves at nine.'],
      ['Island/Ferry/Tickets', '### Tickets\n\nTwelve euros.'],
      ['Island/Food', '## Food\n\nFish.'],
    ])
  })

  it('leaves no heading alone, reads underlined ones, and takes their markup off', () => {
    const chunks = chunkMarkdown('Top\n===\n\n## A **bold** [link](http://x.y)\n\nText.\n')
    expect(chunks).toHaveLength(1)
    expect(chunks[0]).toMatchObject({ headings: ['Top', 'A bold link'], lineFrom: 1, lineTo: 6 })
  })

  it('takes no comment in a fence for a heading', () => {
    const chunks = chunkMarkdown('# A\n\n```sh\n# not a heading\nls\n```\n')
    expect(chunks).toHaveLength(1)
    expect(chunks[0]?.body).toContain('# not a heading')
  })

  it('keeps to the limit and fills up to it', () => {
    const chunks = chunkMarkdown(`# A\n\n${sentence.repeat(200)}\n`)
    const tokens = chunks.map(({ body }) => estimateTokens(body))
    expect(Math.max(...tokens)).toBeLessThanOrEqual(CHUNK_TOKENS.most)
    expect(Math.min(...tokens.slice(0, -1))).toBeGreaterThanOrEqual(CHUNK_TOKENS.enough)
    for (const { body } of chunks) expect(body).toMatch(/(^|\. |\n)?The keeper|^# A/)
  })

  it('cuts long tables at rows and gives later pieces the header for the index only', () => {
    const rows = Array.from({ length: 80 }, (_, index) => `| row ${index} | the value of this row is ${index} |`)
    const chunks = chunkMarkdown(`# T\n\n| name | value |\n|---|---|\n${rows.join('\n')}\n`)
    expect(chunks.length).toBeGreaterThan(1)
    expect(chunks[0]).toMatchObject({ lead: '' })
    for (const chunk of chunks.slice(1)) {
      expect(chunk.lead).toBe('| name | value |\n|---|---|\n')
      expect(chunk.body).toMatch(/^\| row \d+ \|/)
    }
  })

  it('counts lines and offsets in the stored file, front matter included, and shows none of it', () => {
    const text = '---\ntitle: Secret\ntags: [a]\n---\n\n# A\r\n\r\nFirst.\r\n'
    expect(chunkMarkdown(text)).toMatchObject([
      { body: '# A\r\n\r\nFirst.', lineFrom: 6, lineTo: 8, start: 33, end: 46 },
    ])
    expect(text.slice(33, 46)).toBe('# A\r\n\r\nFirst.')
  })

  it.each([
    ['empty front matter', '---\n---\nText', 'Text'],
    ['dots at the end', '---\na: 1\n...\nText', 'Text'],
    ['a byte order mark', '\uFEFF---\na: 1\n---\nText', 'Text'],
    ['faulty YAML', '---\ntitle: "open\nkey: [1\n---\nText', 'Text'],
    ['something that would run elsewhere', '---\na: !!js/function "x"\n---\nText', 'Text'],
    ['an alias bomb', `---\na: &a [x,x]\nb: &b [*a,*a]\nc: [*b,*b]\n---\nText`, 'Text'],
  ])('leaves out %s', (_, text, body) => {
    expect(chunkMarkdown(text).map((chunk) => chunk.body)).toEqual([body])
  })

  it('keeps a rule at the top that is no front matter', () => {
    expect(chunkMarkdown('---\n\nJust prose here.\n\n---\n\nMore.')[0]?.body).toContain('Just prose here.')
    expect(chunkMarkdown('---js\nglobalThis.pwned = 1\n---\nText')[0]?.body).toContain('pwned')
    expect('pwned' in globalThis).toBe(false)
  })

  it('is quick with hostile input', () => {
    const texts = [
      'word '.repeat(200_000),
      '> '.repeat(50_000),
      '- '.repeat(50_000),
      '[['.repeat(50_000),
      '|'.repeat(100_000),
    ]
    for (const text of texts) expect(chunkMarkdown(text).length).toBeGreaterThanOrEqual(0)
  })

  it('takes a long paragraph above a rule for one, not for a heading', () => {
    const line = 'The keeper of the lighthouse writes down the weather every evening. '.repeat(9)
    const chunks = chunkMarkdown([line, line, line, 'x', '---'].join('\n'))
    expect(chunks.length).toBeGreaterThan(1)
    for (const { body, headings } of chunks) {
      expect(estimateTokens(body)).toBeLessThanOrEqual(CHUNK_TOKENS.most)
      expect(headings).toEqual([])
    }
  })

  it('always cuts verbatim pieces of bounded size that follow each other', inLong, () => {
    const line = fc.oneof(
      fc.constantFrom(
        '# H',
        '## H',
        '',
        '',
        '- item',
        '| a | b |',
        '|---|---|',
        '```',
        '> quote',
        '---',
        sentence.repeat(9),
      ),
      fc.string({ unit: 'binary', maxLength: 60 }),
      fc.string({ unit: fc.constantFrom('漢', '字', '。', '😀'), maxLength: 900 }),
    )
    fc.assert(
      fc.property(fc.array(line, { maxLength: 40 }), (lines) => {
        const text = lines.join('\n')
        let end = 0
        for (const chunk of chunkMarkdown(text)) {
          expect(text.slice(chunk.start, chunk.end)).toBe(chunk.body)
          expect(chunk.start).toBeGreaterThanOrEqual(end)
          expect(chunk.lineTo).toBeGreaterThanOrEqual(chunk.lineFrom)
          // Blank space between pieces may come on top.
          expect(estimateTokens(chunk.body.replace(/\s+/g, ' '))).toBeLessThanOrEqual(CHUNK_TOKENS.most + 40)
          end = chunk.end
        }
      }),
      { numRuns: 300 },
    )
  })
})

describe('chunkPlainText', () => {
  it('joins paragraphs up to the limit and reads no markup', () => {
    expect(chunkPlainText('# not a heading\n\nsecond\n')).toMatchObject([
      { body: '# not a heading\n\nsecond', headings: [], lineFrom: 1, lineTo: 3 },
    ])
  })
})

describe('createPageChunker', () => {
  it('never crosses a page, and goes on under the heading of the page before', () => {
    const chunkPage = createPageChunker()
    expect(chunkPage(3, '# Ferry\n\nLeaves at nine.')).toMatchObject([{ page: 3, headings: ['Ferry'] }])
    expect(chunkPage(4, 'Comes back at ten.')).toMatchObject([
      { page: 4, headings: ['Ferry'], body: 'Comes back at ten.' },
    ])
  })
})

describe('toPlace', () => {
  it('names page, line or lines', () => {
    expect(toPlace({ page: 3, lineFrom: 1, lineTo: 9 })).toBe('p.3')
    expect(toPlace({ lineFrom: 10, lineTo: 24 })).toBe('L10-24')
    expect(toPlace({ page: null, lineFrom: 7, lineTo: 7 })).toBe('L7')
  })
})
