import { ConvertError, type PageText, type ReadDocument } from '../reader.ts'
import { createMarkdownWriter } from '../markdown/writer.ts'
import { readInnerDocuments } from './embedded.ts'
import { createOutlineCounter } from './opendocument-numbers.ts'
import { orderPlaced, type Placed } from './slide-order.ts'
import { checkLocks, findObjects, openParts } from './opendocument-parts.ts'
import { createRepeats, writeSheet } from './opendocument-sheet.ts'
import { readStyles } from './opendocument-styles.ts'
import { writeComments } from './opendocument-comments.ts'
import { type OpenText, writeBody, writeNotes } from './opendocument-text.ts'
import { child, descendants, elements, findTree, textOf, type XmlElement } from './xml.ts'
import type { Archive } from './zip.ts'

const isTitle = ({ attributes }: XmlElement) => attributes['presentation:class'] === 'title'

const UNITS: Readonly<Record<string, number>> = { cm: 1, mm: 0.1, in: 2.54, pt: 2.54 / 72, pc: 2.54 / 6, px: 2.54 / 96 }

/** A length in centimetres; undefined where it has another form. */
function toLength(length = ''): number | undefined {
  const [, number, unit = ''] = /^(-?[\d.]{1,20})(cm|mm|in|pt|pc|px)$/.exec(length) ?? []
  return number === undefined ? undefined : Number(number) * (UNITS[unit] ?? 1)
}

/** The place of a shape on its slide; that of a group is the place of all its shapes. */
function placeOf(shape: XmlElement): Placed | undefined {
  if (shape.name === 'g') {
    const inner = elements(shape).flatMap((one) => placeOf(one) ?? [])
    const [first, ...others] = inner
    return first === undefined ? undefined : { ...others.reduce(join, first), shape }
  }
  const { attributes } = shape
  const [left, top] = [toLength(attributes['svg:x']), toLength(attributes['svg:y'])]
  const [width = 0, height = 0] = [toLength(attributes['svg:width']), toLength(attributes['svg:height'])]
  return left === undefined || top === undefined
    ? undefined
    : { shape, left, top, right: left + width, bottom: top + height }
}

const join = (one: Placed, other: Placed): Placed => ({
  ...one,
  left: Math.min(one.left, other.left),
  top: Math.min(one.top, other.top),
  right: Math.max(one.right, other.right),
  bottom: Math.max(one.bottom, other.bottom),
})

function readSlide(
  slide: XmlElement,
  index: number,
  { start, shown }: { readonly start: () => OpenText; readonly shown: readonly string[] },
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
  const shapes = elements(slide).filter((part) => !isTitle(part))
  const drawn = shapes.filter(
    (part) => placeOf(part) !== undefined && (part.name === 'frame' || textOf(part).trim() !== ''),
  )
  writeBody(text, {
    ...slide,
    children: [...orderPlaced(drawn, placeOf), ...shapes.filter((part) => !drawn.includes(part))],
  })
  for (const line of shown) {
    text.writer.open('p')
    text.writer.text(line)
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

/** Lines of a master that its slides show: shapes with a class only say where a slide has its own text. */
const backgroundOf = (master: XmlElement | undefined): readonly string[] =>
  elements(master)
    .filter(({ name, attributes }) => name !== 'notes' && attributes['presentation:class'] === undefined)
    .flatMap((shape) => descendants(shape, 'p'))
    .filter((paragraph) => descendants(paragraph, 'page-number').length === 0)
    .map((paragraph) => textOf(paragraph).replace(/\s+/g, ' ').trim())

function readSlides(presentation: XmlElement, masters: readonly XmlElement[], start: () => OpenText): PageText[] {
  const feet = feetOf(presentation)
  const seen = new Set<string>()
  return elements(presentation, 'page').map((slide, index) => {
    const { attributes } = slide
    const master = masters.find((one) => one.attributes['style:name'] === attributes['draw:master-page-name'])
    const lines = [feet.get(attributes['presentation:use-footer-name'] ?? '') ?? '', ...backgroundOf(master)]
    const shown = lines.filter((line) => /\p{L}/u.test(line) && !seen.has(line))
    for (const line of shown) seen.add(line)
    return readSlide(slide, index, { start, shown })
  })
}

function readPages(archive: Archive, objects: ReturnType<typeof findObjects>): PageText[] {
  const root = findTree(archive, 'content.xml')
  if (root === undefined) throw new ConvertError('broken')
  const shared = findTree(archive, 'styles.xml')
  const styles = readStyles(shared === undefined ? [root] : [root, shared])
  const pages = descendants(child(shared ?? root, 'master-styles'), 'master-page')
  const [kind] = elements(child(root, 'body'))
  // Damaged changes have no end: the rest of the text would be gone.
  const ended = new Set(descendants(kind, 'change-end').map(({ attributes }) => attributes['text:change-id']))
  const removals = new Set(
    descendants(child(kind, 'tracked-changes'), 'changed-region')
      .filter((region) => child(region, 'deletion') !== undefined)
      .map(({ attributes }) => attributes['text:id'] ?? attributes['xml:id'] ?? '')
      .filter((id) => ended.has(id)),
  )
  const start = (): OpenText => ({
    ...objects,
    writer: createMarkdownWriter(),
    styles,
    isOnGround: kind?.name !== 'text',
    isHidden: false,
    isMarked: false,
    comments: [],
    openComments: new Map(),
    removals,
    openRemovals: new Set(),
    countHeading: createOutlineCounter(styles.outline),
    notes: [],
    counts: new Map(),
  })
  if (kind?.name === 'presentation') return readSlides(kind, pages, start)
  if (kind?.name === 'spreadsheet') {
    const budget = createRepeats()
    return elements(kind, 'table').flatMap((sheet, index) => {
      const page = styles.pageOf(sheet.attributes['table:style-name'])
      const edges = edgesOf(pages.filter(({ attributes }) => attributes['style:name'] === page))
      return writeSheet(sheet, index, { text: start(), budget, edges })
    })
  }
  if (kind?.name !== 'text') throw new ConvertError('broken')
  const text = start()
  writeBody(text, kind)
  writeNotes(text)
  writeComments(text, '## Comments')
  const edges = edgesOf(pages)
  if (edges.length > 0) text.writer.block(['## Head and foot', ...edges].join('\n\n'))
  return [{ page: 1, markdown: text.writer.finish() }]
}

/** Text, spreadsheets and presentations of LibreOffice and others: ODT, ODS, ODP, and their flat forms. */
export const readOpenDocument: ReadDocument = async (source) => {
  const archive = openParts(source)
  checkLocks(archive)
  const objects = findObjects(archive, source)
  const pages = readPages(archive, objects)
  const inner = await readInnerDocuments(source, objects.embedded)
  return inner.length === 0 ? pages : [...pages, { page: pages.at(-1)?.page ?? 1, markdown: inner.join('\n\n') }]
}
