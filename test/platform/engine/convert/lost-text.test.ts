/** Text that readers once lost, format by format. */
import { expect, it } from 'vitest'
import { readDocument } from '#platform/engine/convert/read-document.ts'
import { makeZip } from '#test/fixtures/documents/zip.ts'
import { toSource } from '#test/fixtures/documents/source.ts'

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

it.each([
  ['head in Latin letters', 'Subject: Die Frösche\n\nNine.', '# Die Frösche\n\nNine.'],
  ['encoded word with such a letter', 'Subject: Die =?iso-8859-1?Q?Frösche?=\n\nNine.', '# Die Frösche\n\nNine.'],
  ['text without an encoding', 'Subject: Tide\n\nFür die Höhe über Null', '# Tide\n\nFür die Höhe über Null'],
  [
    'text of another encoding than it says',
    'Subject: Tide\nContent-Type: text/plain; charset=utf-8\n\nFür die Höhe über Null',
    '# Tide\n\nFür die Höhe über Null',
  ],
  [
    'UTF-7',
    'Subject: =?utf-7?Q?Fr+APY-sche?=\nContent-Type: text/plain; charset="utf-7"\n\nF+APw-r 2 +- 3 und C++ +ACI-ja+ACI-',
    '# Frösche\n\nFür 2 + 3 und C++ "ja"',
  ],
])('mail: %s', async (_, mail, expected) => {
  expect(await read('a.eml', Buffer.from(mail, 'latin1'))).toBe(expected)
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
      '<xdr:wsDr><xdr:sp><xdr:txBody><a:p><a:r><a:t>Closed in storms</a:t></a:r></a:p></xdr:txBody></xdr:sp><xdr:graphicFrame><c:chart r:id="g1"/></xdr:graphicFrame><xdr:graphicFrame><dgm:relIds r:dm="d1"/></xdr:graphicFrame></xdr:wsDr>',
    'xl/drawings/_rels/drawing1.xml.rels': relations(
      ['g1', 'chart', '../charts/chart1.xml'],
      ['d1', 'diagramData', '../diagrams/data1.xml'],
    ),
    'xl/diagrams/data1.xml':
      '<dgm:dataModel><dgm:pt><dgm:t><a:p><a:r><a:t>Ask the keeper</a:t></a:r></a:p></dgm:t></dgm:pt></dgm:dataModel>',
    'xl/charts/chart1.xml': CHART,
  }
  expect(await read('a.xlsx', makeZip(parts))).toBe(
    `## Tides\n\n| Pier https://pier.example.org/ | #DIV/0! |\n| --- | --- |\n\n### Comments\n\n- B1: Measure again\n\nClosed in storms\n\n${CHART_TABLE}\n\n- Ask the keeper`,
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
  const limit = `<m:oMath><m:func><m:fName><m:limLow><m:e>${math('lim')}</m:e><m:lim>${math('n')}</m:lim></m:limLow></m:fName><m:e>${math('f')}</m:e></m:func></m:oMath>`
  const ruby = `<w:r><w:ruby><w:rt><w:r><w:t>とうだい</w:t></w:r></w:rt><w:rubyBase><w:r><w:t>灯台</w:t></w:r></w:rubyBase></w:ruby></w:r>`
  const clause = (text: string, level: number) =>
    `<w:p><w:pPr><w:numPr><w:ilvl w:val="${level}"/><w:numId w:val="2"/></w:numPr></w:pPr>${run(text)}</w:p>`
  const body =
    heading('Tides', 0) +
    heading('Springs', 1) +
    `<w:p>${run('The height is ')}${formula}${run(' in metres.')}</w:p><w:p>${run('A ')}${ruby}${run(' stands here.')}</w:p><w:p>${formula}${limit}</w:p>${clause('Fees', 0)}${clause('By boat', 1)}${clause('By night', 1)}`
  const parts = {
    '[Content_Types].xml': '<Types/>',
    '_rels/.rels': relations(['r1', 'officeDocument', 'word/document.xml']),
    'word/document.xml': `<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"><w:body>${body}</w:body></w:document>`,
    'word/styles.xml': `<w:styles xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main">${[1, 2].map((at) => `<w:style w:type="paragraph" w:styleId="Heading${at}"><w:name w:val="heading ${at}"/></w:style>`).join('')}</w:styles>`,
    'word/numbering.xml': `<w:numbering xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:abstractNum w:abstractNumId="0">${numbered(0, '%1.')}${numbered(1, '%1.%2')}</w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num><w:abstractNum w:abstractNumId="1">${numbered(0, '%1.')}${numbered(1, '%1.%2.')}</w:abstractNum><w:num w:numId="2"><w:abstractNumId w:val="1"/></w:num></w:numbering>`,
    'word/_rels/document.xml.rels': relations(['n', 'numbering', 'numbering.xml'], ['s', 'styles', 'styles.xml']),
    'word/comments.xml': `<w:comments><w:comment w:author="Ada"><w:p>${run('Measure again')}</w:p></w:comment></w:comments>`,
    'word/header1.xml': `<w:hdr><w:p>${run('Harbour office')}</w:p></w:hdr>`,
    'word/header2.xml': `<w:hdr><w:p>${run('Harbour office')}</w:p></w:hdr>`,
    'word/charts/chart1.xml': CHART,
  }
  const markdown = await read('a.docx', makeZip(parts))
  expect(markdown).toMatch(/^# 1\\?\. Tides\n\n## 1\.1 Springs\n/)
  expect(markdown.replaceAll('\\', '')).toContain(
    'The height is h=(a+b)/2x^2 in metres.\n\nA 灯台 stands here.\n\nh=(a+b)/2x^2 lim_n f',
  )
  // Clauses are cited by their whole number.
  expect(markdown).toContain('1. Fees\n   - 1.1. By boat\n   - 1.2. By night')
  expect(markdown).toContain(
    `${CHART_TABLE}\n\n## Comments\n\n- Ada: Measure again\n\n## Head and foot\n\nHarbour office`,
  )
})

const slide = (id: number) =>
  `<p:sld><p:cSld><p:spTree><p:sp><p:txBody><a:p><a:r><a:t>Tide ${id}</a:t></a:r></a:p></p:txBody></p:sp></p:spTree></p:cSld></p:sld>`

it('PowerPoint: comments with their authors and replies, old and new ones', async () => {
  const parts = {
    'ppt/presentation.xml':
      '<p:presentation><p:sldIdLst><p:sldId r:id="s1"/><p:sldId r:id="s2"/></p:sldIdLst></p:presentation>',
    'ppt/_rels/presentation.xml.rels': relations(
      ['s1', 'slide', 'slides/slide1.xml'],
      ['s2', 'slide', 'slides/slide2.xml'],
    ),
    'ppt/slides/slide1.xml': slide(1),
    'ppt/slides/slide2.xml': slide(2),
    'ppt/slides/_rels/slide1.xml.rels': relations(['c', 'comments', '../comments/comment1.xml']),
    'ppt/slides/_rels/slide2.xml.rels': relations(['c', 'comments', '../comments/modernComment_1.xml']),
    'ppt/commentAuthors.xml': '<p:cmAuthorLst><p:cmAuthor id="0" name="Ada"/></p:cmAuthorLst>',
    'ppt/authors.xml': '<p188:authorLst><p188:author id="{B}" name="Ben"/></p188:authorLst>',
    'ppt/comments/comment1.xml': '<p:cmLst><p:cm authorId="0"><p:text>Too high</p:text></p:cm></p:cmLst>',
    'ppt/comments/modernComment_1.xml': `<p188:cmLst><p188:cm authorId="{B}"><p188:replyLst><p188:reply authorId="{X}"><p188:txBody><a:p><a:r><a:t>Done</a:t></a:r></a:p></p188:txBody></p188:reply></p188:replyLst><p188:txBody><a:p><a:r><a:t>Measure again</a:t></a:r></a:p></p188:txBody></p188:cm></p188:cmLst>`,
  }
  const text = await read('a.pptx', makeZip(parts))
  expect(text).toContain('Tide 1\n\n### Comments\n\n- Ada: Too high')
  expect(text).toContain('Tide 2\n\n### Comments\n\n- Ben: Measure again\n- Done')
})

it('Excel: conversations instead of what older programs see of them, and authors of comments', async () => {
  const parts = {
    'xl/workbook.xml': '<workbook><sheets><sheet name="Tides" r:id="s1"/></sheets></workbook>',
    'xl/_rels/workbook.xml.rels': relations(['s1', 'worksheet', 'sheet1.xml']),
    'xl/sheet1.xml':
      '<worksheet><sheetData><row><c r="A1" t="inlineStr"><is><t>Pier</t></is></c></row></sheetData></worksheet>',
    'xl/_rels/sheet1.xml.rels': relations(['c', 'comments', 'comments1.xml'], ['t', 'threadedComment', 'threads1.xml']),
    'xl/persons/person.xml': '<personList><person id="{1}" displayName="Cleo"/></personList>',
    'xl/comments1.xml':
      '<comments><authors><author>Ada</author><author>tc={7}</author></authors><commentList><comment ref="A1" authorId="0"><text><t>Old pier</t></text></comment><comment ref="B2" authorId="1"><text><t>[Threaded comment] Your version of Excel …</t></text></comment></commentList></comments>',
    'xl/threads1.xml':
      '<ThreadedComments><threadedComment ref="B2" personId="{1}"><text>Closed?</text></threadedComment></ThreadedComments>',
  }
  const text = await read('a.xlsx', makeZip(parts))
  expect(text).toContain('### Comments\n\n- A1, Ada: Old pier\n- B2, Cleo: Closed?')
  expect(text).not.toContain('Your version')
})

const tableRow = (...cells: readonly string[]) =>
  `<table:table-row>${cells.map((cell) => `<table:table-cell><text:p>${cell}</text:p></table:table-cell>`).join('')}</table:table-row>`

const openBody = (inner: string) =>
  `<office:document-content><office:body>${inner}</office:body></office:document-content>`

it('OpenDocument: charts as tables', async () => {
  const chart = `<office:document-content><office:body><office:chart><chart:chart><chart:title><text:p>Visitors</text:p></chart:title><chart:plot-area><chart:axis><chart:title><text:p>Month of visit</text:p></chart:title></chart:axis></chart:plot-area><table:table><table:table-header-rows>${tableRow('', '2026')}</table:table-header-rows><table:table-rows>${tableRow('May', '8')}</table:table-rows></table:table></chart:chart></office:chart></office:body></office:document-content>`
  const frame = '<draw:frame><draw:object xlink:href="./Object 1"/></draw:frame>'
  const expected = 'Visitors\n\nMonth of visit\n\n|  | 2026 |\n| --- | --- |\n| May | 8 |'
  const zip = (inner: string) => makeZip({ 'content.xml': openBody(inner), 'Object 1/content.xml': chart })
  expect(await read('a.odt', zip(`<office:text><text:p>Text ${frame}</text:p></office:text>`))).toContain(expected)
  expect(
    await read('a.odp', zip(`<office:presentation><draw:page>${frame}</draw:page></office:presentation>`)),
  ).toContain(expected)
  expect(
    await read(
      'a.ods',
      zip(
        `<office:spreadsheet><table:table table:name="T"><table:shapes>${frame}</table:shapes></table:table></office:spreadsheet>`,
      ),
    ),
  ).toBe(`## T\n\n${expected}`)
})

it('a name that spans rows is said in each of them, a number once', async () => {
  const page =
    '<table><tr><th>Port<th>Berth<th>Fee<tr><td rowspan=2>Kinsale<td>A<td rowspan=2>40<tr><td>B<tr><td>Vigo<td>C<td>50</table>'
  expect(await read('a.html', page)).toBe(
    '| Port | Berth | Fee |\n| --- | --- | --- |\n| Kinsale | A | 40 |\n| Kinsale | B |  |\n| Vigo | C | 50 |',
  )
})

const look = (name: string, text: string) => `<w:r><w:rPr>${name}</w:rPr><w:t xml:space="preserve">${text}</w:t></w:r>`

it('what nobody sees is marked: text of Word, slides, sheets', async () => {
  const vanish = '<w:vanish/>'
  const white = '<w:color w:val="FFFFFF"/>'
  const body =
    `<w:p>${run('Seen. ')}${look(vanish, 'Obey ')}${look(vanish, 'me.')}${run(' Seen again.')}</w:p>` +
    `<w:p>${look(white, 'White.')}</w:p><w:p>${look('<w:sz w:val="2"/>', 'Tiny.')}</w:p><w:p>${look('<w:vanish w:val="0"/>', 'Shown.')}</w:p>` +
    `<w:tbl><w:tr><w:tc><w:p>${look(white, 'Head')}</w:p></w:tc><w:tc><w:p>${run('Two')}</w:p></w:tc></w:tr><w:tr><w:tc><w:p>${run('a')}</w:p></w:tc><w:tc><w:p>${run('b')}</w:p></w:tc></w:tr></w:tbl>`
  const parts = {
    '[Content_Types].xml': '<Types/>',
    '_rels/.rels': relations(['r1', 'officeDocument', 'word/document.xml']),
    'word/document.xml': `<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>${body}</w:body></w:document>`,
  }
  expect(await read('a.docx', makeZip(parts))).toBe(
    'Seen. [hidden: Obey me.] Seen again.\n\n[hidden: White.]\n\n[hidden: Tiny.]\n\nShown.\n\n| Head | Two |\n| --- | --- |\n| a | b |',
  )
  const slides = {
    'ppt/presentation.xml': '<p:presentation><p:sldIdLst><p:sldId r:id="s1"/></p:sldIdLst></p:presentation>',
    'ppt/_rels/presentation.xml.rels': relations(['s1', 'slide', 'slides/slide1.xml']),
    'ppt/slides/slide1.xml': '<p:sld show="0"><p:cSld><p:spTree/></p:cSld></p:sld>',
  }
  expect(await read('a.pptx', makeZip(slides))).toBe('## Slide 1 (hidden)')
  const sheets = {
    'xl/workbook.xml': '<workbook><sheets><sheet name="Fees" state="veryHidden" r:id="s1"/></sheets></workbook>',
    'xl/_rels/workbook.xml.rels': relations(['s1', 'worksheet', 'sheet1.xml']),
    'xl/sheet1.xml': '<worksheet><sheetData><row><c r="A1"><v>4</v></c></row></sheetData></worksheet>',
  }
  expect(await read('a.xlsx', makeZip(sheets))).toBe('## Fees (hidden)\n\n| 4 |\n| --- |')
})

const openStyle = (name: string, family: string, properties: string) =>
  `<style:style style:name="${name}" style:family="${family}">${properties}</style:style>`
const openDocument = (styles: string, body: string) =>
  makeZip({
    'content.xml': `<office:document-content><office:automatic-styles>${styles}</office:automatic-styles><office:body>${body}</office:body></office:document-content>`,
  })

const span = (style: string, text: string) => `<text:span text:style-name="${style}">${text}</text:span>`

it('OpenDocument: what readers do not see is marked', async () => {
  const styles =
    openStyle('gone', 'text', '<style:text-properties text:display="none"/>') +
    openStyle('white', 'paragraph', '<style:text-properties fo:color="#FFFFFF"/>') +
    openStyle(
      'bar',
      'paragraph',
      '<style:paragraph-properties fo:background-color="#000000"/><style:text-properties fo:color="#ffffff"/>',
    ) +
    openStyle('tiny', 'text', '<style:text-properties fo:font-size="1pt"/>') +
    openStyle('off', 'table', '<style:table-properties table:display="false"/>') +
    openStyle('skip', 'drawing-page', '<style:drawing-page-properties presentation:visibility="hidden"/>')
  const white = '<text:p text:style-name="white">White.</text:p>'
  const text = `<office:text><text:p>Seen. ${span('gone', 'Obey me.')} ${span('tiny', 'Tiny.')} Seen again.</text:p>${white}<text:p text:style-name="bar">Bar.</text:p>
<text:section text:display="none"><text:p>Section ${span('gone', 'whole')}.</text:p></text:section><text:p><text:hidden-paragraph text:is-hidden="true">Field.</text:hidden-paragraph></text:p>
<table:table><table:table-row><table:table-cell>${white}</table:table-cell></table:table-row></table:table></office:text>`
  expect(await read('a.odt', openDocument(styles, text))).toBe(
    'Seen. [hidden: Obey me.] [hidden: Tiny.] Seen again.\n\n[hidden: White.]\n\nBar.\n\n[hidden: Section whole.]\n\n[hidden: Field.]\n\n| White. |\n| --- |',
  )
  const sheet = `<office:spreadsheet><table:table table:name="Fees" table:style-name="off"><table:table-row><table:table-cell><text:p>4</text:p></table:table-cell></table:table-row></table:table></office:spreadsheet>`
  expect(await read('a.ods', openDocument(styles, sheet))).toBe('## Fees (hidden)\n\n| 4 |\n| --- |')
  const skipped = '<office:presentation><draw:page draw:style-name="skip"/></office:presentation>'
  expect(await read('a.odp', openDocument(styles, skipped))).toBe('## Slide 1 (hidden)')
})

it('OpenDocument: formulas stand in their line', async () => {
  const frame = '<draw:frame><draw:object xlink:href="./Object 1"/></draw:frame>'
  const bytes = makeZip({
    'content.xml': `<office:document-content><office:body><office:text><text:p>The height is ${frame} metres.</text:p></office:text></office:body></office:document-content>`,
    'Object 1/content.xml':
      '<math:math><math:semantics><math:mfrac><math:mi>a</math:mi><math:mn>2</math:mn></math:mfrac><math:annotation>a over 2</math:annotation></math:semantics></math:math>',
  })
  expect(await read('a.odt', bytes)).toBe('The height is a/2 metres.')
})

it('Word: pages and mails within the document', async () => {
  const parts = {
    '[Content_Types].xml': '<Types/>',
    '_rels/.rels': relations(['r1', 'officeDocument', 'word/document.xml']),
    'word/document.xml': `<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body><w:p>${run('Before.')}</w:p><w:altChunk r:id="h"/><w:altChunk r:id="m"/></w:body></w:document>`,
    'word/_rels/document.xml.rels': relations(['h', 'aFChunk', 'page.html'], ['m', 'aFChunk', 'page.mht']),
    'word/page.html': '<h2>Fees</h2><p>Forty euros.</p>',
    'word/page.mht': 'MIME-Version: 1.0\r\nContent-Type: text/html\r\n\r\n<p>Fifty euros.</p>',
  }
  const text = await read('a.docx', makeZip(parts))
  expect(text).toContain('Before.\n\n## Fees\n\nForty euros.')
  expect(text).toContain('Fifty euros.')
})
