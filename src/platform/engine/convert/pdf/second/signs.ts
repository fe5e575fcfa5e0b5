import { constants, inflateSync } from 'node:zlib'

/** Streams that are looked at, and bytes of them together: more takes longer than it is worth. */
const MAX_STREAMS = 20_000
const MAX_STREAM_BYTES = 2_000_000
const MAX_BYTES = 64_000_000
/** Where the entries of a stream stand before it. */
const HEAD_BYTES = 300

const NO_TEXT = /\/(?:Image|Length1|FontFile\d?|ObjStm|XRef|DCTDecode|Metadata)\b/
/** The end of a letter's target in a map of letters; and the mode of text that is not shown. */
const FAR_LETTER = /[dD][89abAB][\da-fA-F]{2}[dD][c-fC-F][\da-fA-F]{2}>/
const INVISIBLE = /(?:^|\s)3\s{1,9}Tr\b/

function contentOf(bytes: Buffer, head: string, from: number, to: number): string {
  const raw = bytes.subarray(from, to)
  if (!head.includes('FlateDecode')) return head.includes('/Filter') ? '' : raw.toString('latin1')
  try {
    const options = { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: MAX_STREAM_BYTES }
    return inflateSync(raw, options).toString('latin1')
  } catch {
    return ''
  }
}

/**
 * Whether a PDF has letters beyond U+FFFF, which the native reader drops, and text that is written without being shown.
 * It looks into the streams, not at the pages.
 */
export function signsOf(bytes: Buffer): { readonly hasFarLetters: boolean; readonly hasInvisible: boolean } {
  let [hasFarLetters, hasInvisible, left] = [false, false, MAX_BYTES]
  let at = 0
  for (let count = 0; count < MAX_STREAMS && left > 0; count += 1) {
    const start = bytes.indexOf('stream', at)
    const end = start === -1 ? -1 : bytes.indexOf('endstream', start + 6)
    if (end === -1) break
    at = end + 9
    const head =
      bytes
        .toString('latin1', Math.max(0, start - HEAD_BYTES), start)
        .split('endobj')
        .at(-1) ?? ''
    if (NO_TEXT.test(head)) continue
    const text = contentOf(bytes, head, start + (bytes[start + 6] === 13 ? 8 : 7), end)
    left -= text.length
    hasFarLetters ||= text.includes('beginbf') && FAR_LETTER.test(text)
    hasInvisible ||= INVISIBLE.test(text)
    if (hasFarLetters && hasInvisible) break
  }
  return { hasFarLetters, hasInvisible }
}
