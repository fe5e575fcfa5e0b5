import mammoth from 'mammoth'
import type { Pictures } from '../images/pictures.ts'
import { asOnePart, ConvertError, type ReadDocument, type Source } from '../reader.ts'
import { htmlToMarkdown } from '../web/html.ts'
import { type Insert, insertsOf, readBeside } from './word-extras.ts'
import { repairWord } from './word-repair.ts'
import { child, descendants, elements, findTree, readRelations, textOf, type XmlElement } from './xml.ts'
import { type Archive, openArchive } from './zip.ts'

interface Numbering {
  readonly list: string
  readonly level: number
}

/** Elements that mammoth skips or moves: fallbacks for older programs, text boxes, formulas, text with its pronunciation. */
const ELSEWHERE = new Set(['Fallback', 'txbxContent', 'oMath', 'oMathPara', 'ruby'])

interface XmlParagraph {
  readonly paragraph: XmlElement
  readonly isInTable: boolean
}

function xmlParagraphs(parent: XmlElement, isInTable = false): XmlParagraph[] {
  return elements(parent).flatMap((part) => {
    if (ELSEWHERE.has(part.name)) return []
    const inner = xmlParagraphs(part, isInTable || part.name === 'tbl')
    return part.name === 'p' ? [{ paragraph: part, isInTable }, ...inner] : inner
  })
}

/** Text of a paragraph as mammoth reads it. */
const xmlWords = (parent: XmlElement): string =>
  elements(parent)
    .map((part) => (part.name === 't' ? textOf(part) : ELSEWHERE.has(part.name) ? '' : xmlWords(part)))
    .join('')

const atLevel = (parent: XmlElement, name: string, level: number) =>
  elements(parent, name).find((one) => Number(one.attributes['w:ilvl'] ?? 0) === level)

const valueOf = (element: XmlElement | undefined) => element?.attributes['w:val']

function numberingOf(properties: XmlElement | undefined): Numbering | undefined {
  const numbering = child(properties, 'numPr')
  const list = valueOf(child(numbering, 'numId'))
  return list === undefined ? undefined : { list, level: Number(valueOf(child(numbering, 'ilvl')) ?? 0) }
}

/** Numbering by style id, inherited from the parent style where the style has none. */
function readStyles(archive: Archive): (id: string | undefined) => Numbering | undefined {
  const styles = new Map(
    elements(findTree(archive, 'word/styles.xml'), 'style').map((style) => [style.attributes['w:styleId'], style]),
  )
  const find = (id: string | undefined, depth: number): Numbering | undefined => {
    const style = id === undefined || depth > 10 ? undefined : styles.get(id)
    if (style === undefined) return undefined
    return numberingOf(child(style, 'pPr')) ?? find(valueOf(child(style, 'basedOn')), depth + 1)
  }
  return (id) => find(id, 0)
}

interface Counted {
  readonly number: number
  /** As Word shows it, with the numbers of the levels above: `2.1`; empty where it is not made of numbers. */
  readonly label: string
}

/** Counts as Word does: lists of one definition continue, unless a list sets its start. */
function createCounter(numbering: XmlElement): (paragraph: Numbering) => Counted | undefined {
  const definitions = new Map(elements(numbering, 'abstractNum').map((one) => [one.attributes['w:abstractNumId'], one]))
  const lists = new Map(elements(numbering, 'num').map((one) => [one.attributes['w:numId'], one]))
  const counts = new Map<XmlElement, number[]>()
  const begun = new Set<string>()
  return ({ list, level }) => {
    const used = lists.get(list)
    const definition = definitions.get(valueOf(child(used, 'abstractNumId')))
    if (used === undefined || definition === undefined) return undefined
    const count = counts.get(definition) ?? []
    counts.set(definition, count)
    const key = `${list} ${level}`
    const restart = begun.has(key) ? undefined : valueOf(child(atLevel(used, 'lvlOverride', level), 'startOverride'))
    begun.add(key)
    const firstOf = (at: number) => Number(valueOf(child(atLevel(definition, 'lvl', at), 'start')) ?? 1)
    const next = restart === undefined ? (count[level] ?? firstOf(level) - 1) + 1 : Number(restart)
    count[level] = next
    count.length = level + 1
    if (!Number.isInteger(next) || next < 0) return undefined
    const own = atLevel(definition, 'lvl', level)
    const shown = valueOf(child(own, 'numFmt')) === 'decimal' ? (valueOf(child(own, 'lvlText')) ?? '') : ''
    return {
      number: next,
      label: shown.replace(/%(\d)/g, (_, at: string) => String(count[Number(at) - 1] ?? firstOf(Number(at) - 1))),
    }
  }
}

