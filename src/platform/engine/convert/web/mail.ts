import PostalMime, { type Address, type Attachment, type Email } from 'postal-mime'
import { asOnePart, ConvertError, type ReadDocument } from '../reader.ts'
import { htmlToMarkdown, showImages } from './html.ts'
import { createMarkdownWriter } from '../markdown/writer.ts'
import type { Pictures } from '../images/pictures.ts'

function toNames(addresses: readonly (Address | undefined)[]): string {
  return addresses
    .flatMap((one) => (one === undefined ? [] : (one.group ?? [one])))
    .map(({ name, address }) => (name === '' ? address : `${name} (${address})`))
    .join(', ')
}

function toBytes({ content }: Attachment): Uint8Array {
  return typeof content === 'string' ? Buffer.from(content) : new Uint8Array(content)
}

/** Plain text of a mail: paragraphs, and quotations, marked by > as in markdown. */
function writePlain(text: string): string {
  const writer = createMarkdownWriter()
  for (const paragraph of text.replaceAll('\r\n', '\n').split(/\n{2,}/)) {
    const quoted = /^(?:>.*(?:\n|$))+$/.test(paragraph)
    writer.open(quoted ? 'blockquote' : 'p')
    for (const line of paragraph.split('\n')) {
      writer.text(quoted ? line.replace(/^>+ ?/, '') : line)
      writer.open('br')
    }
    writer.close(quoted ? 'blockquote' : 'p')
  }
  return writer.finish()
}

const withoutBrackets = (id: string) => id.replace(/^<|>$/g, '')

/** Nested mails beyond these limits are listed by name only. */
const MAX_DEPTH = 5
const MAX_INNER_MAILS = 100

const isMail = ({ mimeType }: Attachment) => mimeType === 'message/rfc822'

const toSize = (bytes: Uint8Array) => `${Math.ceil(bytes.byteLength / 1000)} kB`

function writeTitle(subject: string | undefined, depth: number): string {
  const title = createMarkdownWriter()
  const name = depth === 0 ? 'h1' : 'h2'
  title.open(name)
  title.text(subject ?? (depth === 0 ? '' : 'Attached mail'))
  title.close(name)
  return title.finish()
}

function writeHead(mail: Email): string {
  const head = createMarkdownWriter()
  const lines = [
    ['From', toNames([mail.from])],
    ['To', toNames(mail.to ?? [])],
    ['Cc', toNames(mail.cc ?? [])],
    ['Date', mail.date?.replace(/^(\d{4}-\d\d-\d\d)T(\d\d:\d\d):\d\d\.\d+Z$/, '$1 $2 UTC') ?? ''],
  ]
  for (const [name, value] of lines) {
    if (value === '' || value === undefined) continue
    head.text(`${name}: ${value}`)
    head.open('br')
  }
  return head.finish()
}

/** The state of reading one document of mails. */
interface Reading {
  readonly pictures: Pictures
  innerMails: number
}

/** Subject, heads, body, forwarded mails, then names of the attachments. */
async function writeMail(bytes: Uint8Array, reading: Reading, depth = 0): Promise<string> {
  const { pictures } = reading
  const mail = await PostalMime.parse(bytes, { maxNestingDepth: 50, forceRfc822Attachments: true })
  const hasHeads = mail.headers.length > 0 && (mail.html ?? mail.text ?? mail.subject) !== undefined
  if (!hasHeads && mail.attachments.length === 0) throw new ConvertError('broken')
  const carried = new Map<string, Uint8Array>()
  for (const attachment of mail.attachments) {
    if (attachment.contentId !== undefined) {
      carried.set(`cid:${withoutBrackets(attachment.contentId)}`, toBytes(attachment))
    }
  }
  const body =
    mail.html === undefined
      ? writePlain(mail.text ?? '')
      : htmlToMarkdown(
          mail.html,
          showImages(pictures, (src) => carried.get(src)),
        )
  const passedOn: string[] = []
  const attached: string[] = []
  for (const attachment of mail.attachments) {
    const content = toBytes(attachment)
    const isRead = isMail(attachment) && depth < MAX_DEPTH && reading.innerMails < MAX_INNER_MAILS
    if (isRead) reading.innerMails += 1
    // A broken nested mail is listed like any attachment.
    const inner = isRead ? await writeMail(content, reading, depth + 1).catch(() => '') : ''
    if (inner !== '') passedOn.push(inner)
    else if (isMail(attachment) || (attachment.related !== true && attachment.filename !== null)) {
      const name = pictures.add(content)
      const shown = name === '' ? '' : ` (${name})`
      attached.push(`- ${attachment.filename ?? 'mail.eml'}, ${toSize(content)}${shown}`)
    }
  }
  const parts = [
    writeTitle(mail.subject, depth),
    writeHead(mail),
    body,
    ...passedOn,
    attached.length === 0 ? '' : `${depth === 0 ? '##' : '###'} Attachments\n\n${attached.join('\n')}`,
  ]
  return parts.filter((part) => part !== '').join('\n\n')
}

/** A mail or a saved page. */
export const readMail: ReadDocument = async ({ bytes, pictures }) =>
  asOnePart(await writeMail(bytes, { pictures, innerMails: 0 }))
