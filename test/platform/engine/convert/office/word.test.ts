/** Everything that Word shows in addition to plain text is in the markdown, in its place. */
import { expect, it } from 'vitest'
import { readDocument } from '#platform/engine/convert/read-document.ts'
import { toSource } from '#test/fixtures/documents/source.ts'
import { makeSheet } from '#test/fixtures/documents/workbook.ts'
import { makeZip, type ZipEntry } from '#test/fixtures/documents/zip.ts'

const W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
const run = (text: string) => `<w:r><w:t xml:space="preserve">${text}</w:t></w:r>`
const paragraph = (content: string, properties = '') => `<w:p><w:pPr>${properties}</w:pPr>${content}</w:p>`
const relation = (id: string, type: string, target: string) =>
  `<Relationship Id="${id}" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/${type}" Target="${target}"/>`
const relations = (...all: readonly string[]) =>
  `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${all.join('')}</Relationships>`

const toDocument = (body: string) => `<w:document ${W}><w:body>${body}</w:body></w:document>`

async function read(body: string, parts: Readonly<Record<string, ZipEntry | string>> = {}): Promise<string> {
  const bytes = makeZip({
    '_rels/.rels': relations(relation('a', 'officeDocument', 'word/document.xml')),
    'word/document.xml': toDocument(body),
    ...parts,
  })
  const { pages } = await readDocument(toSource(bytes, { name: 'a.docx' }))
  return pages.map(({ markdown }) => markdown).join('\n\n')
}

const level = (format: string, text: string, at = 0) =>
  `<w:lvl w:ilvl="${at}"><w:start w:val="1"/><w:numFmt w:val="${format}"/><w:lvlText w:val="${text}"/></w:lvl>`
const numbering = (...levels: readonly string[]) => ({
  'word/numbering.xml': `<w:numbering ${W}><w:abstractNum w:abstractNumId="0">${levels.join('')}</w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num></w:numbering>`,
})
const numbered = (text: string, at = 0, style = '') =>
  paragraph(run(text), `${style}<w:numPr><w:ilvl w:val="${at}"/><w:numId w:val="1"/></w:numPr>`)

it.each([
  ['lowerLetter', '%1)', '- a) one\n- b) two'],
  ['upperRoman', '%1.', '- I. one\n- II. two'],
  ['decimal', '%1.', '1. one\n2. two'],
  ['decimal', '(%1)', '- (1) one\n- (2) two'],
  ['decimalZero', 'Step %1:', '- Step 01: one\n- Step 02: two'],
  ['bullet', '•', '- one\n- two'],
  ['ordinal', '%1', '- 1st one\n- 2nd two'],
  ['ordinalText', 'Article %1:', '- Article First: one\n- Article Second: two'],
  ['cardinalText', 'Part %1', '- Part One one\n- Part Two two'],
  ['russianLower', '%1)', '- а) one\n- б) two'],
  ['hebrew1', '%1.', '- א. one\n- ב. two'],
  ['aiueoFullWidth', '(%1)', '- (ア) one\n- (イ) two'],
  ['japaneseCounting', '第%1条', '- 第一条 one\n- 第二条 two'],
  ['decimalEnclosedCircle', '%1', '- ① one\n- ② two'],
])('numbers a list as Word does: %s, %s', async (format, text, shown) => {
  expect(await read(numbered('one') + numbered('two'), numbering(level(format, text)))).toBe(shown)
})

const heading = (text: string, at: number) => numbered(text, at, `<w:pStyle w:val="H${at + 1}"/>`)

it('numbers headings as Word does, also those of two levels', async () => {
  const styles = {
    'word/styles.xml': `<w:styles ${W}>${[1, 2].map((at) => `<w:style w:type="paragraph" w:styleId="H${at}"><w:name w:val="heading ${at}"/></w:style>`).join('')}</w:styles>`,
  }
  const legal = level('decimal', '%1.%2', 1).replace('<w:start', '<w:isLgl/><w:start')
  const lists = numbering(level('upperRoman', 'Article %1'), legal)
  expect(await read(heading('Scope', 0) + heading('Fees', 0) + heading('By night', 1), { ...lists, ...styles })).toBe(
    '# Article I Scope\n\n# Article II Fees\n\n## 2.1 By night',
  )
})

const numberedLines = async (format: string) => {
  const text = await read(Array.from({ length: 121 }, () => numbered('x')).join(''), numbering(level(format, '%1)')))
  return text.split('\n')
}