interface Lost {
  readonly counted: Counted | undefined
  readonly inserts: readonly Insert[]
}

/** Parts that mammoth does not read, by the text of their paragraphs; of equal texts the first one stands last. */
function readLost(archive: Archive): Map<string, Lost[]> {
  const lost = new Map<string, Lost[]>()
  const content = findTree(archive, 'word/document.xml')
  if (content === undefined) return lost
  const lists = findTree(archive, 'word/numbering.xml')
  const styles = readStyles(archive)
  const count = lists === undefined ? () => undefined : createCounter(lists)
  for (const { paragraph, isInTable } of xmlParagraphs(content)) {
    const properties = child(paragraph, 'pPr')
    const numbering = numberingOf(properties) ?? styles(valueOf(child(properties, 'pStyle')))
    const counted = numbering === undefined || numbering.list === '0' ? undefined : count(numbering)
    const words = xmlWords(paragraph)
    const known = lost.get(words) ?? []
    lost.set(words, known)
    known.push({ counted, inserts: insertsOf(paragraph, xmlWords, isInTable) })
  }
  // Taken from the end: a document may have a hundred thousand empty paragraphs.
  for (const known of lost.values()) known.reverse()
  return lost
}

const CODE_STYLES = ['Source Code', 'HTML Preformatted', 'Preformatted Text', 'Code', 'Plain Text']
const QUOTE_STYLES = ['Quote', 'Intense Quote', 'Block Text', 'Quotations', 'Zitat']

const STYLE_MAP = [
  "p[style-name='Title'] => h1:fresh",
  // Built-in names are English in every language; templates of other programs bring their own.
  ...[1, 2, 3, 4, 5, 6].flatMap((level) => [
    `p[style-name='Überschrift ${level}'] => h${level}:fresh`,
    `p[style-name='見出し ${level}'] => h${level}:fresh`,
  ]),
  ...CODE_STYLES.map((name) => `p[style-name='${name}'] => pre:separator('\\n')`),
  ...QUOTE_STYLES.map((name) => `p[style-name='${name}'] => blockquote > p:fresh`),
  // Levels given only by a style: each becomes a list of its own, at its first level.
  ...[2, 3, 4, 5].flatMap((level) => [
    `p[style-name='List Bullet ${level}']:unordered-list(1) => ${'ul|ol > li > '.repeat(level - 1)}ul > li:fresh`,
    `p[style-name='List Number ${level}']:ordered-list(1) => ${'ul|ol > li > '.repeat(level - 1)}ol > li:fresh`,
  ]),
  "r[style-name='Verbatim Char'] => code",
  "r[style-name='HTML Code'] => code",
]

interface WordElement {
  readonly type?: string
  readonly children?: WordElement[]
  readonly value?: string
  readonly numbering?: object | null
}

const paragraphsOf = (element: WordElement): WordElement[] =>
  (element.children ?? []).flatMap((one) => [...(one.type === 'paragraph' ? [one] : []), ...paragraphsOf(one)])

const wordsOf = ({ type, value = '', children = [] }: WordElement): string =>
  type === 'text' ? value : children.map(wordsOf).join('')

/** Control characters that no document can contain; they enclose the number of a paragraph and its label. */
const [before, behind] = ['\u{fdd0}', '\u{fdd1}']

const toRun = (value: string): WordElement => ({ type: 'run', children: [{ type: 'text', value }] })

/** Inserts behind so many letters; they stand between the children of a paragraph. */
function insertText(paragraph: WordElement, inserts: readonly Insert[]): void {
  let at = 0
  let next = 0
  const children = (paragraph.children ?? []).flatMap((one) => {
    const later = inserts.slice(next).findIndex((insert) => insert.at > at)
    const due = later === -1 ? inserts.length : next + later
    const runs = inserts.slice(next, due).map(({ text }) => toRun(text))
    next = due
    at += wordsOf(one).length
    return [...runs, one]
  })
  paragraph.children?.splice(0, Infinity, ...children, ...inserts.slice(next).map(({ text }) => toRun(text)))
}

