import { isUtf8 } from 'node:buffer'
import PostalMime, { type Address, type Attachment, type Email } from 'postal-mime'
import { decodeText, markedEncoding } from '#lib/decode.ts'
import { withExtension } from '#lib/file-kind.ts'
import { kindOf } from '../document-kind.ts'
import { asOnePart, ConvertError, type ReadDocument, type Source } from '../reader.ts'
import { htmlToMarkdown, showImages } from '../web/html.ts'
import type { Pictures } from '../images/pictures.ts'
import { reportToMarkdown } from './report.ts'
import { readSecured } from './secured.ts'
import { outlookBody } from './outlook-body.ts'
import { isTnef, readTnef } from './tnef.ts'
import { toSize, writeHead, writePlain, writeTitle } from './write.ts'

function toNames(addresses: readonly (Address | undefined)[]): string {
  return addresses
    .flatMap((one) => (one === undefined ? [] : (one.group ?? [one])))
    .map(({ name, address }) => (name === '' ? address : `${name} (${address})`))
    .join(', ')
}

function toBytes({ content }: Attachment): Uint8Array {
  return typeof content === 'string' ? Buffer.from(content) : new Uint8Array(content)
}

const withoutBrackets = (id: string) => id.replace(/^<|>$/g, '')

/** Nested mails beyond these limits are listed by name only. */
const MAX_DEPTH = 5
const MAX_INNER_MAILS = 100

/** Mails within a mail; those that come back may have only their heads (RFC 6522, RFC 6532). */
const isMail = ({ mimeType }: Pick<Attachment, 'mimeType'>) =>
  /^(?:message\/(?:rfc822|global|global-headers)|text\/rfc822-headers)$/.test(mimeType)

const headOf = (mail: Email) => ({
  From: toNames([mail.from]),
  To: toNames(mail.to ?? []),
  Cc: toNames(mail.cc ?? []),
  Date: mail.date,
})

/** The state of reading one document of mails. */
interface Reading {
  readonly pictures: Pictures
  readonly readInner: Source['readInner']
  /** Tells, once, that something is encrypted. */
  readonly onLocked: () => void
  innerMails: number
}

/** The parser takes more than proportional time for heads. */
const MAX_HEAD_BYTES = 131_072

/** Bytes of other encodings within encoded words, where they are escaped, and outside of them, where they are guessed. */
function toUtf8Head(head: Buffer): Buffer {
  const escaped = head
    .toString('latin1')
    .replace(/=\?[\w-]{1,40}\?q\?[^?\r\n]*\?=/gi, (word) =>
      word.replace(/[\u0080-\u00ff]/g, (letter) => `=${letter.charCodeAt(0).toString(16)}`),
    )
  return Buffer.from(decodeText(Buffer.from(escaped, 'latin1')))
}

/** The mail with a head as the parser expects it: in UTF-8, and not too long. */
function partsOf(mail: Uint8Array): readonly [head: Buffer, rest: Buffer] {
  const bytes = Buffer.from(mail.buffer, mail.byteOffset, mail.byteLength)
  const ends = ['\r\n\r\n', '\n\n'].map((mark) => bytes.indexOf(mark)).filter((at) => at !== -1)
  const end = Math.min(...ends, bytes.length)
  const line = end > MAX_HEAD_BYTES ? bytes.lastIndexOf('\n', MAX_HEAD_BYTES) : end
  const head = bytes.subarray(0, line === -1 ? MAX_HEAD_BYTES : line)
  const known = isUtf8(head) ? head : toUtf8Head(head)
  return [head.length === end ? known : Buffer.concat([known, Buffer.from('\n')]), bytes.subarray(end)]
}

/** UTF-7 is in ASCII, and unknown to the parser: old programs of mail write it. */
const readUtf7 = (text: string | undefined) =>
  text?.replace(/\+(?:-|([A-Za-z0-9+/]{3,})-?)/g, (_, letters = '') =>
    letters === '' ? '+' : new TextDecoder('utf-16be').decode(Buffer.from(letters, 'base64')).replace(/\ufffd$/, ''),
  )

