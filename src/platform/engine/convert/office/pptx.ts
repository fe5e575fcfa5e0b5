import { ConvertError, type PageText, type ReadDocument, type Source } from '../reader.ts'
import { chartToMarkdown } from './charts.ts'
import { diagramToMarkdown } from './diagrams.ts'
import { slideComments } from './comments.ts'
import { readEmbedded } from './embedded.ts'
import { createBackgrounds } from './slide-background.ts'
import { createSlideNumbers } from './slide-numbers.ts'
import { inReadingOrder } from './slide-order.ts'
import { toFormula } from './word-extras.ts'
import { createLevels } from '../markdown/list-levels.ts'
import { createMarkdownWriter, type MarkdownWriter } from '../markdown/writer.ts'
import {
  child,
  descendants,
  elements,
  findTree,
  readRelations,
  readTree,
  type Relations,
  textOf,
  type XmlElement,
} from './xml.ts'
import { type Archive, openArchive } from './zip.ts'

/** Type of a placeholder; `obj` by default, undefined for other shapes. */
function placeholderOf(shape: XmlElement): string | undefined {
  const placeholder = child(shape, 'nvSpPr', 'nvPr', 'ph')
  return placeholder === undefined ? undefined : (placeholder.attributes['type'] ?? 'obj')
}

const isTitle = (placeholder: string | undefined): boolean => placeholder === 'title' || placeholder === 'ctrTitle'

function writeTitle(writer: MarkdownWriter, name: string, tree: XmlElement | undefined): void {
  const shape = descendants(tree, 'sp').find((one) => isTitle(placeholderOf(one)))
  const title = elements(child(shape, 'txBody'), 'p')
    .map((paragraph) =>
      elements(paragraph)
        .map((part) => (part.name === 'br' ? ' ' : textOf(part)))
        .join('')
        .replace(/\s+/g, ' ')
        .trim(),
    )
    .filter((text) => text !== '')
    .join(' ')
  writer.open('h2')
  writer.text(title === '' ? name : `${name}: ${title}`)
  writer.close('h2')
}

const isOn = (value: string | undefined) => value === '1' || value === 'true'

const isMonospaced = (run: XmlElement) =>
  /courier|consol|mono\b|menlo/i.test(child(run, 'rPr', 'latin')?.attributes['typeface'] ?? '')

function writeRun(writer: MarkdownWriter, run: XmlElement, resolve: Relations['target']): void {
  const { b, i } = child(run, 'rPr')?.attributes ?? {}
  const href = resolve(child(run, 'rPr', 'hlinkClick')?.attributes['r:id'])
  const marks = [...(isOn(b) ? ['strong'] : []), ...(isOn(i) ? ['em'] : []), ...(isMonospaced(run) ? ['code'] : [])]
  if (href !== undefined) writer.open('a', { href })
  for (const mark of marks) writer.open(mark)
  writer.text(textOf(child(run, 't')))
  for (const mark of marks.toReversed()) writer.close(mark)
  if (href !== undefined) writer.close('a')
}

/** Formulas of a paragraph; older programs show a picture in their place. */
function writeFormulas(writer: MarkdownWriter, part: XmlElement): void {
  const formulas = descendants(child(part, 'Choice') ?? part, 'oMath').map(toFormula)
  writer.text(formulas.filter((formula) => formula !== '').join(' '))
}

function writeCode(writer: MarkdownWriter, paragraph: XmlElement): void {
  writer.open('pre')
  for (const part of elements(paragraph)) {
    if (part.name === 'br') writer.text('\n')
    else if (part.name === 'r') writer.text(textOf(child(part, 't')))
  }
  writer.close('pre')
}

