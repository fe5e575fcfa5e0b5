import { decodeText as decode } from '#lib/decode.ts'
import { EngineError } from '../errors.ts'

const SAMPLE = 65_536
/** Logs and printed manuals have a few control characters: a bell, a backspace. Binary data has one in ten. */
const MAX_CONTROL_SHARE = 0.02

/** Control characters that text does not contain; form feed, tab, line ends and escapes are allowed. */
function countControls(text: string): number {
  let controls = 0
  // A plain loop: a callback or an iterator for each character would be a measurable part of indexing a small file.
  for (let at = 0; at < Math.min(text.length, SAMPLE); at += 1) {
    const code = text.charCodeAt(at)
    if (code < 0x20 && (code < 0x09 || (code > 0x0d && code !== 0x1b))) controls += 1
  }
  return controls
}

/** @throws {EngineError} `unsupported` when it is not text. */
export function decodeText(bytes: Uint8Array): string {
  const text = decode(bytes)
  if (countControls(text) > MAX_CONTROL_SHARE * Math.min(text.length, SAMPLE)) {
    throw new EngineError('unsupported', 'The file holds binary data, not text.')
  }
  return text
}
