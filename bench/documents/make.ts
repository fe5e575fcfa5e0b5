import Pdf from 'pdfkit'
import { makeZip } from '#test/fixtures/documents/zip.ts'
import type { Paper, Section } from './papers.ts'

const escape = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
const relationships = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const packageRelationships = 'http://schemas.openxmlformats.org/package/2006/relationships'
const contentTypes = (overrides: readonly (readonly [part: string, type: string])[]) =>
  `${declaration}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>${overrides
    .map(
      ([part, type]) =>
        `<Override PartName="${part}" ContentType="application/vnd.openxmlformats-officedocument.${type}+xml"/>`,
    )
    .join('')}</Types>`
const relations = (rows: readonly (readonly [id: string, type: string, target: string])[]) =>
  `${declaration}<Relationships xmlns="${packageRelationships}">${rows
    .map(([id, type, target]) => `<Relationship Id="${id}" Type="${relationships}/${type}" Target="${target}"/>`)
    .join('')}</Relationships>`
const rowsOf = ({ lines }: Section) => lines.map((line) => line.split(/\s*\|\s*/))

/** A page a section, numbered at its foot, under a running head. */
function makePdf({ title, sections }: Paper): Promise<Uint8Array<ArrayBuffer>> {
  const document = new Pdf({ autoFirstPage: false })
  const parts: Buffer[] = []
  const done = new Promise<Uint8Array<ArrayBuffer>>((resolve) => {
    document.on('data', (part: Buffer) => parts.push(part))
    document.on('end', () => resolve(new Uint8Array(Buffer.concat(parts))))
  })
  for (const [index, { heading, lines }] of sections.entries()) {
    document.addPage({ size: 'A4', margin: 72 })
    document.fontSize(8).text(`Aldervik Marine · ${title}`, 72, 40)
    document.fontSize(18).text(heading, 72, 90).moveDown()
    document.fontSize(11).text(lines.join(' '), { width: 300, align: 'justify' })
    document.fontSize(8).text(String(index + 1), 300, 740)
  }
  document.end()
  return done
}

const paragraph = (text: string, style?: string) =>
  `<w:p>${style === undefined ? '' : `<w:pPr><w:pStyle w:val="${style}"/></w:pPr>`}<w:r><w:t xml:space="preserve">${escape(text)}</w:t></w:r></w:p>`

const style = (level: number) =>
  `<w:style w:type="paragraph" w:styleId="Heading${level}"><w:name w:val="heading ${level}"/></w:style>`

function makeDocx({ title, sections }: Paper) {
  const body = [
    paragraph(title, 'Heading1'),
    ...sections.flatMap(({ heading, lines }) => [
      paragraph(heading, 'Heading2'),
      ...lines.map((line) => paragraph(line)),
    ]),
  ]
  const space = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
  return makeZip({
    '[Content_Types].xml': contentTypes([
      ['/word/document.xml', 'wordprocessingml.document.main'],
      ['/word/styles.xml', 'wordprocessingml.styles'],
    ]),
    '_rels/.rels': relations([['r1', 'officeDocument', 'word/document.xml']]),
    'word/_rels/document.xml.rels': relations([['r1', 'styles', 'styles.xml']]),
    'word/document.xml': `${declaration}<w:document ${space}><w:body>${body.join('')}</w:body></w:document>`,
    'word/styles.xml': `${declaration}<w:styles ${space}>${style(1)}${style(2)}</w:styles>`,
  })
}

const shape = (kind: string, lines: readonly string[]) =>
  `<p:sp><p:nvSpPr><p:cNvPr id="2" name="x"/><p:cNvSpPr/><p:nvPr><p:ph${kind}/></p:nvPr></p:nvSpPr><p:spPr/><p:txBody><a:bodyPr/>${lines
    .map((line) => `<a:p><a:r><a:t>${escape(line)}</a:t></a:r></a:p>`)
    .join('')}</p:txBody></p:sp>`

function makePptx({ sections }: Paper) {
  const spaces = `xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:r="${relationships}"`
  const slides = sections.map(({ heading, lines }, index): [string, string] => [
    `ppt/slides/slide${index + 1}.xml`,
    `${declaration}<p:sld ${spaces}><p:cSld><p:spTree>${shape(' type="title"', [heading])}${shape(' idx="1"', lines)}</p:spTree></p:cSld></p:sld>`,
  ])
  const ids = slides.map((_, index) => `<p:sldId id="${256 + index}" r:id="r${index + 1}"/>`).join('')
  return makeZip({
    '[Content_Types].xml': contentTypes([
      ['/ppt/presentation.xml', 'presentationml.presentation.main'],
      ...slides.map(([part]) => [`/${part}`, 'presentationml.slide'] as const),
    ]),
    '_rels/.rels': relations([['r1', 'officeDocument', 'ppt/presentation.xml']]),
    'ppt/presentation.xml': `${declaration}<p:presentation ${spaces}><p:sldIdLst>${ids}</p:sldIdLst></p:presentation>`,
    'ppt/_rels/presentation.xml.rels': relations(
      slides.map((_, index) => [`r${index + 1}`, 'slide', `slides/slide${index + 1}.xml`] as const),
    ),
    ...Object.fromEntries(slides),
  })
}

const column = (index: number) => String.fromCodePoint(65 + index)

const sheetOf = (section: Section) =>
  rowsOf(section)
    .map((cells, row) => {
      const shown = cells.map(
        (text, at) => `<c r="${column(at)}${row + 1}" t="inlineStr"><is><t>${escape(text)}</t></is></c>`,
      )
      return `<row r="${row + 1}">${shown.join('')}</row>`
    })
    .join('')

