import type { MarkdownWriter } from '../markdown/writer.ts'
import type { OpenStyle, OpenStyles } from './opendocument-styles.ts'
import type { TextComment } from './comments.ts'
import { takeComment, takeQuoted } from './opendocument-comments.ts'
import { rowsOf, SHAPES, SKIPPED } from './opendocument-elements.ts'
import { countList, isOnlyList, itemsOf, labelOf, toNumber } from './opendocument-numbers.ts'
import { child, elements, textOf, type XmlElement } from './xml.ts'

export interface OpenText {
  readonly writer: MarkdownWriter
  readonly styles: OpenStyles
  /** Name of the picture of an image; empty when it has no picture. */
  picture(image: XmlElement): string
  /** Markdown of the chart or formula of an object; empty for other objects. */
  chart(object: XmlElement | undefined): string
  /** Cells, boxes and slides may have a ground, on which white letters are seen. */
  readonly isOnGround: boolean
  /** Paragraphs of a part that is not shown are marked as hidden; within a mark there is no other. */
  readonly isHidden: boolean
  readonly isMarked: boolean
  /** Comments found so far, to be written at the end; those that are open, by their names, take the text that they are about. */
  readonly comments: TextComment[]
  readonly openComments: Map<string, TextComment>
  /** Changes that remove text; those of them whose text is being passed. */
  readonly removals: ReadonlySet<string>
  readonly openRemovals: Set<string>
  /** Footnotes found so far, to be written at the end. */
  readonly notes: XmlElement[]
  /** Number of a heading as it is shown. */
  countHeading(level: number, start: string | undefined): string
  /** Takes the document of an object. */
  embed(object: XmlElement): void
  /** Number of the last item of each list, by id and by style: a later list may continue it. */
  readonly counts: Map<string, number>
}

const marksOf = (text: OpenText, element: XmlElement): readonly string[] => {
  const style = text.styles.of(element.attributes['text:style-name'])
  return [
    ...(style.bold ? ['strong'] : []),
    ...(style.italic ? ['em'] : []),
    ...(style.struck ? ['del'] : []),
    ...(style.role === 'code' ? ['code'] : []),
    ...(style.position === undefined ? [] : [style.position]),
  ]
}

/** Writes text, marked where readers of the document do not see it. */
function writeSeen(
  text: OpenText,
  part: XmlElement,
  style: OpenStyle | undefined,
  write: (text: OpenText) => void,
): void {
  const isHidden =
    text.isHidden ||
    style?.isHidden === true ||
    (style?.isWhite === true && !text.isOnGround) ||
    part.attributes['text:is-hidden'] === 'true'
  if (!isHidden || text.isMarked || textOf(part).trim() === '') return write(text)
  text.writer.text('[hidden: ')
  write({ ...text, isMarked: true })
  text.writer.text(']')
}

function writeFrame(text: OpenText, frame: XmlElement): void {
  const box = child(frame, 'text-box')
  const table = child(frame, 'table')
  const object = child(frame, 'object') ?? child(frame, 'object-ole')
  const chart = text.chart(child(frame, 'object'))
  if (object !== undefined && chart === '') text.embed(object)
  // A formula stays in its line.
  if (chart !== '' && !chart.includes('\n')) text.writer.inline(chart)
  else if (chart !== '') text.writer.block(chart)
  else if (box !== undefined) writeBody({ ...text, isOnGround: true }, box)
  else if (table !== undefined) writeTable(text, table)
  else {
    const name = elements(frame, 'image')
      .map((image) => text.picture(image))
      .find((one) => one !== '')
    const words = textOf(child(frame, 'title') ?? child(frame, 'desc')).trim()
    const shown = name === undefined ? words : words === '' ? name : `${name} (${words})`
    if (shown !== '') text.writer.inline(shown)
  }
}

/** LibreOffice leaves removed text in its place, where changes are shown. */
function passRemoval({ removals, openRemovals }: OpenText, { name, attributes }: XmlElement): void {
  const id = attributes['text:change-id'] ?? ''
  if (name === 'change-start' && removals.has(id)) openRemovals.add(id)
  else if (name === 'change-end') openRemovals.delete(id)
}

