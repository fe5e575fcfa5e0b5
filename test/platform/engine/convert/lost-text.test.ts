/** Text that readers once lost, format by format. */
import { expect, it } from 'vitest'
import { readDocument } from '../../../../src/platform/engine/convert/read-document.ts'
import { makeZip } from '../../../fixtures/documents/zip.ts'
import { toSource } from '../../../fixtures/documents/source.ts'

const read = async (name: string, content: Uint8Array | string) => {
  const { pages } = await readDocument(toSource(content, { name }))
  return pages.map(({ markdown }) => markdown).join('\n\n')
}
const relations = (...all: readonly (readonly [id: string, type: string, target: string])[]) =>
  `<Relationships>${all.map(([id, type, target]) => `<Relationship Id="${id}" Type="http://x/${type}" Target="${target}"${target.startsWith('http') ? ' TargetMode="External"' : ''}/>`).join('')}</Relationships>`

const CHART = `<c:chartSpace><c:chart><c:title><c:tx><c:rich><a:p><a:r><a:t>Visitors</a:t></a:r></a:p></c:rich></c:tx></c:title>
<c:plotArea><c:barChart>${[
  ['2025', '7', '9'],
  ['2026', '8', '12'],
]
  .map(
    ([
      name,
      one,
      two,
    ]) => `<c:ser><c:tx><c:strRef><c:strCache><c:pt idx="0"><c:v>${name}</c:v></c:pt></c:strCache></c:strRef></c:tx>
<c:cat><c:strRef><c:strCache><c:pt idx="0"><c:v>May</c:v></c:pt><c:pt idx="1"><c:v>June</c:v></c:pt></c:strCache></c:strRef></c:cat>
<c:val><c:numRef><c:numCache><c:pt idx="0"><c:v>${one}</c:v></c:pt><c:pt idx="1"><c:v>${two}</c:v></c:pt></c:numCache></c:numRef></c:val></c:ser>`,
  )
  .join('')}</c:barChart></c:plotArea></c:chart></c:chartSpace>`
const CHART_TABLE = 'Visitors\n\n|  | 2025 | 2026 |\n| --- | --- | --- |\n| May | 7 | 8 |\n| June | 9 | 12 |'

it('HTML: a page whose head has no end', async () => {
  expect(await read('a.html', '<html><head><title>Tides</title><body><p>High water at nine.</p></body></html>')).toBe(
    'High water at nine.',
  )
  expect(await read('b.html', '<head><meta charset=utf-8><h1>Tides</h1>High water at nine.')).toContain('at nine')
})

it('RTF: \\* in the middle of a group, and characters in two halves', async () => {
  expect(await read('a.rtf', '{\\rtf1 One \\*\\unknown two {\\*\\unknown three}four\\par}')).toBe('One two four')
  expect(await read('a.rtf', '{\\rtf1 \\u-10179?\\u-8704? sea \\u-10179? end\\par}')).toBe('😀 sea end')
})

it.each([
  ['shift_jis', Buffer.from('93fa967b8cea82cc836583588367', 'hex'), '日本語のテスト'],
  ['windows-1251', Buffer.from('cff0e8ebe8e220e220efeef0f2f3', 'hex'), 'Прилив в порту'],
  ['koi8-r', Buffer.from('d0d2c9ccc9d720d720d0cfd2d4d5', 'hex'), 'прилив в порту'],
  ['gb18030', Buffer.from('b3b1cbaeb1ed', 'hex'), '潮水表'],
  ['windows-1256', Buffer.from('e3d1cdc8c720c8df', 'hex'), 'مرحبا بك'],
  ['windows-1255', Buffer.from('f9ece5ed20f2e5eced', 'hex'), 'שלום עולם'],
  [
    'windows-1253',
    Buffer.from('ea e1 eb e7 ec dd f1 e1 20 ea fc f3 ec e5'.replaceAll(' ', ''), 'hex'),
    'καλημέρα κόσμε',
  ],
  ['windows-1252', Buffer.from('Fl\u00fcsse und D\u00e4mme', 'latin1'), 'Flüsse und Dämme'],
])('text in %s that does not say so', async (_, bytes, expected) => {
  expect(await read('a.txt', bytes)).toBe(expected)
  const cells = Buffer.concat([Buffer.from('a,'), bytes, Buffer.from('\nb,1\n')])
  expect(await read('a.csv', cells)).toContain(`| a | ${expected} |`)
  const page = Buffer.concat([Buffer.from('<meta charset="utf-8"><p>'), bytes])
  expect(await read('a.html', page)).toBe(expected)
})

