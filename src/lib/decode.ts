import { createRequire } from 'node:module'
import type * as Iconv from 'iconv-lite'
import type * as Detector from 'jschardet'

const MARKS = [
  { label: 'utf-8', bytes: [0xef, 0xbb, 0xbf] },
  // Before UTF-16, whose mark it begins with.
  { label: 'utf-32le', bytes: [0xff, 0xfe, 0, 0] },
  { label: 'utf-32be', bytes: [0, 0, 0xfe, 0xff] },
  { label: 'utf-16le', bytes: [0xff, 0xfe] },
  { label: 'utf-16be', bytes: [0xfe, 0xff] },
] as const

/** The encoding of a byte order mark. */
export const markedEncoding = (bytes: Uint8Array) =>
  MARKS.find((mark) => mark.bytes.every((byte, index) => bytes[index] === byte))?.label

/** Bytes that are looked at to tell an encoding. */
const SAMPLE_BYTES = 65_536

/**
 * Encodings that a file may have: those of Windows, of the old web, of DOS and of the Mac. Others have no users left, and
 * take texts away from these.
 */
const CANDIDATES = (
  'utf-16-le utf-16-be utf-32-le utf-32-be iso-2022-jp cp932 euc-jp cp949 gb18030 big5 windows-1250 windows-1251 ' +
  'windows-1252 windows-1253 windows-1254 windows-1255 windows-1256 windows-1257 windows-1258 windows-874 iso-8859-2 ' +
  'iso-8859-5 koi8-r koi8-u cp866 cp437 cp850 cp852 macroman'
).split(' ')

/** Labels of the detector that no decoder knows. */
const LABELS: Readonly<Record<string, string>> = {
  cp932: 'shift_jis',
  cp949: 'euc-kr',
  macroman: 'macintosh',
  'utf-16-le': 'utf-16le',
  'utf-16-be': 'utf-16be',
  'utf-32-le': 'utf-32le',
  'utf-32-be': 'utf-32be',
  // Code page 850 was that of Western Europe; its letters include those of 437.
  cp437: 'cp850',
}

const FALLBACK = 'windows-1252'
/** Letters in UTF-8 for each byte that is not: other encodings have such pairs by chance only. */
const MIN_WHOLE_FOR_BROKEN = 2
/** Below this confidence the detector guesses by a handful of bytes: the encoding of most such files is likelier. */
const MIN_CONFIDENCE = 0.03

/** The tables of both packages are loaded for the first text that is not UTF-8: 100 ms and some 60 MB. */
const load = createRequire(import.meta.url)
const iconv = (): typeof Iconv => load('iconv-lite')
const detector = (): typeof Detector => load('jschardet')

/** Text of bytes in the named encoding; undefined: no such encoding is known. Labels as in the web and in mails. */
export function decodeAs(label: string, bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder(label).decode(bytes)
  } catch {
    if (!iconv().encodingExists(label)) return undefined
    return iconv().decode(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), label)
  }
}

