import { loadNative } from '../pdf/native-reader.ts'
import { createRecognizer } from '../pdf/recognize.ts'
import { markdownOf } from '../pdf/page-markdown.ts'
import { asOnePart, ConvertError, type ReadDocument, type Source } from '../reader.ts'
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

/** Text in the image, by text recognition; its failure does not fail the conversion. */
async function recognize({ bytes, limits, onPage }: Source, { width = 0, height = 0 }: ImageInfo): Promise<string> {
  const native = loadNative()
  if (native === undefined) return ''
  const recognizer = createRecognizer(native, bytes, limits.recognition, onPage)
  const size = { width: width / PIXELS_PER_POINT, height: height / PIXELS_PER_POINT }
  const page = await recognizer.read({ pageNum: 1, text: '', markdown: '', ...size }, 1)
  return page === undefined
    ? ''
    : markdownOf(page)
        .replace(/!\[[^\]]*\]\([^)]*\)/g, '')
        .trim()
}

/** An image as a document: its format, size, text, and the image itself. */
export const readImage: ReadDocument = async (source) => {
  const info = readImageInfo(source.bytes)
  if (info === undefined) throw new ConvertError('broken')
  const { format, width, height } = info
  const size = width === undefined || height === undefined ? '' : `, ${width} × ${height} pixels`
  const shown = source.pictures.add(source.bytes)
  const parts = [`${NAMES[format]} image${size}`, shown, await recognize(source, info)]
  return asOnePart(parts.filter((part) => part !== '').join('\n\n'))
}
