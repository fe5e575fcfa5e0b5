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