const decodeStrictly = (label: string, bytes: Uint8Array): string | undefined => {
  try {
    return new TextDecoder(label, { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}

/** The first bytes; where they are ASCII, those from the first line on that has others. */
function sampleOf(bytes: Uint8Array): Uint8Array {
  const first = bytes.findIndex((byte) => byte > 0x7f)
  const from = first < SAMPLE_BYTES / 2 ? 0 : bytes.lastIndexOf(0x0a, first) + 1
  return bytes.subarray(from, from + SAMPLE_BYTES)
}

/** Share of letters, digits, signs and blanks: about 1 in text. */
const readableShare = (text: string) =>
  text.length === 0 ? 0 : (text.match(/[\p{L}\p{M}\p{N}\p{P}\p{S}\s]/gu)?.join('').length ?? 0) / text.length

const evenPart = (sample: Uint8Array) => sample.subarray(0, sample.length - (sample.length % 2))

/** The order of sixteen-bit text without a mark: the high bytes of letters are alike, and zero in ASCII. */
function orderOf(sample: Uint8Array): 'utf-16le' | 'utf-16be' {
  const halves = [0, 1].map((parity) => evenPart(sample).filter((_, at) => at % 2 === parity))
  const [first = 0, second = 0] = halves.map((half) => new Set(half).size)
  if (first !== second) return first < second ? 'utf-16be' : 'utf-16le'
  const [zerosFirst = 0, zerosSecond = 0] = halves.map((half) => half.filter((byte) => byte === 0).length)
  return zerosFirst > zerosSecond ? 'utf-16be' : 'utf-16le'
}

/** Share of high bytes below 0x20 in text of an alphabet, and of low bytes. */
const [MIN_HIGH, MAX_LOW] = [0.9, 0.3]

/** Sixteen-bit text of an alphabet: all letters are in the first blocks of Unicode. Undefined for other text. */
function findAlphabet(sample: Uint8Array): string | undefined {
  const even = evenPart(sample)
  if (even.length < 16) return undefined
  const share = (parity: number) =>
    (2 * even.filter((byte, at) => at % 2 === parity && byte < 0x20).length) / even.length
  const isLittle = share(1) > MIN_HIGH && share(0) < MAX_LOW
  const label = isLittle ? 'utf-16le' : share(0) > MIN_HIGH && share(1) < MAX_LOW ? 'utf-16be' : undefined
  return label !== undefined && decodeStrictly(label, even) !== undefined ? label : undefined
}

/** Sixteen-bit text without a mark that the detector does not know: of scripts whose letters leave no zero bytes. */
function findWide(sample: Uint8Array): string | undefined {
  const even = evenPart(sample)
  return [orderOf(sample), 'utf-16le', 'utf-16be'].find((label) => {
    const text = decodeStrictly(label, even)
    return text !== undefined && readableShare(text) > 0.98 && /[\u3001\u3002\uff0c\r\n ]/.test(text)
  })
}

const WITH_CARONS: ReadonlySet<string> = new Set(['cs', 'sk', 'sl', 'hr', 'bs'])

/** ISO 8859-2 has š, ť and ž where Windows-1250 has signs, and leaves free where that one has these letters. */
const isLatin2 = (bytes: Uint8Array) =>
  !bytes.some((byte) => byte >= 0x80 && byte < 0xa0) &&
  bytes.some((byte) => [0xa9, 0xab, 0xae, 0xb9, 0xbb, 0xbe].includes(byte))

/** ISO 8859-7 has Alpha with an accent where Windows-1253 has the sign of a paragraph, and nothing from 0x80 to 0x9f. */
const isGreekIso = (bytes: Uint8Array) =>
  !bytes.some((byte) => byte >= 0x80 && byte < 0xa0) &&
  bytes.some((byte, at) => byte === 0xb6 && (bytes[at + 1] ?? 0) >= 0xdc)

/** Encodings of Latin letters, the likeliest first. */
const LATIN = 'windows-1252 iso-8859-15 windows-1250 iso-8859-2 windows-1254 cp850 cp852 macintosh'.split(' ')

/** Three letters in a row: one beyond ASCII, and those around it. */
const IN_WORD = /(?<=(\p{L}|[^\p{L}]|^))(\P{ASCII})(?=(\p{L}|[^\p{L}]|$))/gu
const [LETTER, UPPER, LOWER] = [/\p{L}/u, /\p{Lu}/u, /\p{Ll}/u]
const OPENING = /[“„‘«‚‹¿¡]/u
const CLOSING = /[’”…»›%®™°]/u

/** How well a sign fits between its neighbours: letters in words, quotation marks around them, capitals at the beginning. */
function fitOf(before: string, sign: string, after: string): number {
  const [isAfterLetter, isBeforeLetter] = [LETTER.test(before), LETTER.test(after)]
  // Ordinals end a word: `1º`, `Mª`.
  if (/[\u00aa\u00ba]/.test(sign)) return isBeforeLetter ? -2 : 1
  if (LETTER.test(sign)) {
    if (!isAfterLetter && !isBeforeLetter) return 0
    const isOdd = UPPER.test(sign) && (LOWER.test(before) || (LOWER.test(after) && isAfterLetter))
    return isOdd || (LOWER.test(sign) && UPPER.test(before) && UPPER.test(after)) ? -2 : 1
  }
  if (sign === '’') return isAfterLetter ? 1 : 0
  if (OPENING.test(sign)) return isBeforeLetter && !isAfterLetter ? 1 : -1
  if (CLOSING.test(sign)) return isBeforeLetter ? -1 : 1
  if (/[–—\u00a0€£§·•]/u.test(sign)) return isAfterLetter && isBeforeLetter ? -1 : 1
  return isAfterLetter || isBeforeLetter ? -2 : -1
}

/** Turkish and Hungarian have letters where Windows-1252 has those of Iceland and Estonia. */
function guessRelative(text: string): string {
  if (/(?<!\p{L})\u00fe(?:a\u00f0|etta|eir|\u00f6(?:kk|rf|gn))/iu.test(text)) return FALLBACK
  if (/[\u00fe\u00f0]/i.test(text) && !/[\u00e1\u00ed\u00f3\u00fa\u00e6]/i.test(text)) return 'windows-1254'
  const isHungarian =
    /\u00f5(?!e)/i.test(text) &&
    /[\u00e1\u00e9\u00ed\u00f3]/i.test(text) &&
    !/[\u00e3\u00e7\u00ea\u00e2\u00e0\u00f1\u00e4]/i.test(text)
  return isHungarian ? 'windows-1250' : FALLBACK
}

/** The encoding of a text with a handful of letters beyond ASCII, by how well they fit into its words. */
function guessLatin(bytes: Uint8Array): string {
  const scored = LATIN.map((label) => {
    let score = 0
    for (const [, before = '', sign = '', after = ''] of (decodeAs(label, bytes) ?? '').matchAll(IN_WORD)) {
      score += fitOf(before, sign, after)
    }
    return { label, score }
  })
  const { label } = scored.reduce((best, one) => (one.score > best.score ? one : best))
  return label === FALLBACK ? guessRelative(decodeAs(label, bytes) ?? '') : label
}

/** Encodings of one byte whose letters are not Latin: their words have no Latin letters. */
const OTHER_SCRIPTS = /^(?:windows-(?:1251|1253|1255|1256|874)|iso-8859-5|koi8|cp866|ibm8)/

const OLD_LATIN: ReadonlySet<string> = new Set(['macroman', 'cp437', 'cp850', 'cp852'])

/** A letter or two beyond ASCII next to one of ASCII. Without the flag `i`, by which `\P{ASCII}` takes s and k, too. */
const BESIDE_LATIN = /[A-Za-z]\P{ASCII}{1,2}(?![^\sA-Za-z])|(?<![^\sA-Za-z])\P{ASCII}{1,2}[A-Za-z]/gu

/** Whether most letters beyond ASCII are within words of Latin letters. */
function isInLatinWords(bytes: Uint8Array): boolean {
  const text = decodeAs(FALLBACK, bytes) ?? ''
  return (text.match(BESIDE_LATIN)?.length ?? 0) > (text.match(/\P{ASCII}+/gu)?.length ?? 0) / 2
}

/** Bytes beyond ASCII for each character. Quotation marks before brackets look like letters with one such byte. */
const MIN_HIGH_BYTES = 1.3
/** Characters of Shift-JIS: rare ones, whose bytes are common letters of other alphabets, and the others. */
const SHIFT_JIS = /([\x99-\x9f\xe0-\xfc][^])|[\x81-\x98][^]|[^]/g

/** Text of nothing but Japanese letters and ASCII, with at least two of the former, most of them common. */
function isJapanese(bytes: Uint8Array): boolean {
  const text = decodeStrictly('shift_jis', bytes) ?? ''
  const letters = text.match(/[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}]/gu)?.length ?? 0
  const latin = Buffer.from(bytes).toString('latin1')
  return (
    letters > 1 &&
    /^[\p{ASCII}\u3000-\u30ff\uff00-\uff60\p{sc=Han}]*$/u.test(text) &&
    (latin.match(/[\x80-\xff]/g)?.length ?? 0) > MIN_HIGH_BYTES * (text.match(/\P{ASCII}/gu)?.length ?? 0) &&
    [...latin.matchAll(SHIFT_JIS)].filter(([, rare]) => rare !== undefined).length <= letters / 3
  )
}

/** The encoding of a few letters: Japanese ones begin with bytes that Windows-1252 leaves free, or are nothing else. */
function guessShort(bytes: Uint8Array): string {
  if (isInLatinWords(bytes)) return guessLatin(bytes)
  const isFree = [0x81, 0x8d, 0x8f, 0x90, 0x9d].some((byte) => bytes.includes(byte))
  if (isJapanese(bytes) || (isFree && decodeStrictly('shift_jis', bytes) !== undefined)) return 'shift_jis'
  return guessLatin(bytes)
}

/** The likeliest encoding of text that is not UTF-8. */
export function guessEncoding(bytes: Uint8Array): string {
  const sample = sampleOf(bytes)
  const alphabet = findAlphabet(sample)
  if (alphabet !== undefined) return alphabet
  const { encoding, confidence, language } = detector().detect(sample, { detectEncodings: CANDIDATES })
  const known = (encoding ?? '').toLowerCase()
  if (known === '') return findWide(sample) ?? guessShort(sample)
  if (known === 'ascii' || known === FALLBACK || confidence < MIN_CONFIDENCE) return guessShort(sample)
  // Quotation marks of Windows are letters of DOS and of the Mac.
  const isOther = OTHER_SCRIPTS.test(known) && (isInLatinWords(sample) || isJapanese(sample))
  if (isOther || OLD_LATIN.has(known)) return guessShort(sample)
  if (known.startsWith('utf-16')) return orderOf(sample)
  if (known === 'windows-1253' && isGreekIso(sample)) return 'iso-8859-7'
  if (known === 'windows-1250' && WITH_CARONS.has(language ?? '') && isLatin2(sample)) return 'iso-8859-2'
  return LABELS[known] ?? known
}

const WIDE_CHARACTERS = [
  String.raw`[\xc2-\xdf][\x80-\xbf]`,
  String.raw`\xe0[\xa0-\xbf][\x80-\xbf]`,
  String.raw`\xed[\x80-\x9f][\x80-\xbf]`,
  String.raw`[\xe1-\xec\xee\xef][\x80-\xbf]{2}`,
  String.raw`\xf0[\x90-\xbf][\x80-\xbf]{2}`,
].join('|')
/** Characters of several bytes in a row, bounded so that matching needs little memory, and a byte that is part of none. */
const WIDE_RUN = new RegExp(String.raw`(?:${WIDE_CHARACTERS}){1,1000}|([\x80-\xff])`, 'g')
const FIRST_BYTE = /[\xc2-\xff]/g

/** UTF-8 with damage: it is cut, or lines of another encoding were added. Undefined: most letters are no UTF-8. */
function decodeDamaged(bytes: Uint8Array): string | undefined {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
  let [whole, broken] = [0, 0]
  for (const [run, single] of text.matchAll(WIDE_RUN)) {
    if (single === undefined) whole += run.match(FIRST_BYTE)?.length ?? 0
    else broken += 1
  }
  if (whole === 0 || broken > whole / MIN_WHOLE_FOR_BROKEN) return undefined
  const other = new TextDecoder(FALLBACK)
  const mended = text.replace(WIDE_RUN, (run, single?: string) =>
    single === undefined ? run : Buffer.from(other.decode(Buffer.from(single, 'latin1'))).toString('latin1'),
  )
  return Buffer.from(mended, 'latin1').toString('utf8')
}

/** Japanese mail and old Japanese text: ASCII bytes between escapes. */
const isEscaped = (bytes: Uint8Array) =>
  Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, SAMPLE_BYTES)).includes('\u001b$B')

