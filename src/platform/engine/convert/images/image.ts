import { loadNative } from '../pdf/native-reader.ts'
import { createRecognizer } from '../pdf/scans/recognize.ts'
import { bestOf } from '../pdf/layout/choose.ts'
import { toUnreadImage, toUnreadPages } from '../pdf/scans/unread.ts'
import { asOnePart, ConvertError, type PageText, type ReadDocument, type Source } from '../reader.ts'
import { type ImageInfo, readImageInfo } from './pictures.ts'

const NAMES = {
  png: 'PNG',
  jpg: 'JPEG',
  gif: 'GIF',
  webp: 'WebP',
  bmp: 'BMP',
  tif: 'TIFF',
  avif: 'AVIF',
  heic: 'HEIC',
  svg: 'SVG',
  emf: 'EMF',
  wmf: 'WMF',
} as const

/** The reader takes a picture for a page of this resolution. */
const PIXELS_PER_POINT = 150 / 72

/** Pages of a TIFF. */
const MAX_PAGES = 200

/** Offsets of the directories of a TIFF, one for each page; a damaged chain ends at the damage. */
function directoriesOf(bytes: Buffer): number[] {
  const isLittle = bytes[0] === 0x49
  const short = (at: number) => (isLittle ? bytes.readUInt16LE(at) : bytes.readUInt16BE(at))
  const long = (at: number) => (isLittle ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at))
  const found = new Set<number>()
  for (let at = long(4); at !== 0 && at + 2 <= bytes.length && found.size < MAX_PAGES;) {
    if (found.has(at)) break
    found.add(at)
    const next = at + 2 + short(at) * 12
    at = next + 4 <= bytes.length ? long(next) : 0
  }
  return [...found]
}

/** The same TIFF, beginning with another of its pages. */
function startAt(bytes: Buffer, directory: number): Buffer {
  const copy = Buffer.from(bytes)
  if (bytes[0] === 0x49) copy.writeUInt32LE(directory, 4)
  else copy.writeUInt32BE(directory, 4)
  return copy
}

/** Text in the image, page by page, by text recognition; its failure does not fail the conversion. */
async function recognize(source: Source, { format }: ImageInfo): Promise<PageText[]> {
  const { bytes, limits, onNote } = source
  const native = loadNative()
  if (native === undefined) return []
  const directories = format === 'tif' && bytes.length > 8 ? directoriesOf(bytes) : []
  const count = Math.max(1, directories.length)
  const find = (page: number): Buffer => (directories.length < 2 ? bytes : startAt(bytes, directories[page - 1] ?? 0))
  const recognizer = createRecognizer(native, (page) => [find(page), 1], limits.recognition, source)
  const pages: PageText[] = []
  for (let page = 1; page <= count; page += 1) {
    const { width = 0, height = 0 } = readImageInfo(find(page)) ?? {}
    const size = { width: width / PIXELS_PER_POINT, height: height / PIXELS_PER_POINT }
    // oxlint-disable-next-line no-await-in-loop -- pages in order
    const read = await recognizer.read({ pageNum: page, text: '', markdown: '', ...size }, count)
    const text =
      read === undefined
        ? ''
        : bestOf(read)
            .replace(/!\[[^\]]*\]\([^)]*\)/g, '')
            .trim()
    if (text !== '') pages.push({ page, markdown: text })
  }
  const note = count > 1 ? toUnreadPages(recognizer.unread) : toUnreadImage(recognizer.unread)
  if (note !== undefined) onNote(note)
  return pages
}

/** An image as a document: its format, size, text, and the image itself. */
export const readImage: ReadDocument = async (source) => {
  const info = readImageInfo(source.bytes)
  if (info === undefined) throw new ConvertError('broken')
  const { format, width, height } = info
  const size = width === undefined || height === undefined ? '' : `, ${width} × ${height} pixels`
  const shown = source.pictures.add(source.bytes)
  const head = [`${NAMES[format]} image${size}`, shown].filter((part) => part !== '').join('\n\n')
  const [first, ...others] = await recognize(source, info)
  if (first === undefined) return asOnePart(head)
  return [{ page: first.page, markdown: `${head}\n\n${first.markdown}` }, ...others]
}