/** Paragraphs of a shape; in a bulleted shape each is a list item unless it turns its bullet off. */
function writeParagraphs(
  writer: MarkdownWriter,
  body: XmlElement | undefined,
  style: 'bulleted' | 'plain',
  resolve: Relations['target'],
): void {
  const levels = createLevels(writer)
  const numbers = createSlideNumbers()
  for (const paragraph of elements(body, 'p')) {
    const properties = child(paragraph, 'pPr')
    const isOrdered = child(properties, 'buAutoNum') !== undefined
    const hasBullet = child(properties, 'buChar') !== undefined || child(properties, 'buBlip') !== undefined
    const isItem = isOrdered || hasBullet || (style === 'bulleted' && child(properties, 'buNone') === undefined)
    if (textOf(paragraph).trim() === '') continue
    const runs = elements(paragraph, 'r')
    if (runs.length > 0 && runs.every(isMonospaced)) {
      levels.end()
      writeCode(writer, paragraph)
      continue
    }
    const level = Number(properties?.attributes['lvl'] ?? 0)
    const number = numbers.count(level, child(properties, 'buAutoNum')?.attributes)
    if (isItem) levels.item(level, isOrdered, number)
    else {
      levels.end()
      writer.open('p')
    }
    for (const part of elements(paragraph)) {
      if (part.name === 'br') writer.open('br')
      else if (part.name === 'r' || part.name === 'fld') writeRun(writer, part, resolve)
      else if (part.name === 'm' || part.name === 'AlternateContent') writeFormulas(writer, part)
    }
    if (!isItem) writer.close('p')
  }
  levels.end()
}

interface Slide {
  readonly archive: Archive
  readonly relations: Relations
  readonly writer: MarkdownWriter
  /** Parts of embedded documents of the slide. */
  readonly embedded: (string | undefined)[]
  showPicture(path: string | undefined, description: string): void
}

/** Placeholders left out: number, date and footer of the slide. */
const FURNITURE = new Set(['sldNum', 'dt', 'ftr', 'hdr', 'sldImg'])

/** Titles are in the heading, feet at the end. */
const isApart = (placeholder: string | undefined) => isTitle(placeholder) || FURNITURE.has(placeholder ?? '')

function writeTable(slide: Slide, table: XmlElement): void {
  const { writer } = slide
  writer.open('table')
  for (const row of elements(table, 'tr')) {
    writer.open('tr')
    for (const cell of elements(row, 'tc')) {
      const { rowSpan: rowspan = '1', gridSpan: colspan = '1', hMerge, vMerge } = cell.attributes
      // The covered parts of a merged cell exist, and are empty.
      if (hMerge === '1' || vMerge === '1') continue
      writer.open('td', { rowspan, colspan })
      writeParagraphs(writer, child(cell, 'txBody'), 'plain', slide.relations.target)
      writer.close('td')
    }
    writer.close('tr')
  }
  writer.close('table')
}

/** Diagrams and charts: their words, from the part that holds them. */
function writeGraphic(slide: Slide, frame: XmlElement): void {
  const table = child(frame, 'graphic', 'graphicData', 'tbl')
  if (table !== undefined) return writeTable(slide, table)
  const graphic = elements(child(frame, 'graphic', 'graphicData'))[0]
  const [object] = graphic?.name === 'oleObj' ? [graphic] : descendants(graphic, 'oleObj')
  if (object !== undefined) {
    slide.embedded.push(slide.relations.target(object.attributes['r:id']))
    return
  }
  const part = slide.relations.target(graphic?.attributes['r:dm'] ?? graphic?.attributes['r:id'])
  const root = part?.endsWith('.xml') === true ? readTree(slide.archive, part) : undefined
  if (root === undefined) return
  slide.writer.block(graphic?.name === 'chart' ? chartToMarkdown(root) : diagramToMarkdown(root))
}

function writeShapes(slide: Slide, tree: XmlElement | undefined): void {
  const shapes = elements(tree).filter((shape) => !isApart(placeholderOf(shape)))
  for (const shape of inReadingOrder(shapes)) {
    const properties = elements(shape).find(({ name }) => name.startsWith('nv'))
    const { descr = '', title = '' } = child(properties, 'cNvPr')?.attributes ?? {}
    if (shape.name === 'grpSp') writeShapes(slide, shape)
    else if (shape.name === 'AlternateContent') writeShapes(slide, child(shape, 'Choice') ?? child(shape, 'Fallback'))
    else if (shape.name === 'graphicFrame') writeGraphic(slide, shape)
    else if (shape.name === 'pic') {
      const blip = child(shape, 'blipFill', 'blip')
      slide.showPicture(slide.relations.target(blip?.attributes['r:embed']), descr || title)
    } else if (shape.name === 'sp') {
      const placeholder = placeholderOf(shape)
      const isBulleted = placeholder === 'body' || placeholder === 'obj'
      const style = isBulleted ? 'bulleted' : 'plain'
      writeParagraphs(slide.writer, child(shape, 'txBody'), style, slide.relations.target)
    }
  }
}

