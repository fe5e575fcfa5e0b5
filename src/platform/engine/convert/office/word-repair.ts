import { Parser } from 'htmlparser2'
import { decodeXml, findTree, readRelations } from './xml.ts'
import type { Archive } from './zip.ts'

/** Parts that the library reads, and reads strictly. */
const STRICT = /^\[Content_Types\]\.xml$|\.rels$|^word\/\w+\.xml$/
const STYLES = '<w:styles xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"/>'

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
/** Control characters are none of XML. */
const escape = (text: string) => text.replace(/(?![\t\n\r])\p{Cc}|[&<>"]/gu, (sign) => ESCAPES[sign] ?? '')

type IsMissing = (name: string, attributes: Readonly<Record<string, string>>) => boolean

/** Whether an element names what is not there: notes by their part, pictures and links by their relation. */
function findMissing(archive: Archive, part: string, parts: ReadonlyMap<string, unknown>): IsMissing {
  const relations = readRelations(archive, part)
  return (name, attributes) => {
    const notes = /:(foot|end)noteReference$/.exec(name)?.[1]
    if (notes !== undefined) return !parts.has(`word/${notes}notes.xml`)
    if (!/:(?:blip|imagedata|hyperlink|hlinkClick)$/.test(name)) return false
    const isMissing = Object.entries(attributes).some(
      ([key, id]) => /:(?:embed|link|id)$/.test(key) && relations.target(id) === undefined,
    )
    if (isMissing && /:(?:blip|imagedata)$/.test(name)) archive.lose('picture')
    return isMissing
  }
}

/** The same elements, closed and escaped; of missing ones the content only. */
function mend(bytes: Buffer, isMissing: IsMissing): Buffer {
  const out: string[] = []
  const open: boolean[] = []
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        const isShown = !isMissing(name, attributes)
        open.push(isShown)
        const shown = Object.entries(attributes).map(([key, value]) => ` ${key}="${escape(value)}"`)
        if (isShown) out.push(`<${name}${shown.join('')}>`)
      },
      ontext: (text) => void out.push(escape(text)),
      onclosetag(name) {
        if (open.pop() === true) out.push(`</${name}>`)
      },
    },
    { xmlMode: true, decodeEntities: true },
  )
  const text = decodeXml(bytes)
  // The parser would close a tag that it never opened.
  parser.end(text.slice(0, text.lastIndexOf('>') + 1))
  return Buffer.from(out.join(''))
}

/**
 * A Word document without what is damaged, as unpacked parts that mammoth reads: what is cut is closed, and what names a
 * missing part is left out.
 */
export function repairWord(archive: Archive) {
  const parts = new Map<string, Buffer>()
  for (const name of archive.names) {
    const isLost = STRICT.test(name) && findTree(archive, name) === undefined
    const bytes = isLost ? undefined : archive.read(name)
    if (bytes !== undefined) parts.set(name, bytes)
  }
  for (const [name, bytes] of parts) {
    if (STRICT.test(name)) parts.set(name, mend(bytes, findMissing(archive, name, parts)))
  }
  if (!parts.has('word/styles.xml')) parts.set('word/styles.xml', Buffer.from(STYLES))
  return {
    exists: (name: string) => parts.has(name),
    read: async (name: string, encoding?: BufferEncoding) => {
      const bytes = parts.get(name) ?? Buffer.alloc(0)
      return encoding === undefined ? bytes : bytes.toString(encoding)
    },
  }
}
