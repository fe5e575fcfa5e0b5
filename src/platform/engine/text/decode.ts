import { EngineError } from '../errors.ts'

const BYTE_ORDER_MARKS = [
  { label: 'utf-16le', bytes: [0xff, 0xfe] },
  { label: 'utf-16be', bytes: [0xfe, 0xff] },
] as const

const startsWith = (bytes: Uint8Array, mark: readonly number[]) =>
  mark.every((byte, index) => bytes[index] === byte)

/** Control characters that no text has; form feed, tab and line ends are fine. */
function looksBinary(bytes: Uint8Array): boolean {
  // A loop, for each of its bytes: a call for each is a part of indexing a small file.
  for (const byte of bytes.subarray(0, 65_536)) {
    if (byte < 0x20 && (byte < 0x09 || (byte > 0x0d && byte !== 0x1b))) return true
  }
  return false
}

/**
 * Text of a file: UTF-8, UTF-16 with its mark, else Windows-1252, in which every byte means something.
 *
 * @throws {EngineError} `unsupported` when it is no text.
 */
export function decodeText(bytes: Uint8Array): string {
  const mark = BYTE_ORDER_MARKS.find((one) => startsWith(bytes, one.bytes))
  if (mark !== undefined) return new TextDecoder(mark.label).decode(bytes)
  if (looksBinary(bytes)) throw new EngineError('unsupported', 'The file holds binary data, not text.')
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}
