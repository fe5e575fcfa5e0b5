/** Text in the pictures of documents. */
import { expect, it } from 'vitest'
import { readDocument } from '#platform/engine/convert/read-document.ts'
import { makeZip } from '#test/fixtures/documents/zip.ts'
import { toSource } from '#test/fixtures/documents/source.ts'
import { makePictures } from '#test/fixtures/scan.ts'

const relations = (id: string, type: string, target: string) =>
  `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="${id}" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/${type}" Target="${target}"/></Relationships>`
const text = 'The harbour fee is forty euros a night'
const [picture = Buffer.alloc(0)] = await makePictures([{ text }], { dpi: 110 })

const DOCUMENTS: Readonly<Record<string, Parameters<typeof makeZip>[0]>> = {
  'a.docx': {
    '[Content_Types].xml': '<Types><Default Extension="png" ContentType="image/png"/></Types>',
    '_rels/.rels': relations('r', 'officeDocument', 'word/document.xml'),
    'word/document.xml': `<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing" xmlns:pic="http://schemas.openxmlformats.org/drawingml/2006/picture"><w:body><w:p><w:r><w:drawing><wp:inline><a:graphic><a:graphicData><pic:pic><pic:blipFill><a:blip r:embed="p"/></pic:blipFill></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p></w:body></w:document>`,
    'word/_rels/document.xml.rels': relations('p', 'image', 'media/image1.png'),
    'word/media/image1.png': { content: picture },
  },
  'a.pptx': {
    'ppt/presentation.xml': '<p:presentation><p:sldIdLst><p:sldId r:id="s"/></p:sldIdLst></p:presentation>',
    'ppt/_rels/presentation.xml.rels': relations('s', 'slide', 'slides/slide1.xml'),
    'ppt/slides/slide1.xml':
      '<p:sld><p:cSld><p:spTree><p:pic><p:blipFill><a:blip r:embed="p"/></p:blipFill></p:pic></p:spTree></p:cSld></p:sld>',
    'ppt/slides/_rels/slide1.xml.rels': relations('p', 'image', '../media/image1.png'),
    'ppt/media/image1.png': { content: picture },
  },
  'a.xlsx': {
    'xl/workbook.xml': '<workbook><sheets><sheet name="Fees" r:id="s"/></sheets></workbook>',
    'xl/_rels/workbook.xml.rels': relations('s', 'worksheet', 'sheet1.xml'),
    'xl/sheet1.xml': '<worksheet><sheetData/></worksheet>',
    'xl/_rels/sheet1.xml.rels': relations('d', 'drawing', 'drawing1.xml'),
    'xl/drawing1.xml': '<xdr:wsDr><xdr:pic><xdr:blipFill><a:blip r:embed="p"/></xdr:blipFill></xdr:pic></xdr:wsDr>',
    'xl/_rels/drawing1.xml.rels': relations('p', 'image', 'media/image1.png'),
    'xl/media/image1.png': { content: picture },
  },
}

it.each(Object.keys(DOCUMENTS))('is read behind their names: %s', async (name) => {
  const source = toSource(makeZip(DOCUMENTS[name] ?? {}), {
    name,
    limits: { pictureBytes: 10_000_000, unpackedBytes: 1e8 },
  })
  const { pages } = await readDocument(source)
  expect(pages[0]?.markdown).toContain(`picture-1.png [text in the picture: ${text}`)
})

it('is not asked for where there is no language', async () => {
  const { recognition } = toSource('').limits
  const limits = { pictureBytes: 10_000_000, unpackedBytes: 1e8, recognition: { ...recognition, languages: [] } }
  const { pages } = await readDocument(toSource(makeZip(DOCUMENTS['a.pptx'] ?? {}), { name: 'a.pptx', limits }))
  expect(pages[0]?.markdown).toBe('## Slide 1\n\npicture-1.png')
})