/** The number of a slide is drawn by the program. */
const isPlaceholder = (part: XmlElement) => part.name === 'page-number' && /^<.*>$/.test(textOf(part))

/** Text within a paragraph. */
function writeInline(text: OpenText, parent: XmlElement): void {
  const { writer } = text
  for (const part of parent.children) {
    if (typeof part !== 'string') passRemoval(text, part)
    if (text.openRemovals.size > 0) {
      // Its end may be within a link or a span.
      if (typeof part !== 'string') writeInline(text, part)
    } else if (typeof part === 'string') {
      takeQuoted(text, part)
      writer.text(part)
    } else if (part.name === 's') writer.text(' '.repeat(Math.min(Number(part.attributes['text:c'] ?? 1), 100)))
    else if (part.name === 'tab') writer.text('\t')
    else if (part.name === 'line-break') writer.open('br')
    else if (part.name === 'note') {
      text.notes.push(part)
      writer.open('a', { href: `#fn${text.notes.length}` })
      writer.close('a')
    } else if (part.name === 'a') {
      writer.open('a', { href: part.attributes['xlink:href'] ?? '' })
      writeInline(text, part)
      writer.close('a')
    } else if (part.name === 'frame') writeFrame(text, part)
    else if (part.name === 'annotation') takeComment(text, part)
    else if (part.name === 'annotation-end') text.openComments.delete(part.attributes['office:name'] ?? '')
    else if (SHAPES.has(part.name)) writeBody({ ...text, isOnGround: true }, part)
    else if (!SKIPPED.has(part.name) && !isPlaceholder(part)) {
      const isSpan = part.name === 'span'
      const marks = isSpan ? marksOf(text, part) : []
      const style = isSpan ? text.styles.of(part.attributes['text:style-name']) : undefined
      for (const mark of marks) writer.open(mark)
      writeSeen(text, part, style, (seen) => writeInline(seen, part))
      for (const mark of marks.toReversed()) writer.close(mark)
    }
  }
}

function writeParagraph(text: OpenText, paragraph: XmlElement): void {
  const { writer } = text
  const style = text.styles.of(paragraph.attributes['text:style-name'])
  const { role, bold, italic } = style
  const name = role === 'title' ? 'h1' : 'p'
  if (role === 'quote') writer.open('blockquote')
  writer.open(name)
  const marks = role === undefined ? [...(bold ? ['strong'] : []), ...(italic ? ['em'] : [])] : []
  for (const mark of marks) writer.open(mark)
  writeSeen(text, paragraph, style, (seen) => writeInline(seen, paragraph))
  for (const mark of marks.toReversed()) writer.close(mark)
  writer.close(name)
  if (role === 'quote') writer.close('blockquote')
}

const codeOf = (element: XmlElement): string =>
  element.children
    .map((part) => {
      if (typeof part === 'string') return part
      if (part.name === 's') return ' '.repeat(Math.min(Number(part.attributes['text:c'] ?? 1), 100))
      if (part.name === 'tab') return '\t'
      return part.name === 'line-break' ? '\n' : codeOf(part)
    })
    .join('')

interface OpenList {
  readonly items: readonly XmlElement[]
  /** From 1. */
  readonly level: number
  readonly style: string | undefined
  /** Number of the first item; that of the style by default. */
  readonly start?: number | undefined
  /** Numbers of the items around it. */
  readonly around: readonly number[]
}

function writeList(text: OpenText, { items, level, style, start, around }: OpenList): void {
  const { writer } = text
  const levels = text.styles.levelsOf(style)
  const name = levels.has(level) ? 'ol' : 'ul'
  let count = (start ?? levels.get(level)?.start ?? 1) - 1
  writer.open(name)
  for (const [index, item] of items.entries()) {
    if (index === 0 || !isOnlyList(item)) {
      if (index > 0) writer.close('li')
      count = toNumber(item.attributes['text:start-value']) ?? count + 1
      const label = isOnlyList(item) ? '' : labelOf(levels, [...around, count])
      writer.open('li', { value: String(count), label })
    }
    for (const part of elements(item)) {
      if (part.name !== 'list') writeBlock(text, part)
      else {
        const own = part.attributes['text:style-name'] ?? style
        writeList(text, { items: itemsOf(part), level: level + 1, style: own, around: [...around, count] })
      }
    }
  }
  if (items.length > 0) writer.close('li')
  writer.close(name)
}

