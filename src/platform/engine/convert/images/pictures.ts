import { createHash } from 'node:crypto'
import type { ConvertedImage } from '../../../wire/documents.ts'
import { readImageInfo } from './image-info.ts'

/** The images of a document as they are found. */
export interface Pictures {
  /** The name under which the image is handed out, the same for the same bytes; empty when it is left out. */
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