it('counts in Chinese beyond ten, and in the letters of Russian without those that Word skips', async () => {
  const chinese = await numberedLines('chineseCountingThousand')
  expect([9, 10, 19, 20, 99, 100, 109, 119].map((at) => chinese[at])).toEqual(
    ['十', '十一', '二十', '二十一', '一百', '一百零一', '一百一十', '一百二十'].map((label) => `- ${label}) x`),
  )
  const russian = await numberedLines('russianUpper')
  expect([9, 28, 29].map((at) => russian[at])).toEqual(['- К) x', '- Я) x', '30. x'])
})

const headingStyle = (id: string, rest: string) =>
  `<w:style w:type="paragraph" w:styleId="${id}"><w:name w:val="heading ${id}"/>${rest}</w:style>`

it('takes the level of a heading from its style in the numbering, and lists from styles for lists', async () => {
  const inList = '<w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr>'
  const lists = `<w:abstractNum w:abstractNumId="0"><w:numStyleLink w:val="L"/></w:abstractNum><w:abstractNum w:abstractNumId="1"><w:styleLink w:val="L"/>${level('upperRoman', 'Article %1')}${level('decimal', '§ %2', 1).replace('<w:lvlText', '<w:pStyle w:val="2"/><w:lvlText')}</w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>`
  const body = paragraph(run('Fees'), '<w:pStyle w:val="1"/>') + paragraph(run('By night'), '<w:pStyle w:val="2"/>')
  expect(
    await read(body, {
      'word/styles.xml': `<w:styles ${W}>${headingStyle('1', inList)}${headingStyle('2', '<w:basedOn w:val="1"/>' + inList)}</w:styles>`,
      'word/numbering.xml': `<w:numbering ${W}>${lists}</w:numbering>`,
    }),
  ).toBe('# Article I Fees\n\n## § 1 By night')
})

const box = (text: string) => `<w:txbxContent>${paragraph(run(text))}</w:txbxContent>`

it.each([
  ['an oval', `<w:r><w:pict><v:oval><v:textbox>${box('Gate 7')}</v:textbox></v:oval></w:pict></w:r>`],
  [
    'a group of shapes',
    `<w:r><w:drawing><wpg:wgp><wps:wsp><wps:txbx>${box('Gate 7')}</wps:txbx></wps:wsp></wpg:wgp></w:drawing></w:r>`,
  ],
  [
    'both forms, once',
    `<w:r><mc:AlternateContent><mc:Choice><w:drawing>${box('Gate 7')}</w:drawing></mc:Choice><mc:Fallback><w:pict>${box('Gate 7')}</w:pict></mc:Fallback></mc:AlternateContent></w:r>`,
  ],
  [
    'the form for older programs, where the other says nothing',
    `<w:r><mc:AlternateContent><mc:Choice><w:drawing/></mc:Choice><mc:Fallback><w:pict>${box('Gate 7')}</w:pict></mc:Fallback></mc:AlternateContent></w:r>`,
  ],
  ['words drawn as a picture', '<w:r><w:pict><v:shape><v:textpath string="Gate 7"/></v:shape></w:pict></w:r>'],
])('reads text in %s', async (_, content) => {
  expect(await read(`${paragraph(run('Before.') + content)}${paragraph(run('After.'))}`)).toBe(
    'Before.\n\nGate 7\n\nAfter.',
  )
})

const cell = (content: string) => `<w:tc>${paragraph(content)}</w:tc>`

it('reads a box within a table in its cell', async () => {
  const table = `<w:tbl><w:tr>${cell(run('Pier'))}${cell(run('Code'))}</w:tr><w:tr>${cell(run('East'))}${cell(`<w:r><w:drawing>${box('7719')}</w:drawing></w:r>`)}</w:tr></w:tbl>`
  expect(await read(table)).toBe('| Pier | Code |\n| --- | --- |\n| East | 7719 |')
})

it('reads fields, tags, controls and both directions of writing', async () => {
  const simple = `<w:fldSimple w:instr=" MERGEFIELD Name ">${run('Ines')}</w:fldSimple>`
  const tags = `<w:smartTag w:element="place"><w:customXml>${run('Bonn')}</w:customXml></w:smartTag>`
  const directions = `<w:bdo w:val="rtl">${run('שלום')}</w:bdo><w:dir w:val="rtl">${run(' 90')}</w:dir>`
  const control = `<w:sdt><w:sdtPr><w:alias w:val="x"/></w:sdtPr><w:sdtContent>${run('signed')}</w:sdtContent></w:sdt>`
  const deleted = `<w:del><w:r><w:delText>gone</w:delText></w:r></w:del><w:moveFrom>${run('away')}</w:moveFrom>`
  expect(await read(paragraph([simple, tags, directions, control].join(run(', ')) + deleted))).toBe(
    'Ines, Bonn, שלום 90, signed',
  )
})

