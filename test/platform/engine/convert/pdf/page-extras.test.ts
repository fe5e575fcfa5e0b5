import { expect, it } from 'vitest'
import type { NativePage } from '#platform/engine/convert/pdf/native-reader.ts'
import { extrasOf } from '#platform/engine/convert/pdf/page-extras.ts'
import { readDocument } from '#platform/engine/convert/read-document.ts'
import { toSource } from '#test/fixtures/documents/source.ts'
import { pdfStream, toPdfFile } from '#test/fixtures/pdf.ts'

const page = (more: Partial<NativePage>): NativePage => ({ pageNum: 1, text: '', markdown: '', ...more })
const at = (text: string, x: number, y: number, width = text.length * 6) => ({ text, x, y, width, height: 10 })
const rect = (x: number, y: number, width = 100, height = 14) => ({ x, y, width, height })

it('names a field by the text before it, above it, behind a box, or by its own name', () => {
  const textItems = [at('Surname:', 10, 10), at('Town', 200, 30), at('Member', 30, 70), at('Guest', 130, 70)]
  const formFields = [
    { fieldType: 'text', name: 'a', value: 'Marchetti', rect: rect(80, 8) },
    { fieldType: 'text', name: 'b', value: 'Fano\n(PU)', rect: rect(200, 45) },
    { fieldType: 'checkbox', name: 'c', checked: true, rect: rect(10, 68, 12) },
    { fieldType: 'radio', name: 'd', checked: false, rect: rect(110, 68, 12) },
    { fieldType: 'text', name: 'form[0].page[0].boat[0]', value: 'Stella_Maris', rect: rect(400, 400) },
    { fieldType: 'text', name: 'e', alternateName: 'Harbour', value: 'Ancona' },
  ]
  expect(extrasOf(page({ textItems, formFields }))).toBe(
    '### Form fields\n\n- Surname: Marchetti\n- Town: Fano (PU)\n- Member: ☒\n- boat: Stella_Maris\n- Harbour: Ancona',
  )
})

it('repeats no value that the page shows, and tells no password', () => {
  const textItems = [at('Surname:', 10, 10), at('Marchetti', 84, 10)]
  const formFields = [
    { fieldType: 'text', name: 'a', value: 'Marchetti', rect: rect(80, 8) },
    { fieldType: 'text', name: 'b', value: 'secret', fieldFlags: 1 << 13 },
    { fieldType: 'text', name: 'c', value: ' ' },
    { fieldType: 'pushbutton', name: 'd', value: 'Send' },
  ]
  expect(extrasOf(page({ textItems, formFields }))).toBe('')
})

it('says who remarked what about which words; a typed remark that the page shows is no second one', () => {
  const words = ['The', 'price', 'is', '90', 'euros'].map((text, index) => at(text, index * 30, 10, 25))
  const annotations = [
    { subtype: 'text', title: 'Lena', contents: 'Raise this.' },
    { subtype: 'highlight', contents: 'Check it.', quadpointRects: [rect(85, 8, 60)] },
    { subtype: 'freetext', contents: 'Shown here' },
    { subtype: 'freetext', contents: 'Not shown' },
    { subtype: 'link', contents: 'https://harbour.example' },
    { subtype: 'highlight' },
  ]
  const text = 'The price is 90 euros. Shown here'
  expect(extrasOf(page({ text, annotations, textItems: [{ ...at(text, 0, 10), words }] }))).toBe(
    '### Comments\n\n- Lena: Raise this.\n- Check it. (on “90 euros”)\n- Not shown',
  )
})

it('shows the entry that is chosen, not its value for programs, and which of several buttons is pressed', () => {
  const formFields = [
    { fieldType: 'combobox', name: 'size', value: 'M', selectedOptions: ['Medium'] },
    { fieldType: 'radio', name: 'cash', value: 'Two', checked: true },
    { fieldType: 'radio', name: 'card', value: 'Two', checked: false },
  ]
  expect(extrasOf(page({ formFields }))).toBe('### Form fields\n\n- size: Medium\n- cash: ☒')
  const groups = ['Karte', 'Choice1'].flatMap((value, index) =>
    [true, false].map((checked) => ({ fieldType: 'radio', name: `pay${index}`, value, checked })),
  )
  expect(extrasOf(page({ formFields: groups }))).toBe('### Form fields\n\n- pay0: ☒ Karte\n- pay1: ☒')
})

const attach = (files: Readonly<Record<string, string | Buffer>>) => {
  const names = Object.keys(files)
  const specs = names.map(
    (name, index) => `<</Type/Filespec/F(${name})/UF(${name})/EF<</F ${6 + names.length + index} 0 R>>>>`,
  )
  return toPdfFile([
    `<</Type/Catalog/Pages 2 0 R/Names<</EmbeddedFiles<</Names[${names.map((name, index) => `(${name}) ${6 + index} 0 R`).join(' ')}]>>>>>>`,
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>>>',
    pdfStream('', 'BT /F 12 Tf 72 700 Td (Rules of the harbour) Tj ET'),
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
    ...specs,
    ...Object.values(files).map((file) => pdfStream('/Type/EmbeddedFile', file)),
  ])
}

it('names the files within a file and reads those that are documents, also within them', async () => {
  const inner = attach({ 'deep.txt': 'The berth is 7719' })
  const content = attach({ 'fares.csv': 'kind,fare\nAdult,37', 'a.bin': 'x', 'cut.docx': 'PK', 'inner.pdf': inner })
  const { pages } = await readDocument(toSource(content, { name: 'a.pdf' }))
  const markdown = pages[0]?.markdown ?? ''
  expect(markdown).toContain('## Attachments\n\n- fares.csv, 1 kB\n- a.bin, 1 kB\n- cut.docx, 1 kB\n- inner.pdf, ')
  expect(markdown).toContain('| Adult | 37 |')
  expect(markdown).toContain('- deep.txt, 1 kB')
  expect(markdown).toContain('The berth is 7719')
})

it('names and reads a file that is attached to a place of a page', async () => {
  const content = toPdfFile([
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>/Annots[6 0 R]>>',
    pdfStream('', 'BT /F 12 Tf 72 700 Td (Rules of the harbour) Tj ET'),
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
    '<</Type/Annot/Subtype/FileAttachment/Rect[60 600 80 620]/FS<</Type/Filespec/F(gate.txt)/EF<</F 7 0 R>>>>>>',
    pdfStream('/Type/EmbeddedFile', 'Gate 7719'),
  ])
  const { pages } = await readDocument(toSource(content, { name: 'a.pdf' }))
  expect(pages[0]?.markdown).toContain('- gate.txt, 1 kB\n\n### gate.txt\n\nGate 7719')
})
