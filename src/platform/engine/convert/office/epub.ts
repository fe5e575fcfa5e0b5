import { ConvertError, type PageText, type ReadDocument } from '../reader.ts'
import { decodePage, htmlToMarkdown, type ShowImage, showImages } from '../web/html.ts'
import { escapeXml } from './word-paragraph.ts'
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

/** A title of the table of contents, and the element of the file that it leads to; empty: the file. */
interface Title {
  readonly id: string
  readonly text: string
}

/** Titles of the chapters by their file, from the table of contents of either version. */
function readTitles(archive: Archive, path: string, items: Iterable<XmlElement['attributes']>) {
  const titles = new Map<string, Title[]>()
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
      const id = /#(.*)$/s.exec(target)?.[1] ?? ''
      const before = titles.get(chapter) ?? []
      titles.set(chapter, before)
      if (title !== '' && !before.some((one) => one.id === id)) before.push({ id, text: title })
    }
  }
  return titles
}

const MAX_TITLES = 1000

/** The page with a heading before each element that a title leads to. */
function withHeadings(html: string, titles: readonly Title[]): string {
  const byId = new Map(titles.slice(0, MAX_TITLES).map(({ id, text }) => [id, text]))
  return html.replace(
    /<[a-z][^<>]{0,1000}?\s(?:id|name)\s?=\s?["']([^"'<>]{1,200})["'][^<>]{0,1000}>/gi,
    (tag, id: string) => {
      const text = byId.get(id)
      byId.delete(id)
      return text === undefined ? tag : `<h2>${escapeXml(text)}</h2>${tag}`
    },
  )
}

/** A chapter with its titles, where the text does not say them itself. */
function readChapter(html: string, titles: readonly Title[], showImage: ShowImage): string {
  const markdown = htmlToMarkdown(html, { showImage })
  const [first] = titles
  if (first === undefined || markdown === '' || /^#{1,6} /m.test(markdown)) return markdown
  const line = markdown
    .split('\n', 1)[0]
    ?.replace(/[*_\\]/g, '')
    .trim()
  const begins = line?.toLowerCase() === first.text.toLowerCase()
  const within = begins ? titles.slice(1) : titles
  const text = titles.length > 1 ? htmlToMarkdown(withHeadings(html, within), { showImage }) : markdown
  return begins || text.startsWith('## ') ? text : `## ${first.text}\n\n${text}`
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
    return [{ page: index + 1, markdown: readChapter(decodePage(html), titles.get(name) ?? [], showImage) }]
  })
  const [first, ...others] = chapters.filter(({ markdown }) => markdown !== '')
  if (first === undefined || title === '' || first.markdown.startsWith('# ')) {
    return Promise.resolve(first === undefined ? [] : [first, ...others])
  }
  return Promise.resolve([{ ...first, markdown: `# ${title}\n\n${first.markdown}` }, ...others])
}
