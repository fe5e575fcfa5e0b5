/** A damaged or missing part costs no more than itself, and the text says what was left out. */
import { expect, it } from 'vitest'
import { openArchive } from '#platform/engine/convert/office/zip.ts'
import { readDocument } from '#platform/engine/convert/read-document.ts'
import { readFixture } from '#test/fixtures/documents/read.ts'
import { toSource } from '#test/fixtures/documents/source.ts'
import { makeZip, type ZipEntry } from '#test/fixtures/documents/zip.ts'

const limits = { unpackedBytes: 50_000_000, pictureBytes: 1_000_000 }
const limitsWithout = { ...limits, recognition: { folder: '', languages: [], pageMs: 1, totalMs: 1 } }

async function read(name: string, bytes: Uint8Array) {
  const source = toSource(bytes, { name, limits: limitsWithout })
  const { pages } = await readDocument(source)
  return { text: pages.map(({ markdown }) => markdown).join('\n\n'), notes: source.notes.join(' ') }
}

async function partsOf(name: string): Promise<Record<string, ZipEntry>> {
  const archive = openArchive(Buffer.from(await readFixture(name)), limits)
  return Object.fromEntries(
    archive.names.filter((path) => !path.endsWith('/')).map((path) => [path, { content: archive.read(path) ?? '' }]),
  )
}

const lettersOf = (text: string) => text.match(/[\p{L}\p{N}]+/gu)?.length ?? 0

/** Faults of one part; where it is text, it is cut, too. */
const FAULTS: readonly ((entry: ZipEntry) => ZipEntry | undefined)[] = [
  () => undefined,
  ({ content }) => ({ content, claims: content.length + 1 }),
  ({ content }) => ({ content: content.slice(0, content.length / 2) }),
]

it.each([
  ['handbook.docx', /^word\/document\.xml$/],
  ['office.docx', /^word\/document\.xml$/],
  ['slides.pptx', /^ppt\/(?:_rels\/)?presentation\.xml|^ppt\/slides\/slide/],
  ['tides.xlsx', /^xl\/(?:_rels\/)?workbook\.xml|^xl\/(?:worksheets\/sheet|sharedStrings)/],
  ['handbook.odt', /^content\.xml$/],
  ['slides.odp', /^content\.xml$/],
  ['tides.ods', /^content\.xml$/],
  ['handbook.epub', /container\.xml$|\.opf$|ch\w*\.xhtml$/],
])('%s is read without any part but those with its text', async (name, essential) => {
  const parts = await partsOf(name)
  const whole = await read(name, makeZip(parts))
  expect(whole.notes).toBe('')
  const failed: string[] = []
  for (const path of Object.keys(parts)) {
    if (essential.test(path)) continue
    for (const [index, fault] of FAULTS.entries()) {
      const { [path]: part = { content: '' }, ...others } = parts
      const damaged = fault(part)
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      const result = await read(name, makeZip(damaged === undefined ? others : { ...others, [path]: damaged })).catch(
        (error: Error) => ({ text: error.message, notes: '' }),
      )
      // Styles, notes and pictures are some of the words.
      if (lettersOf(result.text) < lettersOf(whole.text) * 0.6) failed.push(`${path} ${index}: ${result.text}`)
    }
  }
  expect(failed).toEqual([])
})

it.each([
  ['slides.pptx', 'ppt/slides/slide1.xml', 'slide1.xml'],
  ['tides.xlsx', 'xl/worksheets/sheet1.xml', 'sheet1.xml'],
  ['handbook.docx', 'word/footnotes.xml', 'footnotes.xml'],
  ['handbook.odt', 'styles.xml', 'styles.xml'],
])('%s says that %s was left out', async (name, path, said) => {
  const parts = await partsOf(name)
  const content = parts[path]?.content ?? ''
  const { text, notes } = await read(name, makeZip({ ...parts, [path]: { content, claims: content.length + 1 } }))
  expect(lettersOf(text)).toBeGreaterThan(3)
  expect(notes).toBe(`Parts of the document are damaged or missing and were left out: ${said}.`)
})

it('a Word document whose picture has no relation is read without the picture', async () => {
  const parts = await partsOf('handbook.docx')
  const path = 'word/_rels/document.xml.rels'
  const relations = String(parts[path]?.content).replace(/<Relationship [^>]*\/image"[^>]*>/g, '')
  const { text, notes } = await read('a.docx', makeZip({ ...parts, [path]: { content: relations } }))
  expect(text).toContain('# Lighthouse handbook')
  expect(text).not.toContain('picture-1')
  expect(notes).toContain('picture')
})
