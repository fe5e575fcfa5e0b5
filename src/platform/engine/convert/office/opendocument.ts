import { ConvertError, type PageText, type ReadDocument } from '../reader.ts'
import { createMarkdownWriter } from '../markdown/writer.ts'
import { checkLocks, findObjects, openParts } from './opendocument-parts.ts'
import { createRepeats, writeSheet } from './opendocument-sheet.ts'
import { readStyles } from './opendocument-styles.ts'
import { type OpenText, writeBody, writeComments, writeNotes } from './opendocument-text.ts'
import { child, descendants, elements, findTree, textOf, type XmlElement } from './xml.ts'

const isTitle = ({ attributes }: XmlElement) => attributes['presentation:class'] === 'title'

function readSlide(
  slide: XmlElement,
  index: number,
  { start, foot }: { readonly start: () => OpenText; readonly foot: string },
): PageText {
  const text = start()
  const frames = elements(slide, 'frame')
  const title = frames
    .filter(isTitle)
    .map((frame) => textOf(frame).replace(/\s+/g, ' ').trim())
    .join(' ')
  text.writer.open('h2')
  const name = `Slide ${index + 1}${text.styles.isHiddenPart(slide.attributes['draw:style-name']) ? ' (hidden)' : ''}`
  text.writer.text(title === '' ? name : `${name}: ${title}`)
  text.writer.close('h2')
  writeBody(text, { ...slide, children: slide.children.filter((part) => typeof part === 'string' || !isTitle(part)) })
  if (foot !== '') {
    text.writer.open('p')
    text.writer.text(foot)
    text.writer.close('p')
  }
  // Some programs omit the class; numbers, dates and footers have one.
  const notes = elements(child(slide, 'notes'), 'frame').filter(
    ({ attributes }) => (attributes['presentation:class'] ?? 'notes') === 'notes',
  )
  if (notes.some((frame) => textOf(frame).trim() !== '')) {
    text.writer.open('h3')
    text.writer.text('Notes')
    text.writer.close('h3')
    for (const frame of notes) writeBody(text, frame)
  }
  writeNotes(text)
  writeComments(text, '### Comments')
  return { page: index + 1, markdown: text.writer.finish() }
}

/** Heads and feet of pages that say more than a number, each once. */
function edgesOf(pages: readonly XmlElement[]): string[] {
  const edges = pages
    .flatMap((page) => elements(page).filter(({ name }) => /^(?:header|footer)(?:-left|-first)?$/.test(name)))
    .filter(({ attributes }) => attributes['style:display'] !== 'false')
  const lines = edges
    .flatMap((edge) => descendants(edge, 'p'))
    .flatMap((paragraph) => {
      const line = textOf(paragraph).replace(/\s+/g, ' ').trim()
      const isNumber = descendants(paragraph, 'page-number').length > 0 && line.split(' ').length <= 4
      return /\p{L}/u.test(line) && !isNumber ? [line] : []
    })
  return [...new Set(lines)]
}

/** Feet of slides by their names. */
const feetOf = (presentation: XmlElement): ReadonlyMap<string, string> =>
  new Map(
    elements(presentation, 'footer-decl').map((foot) => [
      foot.attributes['presentation:name'] ?? '',
      textOf(foot).replace(/\s+/g, ' ').trim(),
    ]),
  )

function readSlides(presentation: XmlElement, start: () => OpenText): PageText[] {
  const feet = feetOf(presentation)
  const seen = new Set<string>()
  return elements(presentation, 'page').map((slide, index) => {
    const foot = feet.get(slide.attributes['presentation:use-footer-name'] ?? '') ?? ''
    const isSaid = /\p{L}/u.test(foot) && !seen.has(foot)
    seen.add(foot)
    return readSlide(slide, index, { start, foot: isSaid ? foot : '' })
  })
}

/** Text, spreadsheets and presentations of LibreOffice and others: ODT, ODS, ODP, and their flat forms. */
export const readOpenDocument: ReadDocument = (source) => {
  const archive = openParts(source)
  checkLocks(archive)
  const root = findTree(archive, 'content.xml')
  if (root === undefined) throw new ConvertError('broken')
  const shared = findTree(archive, 'styles.xml')
  const styles = readStyles(shared === undefined ? [root] : [root, shared])
  const pages = descendants(child(shared ?? root, 'master-styles'), 'master-page')
  const objects = findObjects(archive, source)
  const [kind] = elements(child(root, 'body'))
  const start = (): OpenText => ({
    ...objects,
    writer: createMarkdownWriter(),
    styles,
    isOnGround: kind?.name !== 'text',
    isHidden: false,
    isMarked: false,
    comments: [],
    notes: [],
    counts: new Map(),
  })
  if (kind?.name === 'presentation') return Promise.resolve(readSlides(kind, start))
  if (kind?.name === 'spreadsheet') {
    const budget = createRepeats()
    const sheets = elements(kind, 'table').flatMap((sheet, index) => {
      const page = styles.pageOf(sheet.attributes['table:style-name'])
      const edges = edgesOf(pages.filter(({ attributes }) => attributes['style:name'] === page))
      return writeSheet(sheet, index, { text: start(), budget, edges })
    })
    return Promise.resolve(sheets)
  }
  if (kind?.name !== 'text') throw new ConvertError('broken')
  const text = start()
  writeBody(text, kind)
  writeNotes(text)
  writeComments(text, '## Comments')
  const edges = edgesOf(pages)
  if (edges.length > 0) text.writer.block(['## Head and foot', ...edges].join('\n\n'))
  return Promise.resolve([{ page: 1, markdown: text.writer.finish() }])
}
