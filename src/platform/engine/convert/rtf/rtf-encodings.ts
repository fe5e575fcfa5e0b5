import { decodeAs } from '#lib/decode.ts'

/** Text of the bytes of a font. */
export type Decode = (bytes: Buffer) => string

/** Encodings by the character set of a font. */
const CHARSETS: Readonly<Record<number, string>> = {
  77: 'macintosh',
  128: 'shift_jis',
  129: 'euc-kr',
  134: 'gbk',
  136: 'big5',
  161: 'windows-1253',
  162: 'windows-1254',
  163: 'windows-1258',
  177: 'windows-1255',
  178: 'windows-1256',
  186: 'windows-1257',
  204: 'windows-1251',
  222: 'windows-874',
  238: 'windows-1250',
  255: 'cp850',
}

const PAGES: Readonly<Record<number, string>> = {
  932: 'shift_jis',
  936: 'gbk',
  949: 'euc-kr',
  950: 'big5',
  10000: 'macintosh',
  65001: 'utf-8',
}

const createDecode =
  (label: string): Decode =>
  (bytes) =>
    decodeAs(label, bytes) ?? decodeAs('windows-1252', bytes) ?? ''

export function decodeOfCharset(charset: number): Decode | undefined {
  const label = CHARSETS[charset]
  return label === undefined ? undefined : createDecode(label)
}

/** Code pages of Windows and of DOS; an unknown one is read as Windows-1252. */
export const decodeOfPage = (page: number): Decode =>
  createDecode(PAGES[page] ?? (page < 1000 ? `cp${page}` : `windows-${page}`))

/** The font Symbol has Greek letters and signs at the places of Latin ones. */
const SYMBOLS: ReadonlyMap<number, string> = new Map(
  [
    [
      0x41,
      '\u0391\u0392\u03a7\u0394\u0395\u03a6\u0393\u0397\u0399\u03d1\u039a\u039b\u039c\u039d\u039f\u03a0\u0398\u03a1\u03a3\u03a4\u03a5\u03c2\u03a9\u039e\u03a8\u0396',
    ],
    [
      0x61,
      '\u03b1\u03b2\u03c7\u03b4\u03b5\u03c6\u03b3\u03b7\u03b9\u03d5\u03ba\u03bb\u03bc\u03bd\u03bf\u03c0\u03b8\u03c1\u03c3\u03c4\u03c5\u03d6\u03c9\u03be\u03c8\u03b6',
    ],
    [0xa2, '′≤⁄∞'],
    [0xac, '←↑→↓°±″≥×∝∂•÷≠≡≈…'],
    [0xc4, '⊗⊕∅∩∪⊃⊇⊄⊂⊆∈∉∠∇'],
    [0xd5, '∏√·¬∧∨⇔⇐⇑⇒⇓'],
    [0xe5, '∑'],
    [0xf2, '∫'],
  ].flatMap(([start = 0, letters = '']) =>
    Array.from(String(letters), (letter, index) => [Number(start) + index, letter] as const),
  ),
)

export const decodeSymbols: Decode = (bytes) =>
  Array.from(bytes, (byte) => SYMBOLS.get(byte) ?? String.fromCharCode(byte)).join('')
