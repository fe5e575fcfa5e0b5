import { expect, it } from 'vitest'
import { readDocx } from '#platform/engine/convert/office/docx.ts'
import { readOpenDocument } from '#platform/engine/convert/office/opendocument.ts'
import { readPptx } from '#platform/engine/convert/office/pptx.ts'
import type { ReadDocument } from '#platform/engine/convert/reader.ts'
import { htmlToMarkdown } from '#platform/engine/convert/web/html.ts'
import { toSource } from '#test/fixtures/documents/source.ts'
import { makeZip } from '#test/fixtures/documents/zip.ts'
import { inLong } from '#test/support/forms.ts'

async function read(reader: ReadDocument, parts: Readonly<Record<string, string>>): Promise<string> {
  const pages = await reader(toSource(makeZip(parts)))
  const markdown: string[] = []
  for (const page of pages) markdown.push(page.markdown)
  return markdown.join('\n\n')
}

const word = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
const officeRelation = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'

const readWord = (body: string, styles = '', numbering = '') =>
  read(readDocx, {
    '[Content_Types].xml':
      '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="xml" ContentType="application/xml"/></Types>',
    '_rels/.rels': `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="a" Type="${officeRelation}/officeDocument" Target="word/document.xml"/></Relationships>`,
    'word/_rels/document.xml.rels': `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="b" Type="${officeRelation}/styles" Target="styles.xml"/><Relationship Id="c" Type="${officeRelation}/numbering" Target="numbering.xml"/></Relationships>`,
    'word/numbering.xml': `<w:numbering ${word}>${numbering}</w:numbering>`,
    'word/styles.xml': `<w:styles ${word}>${styles}</w:styles>`,
    'word/document.xml': `<w:document ${word}><w:body>${body}</w:body></w:document>`,
  })

const wordCell = (content: string) => `<w:tc>${content}</w:tc>`
const wordText = (text: string, style = '') =>
  `<w:p>${style === '' ? '' : `<w:pPr><w:pStyle w:val="${style}"/></w:pPr>`}<w:r><w:t>${text}</w:t></w:r></w:p>`
const wordTable = (...rows: readonly (readonly string[])[]) =>
  `<w:tbl>${rows.map((cells) => `<w:tr>${cells.map(wordCell).join('')}</w:tr>`).join('')}</w:tbl>`

it('keeps a table of Word with another one in a cell, and opens one that only lays out', async () => {
  const inner = wordTable([wordText('oil'), wordText('gas')])
  const table = wordTable([wordText('Room'), wordText('Lamps')], [wordText('Gallery'), `${inner}<w:p/>`])
  expect(await readWord(table)).toBe('| Room | Lamps |\n| --- | --- |\n| Gallery | oil<br>gas |')
  expect(await readWord(wordTable([`${inner}<w:p/>`]))).toBe('| oil | gas |\n| --- | --- |')
})

it('nests the lists of Word that only their styles tell apart', async () => {
  const names = ['List Bullet', 'List Bullet 2', 'List Number 2']
  const styles = names
    .map((name, id) => `<w:style w:type="paragraph" w:styleId="s${id}"><w:name w:val="${name}"/></w:style>`)
    .join('')
  const numbering = names
    .map((name, id) => {
      const format = name.includes('Number') ? 'decimal' : 'bullet'
      const level = `<w:lvl w:ilvl="0"><w:numFmt w:val="${format}"/><w:pStyle w:val="s${id}"/></w:lvl>`
      return `<w:abstractNum w:abstractNumId="${id}">${level}</w:abstractNum>`
    })
    .join('')
  const body = [
    wordText('lamps', 's0'),
    wordText('oil', 's1'),
    wordText('gas', 's1'),
    wordText('horns', 's0'),
    wordText('first', 's2'),
  ].join('')
  expect(await readWord(body, styles, numbering)).toBe('- lamps\n  - oil\n  - gas\n- horns\n  1. first')
})

const numbered = (text: string, list: number) =>
  `<w:p><w:pPr><w:numPr><w:ilvl w:val="0"/><w:numId w:val="${list}"/></w:numPr></w:pPr><w:r><w:t>${text}</w:t></w:r></w:p>`

it('counts a list of Word on where it was interrupted, and anew where it says so', async () => {
  const level = '<w:lvl w:ilvl="0"><w:start w:val="3"/><w:numFmt w:val="decimal"/></w:lvl>'
  const numbering = [
    `<w:abstractNum w:abstractNumId="0">${level}</w:abstractNum>`,
    '<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>',
    '<w:num w:numId="2"><w:abstractNumId w:val="0"/><w:lvlOverride w:ilvl="0"><w:startOverride w:val="1"/></w:lvlOverride></w:num>',
  ].join('')
  const body = [
    numbered('c', 1),
    numbered('d', 1),
    wordText('between'),
    numbered('e', 1),
    wordTable([numbered('f', 1)], ['<w:tcPr><w:vMerge/></w:tcPr><w:p/>']),
    numbered('anew', 2),
    numbered('and on', 2),
  ].join('')
  expect(await readWord(body, '', numbering)).toBe(
    '3. c\n4. d\n\nbetween\n\n5. e\n\n| 6. f |\n| --- |\n\n1. anew\n2. and on',
  )
})