/** Puts in what mammoth did not read; a paragraph is found by its text. */
function addLost(document: WordElement, lost: ReturnType<typeof readLost>): WordElement {
  for (const paragraph of paragraphsOf(document)) {
    const { counted, inserts = [] } = lost.get(wordsOf(paragraph))?.pop() ?? {}
    if (inserts.length > 0) insertText(paragraph, inserts)
    if (paragraph.numbering && counted !== undefined) {
      paragraph.children?.unshift(toRun(`${before}${counted.number};${counted.label}${behind}`))
    }
  }
  return document
}

const showNumbers = (html: string) =>
  html
    .replaceAll(/<li>\u{fdd0}(\d+);([\d.]*)[^\u{fdd1}]*\u{fdd1}/gu, '<li value="$1" label="$2">')
    .replaceAll(/(<h[1-6]>(?:<a id="[^"]*"><\/a>)*)\u{fdd0}\d+;([^\u{fdd1}]+)\u{fdd1}/gu, '$1$2 ')
    .replaceAll(/\u{fdd0}[^\u{fdd1}]*\u{fdd1}/gu, '')

/** Documents of other formats within the document, by their extension; programs that make Word of web pages write them. */
const CHUNKS: Readonly<Record<string, () => Promise<ReadDocument>>> = {
  htm: async () => (await import('../web/html.ts')).readPage,
  html: async () => (await import('../web/html.ts')).readPage,
  xhtml: async () => (await import('../web/html.ts')).readPage,
  mht: async () => (await import('../mail/mail.ts')).readMail,
  mhtml: async () => (await import('../mail/mail.ts')).readMail,
  rtf: async () => (await import('../rtf/rtf.ts')).readRtf,
}
const MAX_CHUNKS = 100

/** Texts of documents within the document, in order; Word shows them as its own. */
async function readChunks(archive: Archive, source: Source): Promise<string[]> {
  const ids = descendants(findTree(archive, 'word/document.xml'), 'altChunk').slice(0, MAX_CHUNKS)
  const relations = readRelations(archive, 'word/document.xml')
  const texts: string[] = []
  for (const { attributes } of ids) {
    const path = relations.target(attributes['r:id']) ?? ''
    const bytes = archive.need(path)
    const load = CHUNKS[path.slice(path.lastIndexOf('.') + 1).toLowerCase()]
    if (bytes === undefined || load === undefined) continue
    // oxlint-disable-next-line no-await-in-loop -- in order
    const pages = await (await load())({ ...source, bytes, name: path })
    texts.push(...pages.map(({ markdown }) => markdown))
  }
  return texts
}

async function addPicture(
  pictures: Pictures,
  image: { readonly readAsBuffer: () => Promise<Buffer> },
  onLost: Source['onLost'],
): Promise<string> {
  try {
    return pictures.add(await image.readAsBuffer())
  } catch {
    // Its part is damaged or missing.
    onLost?.('picture')
    return ''
  }
}

/** Word, by way of its HTML: styles become headings, lists nest, notes come at the end. */
export const readDocx: ReadDocument = async (source) => {
  const { bytes, limits, pictures, onLost } = source
  const archive = openArchive(bytes, { ...limits, verify: true, onLost })
  const lost = readLost(archive)
  const toHtml = async (input: { readonly buffer: Buffer } | { readonly file: ReturnType<typeof repairWord> }) => {
    // Mammoth's types do not declare `file`, unpacked parts.
    const { value } = await mammoth.convertToHtml(input as { buffer: Buffer }, {
      styleMap: STYLE_MAP,
      // An empty line of code is a paragraph too.
      ignoreEmptyParagraphs: false,
      transformDocument: (document: WordElement) => addLost(document, lost),
      // The alternative text comes as an extra attribute, which mammoth's types do not declare.
      convertImage: mammoth.images.imgElement(async (image) => ({ src: await addPicture(pictures, image, onLost) })),
    })
    return value
  }
  let isRepaired = false
  const value = await toHtml({ buffer: bytes }).catch(() => {
    isRepaired = true
    return toHtml({ file: repairWord(archive) })
  })
  const text = htmlToMarkdown(showNumbers(value), {
    showImage: ({ src, alt }) => [src, alt === undefined ? '' : `(${alt})`].filter(Boolean).join(' '),
    // Word tables have no header mark: a grid counts as data, a single row or column as layout.
    holdsData: ({ rows, columns }) => rows > 1 && columns > 1,
  })
  const parts = [text, ...(await readChunks(archive, source)), readBeside(archive)].filter((part) => part !== '')
  if (isRepaired && parts.length === 0) throw new ConvertError('broken')
  return asOnePart(parts.join('\n\n'))
}
