import { constants, inflateSync } from 'node:zlib'

/** Streams that are looked at: more take longer than it is worth. */
const MAX_STREAMS = 20_000
/** The entries of a stream are within this many bytes before it. */
const HEAD_BYTES = 300

export interface PdfStream {
  /** The entries before it, as far as they are near. */
  readonly head: string
  readonly raw: Buffer
  /** Its content as Latin letters; empty where it is packed in another way, or unpacks to more. */
  readonly content: (maxBytes: number) => string
}

function unpack(raw: Buffer, head: string, maxOutputLength: number): string {
  if (!head.includes('FlateDecode')) return head.includes('/Filter') ? '' : raw.toString('latin1')
  try {
    return inflateSync(raw, { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength }).toString('latin1')
  } catch {
    return ''
  }
}

/** Streams of a PDF, in the order of the file; it is not parsed. */
export function* streamsOf(bytes: Buffer): Generator<PdfStream> {
  let at = 0
  for (let count = 0; count < MAX_STREAMS; count += 1) {
    const start = bytes.indexOf('stream', at)
    const end = start === -1 ? -1 : bytes.indexOf('endstream', start + 6)
    if (end === -1) return
    at = end + 9
    const before = bytes.toString('latin1', Math.max(0, start - HEAD_BYTES), start)
    const head = before.split('endobj').at(-1) ?? ''
    const raw = bytes.subarray(start + (bytes[start + 6] === 13 ? 8 : 7), end)
    yield { head, raw, content: (maxBytes) => unpack(raw, head, maxBytes) }
  }
}
