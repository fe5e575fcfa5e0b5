import { allPhrases, allWords } from '#lexicon/match.ts'
import mammoth from 'mammoth'
import type { Pictures } from '../images/pictures.ts'
import { asOnePart, ConvertError, type ReadDocument, type Source } from '../reader.ts'
import { htmlToMarkdown } from '../web/html.ts'
import { readEmbedded } from './embedded.ts'
import { readOtherParts } from './word-extras.ts'
import { AFTER_NUMBER, BEFORE_NUMBER } from './word-paragraph.ts'
import { prepareWord } from './word-parts.ts'
import { type Archive, openArchive } from './zip.ts'

const CODE_STYLES = ['Source Code', 'HTML Preformatted', 'Preformatted Text', 'Code', 'Plain Text']
const QUOTE_STYLES = allPhrases('documents', 'quoteStyles')

const STYLE_MAP = [
  "p[style-name='Title'] => h1:fresh",
  // Built-in names are English in every language; templates of other programs bring their own.
  ...allWords('documents', 'headingStyles').flatMap((name) =>
    [1, 2, 3, 4, 5, 6].map((level) => `p[style-name='${name} ${level}'] => h${level}:fresh`),
  ),
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

const NUMBER = `${BEFORE_NUMBER}(\\d+);([^${AFTER_NUMBER}]*)${AFTER_NUMBER}`
const ITEM = new RegExp(`<li>${NUMBER}`, 'gu')
const HEADING = new RegExp(`(<h[1-6]>)${NUMBER}`, 'gu')
const ELSEWHERE = new RegExp(NUMBER, 'gu')

/** Numbers of items and headings as Word shows them; other numbers are part of no text. */
const showNumbers = (html: string) =>
  html
    .replaceAll(
      ITEM,
      (_, number: string, label: string) => `<li value="${number}" label="${label.replaceAll('"', '&quot;')}">`,
    )
    .replaceAll(HEADING, (_, open: string, __, label: string) => (label === '' ? open : `${open}${label} `))
    .replaceAll(ELSEWHERE, '')

const MAX_CHUNKS = 100

/** Texts of documents within the document, in order; Word shows them as its own. Programs that make Word of web pages write them. */
async function readChunks(archive: Archive, { readInner }: Source, paths: readonly string[]): Promise<string[]> {
  const texts: string[] = []
  for (const path of paths.slice(0, MAX_CHUNKS)) {
    const bytes = archive.need(path)
    // oxlint-disable-next-line no-await-in-loop -- in order
    if (bytes !== undefined) texts.push((await readInner?.(path, bytes)) ?? '')
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
  const parts = prepareWord(archive)
  if (parts === undefined) throw new ConvertError('broken')
  // Mammoth's types do not declare `file`, unpacked parts.
  const { value } = await mammoth.convertToHtml({ file: parts.file } as unknown as { buffer: Buffer }, {
    styleMap: STYLE_MAP,
    // An empty line of code is a paragraph too.
    ignoreEmptyParagraphs: false,
    // The alternative text comes as an extra attribute, which mammoth's types do not declare.
    convertImage: mammoth.images.imgElement(async (image) => ({ src: await addPicture(pictures, image, onLost) })),
  })
  const text = htmlToMarkdown(showNumbers(value), {
    showImage: ({ src, alt }) => [src, alt === undefined ? '' : `(${alt})`].filter(Boolean).join(' '),
    // Word tables have no header mark: a grid counts as data, a single row or column as layout.
    holdsData: ({ rows, columns }) => rows > 1 && columns > 1,
  })
  const texts = [
    text,
    ...(await readChunks(archive, source, parts.chunks)),
    ...(await readEmbedded(archive, source, parts.embedded)),
    readOtherParts(archive, parts.relations, parts.quotes),
  ]
  return asOnePart(texts.filter((part) => part !== '').join('\n\n'))
}
