import mammoth from 'mammoth'
import { readNumbers } from './docx-numbers.ts'
import { htmlToMarkdown } from '../web/html.ts'
import { asOnePart, type ReadDocument } from '../reader.ts'
import { openArchive } from './zip.ts'

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
  // Levels by style alone: each is a list of its own then, at its first level.
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
  (element.children ?? []).flatMap((one) => [
    ...(one.type === 'paragraph' ? [one] : []),
    ...paragraphsOf(one),
  ])

const wordsOf = ({ type, value = '', children = [] }: WordElement): string =>
  type === 'text' ? value : children.map(wordsOf).join('')

/** Signs that no document can hold; a number between them is that of its paragraph. */
const [before, behind] = ['\u{fdd0}', '\u{fdd1}']

/** Puts the number that Word shows before a paragraph into it. Which is whose is told by the words. */
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
      // Undocumented in its types: the alternative text comes as a further attribute.
      convertImage: mammoth.images.imgElement(async (image) => ({
        src: pictures.add(await image.readAsBuffer()),
      })),
    },
  )
  return asOnePart(
    htmlToMarkdown(
      showNumbers(value),
      ({ src, alt }) => [src, alt === undefined ? '' : `(${alt})`].filter(Boolean).join(' '),
      // Word has no heads of tables; a grid is for reading, a single row or column lays out.
      ({ rows, columns }) => rows > 1 && columns > 1,
    ),
  )
}
