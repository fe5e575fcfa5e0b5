const MARKS = [
  { label: 'utf-8', bytes: [0xef, 0xbb, 0xbf] },
  { label: 'utf-16le', bytes: [0xff, 0xfe] },
  { label: 'utf-16be', bytes: [0xfe, 0xff] },
] as const

/** The encoding of a byte order mark. */
export const markedEncoding = (bytes: Uint8Array) =>
  MARKS.find((mark) => mark.bytes.every((byte, index) => bytes[index] === byte))?.label

/** Decodes a file: by its byte order mark, else as UTF-8, else as Windows-1252, which accepts every byte. */
export function decodeText(bytes: Uint8Array): string {
  const marked = markedEncoding(bytes)
  if (marked !== undefined) return new TextDecoder(marked).decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}
