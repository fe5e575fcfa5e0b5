import { expect, it } from 'vitest'
import { createPictures } from '#platform/engine/convert/images/pictures.ts'
import { render } from '#platform/engine/convert/render.ts'

const toHtml = async (markdown: string) => {
  const query = { response_type: 'html', extract_tables_as_images: false, image_resolution_scale: 1 } as const
  const document = { name: 'a.docx', kind: 'docx', pages: [{ page: 1, markdown }] } as const
  return (await render(document, query, createPictures(0))).html
}

it('keeps a footnote of one word, which reads like the address of a link', async () => {
  expect(await toHtml('Said Ada.[^1]\n\n[^1]: Ibid.')).toBe('<p>Said Ada.[^1]</p>\n<p>[^1]: Ibid.</p>\n')
})

it('keeps links that name their address below, and lines of code', async () => {
  expect(await toHtml('[plan]\n\n[plan]: https://example.org')).toBe('<p><a href="https://example.org">plan</a></p>\n')
  expect(await toHtml('```\n[^1]: code\n```')).toBe('<pre><code>[^1]: code\n</code></pre>\n')
})