const withNames = (address: Address): Address => ({ ...address, name: readUtf7(address.name) ?? '' })

const parse = (mail: Buffer) => PostalMime.parse(mail, { maxNestingDepth: 50, forceRfc822Attachments: true })

async function parseMail(bytes: Uint8Array): Promise<Email> {
  const [head, rest] = partsOf(bytes)
  const mail = Buffer.concat([head, rest])
  const said = await parse(mail)
  // Text of an encoding that the mail does not name, or names wrongly.
  const isOther = /\ufffd/.test(`${said.text ?? ''}${said.html ?? ''}`) && !isUtf8(rest)
  const parsed = isOther ? await parse(Buffer.concat([head, Buffer.from(decodeText(rest))])) : said
  if (!/(?:charset\s{0,9}=\s{0,9}"?|=\?)utf-7\b/i.test(mail.toString('latin1'))) return parsed
  const { from, to, cc, subject, text, html } = parsed
  const heads = {
    from: from && withNames(from),
    to: to?.map(withNames),
    cc: cc?.map(withNames),
    subject: readUtf7(subject),
  }
  return { ...parsed, ...heads, text: readUtf7(text), html: readUtf7(html) }
}

function toName({ filename, mimeType }: Attachment): string {
  if (isMail({ mimeType })) return filename ?? 'mail.eml'
  const name = filename ?? 'attachment'
  return mimeType === 'application/pdf' && !/\.pdf$/i.test(name) ? `${name}.pdf` : withExtension(name, mimeType)
}

/** The name by which an attachment is read: text of another ending, such as that of a log, is read as text. */
const toReadName = (name: string, mimeType: string) =>
  kindOf(name) === undefined && /^text\/|[/+](?:json|xml|yaml)$/.test(mimeType) ? `${name}.txt` : name

/** Mails that programs write may have HTML without text in addition to their text. */
function writeBody({ html, text = '' }: Email, pictures: Pictures, carried: ReadonlyMap<string, Uint8Array>): string {
  const shown =
    html === undefined ? '' : htmlToMarkdown(html, { showImage: showImages(pictures, (src) => carried.get(src)) })
  return shown === '' ? writePlain(text) : shown
}

/** An attachment as markdown, below its title, and its line in the list of them; a calendar part has no line. */
interface Written {
  readonly line?: string | undefined
  readonly title?: string
  readonly inner?: string
}

/** A file that is listed, and read where it is a document. */
async function writeFile(name: string, content: Uint8Array, reading: Reading, readName = name): Promise<Written> {
  const inner = (await reading.readInner?.(readName, Buffer.from(content))) ?? ''
  const line = `- ${name}, ${toSize(content)}`
  return inner === '' ? { line } : { line, title: `## Attachment: ${name}`, inner }
}

/** Text and files that Outlook packed for itself; undefined where they can't be read. */
async function writePacked(content: Uint8Array, hasText: boolean, reading: Reading): Promise<Written[] | undefined> {
  const message = readTnef(Buffer.from(content))
  if (message === undefined) return undefined
  const files: Written[] = []
  // oxlint-disable-next-line no-await-in-loop -- in order
  for (const { name, bytes } of message.files) files.push(await writeFile(name, bytes, reading))
  return [...(hasText ? [] : [{ inner: outlookBody(message) }]), ...files]
}

/** An attachment in its parts: most have one. */
async function writeAttachment(attachment: Attachment, hasText: boolean, reading: Reading, depth: number) {
  const packed = isTnef(attachment) ? await writePacked(toBytes(attachment), hasText, reading) : undefined
  return packed ?? [await writeSingle(attachment, reading, depth)]
}

async function writeSingle(attachment: Attachment, reading: Reading, depth: number): Promise<Written> {
  const content = toBytes(attachment)
  const name = toName(attachment)
  const secured = readSecured(attachment.mimeType, name, content)
  if (secured?.kind === 'locked') reading.onLocked()
  if (secured?.kind === 'signed' || isMail(attachment)) {
    const isRead = depth < MAX_DEPTH && reading.innerMails < MAX_INNER_MAILS
    if (isRead) reading.innerMails += 1
    const isSigned = secured?.kind === 'signed'
    const mail = isSigned ? secured.mail : content
    // A broken nested mail is listed like any attachment.
    const inner = isRead ? await writeMail(mail, reading, depth + 1, isSigned).catch(() => '') : ''
    return inner === '' ? { line: `- ${name}, ${toSize(content)}` } : { inner }
  }
  const report = reportToMarkdown(attachment.mimeType, content)
  if (report !== undefined) return { inner: report }
  const picture = reading.pictures.add(content)
  const isListed = attachment.related !== true && attachment.filename !== null
  if (picture !== '') return { line: isListed ? `- ${name}, ${toSize(content)} (${picture})` : undefined }
  if (attachment.related === true) return {}
  if (isListed) return writeFile(name, content, reading, toReadName(name, attachment.mimeType))
  return { inner: await reading.readInner?.(name, Buffer.from(content)) }
}

const PGP_START = '-----BEGIN PGP MESSAGE-----'

/** Subject, heads, body, forwarded mails and attached documents, then names of the attachments. */
async function writeMail(bytes: Uint8Array, reading: Reading, depth = 0, isSigned = false): Promise<string> {
  const mail = await parseMail(bytes)
  const hasHeads = mail.headers.length > 0 && (mail.html ?? mail.text ?? mail.subject) !== undefined
  if (!hasHeads && mail.attachments.length === 0) throw new ConvertError('broken')
  const carried = new Map<string, Uint8Array>()
  for (const attachment of mail.attachments) {
    if (attachment.contentId !== undefined) {
      carried.set(`cid:${withoutBrackets(attachment.contentId)}`, toBytes(attachment))
    }
  }
  const body = writeBody(mail, reading.pictures, carried)
  if (body.startsWith(PGP_START)) reading.onLocked()
  const passedOn: string[] = []
  const shown = new Set<string>()
  const attached: string[] = []
  for (const attachment of mail.attachments) {
    for (const { line, title, inner = '' } of await writeAttachment(attachment, body !== '', reading, depth)) {
      if (line !== undefined) attached.push(line)
      // An invitation comes as a part of the mail, and once more as a file.
      if (inner === '' || (title !== undefined && shown.has(inner))) continue
      shown.add(inner)
      passedOn.push(title === undefined ? inner : `${title}\n\n${inner}`)
    }
  }
  const parts = [
    // Heads of a signed mail are around it.
    isSigned && mail.subject === undefined ? '' : writeTitle(mail.subject, depth),
    writeHead(headOf(mail)),
    body,
    ...passedOn,
    attached.length === 0 ? '' : `${depth === 0 ? '##' : '###'} Attachments\n\n${attached.join('\n')}`,
  ]
  return parts.filter((part) => part !== '').join('\n\n')
}

/** Reads mails of one document, which share its limits. */
export function createMailReader({ pictures, readInner, onNote }: Source): (bytes: Buffer) => Promise<string> {
  let isTold = false
  const onLocked = () => {
    if (!isTold) onNote('Encrypted mail was not read, except for its heads.')
    isTold = true
  }
  const reading = { pictures, readInner, onLocked, innerMails: 0 }
  // The parser reads bytes; some programs save a mail as UTF-16.
  return (bytes) => {
    const isWide = markedEncoding(bytes)?.startsWith('utf-16') === true
    return writeMail(isWide ? Buffer.from(decodeText(bytes)) : bytes, reading)
  }
}

/** A mail or a saved page. */
export const readMail: ReadDocument = async (source) => asOnePart(await createMailReader(source)(source.bytes))
