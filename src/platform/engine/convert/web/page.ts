import { htmlToMarkdown, type ShowImage } from './html.ts'
import type { Pictures } from '../images/pictures.ts'
import { asOnePart, type ReadDocument } from '../reader.ts'

const MARKS = [
  { label: 'utf-8', bytes: [0xef, 0xbb, 0xbf] },
  { label: 'utf-16le', bytes: [0xff, 0xfe] },
  { label: 'utf-16be', bytes: [0xfe, 0xff] },
] as const

function decoderFor(label: string): TextDecoder | undefined {
  try {
    return new TextDecoder(label)
  } catch {
    return undefined
  }
}

/** Text of a page: by its mark, else by what it says of itself, else UTF-8 where it is, else Windows-1252. */
export function decodePage(bytes: Buffer): string {
  const mark = MARKS.find((one) => one.bytes.every((byte, index) => bytes[index] === byte))
  if (mark !== undefined) return new TextDecoder(mark.label).decode(bytes)
  const head = bytes.toString('latin1', 0, 4096)
  const named =
    /<meta[^>]+charset\s*=\s*["']?\s*([\w-]+)/i.exec(head) ?? /<\?xml[^>]+encoding=["']([\w-]+)/i.exec(head)
  const said = named?.[1] === undefined ? undefined : decoderFor(named[1])
  if (said !== undefined && !said.encoding.startsWith('utf-16')) return said.decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

/** An image in the address itself. */
const IN_ADDRESS = /^data:image\/[\w.+-]+;base64,(?<content>[\w+/=\s-]+)$/i

/** Takes images that a page carries with it; of others only what they are said to show is left. */
export function showImages(
  pictures: Pictures,
  find: (src: string) => Uint8Array | undefined = () => undefined,
): ShowImage {
  return ({ src = '', alt = '' }) => {
    const content = IN_ADDRESS.exec(src)?.groups?.['content']
    const bytes = content === undefined ? find(src) : Buffer.from(content, 'base64')
    const name = bytes === undefined ? '' : pictures.add(bytes)
    const words = alt.replace(/\s+/g, ' ').trim()
    if (name === '') return words
    return words === '' ? name : `${name} (${words})`
  }
}

export const readPage: ReadDocument = ({ bytes, pictures }) =>
  Promise.resolve(asOnePart(htmlToMarkdown(decodePage(bytes), showImages(pictures))))