const field = (data: string, type: string) =>
  `<w:r><w:fldChar w:fldCharType="begin"><w:ffData>${data}</w:ffData></w:fldChar></w:r><w:r><w:instrText> ${type} </w:instrText></w:r><w:r><w:fldChar w:fldCharType="separate"/></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r>`

it('reads what is filled in', async () => {
  const list = '<w:ddList><w:default w:val="1"/><w:listEntry w:val="Small"/><w:listEntry w:val="Large"/></w:ddList>'
  const checked = field('<w:checkBox><w:default w:val="1"/></w:checkBox>', 'FORMCHECKBOX')
  const unchecked = field('<w:checkBox><w:checked w:val="0"/></w:checkBox>', 'FORMCHECKBOX')
  const content = run('Fish ') + checked + run(' Meat ') + unchecked + run(' Size ') + field(list, 'FORMDROPDOWN')
  expect(await read(paragraph(content))).toBe('Fish [x] Meat [ ] Size Large')
})

const fieldPart = (type: string) => `<w:r><w:fldChar w:fldCharType="${type}"/></w:r>`

it('leaves out the result of a field within the instruction of another one', async () => {
  const inner = fieldPart('begin') + fieldPart('separate') + run('INNER') + fieldPart('end')
  const outer = fieldPart('begin') + inner + fieldPart('separate') + run('Dear Ines') + fieldPart('end')
  expect(await read(paragraph(outer + run('.')))).toBe('Dear Ines.')
})

const tableRow = (cells: string, properties = '') => `<w:tr><w:trPr>${properties}</w:trPr>${cells}</w:tr>`

it('leaves columns free before the first cell of a row', async () => {
  const first = tableRow(['Pier', 'Fee', 'Code'].map((text) => cell(run(text))).join(''))
  const second = tableRow(cell(run('9')) + cell(run('7719')), '<w:gridBefore w:val="1"/>')
  expect(await read(`<w:tbl>${first}${second}</w:tbl>`)).toBe(
    '| Pier | Fee | Code |\n| --- | --- | --- |\n|  | 9 | 7719 |',
  )
})

it('reads heads, feet and comments in any folder, each text once', async () => {
  const body = `<w:commentRangeStart w:id="1"/>${paragraph(run('90 euros'))}<w:commentRangeEnd w:id="1"/>`
  const shape = `<w:r><mc:AlternateContent><mc:Choice><w:drawing>${box('Permit 8')}</w:drawing></mc:Choice><mc:Fallback><w:pict>${box('Permit 8')}</w:pict></mc:Fallback></mc:AlternateContent></w:r>`
  const art = '<w:r><w:pict><v:shape><v:textpath string="DRAFT"/></v:shape></w:pict></w:r>'
  const text = await read(body, {
    'word/_rels/document.xml.rels': relations(
      relation('h', 'header', '/docs/top.xml'),
      relation('c', 'comments', 'notes/c7.xml'),
    ),
    'docs/top.xml': `<w:hdr ${W}>${paragraph(run('Rules') + shape + art)}</w:hdr>`,
    'word/notes/c7.xml': `<w:comments ${W}><w:comment w:id="1" w:author="Lena">${paragraph(run('Raise it'))}</w:comment></w:comments>`,
  })
  expect(text).toBe(
    '90 euros\n\n## Comments\n\n- Lena on “90 euros”: Raise it\n\n## Head and foot\n\nRules\n\nDRAFT\n\nPermit 8',
  )
})

it('says what a comment is about, also over paragraphs', async () => {
  const body =
    paragraph(
      `${run('The fee is ')}<w:commentRangeStart w:id="0"/>${run('90 euros')}<w:commentRangeEnd w:id="0"/>${run('.')}`,
    ) +
    paragraph(`<w:commentRangeStart w:id="1"/>${run('Paid in May')}`) +
    paragraph(`${run(' or June')}<w:commentRangeEnd w:id="1"/>`)
  const comments = `<w:comments ${W}><w:comment w:id="0" w:author="Lena">${paragraph(run('Raise it'))}</w:comment><w:comment w:id="1">${paragraph(run('When?'))}</w:comment></w:comments>`
  expect(await read(body, { 'word/comments.xml': comments })).toContain(
    '## Comments\n\n- Lena on “90 euros”: Raise it\n- on “Paid in May or June”: When?',
  )
})

