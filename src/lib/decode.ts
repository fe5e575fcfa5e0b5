const MARKS = [
  { label: 'utf-8', bytes: [0xef, 0xbb, 0xbf] },
  { label: 'utf-16le', bytes: [0xff, 0xfe] },
  { label: 'utf-16be', bytes: [0xfe, 0xff] },
] as const

/** The encoding of a byte order mark. */
export const markedEncoding = (bytes: Uint8Array) =>
  MARKS.find((mark) => mark.bytes.every((byte, index) => bytes[index] === byte))?.label

/** Bytes that are looked at to tell an encoding. */
const SAMPLE_BYTES = 65_536

const share = (text: string, letters: RegExp) => {
  const foreign = Array.from(text).filter((letter) => letter > '\u007f')
  return foreign.length === 0 ? 0 : foreign.filter((letter) => letters.test(letter)).length / foreign.length
}

/** Encodings of several bytes a character, with letters that their texts have and others lack, and the least share. */
const WIDE: readonly (readonly [label: string, letters: RegExp, least: number])[] = [
  ['shift_jis', /[\u3040-\u30ff]/, 0.2],
  ['euc-jp', /[\u3040-\u30ff]/, 0.2],
  ['euc-kr', /[\uac00-\ud7a3]/, 0.7],
  ['big5', /[的是不我一有人在這個為來們]/, 0.06],
]
/** Encodings of one byte a character, likewise. Hebrew and small Cyrillic letters share bytes, so it must be nearly pure. */
const NARROW: typeof WIDE = [
  ['windows-1256', /[\u0600-\u06ff]/, 0.9],
  ['windows-1255', /[\u05d0-\u05ea]/, 0.985],
  ['windows-1251', /[а-яіїєґё№«»—]/, 0.6],
  ['koi8-r', /[а-яё]/, 0.6],
  ['windows-1253', /[\u0370-\u03ff]/, 0.9],
]

/** Fewer bytes beyond ASCII tell nothing. */
const MIN_HIGH_BYTES = 6

/** Capitals in the middle of words: a sign of another encoding. */
const isMixed = (text: string) => (text.match(/[а-яё][А-ЯЁ]/g)?.length ?? 0) > text.length / 50

const isHigh = (byte: number | undefined) => byte !== undefined && byte > 0x7f

/**
 * Encoding of text that is no UTF-8. In Latin scripts letters beyond ASCII stand alone among others; elsewhere they stand
 * side by side.
 */
export function guessEncoding(bytes: Uint8Array): string {
  const sample = bytes.subarray(0, SAMPLE_BYTES)
  let high = 0
  let paired = 0
  for (const [index, byte] of sample.entries()) {
    if (!isHigh(byte)) continue
    high += 1
    if (isHigh(sample[index - 1]) || isHigh(sample[index + 1])) paired += 1
  }
  // The second byte of Shift-JIS and Big5 is often an ASCII one.
  if (high < MIN_HIGH_BYTES || paired < high * 0.5) return 'windows-1252'
  for (const [label, letters, least] of WIDE) {
    try {
      // The end may cut a character.
      const text = new TextDecoder(label, { fatal: true }).decode(sample, { stream: true })
      if (share(text, letters) >= least) return label
    } catch {
      // Another encoding.
    }
  }
  const narrow = NARROW.find(([label, letters, least]) => {
    const text = new TextDecoder(label).decode(sample)
    return share(text, letters) >= least && !isMixed(text)
  })
  if (narrow !== undefined) return narrow[0]
  // Nearly every pair of bytes is a character of it, so it comes last.
  const chinese = new TextDecoder('gb18030').decode(sample)
  return share(chinese, /[\u4e00-\u9fff\u3000-\u3002\uff01-\uff1f]/) >= 0.8 ? 'gb18030' : 'windows-1252'
}

/** Decodes a file: by its byte order mark, else as UTF-8, else by a guess. */
export function decodeText(bytes: Uint8Array): string {
  const marked = markedEncoding(bytes)
  if (marked !== undefined) return new TextDecoder(marked).decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder(guessEncoding(bytes)).decode(bytes)
  }
}
