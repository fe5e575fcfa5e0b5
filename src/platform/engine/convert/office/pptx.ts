import { ConvertError } from '../failure.ts'
import { createMarkdownWriter, type MarkdownWriter } from '../markdown/writer.ts'
import type { PageText } from '../protocol.ts'
import type { ReadDocument } from '../reader.ts'
import { type Resolve, isTitle, placeholderOf, writeParagraphs, writeTitle } from './pptx-text.ts'
import { child, descendants, elements, parseXml, textOf, type XmlElement } from './xml.ts'
import { openArchive, resolvePart, type Archive } from './zip.ts'

interface Relations {
  readonly target: Resolve
  readonly ofType: (type: string) => string | undefined
}

function readRelations(archive: Archive, part: string): Relations {
  const slash = part.lastIndexOf('/') + 1
  const content = archive.read(`${part.slice(0, slash)}_rels/${part.slice(slash)}.rels`)
  const all = content === undefined ? [] : elements(parseXml(content), 'Relationship')
  const resolve = (relation: XmlElement | undefined) => {
    const target = relation?.attributes['Target']
    if (target === undefined) return undefined
    return relation?.attributes['TargetMode'] === 'External' ? target : resolvePart(part, target)
  }
  return {
    target: (id) =>
      id === undefined ? undefined : resolve(all.find(({ attributes }) => attributes['Id'] === id)),
    ofType: (type) =>
      resolve(all.find(({ attributes }) => attributes['Type']?.endsWith(`/${type}`) === true)),
  }
}

interface Slide {
  readonly archive: Archive
  readonly relations: Relations
  readonly writer: MarkdownWriter
  showPicture(path: string | undefined, description: string): void
}

/** What no reader looks for: number, date and footer of the slide. */
const furniture = new Set(['sldNum', 'dt', 'ftr', 'hdr', 'sldImg'])

function writeTable(slide: Slide, table: XmlElement): void {
  const { writer } = slide
  writer.open('table')
  for (const row of elements(table, 'tr')) {
    writer.open('tr')
    for (const { attributes, children, name } of elements(row, 'tc')) {
      // The further parts of a merged cell are there, and empty.
      const isMerged = attributes['hMerge'] === '1' || attributes['vMerge'] === '1'
      writer.open('td')
      if (!isMerged)
        writeParagraphs(
          writer,
          child({ attributes, children, name }, 'txBody'),
          'plain',
          slide.relations.target,
        )
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
  const part = slide.relations.target(graphic?.attributes['r:dm'] ?? graphic?.attributes['r:id'])
  const content = part === undefined || !part.endsWith('.xml') ? undefined : slide.archive.read(part)
  if (content === undefined) return
  const root = parseXml(content)
  const texts = graphic?.name === 'chart' ? descendants(root, 'v') : descendants(root, 't')
  const seen = new Set([...descendants(root, 'title'), ...texts].map((element) => textOf(element).trim()))
  for (const text of seen) {
    if (text === '') continue
    slide.writer.open('p')
    slide.writer.text(text)
    slide.writer.close('p')
  }
}

function writeShapes(slide: Slide, tree: XmlElement | undefined): void {
  for (const shape of elements(tree)) {
    const properties = elements(shape).find(({ name }) => name.startsWith('nv'))
    const { descr = '', title = '' } = child(properties, 'cNvPr')?.attributes ?? {}
    if (shape.name === 'grpSp') writeShapes(slide, shape)
    else if (shape.name === 'AlternateContent')
      writeShapes(slide, child(shape, 'Choice') ?? child(shape, 'Fallback'))
    else if (shape.name === 'graphicFrame') writeGraphic(slide, shape)
    else if (shape.name === 'pic') {
      const blip = child(shape, 'blipFill', 'blip')
      slide.showPicture(slide.relations.target(blip?.attributes['r:embed']), descr || title)
    } else if (shape.name === 'sp') {
      const placeholder = placeholderOf(shape)
      if (isTitle(placeholder) || furniture.has(placeholder ?? '')) continue
      const isBulleted = placeholder === 'body' || placeholder === 'obj'
      const style = isBulleted ? 'bulleted' : 'plain'
      writeParagraphs(slide.writer, child(shape, 'txBody'), style, slide.relations.target)
    }
  }
}

function writeNotes(slide: Slide): void {
  const part = slide.relations.ofType('notesSlide')
  const content = part === undefined ? undefined : slide.archive.read(part)
  if (content === undefined) return
  // Not every program marks the notes as such; what else stands on that page is marked.
  const shapes = descendants(parseXml(content), 'sp').filter(
    (shape) => !furniture.has(placeholderOf(shape) ?? ''),
  )
  if (shapes.every((shape) => textOf(child(shape, 'txBody')).trim() === '')) return
  slide.writer.open('h3')
  slide.writer.text('Notes')
  slide.writer.close('h3')
  for (const shape of shapes)
    writeParagraphs(slide.writer, child(shape, 'txBody'), 'plain', slide.relations.target)
}

/** A presentation: each slide under a heading with its number and title, its notes at the end of it. */
export const readPptx: ReadDocument = ({ bytes, limits, pictures }) => {
  const archive = openArchive(bytes, limits)
  const main = 'ppt/presentation.xml'
  const presentation = archive.read(main)
  if (presentation === undefined) throw new ConvertError('broken')
  const relations = readRelations(archive, main)
  const ids = elements(child(parseXml(presentation), 'sldIdLst'), 'sldId')
  if (ids.length > limits.pages) throw new ConvertError('too-many-pages')
  return Promise.resolve(
    ids.flatMap(({ attributes }, index): PageText[] => {
      const part = relations.target(attributes['r:id'])
      const content = part === undefined ? undefined : archive.read(part)
      if (part === undefined || content === undefined) return []
      const writer = createMarkdownWriter()
      const tree = child(parseXml(content), 'cSld', 'spTree')
      const slide: Slide = {
        archive,
        writer,
        relations: readRelations(archive, part),
        showPicture(path, description) {
          const picture = path === undefined ? undefined : archive.read(path)
          const name = picture === undefined ? '' : pictures.add(picture)
          const words = description.replace(/\s+/g, ' ').trim()
          const shown = name === '' ? words : words === '' ? name : `${name} (${words})`
          if (shown !== '') writer.block(shown)
        },
      }
      writeTitle(writer, index + 1, tree)
      writeShapes(slide, tree)
      writeNotes(slide)
      return [{ page: index + 1, markdown: writer.finish() }]
    }),
  )
}
