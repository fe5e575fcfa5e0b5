import mammoth from 'mammoth'
import { asOnePart, type ReadDocument } from '../reader.ts'
import { htmlToMarkdown } from '../web/html.ts'
import { child, elements, parseXml, textOf, type XmlElement } from './xml.ts'
import { type Archive, openArchive } from './zip.ts'

interface Numbering {
  readonly list: string
  readonly level: number
}

/** Elements whose paragraphs mammoth skips or moves: fallbacks for older programs, and text boxes. */
const ELSEWHERE = new Set(['Fallback', 'txbxContent'])

function xmlParagraphs(parent: XmlElement): XmlElement[] {
  return elements(parent).flatMap((part) => {
    if (ELSEWHERE.has(part.name)) return []
    return part.name === 'p' ? [part, ...xmlParagraphs(part)] : xmlParagraphs(part)
  })
}

/** Text of a paragraph without its text boxes. */
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
  const content = archive.read('word/styles.xml')
  const styles = new Map(
    elements(content === undefined ? undefined : parseXml(content), 'style').map((style) => [
      style.attributes['w:styleId'],
      style,
    ]),
  )
  const find = (id: string | undefined, depth: number): Numbering | undefined => {
    const style = id === undefined || depth > 10 ? undefined : styles.get(id)
    if (style === undefined) return undefined
    return numberingOf(child(style, 'pPr')) ?? find(valueOf(child(style, 'basedOn')), depth + 1)
  }
  return (id) => find(id, 0)
}

/** Counts as Word does: lists of one definition continue, unless a list sets its start. */
function createCounter(numbering: XmlElement): (paragraph: Numbering) => number | undefined {
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
    const first = Number(valueOf(child(atLevel(definition, 'lvl', level), 'start')) ?? 1)
    const next = restart === undefined ? (count[level] ?? first - 1) + 1 : Number(restart)
    count[level] = next
    count.length = level + 1
    return Number.isInteger(next) && next >= 0 ? next : undefined
  }
}

/** The numbers that Word shows before paragraphs, by the text of the paragraphs; equal texts in order. */
function readNumbers(archive: Archive): Map<string, (number | undefined)[]> {
  const numbers = new Map<string, (number | undefined)[]>()
  const content = archive.read('word/document.xml')
  const lists = archive.read('word/numbering.xml')
  if (content === undefined || lists === undefined) return numbers
  const styles = readStyles(archive)
  const count = createCounter(parseXml(lists))
  for (const paragraph of xmlParagraphs(parseXml(content))) {
    const properties = child(paragraph, 'pPr')
    const numbering = numberingOf(properties) ?? styles(valueOf(child(properties, 'pStyle')))
    if (numbering === undefined || numbering.list === '0') continue
    const words = xmlWords(paragraph)
    const known = numbers.get(words) ?? []
    numbers.set(words, known)
    known.push(count(numbering))
  }
  return numbers
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

/** Control characters that no document can contain; they enclose the number of a paragraph. */
const [before, behind] = ['\u{fdd0}', '\u{fdd1}']

/** Inserts the number that Word shows before a paragraph; the paragraph is found by its text. */
function markNumbers(document: WordElement, numbers: ReturnType<typeof readNumbers>): WordElement {
  for (const paragraph of paragraphsOf(document)) {
    if (!paragraph.numbering) continue
    const number = numbers.get(wordsOf(paragraph))?.shift()
    if (number === undefined) continue
    const text = { type: 'text', value: `${before}${number}${behind}` }
    paragraph.children?.unshift({ type: 'run', children: [text] })
  }
  return document
}

const showNumbers = (html: string) =>
  html.replaceAll(/<li>\u{fdd0}(\d+)\u{fdd1}/gu, '<li value="$1">').replaceAll(/\u{fdd0}\d+\u{fdd1}/gu, '')

/** Word, by way of its HTML: styles become headings, lists nest, notes come at the end. */
export const readDocx: ReadDocument = async ({ bytes, limits, pictures }) => {
  const numbers = readNumbers(openArchive(bytes, { ...limits, verify: true }))
  const { value } = await mammoth.convertToHtml(
    { buffer: bytes },
    {
      styleMap: STYLE_MAP,
      // An empty line of code is a paragraph too.
      ignoreEmptyParagraphs: false,
      transformDocument: (document: WordElement) => markNumbers(document, numbers),
      // The alternative text comes as an extra attribute, which mammoth's types do not declare.
      convertImage: mammoth.images.imgElement(async (image) => ({ src: pictures.add(await image.readAsBuffer()) })),
    },
  )
  return asOnePart(
    htmlToMarkdown(
      showNumbers(value),
      ({ src, alt }) => [src, alt === undefined ? '' : `(${alt})`].filter(Boolean).join(' '),
      // Word tables have no header mark: a grid counts as data, a single row or column as layout.
      ({ rows, columns }) => rows > 1 && columns > 1,
    ),
  )
}
