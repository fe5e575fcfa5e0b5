import { Parser } from 'htmlparser2'
import { createNumbers } from './word-numbering.ts'
import { escapeXml, paragraphToXml, type WordContext } from './word-paragraph.ts'
import { decodeXml, findTree, readRelations, readTree, type Relations } from './xml.ts'
import { type Archive, resolvePart } from './zip.ts'

/** Parts that mammoth reads, and reads strictly. */
const STRICT = /^\[Content_Types\]\.xml$|\.rels$|(?:styles|numbering)\w*\.xml$/
const STYLES = '<w:styles xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"/>'

const NAMESPACES = Object.entries({
  w: 'http://schemas.openxmlformats.org/wordprocessingml/2006/main',
  r: 'http://schemas.openxmlformats.org/officeDocument/2006/relationships',
  wp: 'http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing',
  a: 'http://schemas.openxmlformats.org/drawingml/2006/main',
  pic: 'http://schemas.openxmlformats.org/drawingml/2006/picture',
  w14: 'http://schemas.microsoft.com/office/word/2010/wordml',
})
  .map(([prefix, address]) => ` xmlns:${prefix}="${address}"`)
  .join('')

/** The same elements, closed and escaped. */
function mend(bytes: Buffer): string {
  const out: string[] = []
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        const shown = Object.entries(attributes).map(([key, value]) => ` ${key}="${escapeXml(value)}"`)
        out.push(`<${name}${shown.join('')}>`)
      },
      ontext: (text) => void out.push(escapeXml(text)),
      onclosetag: (name) => void out.push(`</${name}>`),
    },
    { xmlMode: true, decodeEntities: true },
  )
  const text = decodeXml(bytes)
  // The parser would close a tag that it never opened.
  parser.end(text.slice(0, text.lastIndexOf('>') + 1))
  return out.join('')
}

/** Elements around paragraphs that mammoth reads, with the attribute that says more. */
const FRAME: ReadonlyMap<string, readonly string[]> = new Map([
  ['tbl', []],
  ['tr', []],
  ['trPr', []],
  ['tblHeader', ['w:val']],
  ['tc', []],
  ['tcPr', []],
  ['gridSpan', ['w:val']],
  ['vMerge', ['w:val']],
  ['footnote', ['w:id', 'w:type']],
  ['endnote', ['w:id', 'w:type']],
])

/** A part of text as mammoth reads it; it is never held as a tree. Undefined where the part is damaged or missing. */
function toBody(archive: Archive, path: string, root: string, context: WordContext, onChunk: (id: string) => void) {
  const out: string[] = [`<w:${root}${NAMESPACES}>${root === 'document' ? '<w:body>' : ''}`]
  let tables = 0
  /** Depth of the forms for older programs. */
  let fallbacks = 0
  let isInRow = false
  /** Columns that a row leaves free before its first cell. */
  let freeColumns = 0
  const tree = readTree(archive, path, {
    name: 'p',
    take(paragraph) {
      if (fallbacks === 0) out.push(paragraphToXml(paragraph, context, tables > 0))
    },
    open(name, attributes) {
      if (name === 'Fallback') fallbacks += 1
      if (name === 'tbl') tables += 1
      if (name === 'trPr') isInRow = true
      if (name === 'gridBefore' && isInRow) freeColumns = Number(attributes['w:val'] ?? 0)
      // Around paragraphs: those within are their own.
      if (name === 'commentRangeStart') context.openComments.add(attributes['w:id'] ?? '')
      if (name === 'commentRangeEnd') context.openComments.delete(attributes['w:id'] ?? '')
      if (name === 'altChunk') onChunk(attributes['r:id'] ?? '')
      const kept = FRAME.get(name)
      if (name === 'del' && isInRow) out.push('<w:del/>')
      if (kept === undefined || fallbacks > 0) return
      const shown = kept.flatMap((key) =>
        attributes[key] === undefined ? [] : [` ${key}="${escapeXml(attributes[key])}"`],
      )
      out.push(`<w:${name}${shown.join('')}>`)
    },
    close(name) {
      if (name === 'tbl') tables -= 1
      if (name === 'trPr') isInRow = false
      if (FRAME.has(name) && fallbacks === 0) out.push(`</w:${name}>`)
      if (name === 'trPr' && freeColumns > 0) {
        if (fallbacks === 0) out.push(`<w:tc><w:tcPr><w:gridSpan w:val="${freeColumns}"/></w:tcPr><w:p/></w:tc>`)
        freeColumns = 0
      }
      if (name === 'Fallback') fallbacks -= 1
    },
  })
  if (tree === undefined) return undefined
  out.push(`${root === 'document' ? '</w:body>' : ''}</w:${root}>`)
  return out.join('')
}

