import { createHash } from 'node:crypto'
import type { ConvertedImage } from '#platform/wire/documents.ts'

/** Collects the images of a document. */
export interface Pictures {
  /** File name of the image in the result, the same for the same bytes; empty when it is left out. */
  add(bytes: Uint8Array, type?: 'picture' | 'table'): string
  readonly images: readonly ConvertedImage[]
}

const MAX_PICTURES = 1000

export function createPictures(maxBytes: number): Pictures {
  const images: ConvertedImage[] = []
  const names = new Map<string, string>()
  const counts = { picture: 0, table: 0 }
  let left = maxBytes
  return {
    images,
    add(bytes, type = 'picture') {
      const format = readImageInfo(bytes)?.format
      if (format === undefined || bytes.length > left || images.length >= MAX_PICTURES) return ''
      const digest = `${type} ${createHash('sha256').update(bytes).digest('hex')}`
      const known = names.get(digest)
      if (known !== undefined) return known
      counts[type] += 1
      left -= bytes.length
      const filename = `${type}-${counts[type]}.${format}`
      images.push({ type, filename, image: Buffer.from(bytes).toString('base64') })
      names.set(digest, filename)
      return filename
    },
  }
}

export interface ImageInfo {
  /** As in the extension of a file name. */
  readonly format: 'png' | 'jpg' | 'gif' | 'webp' | 'bmp' | 'tif' | 'avif' | 'heic' | 'svg' | 'emf' | 'wmf'
  /** Pixels; absent where the header does not say. */
  readonly width?: number
  readonly height?: number
}

const latin = (bytes: Buffer, start: number, end: number) => bytes.toString('latin1', start, end)

function readJpeg(bytes: Buffer): ImageInfo {
  let at = 2
  while (at + 9 < bytes.length && bytes[at] === 0xff) {
    const marker = bytes[at + 1] ?? 0
    // Start of frame of any coding; the three other codes in this range are tables.
    if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)) {
      return { format: 'jpg', width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) }
    }
    at += marker === 0xff ? 1 : 2 + bytes.readUInt16BE(at + 2)
  }
  return { format: 'jpg' }
}

function readWebp(bytes: Buffer): ImageInfo {
  const kind = latin(bytes, 12, 16)
  const format = 'webp'
  if (kind === 'VP8X' && bytes.length >= 30) {
    return { format, width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 }
  }
  if (kind === 'VP8L' && bytes.length >= 25) {
    const bits = bytes.readUInt32LE(21)
    return { format, width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
  }
  if (kind === 'VP8 ' && bytes.length >= 30) {
    return { format, width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff }
  }
  return { format }
}

function readTiff(bytes: Buffer): ImageInfo {
  const isLittle = bytes[0] === 0x49
  const short = (at: number) => (isLittle ? bytes.readUInt16LE(at) : bytes.readUInt16BE(at))
  const long = (at: number) => (isLittle ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at))
  const directory = long(4)
  const sizes: { width?: number; height?: number } = {}
  if (directory + 2 > bytes.length) return { format: 'tif' }
  for (let index = 0; index < short(directory); index += 1) {
    const at = directory + 2 + index * 12
    if (at + 12 > bytes.length) break
    const value = short(at + 2) === 3 ? short(at + 8) : long(at + 8)
    if (short(at) === 256) sizes.width = value
    if (short(at) === 257) sizes.height = value
  }
  return { format: 'tif', ...sizes }
}

function readBoxes(bytes: Buffer): ImageInfo | undefined {
  const brand = latin(bytes, 8, 12)
  const format = brand.startsWith('avi') ? 'avif' : /^(?:hei|hev|mif|msf)/.test(brand) ? 'heic' : undefined
  if (format === undefined) return undefined
  // Spatial extents of the image; its rotation is ignored.
  const at = bytes.subarray(0, 65_536).indexOf('ispe', 0, 'latin1')
  if (at === -1 || at + 16 > bytes.length) return { format }
  return { format, width: bytes.readUInt32BE(at + 8), height: bytes.readUInt32BE(at + 12) }
}

function readSvg(bytes: Buffer): ImageInfo | undefined {
  const tag = /<svg\b[^>]*>/i.exec(bytes.toString('utf8', 0, 4096))?.[0]
  if (tag === undefined) return undefined
  const number = (name: string) => Number(new RegExp(`\\s${name}="([\\d.]+)(?:px)?"`, 'i').exec(tag)?.[1] ?? 0)
  const box = /\sviewBox="[\d.+-]+[ ,]+[\d.+-]+[ ,]+([\d.]+)[ ,]+([\d.]+)"/i.exec(tag)
  const width = number('width') || Number(box?.[1] ?? 0)
  const height = number('height') || Number(box?.[2] ?? 0)
  return width > 0 && height > 0 ? { format: 'svg', width, height } : { format: 'svg' }
}

/** Decoded, a point takes some bytes. */
const MAX_POINTS = 100_000_000
/** Scans of a JPEG that is built up step by step: programs write ten; each is as much work as the whole picture. */
const MAX_SCANS = 100
const START_OF_SCAN = Buffer.from([0xff, 0xda])

/** Whether a picture takes more to decode than it is worth: it is huge, or built to take long. */
export function isHeavy(bytes: Buffer): boolean {
  const { format, width = 0, height = 0 } = readImageInfo(bytes) ?? {}
  if (width * height > MAX_POINTS) return true
  let scans = 0
  for (let at = 0; format === 'jpg' && at !== -1 && scans <= MAX_SCANS; scans += 1)
    at = bytes.indexOf(START_OF_SCAN, at + 1)
  return scans > MAX_SCANS
}

/** Format and size of an image by its first bytes; undefined when it is not a known image. */
export function readImageInfo(content: Uint8Array): ImageInfo | undefined {
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength)
  if (bytes.length < 16) return undefined
  const mark = latin(bytes, 0, 4)
  if (mark === '\u0089PNG') {
    return bytes.length < 24
      ? { format: 'png' }
      : { format: 'png', width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }
  }
  if (mark.startsWith('\u00ff\u00d8\u00ff')) return readJpeg(bytes)
  if (mark === 'GIF8') return { format: 'gif', width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) }
  if (mark === 'RIFF' && latin(bytes, 8, 12) === 'WEBP') return readWebp(bytes)
  if (mark.startsWith('BM') && bytes.length >= 26) {
    return { format: 'bmp', width: bytes.readInt32LE(18), height: Math.abs(bytes.readInt32LE(22)) }
  }
  if (mark === 'II*\0' || mark === 'MM\0*') return readTiff(bytes)
  if (latin(bytes, 4, 8) === 'ftyp') return readBoxes(bytes)
  if (mark === '\u0001\0\0\0' && latin(bytes, 40, 44) === ' EMF') return { format: 'emf' }
  if (mark === '\u00d7\u00cd\u00c6\u009a') return { format: 'wmf' }
  return readSvg(bytes)
}
