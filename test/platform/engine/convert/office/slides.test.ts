/** Slides and chapters are read as people read them; notes and other texts next to theirs are read, too. */
import { expect, it } from 'vitest'
import { readOpenDocument } from '#platform/engine/convert/office/opendocument.ts'
import { readDocument } from '#platform/engine/convert/read-document.ts'
import { toSource } from '#test/fixtures/documents/source.ts'
import { makeSheet } from '#test/fixtures/documents/workbook.ts'
import { makeZip, type ZipEntry } from '#test/fixtures/documents/zip.ts'

const relations = (...all: readonly (readonly [id: string, target: string])[]) =>
  `<Relationships>${all.map(([id, target]) => `<Relationship Id="${id}" Type="http://x/part" Target="${target}"/>`).join('')}</Relationships>`

async function read(
  slides: readonly string[],
  parts: Readonly<Record<string, ZipEntry | string>> = {},
): Promise<string> {
  const paths = slides.map((_, at) => `slides/slide${at + 1}.xml`)
  const bytes = makeZip({
    'ppt/presentation.xml': `<p:presentation><p:sldIdLst>${paths.map((path) => `<p:sldId r:id="${path}"/>`).join('')}</p:sldIdLst></p:presentation>`,
    'ppt/_rels/presentation.xml.rels': relations(...paths.map((path) => [path, path] as const)),
    ...Object.fromEntries(
      slides.map((shapes, at) => [
        `ppt/${paths[at]}`,
        `<p:sld><p:cSld><p:spTree>${shapes}</p:spTree></p:cSld></p:sld>`,
      ]),
    ),
    ...parts,
  })
  const { pages } = await readDocument(toSource(bytes, { name: 'a.pptx' }))
  return pages.map(({ markdown }) => markdown).join('\n\n')
}

const shape = (content: string, place = '', placeholder = '') =>
  `<p:sp><p:nvSpPr><p:nvPr>${placeholder === '' ? '' : `<p:ph type="${placeholder}"/>`}</p:nvPr></p:nvSpPr><p:spPr>${place}</p:spPr><p:txBody><a:p>${content}</a:p></p:txBody></p:sp>`
const run = (text: string) => `<a:r><a:t>${text}</a:t></a:r>`
const at = (x: number, y: number, width = 40) =>
  `<a:xfrm><a:off x="${x}" y="${y}"/><a:ext cx="${width}" cy="40"/></a:xfrm>`
const box = (text: string, ...place: Parameters<typeof at>) => shape(run(text), at(...place))

it('reads rows where the order of the file is nearer to them than to columns', async () => {
  const text = await read([box('Right', 600, 150) + box('Left', 50, 151) + box('Below', 50, 400)])
  expect(text).toBe('## Slide 1\n\nLeft\n\nRight\n\nBelow')
})

const numbered = (type: string, text: string) => `<a:p><a:pPr><a:buAutoNum ${type}/></a:pPr>${run(text)}</a:p>`

it('numbers lines as slides do', async () => {
  const [letters, roman] = ['type="alphaLcParenR"', 'type="romanUcPeriod" startAt="4"']
  const lines =
    numbered(letters, 'pay') +
    numbered(letters, 'tell') +
    numbered(roman, 'go') +
    numbered('type="arabicPeriod"', 'end')
  expect(await read([`<p:sp><p:txBody>${lines}</p:txBody></p:sp>`])).toBe(
    '## Slide 1\n\n- a) pay\n- b) tell\n- IV. go\n1. end',
  )
})

const title = shape(run('Plan'), '', 'title')
const line = `<p:cxnSp><p:spPr>${at(0, 0, 400)}</p:spPr></p:cxnSp>`

it.each([
  ['one below the other', [box('c', 0, 200), box('a', 0, 0), box('b', 0, 100)], 'a b c'],
  ['one beside the other', [box('b', 100, 0), box('c', 200, 0), box('a', 0, 0)], 'a b c'],
  ['columns', [box('d', 100, 100), box('b', 0, 100), box('a', 0, 0), box('c', 100, 0)], 'a b c d'],
  ['rows, as the file has them', [box('a', 0, 0), box('b', 100, 0), box('c', 0, 100), box('d', 100, 100)], 'a b c d'],
  [
    'columns, as the file has them',
    [box('a', 0, 0), box('b', 0, 100), box('c', 100, 0), box('d', 100, 100)],
    'a b c d',
  ],
  ['a box over two columns', [box('c', 100, 100), box('b', 0, 100), box('a', 0, 0, 140)], 'a b c'],
  ['boxes that overlap stay', [box('b', 0, 20), box('a', 10, 0)], 'b a'],
])('reads boxes of a slide in their order: %s', async (_, boxes, shown) => {
  const markdown = await read([title + line + boxes.join('')])
  expect(markdown.split('\n\n').slice(1).join(' ')).toBe(shown)
})

