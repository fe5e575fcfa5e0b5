import { createRequire } from 'node:module'
import type * as Rtf from '@kenjiuno/decompressrtf'
import { rtfToMarkdown } from '../rtf/rtf.ts'
import { decodePage, htmlToMarkdown } from '../web/html.ts'
import { writePlain } from './write.ts'

/** The text of a mail in the forms that Outlook keeps. */
export interface OutlookBody {
  readonly text: string | undefined
  /** Bytes are in the encoding that the page names. */
  readonly html: string | Uint8Array | undefined
  /** Rich text, packed. */
  readonly rtf: Uint8Array | undefined
}

/** Rich text, unpacked; nothing where it is damaged: the library reads as many bytes as its head names. */
function unpack(bytes: Buffer): string {
  if (bytes.length < 16 || bytes.readUInt32LE(0) + 4 > bytes.length) return ''
  const { decompressRTF }: typeof Rtf = createRequire(import.meta.url)('@kenjiuno/decompressrtf')
  try {
    return rtfToMarkdown(Buffer.from(decompressRTF(Array.from(bytes))))
  } catch {
    return ''
  }
}

/** Plain text first: the sender's program made it of the markup. */
export function outlookBody({ text, html, rtf }: OutlookBody): string {
  if (text !== undefined && text.trim() !== '') return writePlain(text)
  if (html !== undefined) return htmlToMarkdown(typeof html === 'string' ? html : decodePage(Buffer.from(html)))
  return rtf === undefined ? '' : unpack(Buffer.from(rtf))
}
