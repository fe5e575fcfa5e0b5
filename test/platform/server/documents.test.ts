import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { conversionResult } from '#platform/wire/documents.ts'
import { readImageInfo } from '#platform/engine/convert/images/pictures.ts'
import { readFixture } from '#test/fixtures/documents/read.ts'
import { ferryPages, makePdf } from '#test/fixtures/pdf.ts'
import { openPlatform, toForm, type TestPlatform } from './platform.ts'

describe('conversion', () => {
  let platform: TestPlatform
  beforeAll(async () => {
    platform = await openPlatform()
  })
  afterAll(() => platform.close())

  const convert = (name: string, content: string | Uint8Array<ArrayBuffer>, query = '') =>
    platform.call('POST', `/v1/documents/convert${query}`, { body: toForm('document', name, content), bearer: true })

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
    const response = await convert('deep.html', `${'<div>'.repeat(100_000)}deep down${'</div>'.repeat(100_000)}`)
    expect(await response.json()).toMatchObject({ markdown: 'deep down' })
  })

  it.each([
    ['html', { html: '<h1>A</h1>\n<p>&lt;script&gt;x&lt;/script&gt;</p>\n' }],
    ['json', { json_data: { kind: 'text', pages: [{ page: 1, markdown: '# A\n\n<script>x</script>' }] } }],
    ['tokens', { tokens: '<doctag><title>A</title>\n<text>&lt;script&gt;x&lt;/script&gt;</text>\n</doctag>' }],
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

  it('names the images of a document in its text and hands them out', async () => {
    const response = await convert('handbook.docx', await readFixture('handbook.docx'))
    const result = conversionResult.parse(await response.json())
    expect(result.markdown).toContain('\n\npicture-1.png (A red lighthouse)\n\n')
    expect(result.markdown).not.toContain('](picture-1.png)')
    const image = Buffer.from(await readFixture('red.png')).toString('base64')
    expect(result.images).toEqual([{ type: 'picture', filename: 'picture-1.png', image }])
  })

  it.each([1, 2, 4])('shows tables of a PDF as images at the scale %i', async (scale) => {
    const query = `?extract_tables_as_images=true&image_resolution_scale=${scale}`
    const response = await convert('handbook.pdf', await readFixture('handbook.pdf'), query)
    const result = conversionResult.parse(await response.json())
    expect(result.markdown).toMatch(/\ntable-1\.png\n\n\| Place \|/)
    expect(result.markdown).toContain('\npicture-1.png\n')
    expect(result.images.map(({ type, filename }) => [type, filename])).toEqual([
      ['picture', 'picture-1.png'],
      ['table', 'table-1.png'],
    ])
    const table = readImageInfo(Buffer.from(result.images[1]?.image ?? '', 'base64'))
    expect(table?.format).toBe('png')
    // It is 222 points wide on paper, and has a margin of 4.
    expect((table?.width ?? 0) / scale).toBeGreaterThan(226)
    expect((table?.width ?? 0) / scale).toBeLessThan(234)
  })

  it('leaves tables as text where no images of them are asked for', async () => {
    const response = await convert('handbook.pdf', await readFixture('handbook.pdf'))
    const result = conversionResult.parse(await response.json())
    expect(result.images.map(({ type }) => type)).toEqual(['picture'])
    expect(result.markdown).toContain('| Place | Height | Note |')
  })

  it('makes HTML of a document, with its tables and lists, and nothing that runs', async () => {
    const html =
      '<h1>A</h1><ul><li>x<ul><li>y</ul></ul><table><tr><td>a<br>b<td>&lt;img src=x onerror=alert(1)></table>'
    const response = await convert('a.html', html, '?response_type=html')
    expect(await response.json()).toMatchObject({
      html: '<h1>A</h1>\n<ul>\n<li>x\n<ul>\n<li>y</li>\n</ul>\n</li>\n</ul>\n<table>\n<thead>\n<tr>\n<th>a<br>\nb</th>\n<th>&lt;img src=x onerror=alert(1)&gt;</th>\n</tr>\n</thead>\n</table>\n',
    })
  })

  it('counts the pages of a PDF in JSON and marks them in HTML', async () => {
    const pdf = await makePdf(ferryPages)
    const json = (await (await convert('h.pdf', pdf, '?response_type=json')).json()) as {
      json_data: { kind: string; pages: { page: number }[] }
    }
    expect(json.json_data.kind).toBe('pdf')
    expect(json.json_data.pages.map(({ page }) => page)).toEqual([1, 2, 3])
    const html = (await (await convert('h.pdf', pdf, '?response_type=html')).json()) as { html: string }
    expect(html.html).toMatch(/^<section data-page="1">\n<h1>Lighthouse handbook<\/h1>[^]*<section data-page="3">/)
  })

  it('stops the conversion when the caller leaves, and goes on with the next', async () => {
    const many = Array.from({ length: 300 }, (_, page) => ({ text: `Page ${page}. ${'Words. '.repeat(300)}` }))
    const leave = new AbortController()
    const content = await platform.engine.documents.receive([await makePdf(many)])
    const running = platform.engine.documents.convert(
      { name: 'many.pdf', content },
      { response_type: 'markdown', extract_tables_as_images: false, image_resolution_scale: 1 },
      leave.signal,
    )
    leave.abort()
    await expect(running).rejects.toMatchObject({ code: 'aborted' })
    expect((await convert('a.md', '# A')).status).toBe(200)
  })

  it('refuses a query that does not fit', async () => {
    expect((await convert('a.md', '# A', '?response_type=docx')).status).toBe(422)
    const refused = await convert('a.md', '# A', '?image_resolution_scale=9')
    expect([refused.status, await refused.json()]).toMatchObject([
      422,
      { detail: [{ loc: ['query', 'image_resolution_scale'] }] },
    ])
  })
})
