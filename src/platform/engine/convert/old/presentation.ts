import { createLevels } from '../markdown/list-levels.ts'
import { toMarkdownTable } from '../markdown/table.ts'
import { escapeText } from '../markdown/inline.ts'
import { createMarkdownWriter, type MarkdownWriter } from '../markdown/writer.ts'
import { orderPlaced } from '../office/slide-order.ts'
import { ConvertError, type PageText, type ReadDocument } from '../reader.ts'
import { readStreams } from './ole-objects.ts'
import {
  createRecordReader,
  type PresentationRecord,
  readDirectory,
  RECORD,
  recordsIn,
} from './presentation-records.ts'
import { cellsOf, placeOf, type ShapeText, type SlideShape, shapesOf, TEXT, textsOf } from './presentation-shapes.ts'

/** Mark of a presentation with a password ([MS-PPT] section 2.3.2), and its place. */
const ENCRYPTED = 0xf3_d1_c4_df
const MARK_AT = 12
const LAST_EDIT_AT = 16
/** Lists of a document: its slides, masters and notes. */
const LISTS = { slides: 0, masters: 1, notes: 2 } as const
/** Bits: a slide shows its master; a slide is left out of the show. */
const SHOWS_MASTER = 1
const HIDDEN = 4
/** Number of the text that is the foot of a slide, and of the feet of all slides. */
const FOOT = 2
const ALL_SLIDES = 3

const BODIES: ReadonlySet<number> = new Set([TEXT.body, TEXT.halfBody, TEXT.quarterBody])
const isTitle = ({ kind }: ShapeText) => kind === TEXT.title || kind === TEXT.centreTitle
const linesOf = (text: string) =>
  text
    .split('\r')
    .map((line) => line.replaceAll('\v', '\n').replaceAll('\0', '').trim())
    .filter((line) => line !== '')
const toLine = (text: string) => linesOf(text).join(' ').replace(/\s+/g, ' ')

function writeText(writer: MarkdownWriter, { kind, text }: ShapeText): void {
  const levels = createLevels(writer)
  for (const line of linesOf(text)) {
    if (BODIES.has(kind)) {
      levels.item(0, false)
      writer.text(line)
      continue
    }
    writer.open('p')
    writer.text(line)
    writer.close('p')
  }
  levels.end()
}

/** A slide, master or page of notes, as its list has it. */
interface Listed {
  readonly id: number
  readonly record: PresentationRecord | undefined
  readonly outline: readonly ShapeText[]
}

interface Deck {
  readonly slides: readonly Listed[]
  readonly masters: ReadonlyMap<number, PresentationRecord>
  readonly notes: ReadonlyMap<number, PresentationRecord>
  readonly foot: string
}

const numberIn = (record: PresentationRecord | undefined, at: number) =>
  record !== undefined && at + 4 <= record.data.length ? record.data.readUInt32LE(at) : 0

function footOf(record: PresentationRecord, isOwn: (one: PresentationRecord) => boolean): string {
  const all = recordsIn(record, RECORD.headersFooters).filter(isOwn)
  const texts = all.flatMap((one) => recordsIn(one, RECORD.cString)).filter(({ instance }) => instance === FOOT)
  return toLine(texts.map(({ data }) => data.toString('utf16le')).join(' '))
}

const byId = (all: readonly Listed[]): ReadonlyMap<number, PresentationRecord> =>
  new Map(all.flatMap(({ id, record }) => (record === undefined ? [] : [[id, record] as const])))

/** @throws {ConvertError} `encrypted`, `old`, `broken` */
function readDeck(bytes: Buffer): Deck {
  const streams = readStreams(bytes)
  const [user, stream] = [streams.get('Current User'), streams.get('PowerPoint Document')]
  if (stream === undefined) throw new ConvertError('old')
  if (user === undefined || user.length < LAST_EDIT_AT + 4) throw new ConvertError('broken')
  if (user.readUInt32LE(MARK_AT) === ENCRYPTED) throw new ConvertError('encrypted')
  const readAt = createRecordReader(stream)
  const { places, document: id } = readDirectory(readAt, user.readUInt32LE(LAST_EDIT_AT))
  const find = (number: number) => readAt(places.get(number) ?? -1)
  const document = find(id)
  if (document?.type !== RECORD.document) throw new ConvertError('broken')
  const listOf = (instance: number): readonly Listed[] => {
    const list = document.children.find((one) => one.type === RECORD.slideList && one.instance === instance)
    const parts: PresentationRecord[][] = []
    for (const record of list?.children ?? [])
      if (record.type === RECORD.slidePersist) parts.push([record])
      else parts.at(-1)?.push(record)
    return parts.map(([own, ...texts]) => ({
      id: numberIn(own, 12),
      record: find(numberIn(own, 0)),
      // Numbers of texts count the empty ones.
      outline: outlineOf(texts),
    }))
  }
  return {
    slides: listOf(LISTS.slides),
    masters: byId(listOf(LISTS.masters)),
    notes: byId(listOf(LISTS.notes)),
    foot: footOf(document, ({ instance }) => instance === ALL_SLIDES),
  }
}