it('mail in UTF-16', async () => {
  const mail = Buffer.from('\uFEFFFrom: ada@example.org\r\nSubject: Ferry\r\n\r\nIt leaves at nine.', 'utf16le')
  expect(await read('a.eml', mail)).toContain('It leaves at nine.')
})

it('mail with a head of a megabyte', async () => {
  const head = `From: ada@example.org\r\nX-Long: ${'a:b@c; '.repeat(150_000)}\r\n`
  expect(await read('a.eml', `${head}\r\nIt leaves at nine.`)).toContain('It leaves at nine.')
})

it('OpenDocument: blanks in cells that are elements', async () => {
  const content = `<office:document-content><office:body><office:spreadsheet><table:table table:name="T"><table:table-row>
<table:table-cell><text:p>High<text:s text:c="2"/>water</text:p></table:table-cell></table:table-row></table:table></office:spreadsheet></office:body></office:document-content>`
  expect(await read('a.ods', makeZip({ 'content.xml': content }))).toContain('High  water')
})

it('PowerPoint: a title in two lines, and a chart with its series', async () => {
  const slide = `<p:sld><p:cSld><p:spTree><p:sp><p:nvSpPr><p:nvPr><p:ph type="title"/></p:nvPr></p:nvSpPr><p:txBody><a:p><a:r><a:t>High</a:t></a:r><a:br/><a:r><a:t>water</a:t></a:r></a:p></p:txBody></p:sp>
<p:graphicFrame><a:graphic><a:graphicData><c:chart r:id="c1"/></a:graphicData></a:graphic></p:graphicFrame></p:spTree></p:cSld></p:sld>`
  const parts = {
    'ppt/presentation.xml': '<p:presentation><p:sldIdLst><p:sldId r:id="s1"/></p:sldIdLst></p:presentation>',
    'ppt/_rels/presentation.xml.rels': relations(['s1', 'slide', 'slides/slide1.xml']),
    'ppt/slides/slide1.xml': slide,
    'ppt/slides/_rels/slide1.xml.rels': relations(['c1', 'chart', '../charts/chart1.xml']),
    'ppt/charts/chart1.xml': CHART,
  }
  expect(await read('a.pptx', makeZip(parts))).toBe(`## Slide 1: High water\n\n${CHART_TABLE}`)
})

it('Excel: errors, links, comments, text boxes and charts', async () => {
  const parts = {
    '_rels/.rels': relations(['r1', 'officeDocument', 'xl/workbook.xml']),
    'xl/workbook.xml':
      '<workbook><sheets><sheet name="Tides" r:id="s1"/><sheet name="Empty" r:id="s2"/></sheets></workbook>',
    'xl/_rels/workbook.xml.rels': relations(['s1', 'worksheet', 'sheet1.xml'], ['s2', 'worksheet', 'sheet2.xml']),
    'xl/sheet1.xml': `<worksheet><sheetData><row><c r="A1" t="inlineStr"><is><t>Pier</t></is></c><c r="B1" t="e"><v>#DIV/0!</v></c></row></sheetData><hyperlinks><hyperlink ref="A1" r:id="l1"/></hyperlinks></worksheet>`,
    'xl/sheet2.xml': '<worksheet><sheetData/></worksheet>',
    'xl/_rels/sheet1.xml.rels': relations(
      ['l1', 'hyperlink', 'https://pier.example.org/'],
      ['c1', 'comments', 'comments1.xml'],
      ['d1', 'drawing', 'drawings/drawing1.xml'],
    ),
    'xl/comments1.xml':
      '<comments><commentList><comment ref="B1"><text><r><t>Measure again</t></r></text></comment></commentList></comments>',
    'xl/drawings/drawing1.xml':
      '<xdr:wsDr><xdr:sp><xdr:txBody><a:p><a:r><a:t>Closed in storms</a:t></a:r></a:p></xdr:txBody></xdr:sp><xdr:graphicFrame><c:chart r:id="g1"/></xdr:graphicFrame></xdr:wsDr>',
    'xl/drawings/_rels/drawing1.xml.rels': relations(['g1', 'chart', '../charts/chart1.xml']),
    'xl/charts/chart1.xml': CHART,
  }
  expect(await read('a.xlsx', makeZip(parts))).toBe(
    `## Tides\n\n| Pier https://pier.example.org/ | #DIV/0! |\n| --- | --- |\n\n### Comments\n\n- B1: Measure again\n\nClosed in storms\n\n${CHART_TABLE}`,
  )
})

