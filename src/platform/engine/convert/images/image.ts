import { QUIET_SETTINGS } from '../pdf/pdf.ts'
import { findTessdata, loadNative, OCR_SETTINGS } from '../pdf/native-reader.ts'
import { asOnePart, ConvertError, type ReadDocument, type Source } from '../reader.ts'
import { readImageInfo } from './pictures.ts'

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

/** Text in the image, by text recognition where available; its failure does not fail the conversion. */
async function recognize({ bytes }: Source): Promise<string> {
  const tessdataPath = findTessdata()
  const native = tessdataPath === undefined ? undefined : loadNative()
  if (native === undefined || tessdataPath === undefined) return ''
  const parser = new native.LiteParse({ ...QUIET_SETTINGS, ...OCR_SETTINGS, tessdataPath })
  const { pages } = await parser.parse(bytes).catch(() => ({ pages: [] }))
  return pages
    .filter(({ text }) => text.trim() !== '')
    .map(({ markdown }) => markdown.replace(/!\[[^\]]*\]\([^)]*\)/g, '').trim())
    .join('\n\n')
}

/** An image as a document: its format, size, text, and the image itself. */
export const readImage: ReadDocument = async (source) => {
  const info = readImageInfo(source.bytes)
  if (info === undefined) throw new ConvertError('broken')
  const { format, width, height } = info
  const size = width === undefined || height === undefined ? '' : `, ${width} × ${height} pixels`
  const shown = source.pictures.add(source.bytes)
  const parts = [`${NAMES[format]} image${size}`, shown, await recognize(source)]
  return asOnePart(parts.filter((part) => part !== '').join('\n\n'))
}
