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

/** Plain text first: the sender's program made it of the markup. */
export function outlookBody({ text, html, rtf }: OutlookBody): string {
  if (text !== undefined && text.trim() !== '') return writePlain(text)
  if (html !== undefined) return htmlToMarkdown(typeof html === 'string' ? html : decodePage(Buffer.from(html)))
  if (rtf === undefined) return ''
  const { decompressRTF }: typeof Rtf = createRequire(import.meta.url)('@kenjiuno/decompressrtf')
  return rtfToMarkdown(Buffer.from(decompressRTF(Array.from(rtf))))
}