const openText = (body: string) =>
  read(readOpenDocument, {
    'content.xml': `<office:document-content><office:automatic-styles><text:list-style style:name="N"><text:list-level-style-number text:level="1" style:num-format="1"/></text:list-style></office:automatic-styles><office:body><office:text>${body}</office:text></office:body></office:document-content>`,
  })
const item = (text: string, attributes = '') =>
  `<text:list-item ${attributes}><text:p>${text}</text:p></text:list-item>`

it('counts a list of OpenDocument on where it was interrupted', async () => {
  const between = '<text:p>between</text:p>'
  const body = [
    `<text:list xml:id="one" text:style-name="N">${item('a')}${item('b')}</text:list>`,
    between,
    `<text:list text:style-name="N" text:continue-numbering="true">${item('c')}</text:list>`,
    between,
    `<text:list text:style-name="N">${item('new')}${item('jump', 'text:start-value="7"')}</text:list>`,
    between,
    `<text:list text:style-name="N" text:continue-list="one">${item('c again')}</text:list>`,
  ]
  expect(await openText(body.join(''))).toBe(
    '1. a\n2. b\n\nbetween\n\n3. c\n\nbetween\n\n1. new\n7. jump\n\nbetween\n\n3. c again',
  )
})

const frame = (text: string, attributes = '') =>
  `<draw:frame ${attributes}><draw:text-box><text:p>${text}</text:p></draw:text-box></draw:frame>`
const relations = (...targets: readonly (readonly [string, string])[]) =>
  `<Relationships>${targets.map(([type, target]) => `<Relationship Id="${type}" Type="http://x/${type}" Target="${target}"/>`).join('')}</Relationships>`
const shape = (text: string, kind: string) =>
  `<p:sp><p:nvSpPr><p:nvPr>${kind}</p:nvPr></p:nvSpPr><p:txBody><a:p><a:r><a:t>${text}</a:t></a:r></a:p></p:txBody></p:sp>`
const tree = (...shapes: readonly string[]) => `<p:cSld><p:spTree>${shapes.join('')}</p:spTree></p:cSld>`

it('reads the notes of a slide that are not marked as such', async () => {
  const slide = `<draw:page>${frame('Lamps')}<presentation:notes>${frame('42', 'presentation:class="page-number"')}${frame('Say it slowly.')}</presentation:notes></draw:page>`
  expect(
    await read(readOpenDocument, {
      'content.xml': `<office:document-content><office:body><office:presentation>${slide}</office:presentation></office:body></office:document-content>`,
    }),
  ).toBe('## Slide 1\n\nLamps\n\n### Notes\n\nSay it slowly.')
  expect(
    await read(readPptx, {
      'ppt/presentation.xml': '<p:presentation><p:sldIdLst><p:sldId r:id="slide"/></p:sldIdLst></p:presentation>',
      'ppt/_rels/presentation.xml.rels': relations(['slide', 'slides/slide1.xml']),
      'ppt/slides/slide1.xml': `<p:sld>${tree(shape('Lamps', '<p:ph type="title"/>'))}</p:sld>`,
      'ppt/slides/_rels/slide1.xml.rels': relations(['notesSlide', '../notesSlides/one.xml']),
      'ppt/notesSlides/one.xml': `<p:notes>${tree(shape('42', '<p:ph type="sldNum"/>'), shape('Say it slowly.', ''))}</p:notes>`,
    }),
  ).toBe('## Slide 1: Lamps\n\n### Notes\n\nSay it slowly.')
})

const openSheet = (rows: string) =>
  read(readOpenDocument, {
    'content.xml': `<office:document-content><office:body><office:spreadsheet><table:table table:name="S">${rows}</table:table></office:spreadsheet></office:body></office:document-content>`,
  })
const openRow = (repeats: string, text: string, cells = '') =>
  `<table:table-row ${repeats}><table:table-cell ${cells}><text:p>${text}</text:p></table:table-cell></table:table-row>`

it('repeats cells of OpenDocument within one budget for the document', async () => {
  const columns = 'table:number-columns-repeated="3"'
  expect(await openSheet(openRow('table:number-rows-repeated="2"', 'a', columns))).toBe(
    '## S\n\n| a | a | a |\n| --- | --- | --- |\n| a | a | a |',
  )
  const many = openRow('table:number-rows-repeated="1000"', 'lamp', 'table:number-columns-repeated="1000"')
  await expect(openSheet(many.repeat(2))).rejects.toThrow('too-big')
  const long = openRow('table:number-rows-repeated="1000"', 'x'.repeat(5000))
  await expect(openSheet(long)).rejects.toThrow('too-big')
})

it('takes sheets whose rows end in thousands of blank cells', async () => {
  const padding = '<table:table-cell table:number-columns-repeated="16384"/>'
  const row = `<table:table-row><table:table-cell><text:p>a</text:p></table:table-cell>${padding}</table:table-row>`
  expect((await openSheet(row.repeat(3000))).split('\n')).toHaveLength(3003)
})

it('refuses tables that spans, or one wide row, blow up', inLong, () => {
  const spans = `<table><tr><td>${'<tr><td rowspan=100 colspan=100>a'.repeat(40_000)}</table>`
  expect(() => htmlToMarkdown(spans)).toThrow('too-big')
  const wide = `<table><tr>${'<td>a'.repeat(1000)}${'<tr><td>b'.repeat(30_000)}</table>`
  expect(() => htmlToMarkdown(wide)).toThrow('too-big')
})
