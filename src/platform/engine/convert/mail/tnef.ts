import type { Attachment } from 'postal-mime'
import { decodeOfPage } from '../rtf/rtf-encodings.ts'
import type { OutlookBody } from './outlook-body.ts'

/** A mail as Outlook packs it for itself, as `winmail.dat` ([MS-OXTNEF]). */
interface TnefMessage extends OutlookBody {
  readonly files: readonly { readonly name: string; readonly bytes: Buffer }[]
}

export const isTnef = ({ mimeType, filename }: Attachment): boolean =>
  /^application\/(?:vnd\.)?ms-tnef$/i.test(mimeType) || /^winmail\.dat$/i.test(filename ?? '')

const SIGNATURE = 0x223e9f78
/** Attributes, [MS-OXTNEF] section 2.1.3.4. */
const [ATTACHMENT, TITLE, DATA, PROPERTIES, OF_MESSAGE, CODE_PAGE, BODY] = [
  0x00069002, 0x00018010, 0x0006800f, 0x00069005, 0x00069003, 0x00069007, 0x0002800c,
]
/** Properties, [MS-OXPROPS]. */
const [TEXT, HTML, COMPRESSED, LONG_NAME, NAME, CONTENT] = [0x1000, 0x1013, 0x1009, 0x3707, 0x3704, 0x3701]

const [SHORT, LONG, FLOAT, ERROR, BOOLEAN] = [0x02, 0x03, 0x04, 0x0a, 0x0b]
const [ANSI, UNICODE, BINARY, OBJECT, ID] = [0x1e, 0x1f, 0x102, 0x0d, 0x48]
const SEVERAL = 0x1000
const FOUR_BYTES = new Set([SHORT, LONG, FLOAT, ERROR, BOOLEAN])
const OF_ANY_LENGTH = new Set([ANSI, UNICODE, BINARY, OBJECT])

type Values = Map<number, { readonly type: number; readonly bytes: Buffer }>

/** Reads numbers one after the other. Beyond the end it throws a RangeError. */
function createCursor(bytes: Buffer) {
  let at = 0
  const move = (length: number) => {
    at += length
    if (at > bytes.length) throw new RangeError('The file is cut.')
    return at - length
  }
  return {
    isAtEnd: () => at >= bytes.length,
    byte: () => bytes.readUInt8(move(1)),
    short: () => bytes.readUInt16LE(move(2)),
    long: () => bytes.readUInt32LE(move(4)),
    take: (length: number) => bytes.subarray(move(length), at),
  }
}

const padded = (length: number) => Math.ceil(length / 4) * 4

/** Properties with a number, and their first values. */
function readProperties(bytes: Buffer): Values {
  const values: Values = new Map()
  const { short, long, take } = createCursor(bytes)
  for (let left = long(); left > 0; left -= 1) {
    const type = short()
    const id = short()
    if (id >= 0x8000) {
      take(16)
      // Its name is a number or a text.
      if (long() === 0) long()
      else take(padded(long()))
    }
    const own = type & ~SEVERAL
    const isLong = OF_ANY_LENGTH.has(own)
    const count = isLong || type !== own ? long() : 1
    for (let value = 0; value < count; value += 1) {
      const length = isLong ? long() : own === ID ? 16 : FOUR_BYTES.has(own) ? 4 : 8
      const content = take(padded(length)).subarray(0, length)
      if (value === 0) values.set(id, { type: own, bytes: content })
    }
  }
  return values
}

interface Growing {
  properties: Values
  title: Buffer
  data: Buffer | undefined
}

const EMPTY = Buffer.alloc(0)
const start = (): Growing => ({ properties: new Map(), title: EMPTY, data: undefined })

/** The attributes of a mail, and of its files. */
function readAttributes(bytes: Buffer) {
  const message = start()
  const files: Growing[] = []
  let page = 1252
  const { isAtEnd, byte, short, long, take } = createCursor(bytes)
  if (long() !== SIGNATURE) throw new RangeError('The file is of another kind.')
  short()
  while (!isAtEnd()) {
    byte()
    const id = long()
    const content = take(long())
    short()
    if (id === ATTACHMENT) files.push(start())
    if (id === CODE_PAGE && content.length >= 4) page = content.readUInt32LE(0)
    if (id === OF_MESSAGE) message.properties = readProperties(content)
    if (id === BODY) message.data = content
    const file = files.at(-1)
    if (file === undefined) continue
    if (id === TITLE) file.title = content
    if (id === DATA) file.data = content
    if (id === PROPERTIES) file.properties = readProperties(content)
  }
  return { message, files, page }
}

/** Undefined where the file is damaged, or of another kind. */
export function readTnef(bytes: Buffer): TnefMessage | undefined {
  try {
    const { message, files, page } = readAttributes(bytes)
    const decode = decodeOfPage(page)
    const toText = (value: Buffer) => decode(value).replace(/\0+$/, '')
    const textOf = ({ properties }: Growing, id: number): string | undefined => {
      const value = properties.get(id)
      if (value === undefined) return undefined
      return value.type === UNICODE ? value.bytes.toString('utf16le').replace(/\0+$/, '') : toText(value.bytes)
    }
    const html = message.properties.get(HTML)
    return {
      text: textOf(message, TEXT) ?? (message.data === undefined ? undefined : toText(message.data)),
      html: html?.type === BINARY ? html.bytes : textOf(message, HTML),
      rtf: message.properties.get(COMPRESSED)?.bytes,
      files: files.map((file) => ({
        name: textOf(file, LONG_NAME) ?? textOf(file, NAME) ?? (toText(file.title) || 'attachment'),
        bytes: file.data ?? file.properties.get(CONTENT)?.bytes ?? EMPTY,
      })),
    }
  } catch {
    return undefined
  }
}
