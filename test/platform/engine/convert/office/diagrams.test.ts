/** Diagrams (SmartArt) keep their words in a part of their own, as points and links between them. */
import { expect, it } from 'vitest'
import { readDocument } from '#platform/engine/convert/read-document.ts'
import { makeZip } from '#test/fixtures/documents/zip.ts'
import { toSource } from '#test/fixtures/documents/source.ts'

const point = (id: string, type: string, ...runs: readonly string[]) =>
  `<dgm:pt modelId="${id}" type="${type}"><dgm:t><a:p>${runs.map((run) => `<a:r><a:t>${run}</a:t></a:r>`).join('')}</a:p></dgm:t></dgm:pt>`
const link = (from: string, to: string, order: number) => `<dgm:cxn srcId="${from}" destId="${to}" srcOrd="${order}"/>`
const MODEL = `<dgm:dataModel><dgm:ptLst>${[
  point('0', 'doc'),
  point('2', 'node', 'Repair'),
  point('1', 'node', 'Plan', 'ning'),
  point('3', 'node', 'Yes'),
  point('4', 'asst', 'Yes'),
  point('5', 'sibTrans', 'arrow'),
  point('6', 'pres', 'frame'),
].join('')}</dgm:ptLst><dgm:cxnLst>${[
  link('0', '1', 0),
  link('0', '2', 1),
  link('1', '3', 0),
  link('2', '4', 0),
  link('4', '1', 0),
  '<dgm:cxn type="presOf" srcId="6" destId="0"/>',
].join('')}</dgm:cxnLst></dgm:dataModel>`
const LIST = '- Planning\n  - Yes\n- Repair\n  - Yes'

const FILES = {
  'a.docx': {
    'word/document.xml': '<w:document><w:body><w:p><w:r><w:t>Steps</w:t></w:r></w:p></w:body></w:document>',
    'word/diagrams/data1.xml': MODEL,
  },
  'a.pptx': {
    'ppt/presentation.xml': '<p:presentation><p:sldIdLst><p:sldId r:id="s"/></p:sldIdLst></p:presentation>',
    'ppt/_rels/presentation.xml.rels':
      '<Relationships><Relationship Id="s" Type="x/slide" Target="slides/slide1.xml"/></Relationships>',
    'ppt/slides/slide1.xml':
      '<p:sld><p:cSld><p:spTree><p:graphicFrame><a:graphic><a:graphicData><dgm:relIds r:dm="d"/></a:graphicData></a:graphic></p:graphicFrame></p:spTree></p:cSld></p:sld>',
    'ppt/slides/_rels/slide1.xml.rels':
      '<Relationships><Relationship Id="d" Type="x/diagramData" Target="../diagrams/data1.xml"/></Relationships>',
    'ppt/diagrams/data1.xml': MODEL,
  },
}

it.each(Object.entries(FILES))('a diagram is a list in its order, each point once: %s', async (name, parts) => {
  const { pages } = await readDocument(toSource(makeZip(parts), { name }))
  expect(pages.map(({ markdown }) => markdown).join('\n\n')).toContain(`\n\n${LIST}`)
})