/** The texts of a Word document, ready to be read. */
export interface WordParts {
  /** Parts for mammoth, unpacked. */
  readonly file: {
    exists(name: string): boolean
    read(name: string, encoding?: BufferEncoding): Promise<Buffer | string>
  }
  /** Texts that comments are about, by the id of the comment. */
  readonly quotes: ReadonlyMap<string, string>
  readonly relations: Relations
  /** Parts that hold other documents: those shown as text of this one, and those embedded. */
  readonly chunks: readonly string[]
  readonly embedded: readonly string[]
}

/** Prepares a document for mammoth: its unread parts become plain text in their place. Undefined: no text. */
export function prepareWord(archive: Archive): WordParts | undefined {
  const main = readRelations(archive, '').ofType('officeDocument') ?? 'word/document.xml'
  const relations = readRelations(archive, main)
  const find = (type: string) => {
    const usual = resolvePart(main, `${type}.xml`)
    const named = relations.ofType(type)
    return named !== undefined && archive.names.includes(named) ? named : usual
  }
  const quotes = new Map<string, string>()
  const chunks: string[] = []
  const embedded: string[] = []
  const push = (paths: string[]) => (id: string) => {
    const path = relations.target(id)
    if (path !== undefined) paths.push(path)
  }
  const texts = new Map<string, string>()
  const notePaths = { footnote: find('footnotes'), endnote: find('endnotes') }
  const contextOf = (path: string, count: WordContext['count']): WordContext => {
    const own = path === main ? relations : readRelations(archive, path)
    return {
      count,
      isRelated: (id) => own.target(id) !== undefined,
      hasNotes: (kind) => texts.has(notePaths[kind]),
      losePicture: () => archive.lose('picture'),
      embed: path === main ? push(embedded) : () => undefined,
      quotes,
      openComments: new Set(),
    }
  }
  for (const [kind, path] of Object.entries(notePaths)) {
    if (!archive.names.includes(path)) continue
    const text = toBody(
      archive,
      path,
      `${kind}s`,
      contextOf(path, () => undefined),
      () => undefined,
    )
    if (text !== undefined) texts.set(path, text)
  }
  const numbers = createNumbers(archive, { styles: find('styles'), numbering: find('numbering') })
  const body = toBody(archive, main, 'document', contextOf(main, numbers), push(chunks))
  if (body === undefined) return undefined
  texts.set(main, body)
  return { file: toFile(archive, texts, find('styles')), quotes, relations, chunks, embedded }
}

function toFile(archive: Archive, texts: ReadonlyMap<string, string>, styles: string): WordParts['file'] {
  const names = new Set(archive.names)
  const comments = /comments\w*\.xml$/
  const isReadable = (name: string) => !STRICT.test(name) || findTree(archive, name) !== undefined
  const read = (name: string): Buffer => {
    const text = texts.get(name)
    if (text !== undefined) return Buffer.from(text)
    if (name === styles && (!names.has(name) || !isReadable(name))) return Buffer.from(STYLES)
    const bytes = archive.read(name) ?? Buffer.alloc(0)
    return STRICT.test(name) ? Buffer.from(mend(bytes)) : bytes
  }
  return {
    exists: (name) =>
      texts.has(name) ||
      name === styles ||
      (names.has(name) && !comments.test(name) && !/(?:foot|end)notes\w*\.xml$/.test(name) && isReadable(name)),
    read: async (name, encoding) => {
      const bytes = read(name)
      return encoding === undefined ? bytes : bytes.toString(encoding)
    },
  }
}