function makeXlsx({ sections }: Paper) {
  const space = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
  const names = sections.map(
    ({ heading }, index) => `<sheet name="${escape(heading)}" sheetId="${index + 1}" r:id="r${index + 1}"/>`,
  )
  const sheets = sections.map((section, index): [string, string] => [
    `xl/worksheets/sheet${index + 1}.xml`,
    `${declaration}<worksheet ${space}><sheetData>${sheetOf(section)}</sheetData></worksheet>`,
  ])
  return makeZip({
    '[Content_Types].xml': contentTypes([
      ['/xl/workbook.xml', 'spreadsheetml.sheet.main'],
      ...sheets.map(([part]) => [`/${part}`, 'spreadsheetml.worksheet'] as const),
    ]),
    '_rels/.rels': relations([['r1', 'officeDocument', 'xl/workbook.xml']]),
    'xl/workbook.xml': `${declaration}<workbook ${space} xmlns:r="${relationships}"><sheets>${names.join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relations(
      sheets.map((_, index) => [`r${index + 1}`, 'worksheet', `worksheets/sheet${index + 1}.xml`] as const),
    ),
    ...Object.fromEntries(sheets),
  })
}

const openHeading = (level: number, text: string) => `<text:h text:outline-level="${level}">${escape(text)}</text:h>`

function makeOdt({ title, sections }: Paper) {
  const spaces =
    'xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"'
  const body = sections.map(
    (section) =>
      openHeading(2, section.heading) + section.lines.map((line) => `<text:p>${escape(line)}</text:p>`).join(''),
  )
  return makeZip({
    mimetype: 'application/vnd.oasis.opendocument.text',
    'content.xml': `${declaration}<office:document-content ${spaces}><office:body><office:text>${openHeading(1, title)}${body.join('')}</office:text></office:body></office:document-content>`,
    'META-INF/manifest.xml': `${declaration}<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"/>`,
  })
}

const htmlSection = ({ heading, lines }: Section) =>
  `<h2>${escape(heading)}</h2>\n${lines.map((line) => `<p>${escape(line)}</p>`).join('\n')}`
const html = ({ title, sections }: Paper) =>
  `<!doctype html><html><head><meta charset="utf-8"><title>${escape(title)}</title></head><body><h1>${escape(title)}</h1>\n${sections.map(htmlSection).join('\n')}</body></html>`

function makeEpub({ title, sections }: Paper) {
  const chapters = sections.map((section, index): [string, string] => [
    `OEBPS/c${index + 1}.xhtml`,
    `<?xml version="1.0" encoding="utf-8"?><html xmlns="http://www.w3.org/1999/xhtml"><body>${htmlSection(section)}</body></html>`,
  ])
  const items = chapters.map(
    (_, index) => `<item id="c${index + 1}" href="c${index + 1}.xhtml" media-type="application/xhtml+xml"/>`,
  )
  const spine = chapters.map((_, index) => `<itemref idref="c${index + 1}"/>`)
  return makeZip({
    mimetype: 'application/epub+zip',
    'META-INF/container.xml': `${declaration}<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles><rootfile full-path="OEBPS/book.opf" media-type="application/oebps-package+xml"/></rootfiles></container>`,
    'OEBPS/book.opf': `${declaration}<package xmlns="http://www.idpf.org/2007/opf" version="3.0"><metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>${escape(title)}</dc:title></metadata><manifest>${items.join('')}</manifest><spine>${spine.join('')}</spine></package>`,
    ...Object.fromEntries(chapters),
  })
}

const makeMail = (paper: Paper) =>
  [
    'From: Mette Krogh <mette@aldervik.example>',
    'To: Harbour office <office@kinsale.example>',
    `Subject: ${paper.title}`,
    'Date: Mon, 2 Mar 2026 09:12:00 +0100',
    'MIME-Version: 1.0',
    'Content-Type: text/html; charset=utf-8',
    'Content-Transfer-Encoding: 8bit',
    '',
    html(paper),
  ].join('\r\n')

const makeText = ({ title, sections }: Paper) =>
  [title, ...sections.map(({ heading, lines }) => `${heading}\n\n${lines.join(' ')}`)].join('\n\n')
const makeMarkdown = (paper: Paper) =>
  `---\ntitle: ${paper.title}\nowner: Aldervik Marine\n---\n\n# ${paper.title}\n\n${paper.sections.map(({ heading, lines }) => `## ${heading}\n\n${lines.join('\n')}`).join('\n\n')}\n`

const office = 'application/vnd.openxmlformats-officedocument'
const makers: Readonly<
  Record<string, readonly [type: string, make: (paper: Paper) => Uint8Array | string | Promise<Uint8Array>]>
> = {
  pdf: ['application/pdf', makePdf],
  docx: [`${office}.wordprocessingml.document`, makeDocx],
  pptx: [`${office}.presentationml.presentation`, makePptx],
  xlsx: [`${office}.spreadsheetml.sheet`, makeXlsx],
  odt: ['application/vnd.oasis.opendocument.text', makeOdt],
  html: ['text/html', html],
  epub: ['application/epub+zip', makeEpub],
  eml: ['message/rfc822', makeMail],
  csv: ['text/csv', ({ raw }) => raw],
  md: ['text/markdown', makeMarkdown],
  txt: ['text/plain', makeText],
}

/** The paper as a file of the kind that its name says. @throws {Error} for a kind that is not made here */
export async function makeFile(paper: Paper) {
  const extension = paper.name.slice(paper.name.lastIndexOf('.') + 1)
  const [mimeType, make] = makers[extension] ?? []
  if (mimeType === undefined || make === undefined) throw new Error(`Nothing makes ${paper.name}.`)
  const made = await make(paper)
  return { name: paper.name, mimeType, bytes: typeof made === 'string' ? new TextEncoder().encode(made) : made }
}