/** Feet that say more than a number or a date. */
const feetOf = (tree: XmlElement | undefined): readonly string[] =>
  descendants(tree, 'sp')
    .filter((shape) => placeholderOf(shape) === 'ftr')
    .map((shape) => textOf(child(shape, 'txBody')).replace(/\s+/g, ' ').trim())
    .filter((text) => /\p{L}/u.test(text))

/** Lines that many slides show, each once in a presentation. */
function writeOnce({ writer }: Slide, lines: readonly string[], seen: Set<string>): void {
  for (const text of lines) {
    if (seen.has(text)) continue
    seen.add(text)
    writer.open('p')
    writer.text(text)
    writer.close('p')
  }
}

function writeNotes(slide: Slide): void {
  const root = readTree(slide.archive, slide.relations.ofType('notesSlide'))
  // Some programs do not mark the notes; everything else on that page is marked.
  const shapes = descendants(root, 'sp').filter((shape) => !FURNITURE.has(placeholderOf(shape) ?? ''))
  if (shapes.every((shape) => textOf(child(shape, 'txBody')).trim() === '')) return
  slide.writer.open('h3')
  slide.writer.text('Notes')
  slide.writer.close('h3')
  for (const shape of shapes) writeParagraphs(slide.writer, child(shape, 'txBody'), 'plain', slide.relations.target)
}

interface Deck {
  readonly archive: Archive
  readonly source: Source
  readonly backgroundOf: ReturnType<typeof createBackgrounds>
  /** Feet and lines of the background that were written. */
  readonly shown: Set<string>
}

async function readSlide(
  { archive, source, backgroundOf, shown }: Deck,
  part: string | undefined,
  page: number,
): Promise<PageText[]> {
  const root = readTree(archive, part)
  if (part === undefined || root === undefined) return []
  const writer = createMarkdownWriter()
  const tree = child(root, 'cSld', 'spTree')
  const slide: Slide = {
    archive,
    writer,
    relations: readRelations(archive, part),
    embedded: [],
    showPicture(path, description) {
      const picture = archive.need(path)
      const name = picture === undefined ? '' : source.pictures.add(picture)
      const words = description.replace(/\s+/g, ' ').trim()
      const text = name === '' ? words : words === '' ? name : `${name} (${words})`
      if (text !== '') writer.block(text)
    },
  }
  const isHidden = root.attributes['show'] === '0' || root.attributes['show'] === 'false'
  writeTitle(writer, `Slide ${page}${isHidden ? ' (hidden)' : ''}`, tree)
  writeShapes(slide, tree)
  for (const text of await readEmbedded(archive, source, slide.embedded)) writer.block(text)
  writeOnce(slide, [...feetOf(tree), ...backgroundOf(root, slide.relations)], shown)
  writeNotes(slide)
  const comments = slideComments(archive, slide.relations)
  if (comments !== '') writer.block(comments)
  return [{ page, markdown: writer.finish() }]
}

/** A presentation: each slide under a heading with its number and title, its notes at the end of it. */
export const readPptx: ReadDocument = async (source) => {
  const { bytes, limits, onLost } = source
  const archive = openArchive(bytes, { ...limits, onLost })
  const main = readRelations(archive, '').ofType('officeDocument') ?? 'ppt/presentation.xml'
  const presentation = findTree(archive, main)
  if (presentation === undefined) throw new ConvertError('broken')
  const relations = readRelations(archive, main)
  const ids = elements(child(presentation, 'sldIdLst'), 'sldId')
  if (ids.length > limits.pages) throw new ConvertError('too-many-pages')
  const deck = { archive, source, backgroundOf: createBackgrounds(archive, presentation), shown: new Set<string>() }
  const pages: PageText[] = []
  for (const [index, { attributes }] of ids.entries()) {
    // oxlint-disable-next-line no-await-in-loop -- in order
    pages.push(...(await readSlide(deck, relations.target(attributes['r:id']), index + 1)))
  }
  return pages
}
