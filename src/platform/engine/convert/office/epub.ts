import { ConvertError, type PageText, type ReadDocument } from '../reader.ts'
import { decodePage, htmlToMarkdown, showImages } from '../web/html.ts'
import { child, descendants, elements, findTree, textOf, type XmlElement } from './xml.ts'
import { type Archive, openArchive, resolvePart } from './zip.ts'

function readPart(archive: Archive, name: string): XmlElement {
  const part = findTree(archive, name)
  if (part === undefined) throw new ConvertError('broken')
  return part
}

const decodePath = (path: string) => {
  try {
    return decodeURIComponent(path.split('#', 1)[0] ?? '')
  } catch {
    return path
  }
}

/** Encrypted text. Encrypted fonts do no harm. */
function checkLocks(archive: Archive): void {
  const locks = findTree(archive, 'META-INF/encryption.xml')
  const locked = descendants(locks, 'CipherReference').map(({ attributes }) => attributes['URI'] ?? '')
  if (locked.some((uri) => /\.x?html?$/i.test(uri))) throw new ConvertError('encrypted')
}

const toLine = (element: XmlElement | undefined) => textOf(element).replace(/\s+/g, ' ').trim()

/** Titles of the chapters by their file, from the table of contents of either version; the first of each file. */
function readTitles(archive: Archive, path: string, items: Iterable<XmlElement['attributes']>) {
  const titles = new Map<string, string>()
  for (const { href = '', properties = '', 'media-type': type } of items) {
    const isNcx = type === 'application/x-dtbncx+xml'
    if (!isNcx && !/\bnav\b/.test(properties)) continue
    const name = resolvePart(path, decodePath(href))
    const contents = findTree(archive, name)
    const entries = isNcx
      ? descendants(contents, 'navPoint').map((point) => [
          child(point, 'content')?.attributes['src'] ?? '',
          toLine(child(point, 'navLabel', 'text')),
        ])
      : descendants(contents, 'a').map((link) => [link.attributes['href'] ?? '', toLine(link)])
    for (const [target = '', title = ''] of entries) {
      const chapter = resolvePart(name, decodePath(target))
      if (title !== '' && !titles.has(chapter)) titles.set(chapter, title)
    }
  }
  return titles
}

/** A chapter with its title, where the text does not say it itself. */
function withTitle(markdown: string, title: string | undefined): string {
  if (title === undefined || markdown === '' || /^#{1,6} /m.test(markdown)) return markdown
  const first = markdown
    .split('\n', 1)[0]
    ?.replace(/[*_\\]/g, '')
    .trim()
  return first?.toLowerCase() === title.toLowerCase() ? markdown : `## ${title}\n\n${markdown}`
}

/** A book: its chapters in reading order, without the table of contents. */
export const readEpub: ReadDocument = ({ bytes, limits, pictures, onLost }) => {
  const archive = openArchive(bytes, { ...limits, onLost })
  checkLocks(archive)
  const container = readPart(archive, 'META-INF/container.xml')
  const path = descendants(container, 'rootfile')[0]?.attributes['full-path'] ?? ''
  const book = readPart(archive, path)
  const items = new Map(
    elements(child(book, 'manifest'), 'item').map(({ attributes }) => [attributes['id'] ?? '', attributes]),
  )
  const title = textOf(child(book, 'metadata', 'title'))
    .replace(/\s+/g, ' ')
    .trim()
  const titles = readTitles(archive, path, items.values())
  const chapters = elements(child(book, 'spine'), 'itemref').flatMap(({ attributes }, index): PageText[] => {
    const item = items.get(attributes['idref'] ?? '')
    if (item === undefined || /\bnav\b/.test(item['properties'] ?? '')) return []
    const name = resolvePart(path, decodePath(item['href'] ?? ''))
    const html = archive.need(name)
    if (html === undefined) return []
    const showImage = showImages(pictures, (src) =>
      /^[a-z]+:/i.test(src) ? undefined : archive.need(resolvePart(name, decodePath(src))),
    )
    return [{ page: index + 1, markdown: withTitle(htmlToMarkdown(decodePage(html), { showImage }), titles.get(name)) }]
  })
  const [first, ...others] = chapters.filter(({ markdown }) => markdown !== '')
  if (first === undefined || title === '' || first.markdown.startsWith('# ')) {
    return Promise.resolve(first === undefined ? [] : [first, ...others])
  }
  return Promise.resolve([{ ...first, markdown: `# ${title}\n\n${first.markdown}` }, ...others])
}
