import { decodeText as decode, markedEncoding } from '../../../lib/decode.ts'
import { EngineError } from '../errors.ts'

/** Control characters that text does not contain; form feed, tab and line ends are allowed. */
function looksBinary(bytes: Uint8Array): boolean {
  // A plain loop: a callback or an iterator for each byte would be a measurable part of indexing a small file.
  for (let at = 0; at < Math.min(bytes.length, 65_536); at += 1) {
    const byte = bytes[at] ?? 0
    if (byte < 0x20 && (byte < 0x09 || (byte > 0x0d && byte !== 0x1b))) return true
  }
  return false
}

/** @throws {EngineError} `unsupported` when it is not text. */
export function decodeText(bytes: Uint8Array): string {
  const isMarked = (markedEncoding(bytes) ?? 'utf-8') !== 'utf-8'
  if (!isMarked && looksBinary(bytes)) throw new EngineError('unsupported', 'The file holds binary data, not text.')
  return decode(bytes)
}
