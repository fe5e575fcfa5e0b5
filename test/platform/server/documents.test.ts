import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { conversionResult } from '../../../src/platform/wire/documents.ts'
import { ferryPages, makePdf } from '../../fixtures/pdf.ts'
import { openPlatform, toForm, type TestPlatform } from './platform.ts'

describe('conversion', () => {
  let platform: TestPlatform
  beforeAll(async () => {
    platform = await openPlatform()
  })
  afterAll(() => platform.close())

  const convert = (name: string, content: string | Uint8Array<ArrayBuffer>, query = '') =>
    platform.call('POST', `/v1/documents/convert${query}`, {
      body: toForm('document', name, content),
      bearer: true,
    })

  it('makes markdown of a PDF', async () => {
    const result = conversionResult.parse(await (await convert('h.pdf', await makePdf(ferryPages))).json())
    expect(result).toMatchObject({ filename: 'h.pdf', response_type: 'markdown', images: [] })
    expect(result.markdown).toMatch(
      /^<!-- page 1 -->\n\n# Lighthouse handbook\n[\s\S]*<!-- page 2 -->\n\n# Getting there\n/,
    )
  })

  it('makes markdown of a page', async () => {
    const html = `<html><head><title>t</title><script>alert(1)</script></head><body><h2>Ferry &amp; bus</h2>
      <p>Leaves at <b>9:40</b>, see <a href="https://example.org/x">plan</a>.</p><ul><li>one<ul><li>inner</li></ul></li><li>two</li></ul>
      <table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>x|y</td></tr></table><pre>code  here</pre></body></html>`
    const result = conversionResult.parse(await (await convert('p.html', html)).json())
    expect(result.markdown).toBe(
      '## Ferry & bus\n\nLeaves at **9:40**, see [plan](https://example.org/x).\n\n- one\n  - inner\n- two\n\n' +
        '| a | b |\n| --- | --- |\n| 1 | x\\|y |\n\n```\ncode  here\n```',
    )
  })

  it('reads the deepest nesting without falling over', async () => {
    const response = await convert(
      'deep.html',
      `${'<div>'.repeat(100_000)}deep down${'</div>'.repeat(100_000)}`,
    )
    expect(await response.json()).toMatchObject({ markdown: 'deep down' })
  })

  it.each([
    ['html', { html: '<h1>A</h1>\n<p>&lt;script&gt;x&lt;/script&gt;</p>\n' }],
    ['json', { json_data: { kind: 'text', pages: [{ page: 1, markdown: '# A\n\n<script>x</script>' }] } }],
    ['tokens', { tokens: 6 }],
  ])('answers with the type %s', async (type, expected) => {
    const response = await convert('a.md', '# A\n\n<script>x</script>', `?response_type=${type}`)
    const result = conversionResult.parse(await response.json())
    expect(result).toEqual({ filename: 'a.md', response_type: type, images: [], ...expected })
  })

  it.each([
    ['a.xyz', 'text', 400, 'cannot be converted'],
    ['a.pdf', 'garbage', 415, 'damaged'],
    ['a.md', '', 400, 'empty'],
    ['a.txt', 'a\u0000b', 415, 'binary'],
  ])('refuses %s with a sentence', async (name, content, status, sentence) => {
    const response = await convert(name, content)
    expect(response.status).toBe(status)
    expect(await response.json()).toMatchObject({ error: { message: expect.stringContaining(sentence) } })
  })

  it('refuses a query that does not fit', async () => {
    expect((await convert('a.md', '# A', '?response_type=docx')).status).toBe(422)
    expect((await convert('a.md', '# A', '?image_resolution_scale=9')).status).toBe(422)
  })
})
