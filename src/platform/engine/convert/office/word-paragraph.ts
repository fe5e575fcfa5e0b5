import { symbolFont, toSymbols } from '../markdown/symbol-fonts.ts'
import { drawn, shownForm } from './word-drawing.ts'
import { isHidden, toFormula } from './word-extras.ts'
import { type Counted, numberingOf, valueOf } from './word-numbering.ts'
import { child, elements, textOf, type XmlElement } from './xml.ts'

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
/** XML has no control characters. */
export const escapeXml = (text: string): string =>
  text.replace(/(?![\t\n\r])\p{Cc}|[&<>"]/gu, (sign) => ESCAPES[sign] ?? '')

/** Characters that no document can contain; they enclose the number of a paragraph and its label. */
export const [BEFORE_NUMBER, AFTER_NUMBER] = ['\u{fdd0}', '\u{fdd1}']

/** State of a document while its paragraphs come. */
export interface WordContext {
  count(properties: XmlElement | undefined): Counted | undefined
  /** Whether a relation leads to a part. */
  isRelated(id: string | undefined): boolean
  hasNotes(kind: 'footnote' | 'endnote'): boolean
  /** A picture has no part. */
  losePicture(): void
  /** The part of an embedded document. */
  embed(id: string): void
  /** Texts that comments are about, by the id of the comment; those that are open take more. */
  readonly quotes: Map<string, string>
  readonly openComments: Set<string>
}

/** Text that is not part of the document: deleted, moved away, or instructions to the program. */
const LEFT_OUT = new Set([
  'pPr',
  'rPr',
  'del',
  'moveFrom',
  'delText',
  'delInstrText',
  'sdtPr',
  'sdtEndPr',
  'smartTagPr',
  'customXmlPr',
  'fldData',
])
const KEPT_LOOK = ['rStyle', 'b', 'i', 'strike', 'vertAlign']
const MAX_QUOTE = 200

const attributesOf = (attributes: Readonly<Record<string, string>>, ...names: readonly string[]) =>
  names
    .flatMap((name) => (attributes[name] === undefined ? [] : [` ${name}="${escapeXml(attributes[name])}"`]))
    .join('')

/** Properties of a run that markdown can show. */
function lookOf(run: XmlElement): string {
  const look = child(run, 'rPr')
  return KEPT_LOOK.flatMap((name) => {
    const part = child(look, name)
    return part === undefined ? [] : [`<w:${name}${attributesOf(part.attributes, 'w:val')}/>`]
  }).join('')
}

interface Writing {
  readonly context: WordContext
  readonly isOnGround: boolean
  readonly parts: string[]
  /** Boxes of the paragraph, which come below it. */
  readonly boxes: XmlElement[]
  /** Words drawn as pictures. */
  readonly drawnWords: string[]
  /** Look of the last run, while text may be added to it. */
  look: string | undefined
  isHidden: boolean
  isAfterFormula: boolean
  /** Fields that are open; results of those within an instruction are part of it. */
  readonly fields: ('instruction' | 'result')[]
}

function closeRun(writing: Writing): void {
  if (writing.look !== undefined) writing.parts.push('</w:r>')
  writing.look = undefined
}

/** Adds to the last run, where it looks the same. */
function addToRun(writing: Writing, look: string, xml: string): void {
  if (writing.look !== look) {
    closeRun(writing)
    writing.parts.push(look === '' ? '<w:r>' : `<w:r><w:rPr>${look}</w:rPr>`)
    writing.look = look
  }
  writing.parts.push(xml)
}

function addText(writing: Writing, look: string, text: string): void {
  if (text === '' || writing.fields.slice(0, -1).includes('instruction')) return
  const { quotes, openComments } = writing.context
  for (const id of openComments) {
    const quote = quotes.get(id) ?? ''
    if (quote.length < MAX_QUOTE) quotes.set(id, quote + text)
  }
  addToRun(writing, look, `<w:t xml:space="preserve">${escapeXml(text)}</w:t>`)
}

function markHidden(writing: Writing, isNow: boolean): void {
  if (writing.isHidden === isNow) return
  writing.isHidden = isNow
  addToRun(writing, '', `<w:t xml:space="preserve">${isNow ? '[hidden: ' : ']'}</w:t>`)
}

function addPicture(writing: Writing, id: string | undefined, words: string): void {
  if (id === undefined) return
  if (!writing.context.isRelated(id)) return writing.context.losePicture()
  const blip = `<a:graphic><a:graphicData><pic:pic><pic:blipFill><a:blip r:embed="${escapeXml(id)}"/></pic:blipFill></pic:pic></a:graphicData></a:graphic>`
  closeRun(writing)
  writing.parts.push(
    `<w:r><w:drawing><wp:inline><wp:docPr descr="${escapeXml(words)}"/>${blip}</wp:inline></w:drawing></w:r>`,
  )
}

/** Pictures, boxes, drawn words and embedded documents of a drawing. */
function addDrawing(writing: Writing, drawing: XmlElement): void {
  const { descr = '', title = '' } = drawn(drawing, 'docPr')[0]?.attributes ?? {}
  for (const { attributes } of drawn(drawing, 'blip')) addPicture(writing, attributes['r:embed'], descr || title)
  for (const { attributes } of drawn(drawing, 'imagedata')) {
    addPicture(writing, attributes['r:id'] ?? attributes['r:embed'], attributes['o:title'] ?? '')
  }
  writing.boxes.push(...drawn(drawing, 'txbxContent'))
  for (const { attributes } of drawn(drawing, 'textpath')) writing.drawnWords.push(attributes['string'] ?? '')
  for (const { attributes } of drawn(drawing, 'OLEObject')) {
    if (attributes['r:id'] !== undefined) writing.context.embed(attributes['r:id'])
  }
}

/** The chosen entry of a form, which has no text of its own. */
function chosenEntry(field: XmlElement): string {
  const list = child(field, 'ffData', 'ddList')
  const chosen = Number(valueOf(child(list, 'result')) ?? valueOf(child(list, 'default')) ?? 0)
  return valueOf(elements(list, 'listEntry')[chosen]) ?? ''
}

const isTrue = (element: XmlElement | undefined) =>
  element !== undefined && !['0', 'false', 'off'].includes(valueOf(element) ?? '')

/** Fields stay parts of their own: text before a field is not part of its result. */
function addField(writing: Writing, part: XmlElement): void {
  closeRun(writing)
  if (part.name === 'instrText') {
    writing.parts.push(`<w:r><w:instrText>${escapeXml(textOf(part))}</w:instrText></w:r>`)
    return
  }
  const type = part.attributes['w:fldCharType']
  if (type === 'begin') writing.fields.push('instruction')
  else if (type === 'end') writing.fields.pop()
  else if (writing.fields.pop() !== undefined) writing.fields.push('result')
  const box = child(part, 'ffData', 'checkBox')
  const mark = isTrue(child(box, 'checked') ?? child(box, 'default')) ? '' : ' w:val="0"'
  const data = box === undefined ? '' : `<w:ffData><w:checkBox><w:checked${mark}/></w:checkBox></w:ffData>`
  writing.parts.push(`<w:r><w:fldChar${attributesOf(part.attributes, 'w:fldCharType')}>${data}</w:fldChar></w:r>`)
  if (child(part, 'ffData', 'ddList') !== undefined) addText(writing, '', chosenEntry(part))
}

function addRun(writing: Writing, run: XmlElement): void {
  const look = lookOf(run)
  const font = symbolFont(child(run, 'rPr', 'rFonts')?.attributes['w:ascii'])
  if (elements(run, 't').some((text) => textOf(text) !== '')) markHidden(writing, isHidden(run, writing.isOnGround))
  for (const part of elements(run)) {
    const { name, attributes } = part
    if (name === 't') addText(writing, look, font === undefined ? textOf(part) : toSymbols(font, textOf(part)))
    else if (name === 'tab' || name === 'ptab') addToRun(writing, look, '<w:tab/>')
    // The text goes on in a line, a column or a page of its own.
    else if (name === 'br' || name === 'cr') addToRun(writing, look, '<w:br/>')
    else if (name === 'noBreakHyphen' || name === 'softHyphen') addToRun(writing, look, `<w:${name}/>`)
    else if (name === 'sym') addToRun(writing, look, `<w:sym${attributesOf(attributes, 'w:font', 'w:char')}/>`)
    else if (name === 'footnoteReference' || name === 'endnoteReference') {
      if (writing.context.hasNotes(name === 'footnoteReference' ? 'footnote' : 'endnote'))
        addToRun(writing, look, `<w:${name}${attributesOf(attributes, 'w:id')}/>`)
    } else if (name === 'fldChar' || name === 'instrText') addField(writing, part)
    else if (name === 'drawing' || name === 'pict' || name === 'object') addDrawing(writing, part)
    else if (name === 'ruby') addText(writing, look, textOf(child(part, 'rubyBase')))
    else if (name === 'AlternateContent') {
      const form = shownForm(part)
      if (form !== undefined) addRun(writing, form)
    } else if (name === 'commentReference') noteComment(writing, part)
  }
}

/** A comment without a beginning is about the text before it. */
function noteComment({ context }: Writing, { attributes }: XmlElement): void {
  const id = attributes['w:id'] ?? ''
  if (!context.quotes.has(id)) context.quotes.set(id, '')
}

function addFormula(writing: Writing, formula: XmlElement): void {
  const text = toFormula(formula)
  if (text === '') return
  addText(writing, '', writing.isAfterFormula ? ` ${text}` : text)
}

function addLink(writing: Writing, link: XmlElement): void {
  const { attributes } = link
  const isLink =
    attributes['r:id'] === undefined
      ? attributes['w:anchor'] !== undefined
      : writing.context.isRelated(attributes['r:id'])
  closeRun(writing)
  if (isLink) writing.parts.push(`<w:hyperlink${attributesOf(attributes, 'r:id', 'w:anchor')}>`)
  addParts(writing, link)
  closeRun(writing)
  if (isLink) writing.parts.push('</w:hyperlink>')
}

/** A ticked box of Word 2010 is a mark in its text. */
function addControl(writing: Writing, control: XmlElement): void {
  const box = child(control, 'sdtPr', 'checkbox')
  if (box === undefined) return addParts(writing, control)
  const checked = child(box, 'checked')?.attributes['w14:val'] ?? '0'
  closeRun(writing)
  writing.parts.push(
    `<w:sdt><w:sdtPr><w14:checkbox><w14:checked w14:val="${escapeXml(checked)}"/></w14:checkbox></w:sdtPr><w:sdtContent>`,
  )
  addParts(writing, control)
  closeRun(writing)
  writing.parts.push('</w:sdtContent></w:sdt>')
}

function addParts(writing: Writing, parent: XmlElement): void {
  for (const part of elements(parent)) {
    const { name, attributes } = part
    const isFormula = name === 'oMath'
    if (name === 'r') addRun(writing, part)
    else if (isFormula) addFormula(writing, part)
    else if (name === 'hyperlink') addLink(writing, part)
    else if (name === 'sdt') addControl(writing, part)
    else if (name === 'commentRangeStart') writing.context.openComments.add(attributes['w:id'] ?? '')
    else if (name === 'commentRangeEnd') writing.context.openComments.delete(attributes['w:id'] ?? '')
    else if (name === 'AlternateContent') {
      const form = shownForm(part)
      if (form !== undefined) addParts(writing, form)
    } else if (!LEFT_OUT.has(name)) addParts(writing, part)
    writing.isAfterFormula = isFormula
  }
}

function propertiesOf(properties: XmlElement | undefined): string {
  const style = valueOf(child(properties, 'pStyle'))
  const numbering = numberingOf(properties)
  const list =
    numbering === undefined
      ? ''
      : `<w:numPr><w:ilvl w:val="${numbering.level}"/><w:numId w:val="${escapeXml(numbering.list)}"/></w:numPr>`
  const isDeleted = child(properties, 'rPr', 'del') !== undefined
  const all = `${style === undefined ? '' : `<w:pStyle w:val="${escapeXml(style)}"/>`}${list}${isDeleted ? '<w:rPr><w:del/></w:rPr>' : ''}`
  return all === '' ? '' : `<w:pPr>${all}</w:pPr>`
}

/** Boxes and tables within a paragraph are bounded by the depth of the tree. */
function boxToXml(box: XmlElement, context: WordContext): string {
  return elements(box)
    .map((part) => {
      if (part.name === 'p') return paragraphToXml(part, context, true)
      const inner = boxToXml(part, context)
      return /^(?:tbl|tr|tc)$/.test(part.name) ? `<w:${part.name}>${inner}</w:${part.name}>` : inner
    })
    .join('')
}

/**
 * A paragraph as mammoth reads it: all its text is in place, content that markdown can't show is left out, and its text
 * boxes come below it.
 */
export function paragraphToXml(paragraph: XmlElement, context: WordContext, isOnGround: boolean): string {
  const properties = child(paragraph, 'pPr')
  const writing: Writing = {
    context,
    isOnGround: isOnGround || child(properties, 'shd') !== undefined,
    parts: [`<w:p>${propertiesOf(properties)}`],
    boxes: [],
    drawnWords: [],
    look: undefined,
    isHidden: false,
    isAfterFormula: false,
    fields: [],
  }
  const counted = context.count(properties)
  if (counted !== undefined)
    addToRun(writing, '', `<w:t>${BEFORE_NUMBER}${counted.number};${escapeXml(counted.label)}${AFTER_NUMBER}</w:t>`)
  addParts(writing, paragraph)
  markHidden(writing, false)
  closeRun(writing)
  writing.parts.push('</w:p>')
  for (const words of writing.drawnWords) writing.parts.push(`<w:p><w:r><w:t>${escapeXml(words)}</w:t></w:r></w:p>`)
  for (const box of writing.boxes) writing.parts.push(boxToXml(box, context))
  return writing.parts.join('')
}
