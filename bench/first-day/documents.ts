import { readFileSync } from 'node:fs'
import Pdf from 'pdfkit'
import { makeZip } from '#test/fixtures/documents/zip.ts'
import type { DroppedFile } from '#test/support/people/workspace.ts'

/** A part of a document: a heading with its level, a paragraph, an item of a list, or a table. */
type Block =
  | { readonly kind: 'heading'; readonly level: number; readonly text: string }
  | { readonly kind: 'paragraph' | 'item'; readonly text: string }
  | { readonly kind: 'table'; readonly rows: readonly (readonly string[])[] }

const read = (name: string) => readFileSync(new URL(`documents/${name}`, import.meta.url), 'utf8')

/** The simple markdown of the texts. */
function parse(markdown: string): readonly Block[] {
  return markdown.split(/\n{2,}/).flatMap((part): Block[] => {
    const text = part.trim()
    const [, signs, title] = /^(#+) (.*)$/.exec(text) ?? []
    if (signs !== undefined) return [{ kind: 'heading', level: signs.length, text: title ?? '' }]
    const lines = text.split('\n')
    if (text.startsWith('- ')) return lines.map((line) => ({ kind: 'item', text: line.slice(2) }))
    if (!text.startsWith('|')) return text === '' ? [] : [{ kind: 'paragraph', text }]
    const rows = lines.filter((line) => !line.startsWith('|--')).map((line) => line.slice(2, -2).split(' | '))
    return [{ kind: 'table', rows }]
  })
}

const escape = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
const XML = '<?xml version="1.0" encoding="UTF-8"?>\n'

function toPdf(blocks: readonly Block[]): Promise<Uint8Array> {
  const document = new Pdf()
  const parts: Buffer[] = []
  const { promise, resolve } = Promise.withResolvers<Uint8Array>()
  document.on('data', (part: Buffer) => parts.push(part))
  document.on('end', () => resolve(new Uint8Array(Buffer.concat(parts))))
  for (const block of blocks) {
    if (block.kind === 'heading')
      document
        .moveDown()
        .fontSize(22 - 4 * block.level)
        .text(block.text)
    else if (block.kind !== 'table') document.fontSize(11).text(block.text)
  }
  document.end()
  return promise
}

const W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
const RELATION = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'

const wordParagraph = (text: string, style?: string) =>
  `<w:p>${style === undefined ? '' : `<w:pPr><w:pStyle w:val="${style}"/></w:pPr>`}<w:r><w:t xml:space="preserve">${escape(text)}</w:t></w:r></w:p>`

function toDocx(blocks: readonly Block[]): Uint8Array {
  const body = blocks.map((block) => {
    if (block.kind === 'heading') return wordParagraph(block.text, `Heading${block.level}`)
    if (block.kind !== 'table') return wordParagraph(block.text)
    const rows = block.rows.map((row) => row.map((cell) => `<w:tc>${wordParagraph(cell)}</w:tc>`).join(''))
    return `<w:tbl>${rows.map((row) => `<w:tr>${row}</w:tr>`).join('')}</w:tbl>`
  })
  const styles = [1, 2].map(
    (level) => `<w:style w:type="paragraph" w:styleId="Heading${level}"><w:name w:val="heading ${level}"/></w:style>`,
  )
  return makeZip({
    '[Content_Types].xml': `${XML}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="xml" ContentType="application/xml"/><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/><Override PartName="/word/styles.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.styles+xml"/></Types>`,
    '_rels/.rels': `${XML}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="${RELATION}/officeDocument" Target="word/document.xml"/></Relationships>`,
    'word/_rels/document.xml.rels': `${XML}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="${RELATION}/styles" Target="styles.xml"/></Relationships>`,
    'word/styles.xml': `${XML}<w:styles ${W}>${styles.join('')}</w:styles>`,
    'word/document.xml': `${XML}<w:document ${W}><w:body>${body.join('')}</w:body></w:document>`,
  })
}

const excelCell = (text: string) =>
  /^\d+$/.test(text) ? `<c><v>${text}</v></c>` : `<c t="inlineStr"><is><t>${escape(text)}</t></is></c>`

/** A sheet for each table, named by the heading above it. */
function toXlsx(blocks: readonly Block[]): Uint8Array {
  const sheets = blocks.flatMap((block, at) => {
    const above = blocks[at - 1]
    return block.kind === 'table' && above?.kind === 'heading' ? [{ name: above.text, rows: block.rows }] : []
  })
  const parts = sheets.map(({ rows }, at) => [
    `xl/worksheets/sheet${at + 1}.xml`,
    `${XML}<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>${rows.map((row) => `<row>${row.map(excelCell).join('')}</row>`).join('')}</sheetData></worksheet>`,
  ])
  const listed = sheets.map(({ name }, at) => `<sheet name="${name}" sheetId="${at + 1}" r:id="r${at + 1}"/>`)
  const related = sheets.map(
    (_, at) => `<Relationship Id="r${at + 1}" Type="${RELATION}/worksheet" Target="worksheets/sheet${at + 1}.xml"/>`,
  )
  return makeZip({
    'xl/workbook.xml': `${XML}<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="${RELATION}"><sheets>${listed.join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `${XML}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${related.join('')}</Relationships>`,
    ...Object.fromEntries(parts),
  })
}

const DRAWING =
  'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main"'

const slideShape = (type: string, lines: readonly string[]) =>
  `<p:sp><p:nvSpPr><p:nvPr><p:ph type="${type}"/></p:nvPr></p:nvSpPr><p:txBody>${lines.map((line) => `<a:p><a:r><a:t>${escape(line)}</a:t></a:r></a:p>`).join('')}</p:txBody></p:sp>`

/** A slide for each heading. */
function toPptx(blocks: readonly Block[]): Uint8Array {
  const slides: { title: string; lines: string[] }[] = []
  for (const block of blocks) {
    if (block.kind === 'heading') slides.push({ title: block.text, lines: [] })
    else if (block.kind !== 'table') slides.at(-1)?.lines.push(block.text)
  }
  const parts = slides.map(({ title, lines }, at) => [
    `ppt/slides/slide${at + 1}.xml`,
    `${XML}<p:sld ${DRAWING}><p:cSld><p:spTree>${slideShape('title', [title])}${slideShape('body', lines)}</p:spTree></p:cSld></p:sld>`,
  ])
  const related = slides.map(
    (_, at) => `<Relationship Id="r${at}" Type="${RELATION}/slide" Target="slides/slide${at + 1}.xml"/>`,
  )
  const listed = slides.map((_, at) => `<p:sldId id="${256 + at}" r:id="r${at}"/>`)
  return makeZip({
    'ppt/presentation.xml': `${XML}<p:presentation ${DRAWING} xmlns:r="${RELATION}"><p:sldIdLst>${listed.join('')}</p:sldIdLst></p:presentation>`,
    'ppt/_rels/presentation.xml.rels': `${XML}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${related.join('')}</Relationships>`,
    ...Object.fromEntries(parts),
  })
}

function toHtml(blocks: readonly Block[]): string {
  const body = blocks.map((block) => {
    if (block.kind === 'heading') return `<h${block.level}>${escape(block.text)}</h${block.level}>`
    if (block.kind !== 'table') return `<p>${escape(block.text)}</p>`
    const rows = block.rows.map((row, at) => {
      const tag = at === 0 ? 'th' : 'td'
      return `<tr>${row.map((cell) => `<${tag}>${escape(cell)}</${tag}>`).join('')}</tr>`
    })
    return `<table>${rows.join('')}</table>`
  })
  return `<!doctype html><html><head><meta charset="utf-8"><title>Intranet</title></head><body><nav>Home · News · Policies</nav>${body.join('\n')}</body></html>`
}

function toOdt(blocks: readonly Block[]): Uint8Array {
  const body = blocks.map((block) => {
    if (block.kind === 'heading') return `<text:h text:outline-level="${block.level}">${escape(block.text)}</text:h>`
    return block.kind === 'table' ? '' : `<text:p>${escape(block.text)}</text:p>`
  })
  return makeZip({
    mimetype: 'application/vnd.oasis.opendocument.text',
    'content.xml': `${XML}<office:document-content xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"><office:body><office:text>${body.join('')}</office:text></office:body></office:document-content>`,
  })
}

const rtfText = (text: string) => text.replaceAll(/[^\0-\x7F]/g, (letter) => `\\u${letter.charCodeAt(0)}?`)

function toRtf(blocks: readonly Block[]): string {
  const body = blocks.map((block) => {
    if (block.kind === 'heading') return `\\pard\\outlinelevel${block.level - 1}\\b ${rtfText(block.text)}\\b0\\par`
    return block.kind === 'table' ? '' : `\\pard ${rtfText(block.text)}\\par`
  })
  return `{\\rtf1\\ansi{\\fonttbl{\\f0 Arial;}}\n${body.join('\n')}\n}`
}

const blocks = (name: string) => parse(read(`${name}.md`))
const asIs = (name: string, mimeType: string) => ({ name, bytes: read(name), mimeType })
const office = (kind: string) => `application/vnd.openxmlformats-officedocument.${kind}`

/** The files of a new user's first day, each in its real format: twelve kinds. */
export async function makeDocuments(): Promise<readonly DroppedFile[]> {
  return [
    { name: 'handbook.pdf', bytes: await toPdf(blocks('handbook')), mimeType: 'application/pdf' },
    { name: 'minutes.docx', bytes: toDocx(blocks('minutes')), mimeType: office('wordprocessingml.document') },
    { name: 'warehouse-stock.xlsx', bytes: toXlsx(blocks('warehouse-stock')), mimeType: office('spreadsheetml.sheet') },
    { name: 'roadmap.pptx', bytes: toPptx(blocks('roadmap')), mimeType: office('presentationml.presentation') },
    { name: 'travel-policy.html', bytes: toHtml(blocks('travel-policy')), mimeType: 'text/html' },
    {
      name: 'urlaubsregelung.odt',
      bytes: toOdt(blocks('urlaubsregelung')),
      mimeType: 'application/vnd.oasis.opendocument.text',
    },
    { name: 'it-hinweise.rtf', bytes: toRtf(blocks('it-hinweise')), mimeType: 'application/rtf' },
    asIs('price-list.csv', 'text/csv'),
    asIs('runbook.md', 'text/markdown'),
    asIs('delivery-delay.eml', 'message/rfc822'),
    asIs('app-config.json', 'application/json'),
    asIs('sea-trial-notes.txt', 'text/plain'),
  ]
}
