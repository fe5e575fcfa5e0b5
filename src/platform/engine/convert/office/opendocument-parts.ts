import { ConvertError, type Source } from '../reader.ts'
import { toMarkdownTable } from '../markdown/table.ts'
import { htmlToMarkdown } from '../web/html.ts'
import { type Embedded, MAX_DOCUMENTS } from './embedded.ts'
import { cellsOf, createRepeats } from './opendocument-sheet.ts'
import { rowsOf } from './opendocument-elements.ts'
import type { OpenText } from './opendocument-text.ts'
import { child, descendants, elements, findTree, textOf, type XmlElement } from './xml.ts'
import { type Archive, openArchive, resolvePart } from './zip.ts'

const CONTENT = 'content.xml'

/** The parts of a document. A flat one (FODT, FODS, FODP) is a single part, with its pictures and objects inside. */
export function openParts({ bytes, limits, onLost }: Source): Archive {
  if (bytes.subarray(0, 2).toString('latin1') === 'PK') return openArchive(bytes, { ...limits, onLost })
  const read = (name: string | undefined) => (name === CONTENT ? bytes : undefined)
  return { names: [CONTENT], read, need: read, lose: (name) => onLost?.(name) }
}

/** @throws {ConvertError} `encrypted` */
export function checkLocks(archive: Archive): void {
  if (descendants(findTree(archive, 'META-INF/manifest.xml'), 'encryption-data').length > 0) {
    throw new ConvertError('encrypted')
  }
}

const findPicture =
  (archive: Archive, { pictures }: Source): OpenText['picture'] =>
  (image) => {
    const inside = child(image, 'binary-data')
    if (inside !== undefined) return pictures.add(Buffer.from(textOf(inside), 'base64'))
    const path = image.attributes['xlink:href'] ?? ''
    // A picture outside the document is not read.
    const picture = /^[a-z]+:|^\.\.\//i.test(path) ? undefined : archive.need(resolvePart(CONTENT, path))
    return picture === undefined ? '' : pictures.add(picture)
  }

const SIGNS: Readonly<Record<string, string>> = { '<': '&lt;', '>': '&gt;', '&': '&amp;' }

/** A formula as markup again; its names are without prefixes. */
const toMarkup = ({ name, children }: XmlElement): string => {
  const inner = children.map((part) =>
    typeof part === 'string' ? part.replaceAll(/[<>&]/g, (sign) => SIGNS[sign] ?? sign) : toMarkup(part),
  )
  return `<${name}>${inner.join('')}</${name}>`
}

/** The formula of an object in one line, or its chart: its titles, and the table that it draws. */
const findChart =
  (archive: Archive): OpenText['chart'] =>
  (object) => {
    const path = object?.attributes['xlink:href'] ?? ''
    const apart = path === '' ? undefined : findTree(archive, `${resolvePart(CONTENT, path)}/content.xml`)
    const root = apart ?? elements(object).find(({ name }) => name === 'math' || name === 'document')
    if (root?.name === 'math') return htmlToMarkdown(toMarkup(root))
    const chart = descendants(root, 'chart').find((one) => child(one, 'plot-area'))
    if (chart === undefined) return ''
    const axes = elements(child(chart, 'plot-area'), 'axis')
    const titled = [child(chart, 'title'), child(chart, 'subtitle'), ...axes.map((axis) => child(axis, 'title'))]
    const titles = titled.map((title) => textOf(title).replace(/\s+/g, ' ').trim())
    const budget = createRepeats()
    const tables = elements(chart, 'table').map((table) =>
      toMarkdownTable(rowsOf(table).map((row) => cellsOf(row, budget))),
    )
    return [...titles, ...tables].filter((part) => part !== '').join('\n\n')
  }

/** Takes the documents of objects: files of other programs, and texts and sheets of the same one, which are folders. */
function createEmbedder(archive: Archive) {
  const embedded: Embedded[] = []
  const seen = new Set<string>()
  const embed = ({ attributes }: XmlElement) => {
    const path = attributes['xlink:href'] ?? ''
    if (path === '' || /^[a-z]+:|^\.\.\//i.test(path)) return
    const part = resolvePart(CONTENT, path)
    if (seen.has(part) || seen.size >= MAX_DOCUMENTS) return
    seen.add(part)
    const name = part.split('/').at(-1) ?? ''
    const content = archive.read(`${part}/content.xml`)
    // Read like a flat document, which is its content.
    if (content !== undefined) embedded.push({ name, bytes: content, ending: '.fodt' })
    else embedded.push({ name, bytes: archive.need(part) })
  }
  return { embedded, embed }
}

/** How the pictures and objects of a document are found. */
export const findObjects = (archive: Archive, source: Source) => ({
  picture: findPicture(archive, source),
  chart: findChart(archive),
  ...createEmbedder(archive),
})
