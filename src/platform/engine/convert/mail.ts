import PostalMime, { type Address, type Attachment } from 'postal-mime'
import { ConvertError } from './failure.ts'
import { htmlToMarkdown } from './html.ts'
import { createMarkdownWriter } from './markdown/writer.ts'
import { showImages } from './page.ts'
import { asOnePart, type ReadDocument } from './reader.ts'

function toNames(addresses: readonly (Address | undefined)[]): string {
  return addresses
    .flatMap((one) => (one === undefined ? [] : (one.group ?? [one])))
    .map(({ name, address }) => (name === '' ? address : `${name} (${address})`))
    .join(', ')
}

function toBytes({ content }: Attachment): Uint8Array {
  return typeof content === 'string' ? Buffer.from(content) : new Uint8Array(content)
}

/** Plain text of a mail: paragraphs, and quotations marked with > as they are in markdown too. */
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

/** A mail or a saved page: who, to whom, when, what about, then what it says and what is attached. */
export const readMail: ReadDocument = async ({ bytes, pictures }) => {
  const mail = await PostalMime.parse(bytes, { maxNestingDepth: 50 })
  const isMail = mail.headers.length > 0 && (mail.html ?? mail.text ?? mail.subject) !== undefined
  if (!isMail && mail.attachments.length === 0) throw new ConvertError('broken')
  const carried = new Map<string, Uint8Array>()
  for (const attachment of mail.attachments) {
    if (attachment.contentId !== undefined) {
      carried.set(`cid:${withoutBrackets(attachment.contentId)}`, toBytes(attachment))
    }
  }
  const title = createMarkdownWriter()
  title.open('h1')
  title.text(mail.subject ?? '')
  title.close('h1')
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
  const body =
    mail.html === undefined
      ? writePlain(mail.text ?? '')
      : htmlToMarkdown(
          mail.html,
          showImages(pictures, (src) => carried.get(src)),
        )
  const attached = mail.attachments
    .filter(({ related, filename }) => related !== true && filename !== null)
    .map((attachment) => {
      const content = toBytes(attachment)
      const name = pictures.add(content)
      const size = `${Math.ceil(content.byteLength / 1000)} kB`
      return `- ${attachment.filename}, ${size}${name === '' ? '' : ` (${name})`}`
    })
  const parts = [
    title.finish(),
    head.finish(),
    body,
    attached.length === 0 ? '' : `## Attachments\n\n${attached.join('\n')}`,
  ]
  return asOnePart(parts.filter((part) => part !== '').join('\n\n'))
}