/** Texts of the list of slides, one for each head. */
function outlineOf(records: readonly PresentationRecord[]): readonly ShapeText[] {
  const parts: PresentationRecord[][] = []
  for (const record of records)
    if (record.type === RECORD.textHeader) parts.push([record])
    else parts.at(-1)?.push(record)
  return parts.map((children) => {
    const [head] = children
    return (
      textsOf({ type: 0, instance: 0, data: Buffer.alloc(0), children })[0] ?? { kind: numberIn(head, 0), text: '' }
    )
  })
}

function writeShape(writer: MarkdownWriter, shape: SlideShape): void {
  const cells = cellsOf(shape)
  if (cells !== undefined)
    writer.block(toMarkdownTable(cells.map((row) => row.map((cell) => escapeText(toLine(cell))))))
  else for (const text of shape.texts) if (!isTitle(text)) writeText(writer, text)
}

/** Lines that many slides show: the foot, and the text of the master. */
function sharedLines({ masters, foot }: Deck, slide: PresentationRecord): readonly string[] {
  const [atom] = recordsIn(slide, RECORD.slideAtom)
  const master = masters.get(numberIn(atom, 12))
  const isShown = (numberIn(atom, 20) & SHOWS_MASTER) !== 0
  const shapes = master === undefined || !isShown ? [] : shapesOf(master).filter(({ isPlaceholder }) => !isPlaceholder)
  const own = footOf(slide, () => true)
  const lines = shapes.flatMap(({ texts }) => texts.flatMap(({ text }) => linesOf(text)))
  return [own === '' ? foot : own, ...lines.filter((line) => /\p{L}/u.test(line))].filter((line) => line !== '')
}

function readSlide(deck: Deck, { record, outline }: Listed, page: number, seen: Set<string>): PageText[] {
  if (record === undefined) return []
  const writer = createMarkdownWriter()
  const shapes = shapesOf(record, outline).filter(({ isFurniture, texts }) => !isFurniture && texts.length > 0)
  const titles = shapes.flatMap(({ texts }) => texts.filter(isTitle))
  const isHidden = recordsIn(record, RECORD.showInfo).some(
    ({ data }) => data.length >= 12 && (data.readUInt16LE(10) & HIDDEN) !== 0,
  )
  const name = `Slide ${page}${isHidden ? ' (hidden)' : ''}`
  const title = titles.map(({ text }) => toLine(text)).join(' ')
  writer.open('h2')
  writer.text(title === '' ? name : `${name}: ${title}`)
  writer.close('h2')
  for (const shape of orderPlaced(shapes, placeOf)) writeShape(writer, shape)
  const shared = sharedLines(deck, record).filter((line) => !seen.has(line))
  for (const line of shared) {
    seen.add(line)
    writeText(writer, { kind: TEXT.notes, text: line })
  }
  const notes = deck.notes.get(numberIn(recordsIn(record, RECORD.slideAtom)[0], 16))
  const said = (notes === undefined ? [] : shapesOf(notes)).flatMap(({ isFurniture, texts }) =>
    isFurniture ? [] : texts,
  )
  if (said.length > 0) {
    writer.open('h3')
    writer.text('Notes')
    writer.close('h3')
    for (const text of said) writeText(writer, text)
  }
  return [{ page, markdown: writer.finish() }]
}

/** A presentation of PowerPoint 97 to 2003: its slides with their tables and notes. */
export const readPpt: ReadDocument = ({ bytes, limits }) => {
  const deck = readDeck(bytes)
  if (deck.slides.length > limits.pages) throw new ConvertError('too-many-pages')
  const seen = new Set<string>()
  return Promise.resolve(deck.slides.flatMap((slide, index) => readSlide(deck, slide, index + 1, seen)))
}