const run = (text: string) => `<w:r><w:t xml:space="preserve">${text}</w:t></w:r>`
const math = (text: string) => `<m:r><m:t>${text}</m:t></m:r>`
const numbered = (at: number, text: string) =>
  `<w:lvl w:ilvl="${at}"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:lvlText w:val="${text}"/></w:lvl>`

it('Word: formulas, ruby, numbers of headings, comments, charts, heads and feet', async () => {
  const heading = (text: string, level: number) =>
    `<w:p><w:pPr><w:pStyle w:val="Heading${level + 1}"/><w:numPr><w:ilvl w:val="${level}"/><w:numId w:val="1"/></w:numPr></w:pPr>${run(text)}</w:p>`
  const formula = `<m:oMath>${math('h=')}<m:f><m:num>${math('a+b')}</m:num><m:den>${math('2')}</m:den></m:f><m:sSup><m:e>${math('x')}</m:e><m:sup>${math('2')}</m:sup></m:sSup></m:oMath>`
  const ruby = `<w:r><w:ruby><w:rt><w:r><w:t>とうだい</w:t></w:r></w:rt><w:rubyBase><w:r><w:t>灯台</w:t></w:r></w:rubyBase></w:ruby></w:r>`
  const body =
    heading('Tides', 0) +
    heading('Springs', 1) +
    `<w:p>${run('The height is ')}${formula}${run(' in metres.')}</w:p><w:p>${run('A ')}${ruby}${run(' stands here.')}</w:p><w:p>${formula}</w:p>`
  const parts = {
    '[Content_Types].xml': '<Types/>',
    '_rels/.rels': relations(['r1', 'officeDocument', 'word/document.xml']),
    'word/document.xml': `<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"><w:body>${body}</w:body></w:document>`,
    'word/styles.xml': `<w:styles xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main">${[1, 2].map((at) => `<w:style w:type="paragraph" w:styleId="Heading${at}"><w:name w:val="heading ${at}"/></w:style>`).join('')}</w:styles>`,
    'word/numbering.xml': `<w:numbering xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:abstractNum w:abstractNumId="0">${numbered(0, '%1.')}${numbered(1, '%1.%2')}</w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num></w:numbering>`,
    'word/_rels/document.xml.rels': relations(['n', 'numbering', 'numbering.xml'], ['s', 'styles', 'styles.xml']),
    'word/comments.xml': `<w:comments><w:comment w:author="Ada"><w:p>${run('Measure again')}</w:p></w:comment></w:comments>`,
    'word/header1.xml': `<w:hdr><w:p>${run('Harbour office')}</w:p></w:hdr>`,
    'word/header2.xml': `<w:hdr><w:p>${run('Harbour office')}</w:p></w:hdr>`,
    'word/charts/chart1.xml': CHART,
  }
  const markdown = await read('a.docx', makeZip(parts))
  expect(markdown).toMatch(/^# 1\\?\. Tides\n\n## 1\.1 Springs\n/)
  expect(markdown.replaceAll('\\', '')).toContain(
    'The height is h=(a+b)/2x^2 in metres.\n\nA 灯台 stands here.\n\nh=(a+b)/2x^2',
  )
  expect(markdown).toContain(
    `${CHART_TABLE}\n\n## Comments\n\n- Ada: Measure again\n\n## Head and foot\n\nHarbour office`,
  )
})
