import { asOnePart, ConvertError, type ReadDocument } from '../reader.ts'
import { createMailReader } from './mail.ts'

/** A line that begins a mail: `From a@example.org Mon Jan  5 09:00:00 2026` (RFC 4155). */
const START = /^From .{1,500}\b(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)\b.{1,20}\d\d:\d\d.{0,60}$/gm
/** The same with a time of any form, as some programs write it. */
const ANY_START = /^From .{1,500}\d\d:\d\d.{0,60}$/gm

const startsIn = (text: string, pattern: RegExp) =>
  [...text.matchAll(pattern)].filter(
    ({ index }) => index === 0 || /\n\r?\n$/.test(text.slice(Math.max(0, index - 3), index)),
  )

/** The mails of a mailbox. A mail's own lines that begin like a separator follow `>`. */
export function splitMailbox(bytes: Buffer): readonly Buffer[] {
  const text = bytes.toString('latin1')
  const strict = startsIn(text, START)
  const isStrict = strict[0] !== undefined && text.slice(0, strict[0].index).trim() === ''
  const starts = isStrict ? strict : startsIn(text, ANY_START)
  return starts.map(({ index, 0: line }, at) =>
    Buffer.from(
      text
        .slice(index + line.length, starts[at + 1]?.index)
        .replace(/^\r?\n/, '')
        .replaceAll(/^>(>*From )/gm, '$1'),
      'latin1',
    ),
  )
}

/** A file of many mails, one after the other. A damaged mail is left out and named. */
export const readMailbox: ReadDocument = async (source) => {
  const mails = splitMailbox(source.bytes)
  if (mails.length === 0) throw new ConvertError('broken')
  const read = createMailReader(source)
  const parts: string[] = []
  for (const [index, mail] of mails.entries()) {
    const markdown = await read(mail).catch(() => '')
    if (markdown === '') source.onLost?.(`mail ${index + 1}`)
    else parts.push(markdown)
  }
  return asOnePart(parts.join('\n\n'))
}