function writeTable(text: OpenText, table: XmlElement): void {
  const { writer } = text
  writer.open('table')
  for (const row of rowsOf(table)) {
    writer.open('tr')
    for (const cell of elements(row, 'table-cell')) {
      const { attributes } = cell
      writer.open('td', {
        colspan: attributes['table:number-columns-spanned'] ?? '1',
        rowspan: attributes['table:number-rows-spanned'] ?? '1',
      })
      writeBody({ ...text, isOnGround: true }, cell)
      writer.close('td')
    }
    writer.close('tr')
  }
  writer.close('table')
}

/** The number of a heading; empty where its style, or it itself, has none. */
function numberOf(text: OpenText, { attributes }: XmlElement): string {
  if (attributes['text:is-list-header'] === 'true') return ''
  if (text.styles.of(attributes['text:style-name']).list === '') return ''
  return text.countHeading(
    Math.min(toNumber(attributes['text:outline-level']) ?? 1, 10),
    attributes['text:start-value'],
  )
}

function writeBlock(text: OpenText, block: XmlElement): void {
  const { writer } = text
  passRemoval(text, block)
  if (block.name === 'annotation') takeComment(text, block)
  if (SKIPPED.has(block.name)) return
  if (block.name === 'h') {
    const level = Math.min(Math.max(Number(block.attributes['text:outline-level'] ?? 1), 1), 6)
    writer.open(`h${level}`)
    const number = numberOf(text, block)
    if (number !== '') writer.text(`${number} `)
    writeInline(text, block)
    writer.close(`h${level}`)
  } else if (block.name === 'p') writeParagraph(text, block)
  else if (block.name === 'table') writeTable(text, block)
  else if (block.name === 'frame') {
    writer.open('div')
    writeFrame(text, block)
    writer.close('div')
  } else writeBody(block.attributes['text:display'] === 'none' ? { ...text, isHidden: true } : text, block)
}

/** Joins blocks that are one for the reader: consecutive paragraphs of code, and lists of one style. */
function groupOf(text: OpenText, block: XmlElement, before: string | undefined): string | undefined {
  const style = block.attributes['text:style-name']
  if (block.name === 'list') {
    const [first] = itemsOf(block)
    // Slides change the style within a list where a nested one begins.
    const goesOn = before?.startsWith('list') === true && first !== undefined && isOnlyList(first)
    return goesOn ? before : `list ${style}`
  }
  return block.name === 'p' && text.styles.of(style).role === 'code' ? 'code' : undefined
}

function writeGroup(text: OpenText, blocks: readonly XmlElement[]): void {
  const [first] = blocks
  if (first?.name === 'list') {
    const style = first.attributes['text:style-name']
    const { items, start } = countList(blocks, text.counts, text.styles.levelsOf(style))
    return writeList(text, { items, level: 1, style, start, around: [] })
  }
  text.writer.open('pre')
  text.writer.text(blocks.map(codeOf).join('\n'))
  text.writer.close('pre')
}

/** Blocks of a document, a cell, a slide or a box. */
export function writeBody(text: OpenText, parent: XmlElement): void {
  let group: XmlElement[] = []
  let kind: string | undefined
  for (const block of elements(parent)) {
    const next = groupOf(text, block, kind)
    if (group.length > 0 && next !== kind) {
      writeGroup(text, group)
      group = []
    }
    kind = next
    if (next === undefined) writeBlock(text, block)
    else group.push(block)
  }
  if (group.length > 0) writeGroup(text, group)
}

/** Writes the footnotes found so far. */
export function writeNotes(text: OpenText): void {
  for (let index = 0; index < text.notes.length; index += 1) {
    const body = child(text.notes[index], 'note-body')
    text.writer.open('li', { id: `fn${index + 1}` })
    if (body !== undefined) writeBody(text, body)
    text.writer.close('li')
  }
}
