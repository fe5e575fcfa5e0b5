import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findQuote } from '#bridge/references/match-quote.ts'
import { toLetters, toSourceText } from '#bridge/references/source-text.ts'
import { chunkMarkdown, createPageChunker } from '#platform/engine/chunk/document.ts'
import { CONVERT_LIMITS, type Converter, createConverter } from '#platform/engine/convert/converter.ts'
import { readPure } from '#platform/engine/convert/pdf/pdf.ts'
import { readFixture } from '#test/fixtures/documents/read.ts'
import { ferryPages, makePdf } from '#test/fixtures/pdf.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const query = { response_type: 'markdown', extract_tables_as_images: false, image_resolution_scale: 1 } as const

const CONVERTED = [
  'handbook.docx',
  'office.docx',
  'handbook.odt',
  'handbook.epub',
  'handbook.rtf',
  'slides.pptx',
  'slides.odp',
  'tides.xlsx',
  'tides.ods',
  'mail.eml',
]

const PAGE =
  '<h1>Réunion</h1><p>Le phare a été bâti en 1887 par <b>Ada Brenner</b>, au nord du cap, sur la falaise.</p><table><tr><td>Lampe</td><td>142&nbsp;W</td></tr></table>'
const TABLE = 'Lamp;Supplier\nparaffin burner;Fresnel and Sons\ngas lamp;"Nordlicht, Kiel"\n'

/** As another reader, an editor or a line end may leave it. */
const CHANGES: Readonly<Record<string, (body: string) => string>> = {
  'cut at blank lines': (body) => body,
  'with other white space': (body) => body.replaceAll(' ', '  \n'),
  'with hyphens at line ends': (body) => body.replace(/(\p{L}{4})(\p{L}{4})/gu, '$1-\n$2'),
  'with soft hyphens': (body) => body.replace(/(\p{L}{3})(\p{L}{3})/gu, '$1\u00AD$2'),
  decomposed: (body) => body.normalize('NFD'),
  'without marks of headings, lists and tables': (body) => body.replace(/^#+ |^[-*] |\||\*\*|---/gm, ' '),
  'with page marks and names of pictures in it': (body) => body.replace(/\n/, '\n<!-- page 7 -->\npicture-1.png\n'),
}

describe('passages of real documents', () => {
  let folder: string
  let converter: Converter
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'footbridge-standing-'))
    converter = createConverter(join(folder, 'work'), CONVERT_LIMITS)
  })
  afterAll(async () => {
    await converter.close()
    await rm(folder, { recursive: true, force: true })
  })

  async function convert(name: string, bytes: Uint8Array | string): Promise<string> {
    const path = join(folder, 'document')
    await writeFile(path, bytes)
    const converted = await converter.convertDocument({ path, name, query })
    return converted.markdown ?? ''
  }

  /** Pages as an index pass reads them: by another call than a conversion. */
  async function pagesOf(bytes: Uint8Array): Promise<readonly string[]> {
    const path = join(folder, 'document.pdf')
    await writeFile(path, bytes)
    const read = await converter.convertPdf(path)
    const lines = (await readFile(read.path, 'utf8')).trim().split('\n')
    await read.done()
    const chunk = createPageChunker()
    return lines.flatMap((line) => {
      const { page, markdown } = JSON.parse(line) as { page: number; markdown: string }
      return chunk(page, markdown).map(({ body }) => body)
    })
  }

  it.each(CONVERTED)('%s: each chunk stands there as a whole, and in no other document', async (name) => {
    const markdown = await convert(name, await readFixture(name))
    const source = toSourceText(markdown)
    const other = toSourceText(await convert('page.html', PAGE))
    const bodies = chunkMarkdown(markdown).map(({ body }) => body)
    expect(bodies.length).toBeGreaterThan(0)
    for (const body of bodies) {
      expect(findQuote(source, body)).toMatchObject({ passage: body, exact: true })
      expect(findQuote(other, body)).toBeUndefined()
    }
  })

  it.each(Object.entries(CHANGES))('stand there %s', async (_how, change) => {
    const documents = [
      await convert('handbook.docx', await readFixture('handbook.docx')),
      await convert('page.html', PAGE),
      await convert('lamps.csv', TABLE),
      new TextDecoder().decode(await readFixture('handbook.md')),
    ]
    for (const markdown of documents) {
      const source = toSourceText(markdown)
      const bodies = markdown.split(/\n{2,}/).filter((body) => /\p{L}{3}/u.test(body) && !body.startsWith('---'))
      for (const body of bodies) expect(findQuote(source, change(body))?.exact).toBe(true)
    }
  })

  it('of a PDF stand in its conversion, page by page', async () => {
    for (const bytes of [await readFixture('handbook.pdf'), await makePdf(ferryPages)]) {
      const source = toSourceText(await convert('x.pdf', bytes))
      const bodies = await pagesOf(bytes)
      expect(bodies.length).toBeGreaterThan(0)
      for (const body of bodies) expect(findQuote(source, body)?.exact).toBe(true)
      expect(source.pages.length).toBeGreaterThan(0)
    }
  })

  it('of a PDF that another reader cut are found too, and quoted only as far as they stand there', async () => {
    const bytes = await readFixture('handbook.pdf')
    const source = toSourceText(await convert('x.pdf', bytes))
    for await (const { markdown } of readPure(Buffer.from(bytes), 100)) {
      const standing = findQuote(source, markdown)
      expect(standing).toBeDefined()
      for (const part of standing?.passage.split('…') ?? []) expect(source.letters).toContain(toLetters(part))
    }
  })
})