it('reads a main part of another name, with its lists, and several bodies', async () => {
  const bytes = makeZip({
    '_rels/.rels': relations(relation('a', 'officeDocument', 'word/document2.xml')),
    'word/document2.xml': `<w:document ${W}><w:body>${numbered('one')}</w:body><w:body>${paragraph('<m:oMath><m:r><m:t>a=b</m:t></m:r></m:oMath>')}</w:body></w:document>`,
    'word/_rels/document2.xml.rels': relations(relation('n', 'numbering', 'numbering2.xml')),
    'word/numbering2.xml': numbering(level('lowerRoman', '%1)'))['word/numbering.xml'],
  })
  const { pages } = await readDocument(toSource(bytes, { name: 'a.docx' }))
  expect(pages[0]?.markdown).toBe('- i) one\n\na=b')
})

const object = '<w:r><w:object><o:OLEObject Type="Embed" r:id="e"/></w:object></w:r>'
const embedding = (target: string) => ({ 'word/_rels/document.xml.rels': relations(relation('e', 'package', target)) })

it('reads an embedded workbook and document, to a bounded depth', async () => {
  const sheet = {
    content: makeSheet([
      ['Pier', 'Fee'],
      ['East', 37],
    ]),
  }
  const text = await read(paragraph(run('See') + object), {
    ...embedding('embeddings/fees.xlsx'),
    'word/embeddings/fees.xlsx': sheet,
  })
  expect(text).toBe('See\n\n*Embedded: fees.xlsx*\n\n## Boats\n\n| Pier | Fee |\n| --- | --- |\n| East | 37 |')
  let inner = makeZip({ 'word/document.xml': toDocument(paragraph(run('depth 7'))) })
  for (const depth of [6, 5, 4, 3, 2, 1, 0]) {
    inner = makeZip({
      'word/document.xml': toDocument(paragraph(run(`depth ${depth}`) + object)),
      'word/embeddings/inner.docx': { content: inner },
      ...embedding('embeddings/inner.docx'),
    })
  }
  const { pages } = await readDocument(toSource(inner, { name: 'a.docx' }))
  const depths = pages[0]?.markdown.match(/depth \d/g) ?? []
  expect(depths.slice(0, 2)).toEqual(['depth 0', 'depth 1'])
  expect(depths.length).toBeLessThan(7)
})

it('reads headings and lists when a program names the namespaces otherwise', async () => {
  const body = `${paragraph(run('Scope'), '<w:pStyle w:val="Heading1"/>')}${numbered('one')}`
  const parts = {
    'word/_rels/document.xml.rels': relations(
      relation('s', 'styles', 'styles.xml'),
      relation('n', 'numbering', 'numbering.xml'),
    ),
    'word/styles.xml': `<w:styles ${W}><w:style w:type="paragraph" w:styleId="Heading1"><w:name w:val="heading 1"/></w:style></w:styles>`,
    ...numbering(level('lowerLetter', '(%1)')),
  }
  const renamed = Object.entries({ 'word/document.xml': toDocument(body), ...parts }).map(([name, text]) => [
    name,
    name.endsWith('.rels') ? text : text.replaceAll(/\bw:/g, 'ns0:').replace('xmlns:w=', 'xmlns:ns0='),
  ])
  expect(await read('', Object.fromEntries(renamed))).toBe('# Scope\n\n- (a) one')
})

const points = (...values: readonly string[]) =>
  `<cx:lvl>${values.map((value, at) => `<cx:pt idx="${at}">${value}</cx:pt>`).join('')}</cx:lvl>`

it('shows the data of charts of Office 2016', async () => {
  const data = `<cx:data id="0"><cx:strDim>${points('Rent', 'Wages')}</cx:strDim><cx:numDim>${points('41', '88')}</cx:numDim></cx:data>`
  const series = '<cx:series><cx:tx><cx:txData><cx:v>Amount</cx:v></cx:txData></cx:tx><cx:dataId val="0"/></cx:series>'
  const chart = `<cx:chartSpace>${data}<cx:title><a:t>Costs</a:t></cx:title>${series}</cx:chartSpace>`
  expect(await read(paragraph(run('Text')), { 'word/charts/chartEx1.xml': chart })).toBe(
    'Text\n\nCosts\n\n|  | Amount |\n| --- | --- |\n| Rent | 41 |\n| Wages | 88 |',
  )
})

it('parts the text before and after a break of the page or the column', async () => {
  const breaks = ['page', 'column', 'textWrapping'].map((type) => `<w:r><w:br w:type="${type}"/></w:r>${run(type)}`)
  expect(await read(paragraph(run('first') + breaks.join('')))).toBe('first\npage\ncolumn\ntextWrapping')
})