it('reads equations, embedded workbooks, and each foot once', async () => {
  const math =
    '<m:oMath><m:f><m:num><m:r><m:t>a</m:t></m:r></m:num><m:den><m:r><m:t>b</m:t></m:r></m:den></m:f></m:oMath>'
  const equation = shape(
    `${run('x = ')}<mc:AlternateContent><mc:Choice><a14:m>${math}</a14:m></mc:Choice><mc:Fallback>${run('?')}</mc:Fallback></mc:AlternateContent>`,
  )
  const foot = shape(run('Contract 118'), '', 'ftr') + shape(run('7'), '', 'sldNum')
  const object =
    '<p:graphicFrame><a:graphic><a:graphicData><p:oleObj r:id="e"/></a:graphicData></a:graphic></p:graphicFrame>'
  const text = await read([equation + object + foot, foot], {
    'ppt/slides/_rels/slide1.xml.rels': relations(['e', '../embeddings/fees.xlsx']),
    'ppt/embeddings/fees.xlsx': {
      content: makeSheet([
        ['Pier', 'Fee'],
        ['East', 37],
      ]),
    },
  })
  expect(text).toBe(
    '## Slide 1\n\nx = a/b\n\n*Embedded: fees.xlsx*\n\n## Boats\n\n| Pier | Fee |\n| --- | --- |\n| East | 37 |\n\nContract 118\n\n## Slide 2',
  )
})

it('reads comments, boxes, heads and feet of ODT', async () => {
  const bytes = makeZip({
    'content.xml':
      '<office:document-content><office:body><office:text><text:p>The fee<office:annotation><dc:creator>Lena</dc:creator><dc:date>2026-01-01</dc:date><text:p>Raise it</text:p></office:annotation> is 90.</text:p><text:p><draw:frame><draw:text-box><text:p>Gate 7</text:p></draw:text-box></draw:frame></text:p></office:text></office:body></office:document-content>',
    'styles.xml':
      '<office:document-styles><office:master-styles><style:master-page><style:header><text:p>Harbour office</text:p></style:header><style:footer><text:p>Page <text:page-number>1</text:page-number></text:p></style:footer></style:master-page></office:master-styles></office:document-styles>',
  })
  expect((await readOpenDocument(toSource(bytes)))[0]?.markdown).toBe(
    'The fee is 90.\n\nGate 7\n\n## Comments\n\n- Lena: Raise it\n\n## Head and foot\n\nHarbour office',
  )
})

const point = (name: string, target: string) =>
  `<navPoint><navLabel><text>${name}</text></navLabel><content src="${target}"/></navPoint>`

it('takes the titles of chapters from the table of contents, also several in one file', async () => {
  const bytes = makeZip({
    'META-INF/container.xml': '<container><rootfiles><rootfile full-path="c.opf"/></rootfiles></container>',
    'c.opf':
      '<package><manifest><item id="n" href="t.ncx" media-type="application/x-dtbncx+xml"/><item id="c" href="c.xhtml"/></manifest><spine><itemref idref="c"/></spine></package>',
    't.ncx': `<ncx><navMap>${point('Neap', 'c.xhtml#a')}${point('Spring &amp; moon', 'c.xhtml#b')}</navMap></ncx>`,
    'c.xhtml': '<html><body><p id="a">Weak.</p><div class="x" id="b"><p>Strong.</p></div></body></html>',
  })
  const { pages } = await readDocument(toSource(bytes, { name: 'a.epub' }))
  expect(pages[0]?.markdown).toBe('## Neap\n\nWeak.\n\n## Spring & moon\n\nStrong.')
})

const typed = (type: string, target: string) =>
  `<Relationships><Relationship Id="r1" Type="http://x/${type}" Target="${target}"/></Relationships>`
const layer = (name: string, shapes: string, attributes = '') =>
  `<p:${name} ${attributes}><p:cSld><p:spTree>${shapes}</p:spTree></p:cSld></p:${name}>`

it('says once what layout and master show on each slide, without their examples, numbers and remarks beside it', async () => {
  const number = '<a:fld type="slidenum"><a:t>‹#›</a:t></a:fld>'
  const parts = {
    'ppt/slides/_rels/slide1.xml.rels': typed('slideLayout', '../slideLayouts/slideLayout1.xml'),
    'ppt/slides/_rels/slide2.xml.rels': typed('slideLayout', '../slideLayouts/slideLayout1.xml'),
    'ppt/slideLayouts/slideLayout1.xml': layer('sldLayout', box('Harbour Society', 50, 900)),
    'ppt/slideLayouts/_rels/slideLayout1.xml.rels': typed('slideMaster', '../slideMasters/slideMaster1.xml'),
    'ppt/slideMasters/slideMaster1.xml': layer(
      'sldMaster',
      shape(run('Click to edit'), '', 'body') + shape(run('For members only') + number) + shape(number),
    ),
  }
  expect(await read([box('Boats', 50, 100), box('Fees', 50, 100)], parts)).toBe(
    '## Slide 1\n\nBoats\n\nFor members only\n\nHarbour Society\n\n## Slide 2\n\nFees',
  )
  const hidden = { ...parts, 'ppt/slideLayouts/slideLayout1.xml': layer('sldLayout', '', 'showMasterSp="0"') }
  expect(await read([box('Boats', 50, 100)], hidden)).toBe('## Slide 1\n\nBoats')
})