const isWide = (label: string) => /^utf-(?:16|32)/.test(label)

/** More single zero bytes within lines are a sign of binary data. */
const MAX_ZERO_SHARE = 0.02

const isEnd = (byte: number | undefined) => byte === undefined || byte === 0x0a || byte === 0x0d

/** Bytes without the zeros that a crash leaves in a log: runs, and those at the ends of lines. Others stay in binary data. */
function withoutZeros(bytes: Uint8Array): Uint8Array {
  if (!bytes.includes(0)) return bytes
  let single = 0
  for (const [at, byte] of bytes.entries()) {
    const around = [bytes[at - 1], bytes[at + 1]]
    if (byte === 0 && !around.some((other) => other === 0 || isEnd(other))) single += 1
  }
  return single > MAX_ZERO_SHARE * bytes.length ? bytes : bytes.filter((byte) => byte !== 0)
}

/** Decodes a file: by its byte order mark, else as UTF-8, else by a guess. Zero bytes of other texts are left out. */
export function decodeText(bytes: Uint8Array): string {
  const marked = markedEncoding(bytes)
  if (marked !== undefined) return (decodeAs(marked, bytes) ?? '').replace(/^\ufeff/, '')
  if (bytes.includes(0)) {
    const label = guessEncoding(bytes)
    if (isWide(label)) return decodeAs(label, bytes) ?? ''
  }
  const text = withoutZeros(bytes)
  const escaped = isEscaped(text) ? decodeStrictly('iso-2022-jp', text) : undefined
  if (escaped !== undefined) return escaped
  return decodeStrictly('utf-8', text) ?? decodeDamaged(text) ?? decodeAs(guessEncoding(text), text) ?? ''
}
