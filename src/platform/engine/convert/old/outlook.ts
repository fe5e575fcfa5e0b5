import { createRequire } from 'node:module'
import type * as Outlook from '@kenjiuno/msgreader'
import { asOnePart, ConvertError, type ReadDocument, type Source } from '../reader.ts'
import { encodingOf, hasByteStrings } from './outlook-encoding.ts'
import { outlookBody } from '../mail/outlook-body.ts'
import { toSize, writeHead, writeTitle } from '../mail/write.ts'
import { checkCompoundFile } from './compound-file.ts'

/** Nested mails beyond these limits are listed by name only. */
const MAX_DEPTH = 5
const MAX_ATTACHMENTS = 1000

const toName = (name: string | undefined, address: string | undefined) => {
  const isAddress = address?.includes('@') === true
  if (name === undefined || name === address) return isAddress ? address : (name ?? '')
  return isAddress ? `${name} (${address})` : name
}

function recipients({ recipients: all = [] }: Outlook.FieldsData, type: 'to' | 'cc'): string {
  return all
    .filter(({ recipType }) => (recipType ?? 'to') === type)
    .map(({ name, smtpAddress, email }) => toName(name, smtpAddress ?? email))
    .join(', ')
}

function toIso(date: string | undefined): string | undefined {
  const time = new Date(date ?? '')
  return Number.isNaN(time.getTime()) ? date : time.toISOString()
}

/** Fields of appointments and contacts, by the words for them. */
const FIELDS = {
  Start: 'apptStartWhole',
  End: 'apptEndWhole',
  Location: 'apptLocation',
  Title: 'title',
  Company: 'companyName',
  Department: 'departmentName',
  Mail: 'email1EmailAddress',
  Phone: 'businessTelephoneNumber',
  Mobile: 'mobileTelephoneNumber',
  'Phone at home': 'homeTelephoneNumber',
  Fax: 'businessFaxNumber',
  Address: 'workAddress',
  Website: 'businessHomePage',
} as const satisfies Record<string, keyof Outlook.FieldsData>

const fieldsOf = (fields: Outlook.FieldsData) =>
  Object.fromEntries(
    Object.entries(FIELDS).map(([name, key]) => {
      const value = fields[key]?.replace(/\s+/g, ' ').trim()
      return [name, key.startsWith('appt') && name !== 'Location' ? toIso(value) : value]
    }),
  )

/** One mail with those inside; `getBytes` gives the content of an attachment. */
interface Reading {
  readonly getBytes: (attachment: Outlook.FieldsData) => Uint8Array
  readonly readInner: Source['readInner']
}

async function writeAttachment(attachment: Outlook.FieldsData, { getBytes, readInner }: Reading) {
  const { fileName, fileNameShort, name, contentLength = 0 } = attachment
  const shown = fileName ?? fileNameShort ?? name ?? 'attachment'
  // The library throws on attachments without content, such as links to files.
  const bytes = (() => {
    try {
      return Buffer.from(getBytes(attachment))
    } catch {
      return undefined
    }
  })()
  const inner = bytes === undefined || bytes.length === 0 ? '' : ((await readInner?.(shown, bytes)) ?? '')
  return {
    line: `- ${shown}, ${toSize({ byteLength: contentLength })}`,
    inner: inner === '' ? [] : [`## Attachment: ${shown}\n\n${inner}`],
  }
}

async function writeMessage(fields: Outlook.FieldsData, reading: Reading, depth: number): Promise<string> {
  const inner: string[] = []
  const attached: string[] = []
  for (const attachment of (fields.attachments ?? []).slice(0, MAX_ATTACHMENTS)) {
    const mail = attachment.innerMsgContentFields
    if (mail !== undefined && depth < MAX_DEPTH) inner.push(await writeMessage(mail, reading, depth + 1))
    else if (attachment.attachmentHidden !== true) {
      const written = await writeAttachment(attachment, reading)
      attached.push(written.line)
      inner.push(...written.inner)
    }
  }
  const { senderName, senderSmtpAddress, senderEmail, messageDeliveryTime, clientSubmitTime } = fields
  const parts = [
    writeTitle(fields.subject, depth),
    writeHead({
      From: toName(senderName, senderSmtpAddress ?? senderEmail),
      To: recipients(fields, 'to'),
      Cc: recipients(fields, 'cc'),
      Date: toIso(clientSubmitTime ?? messageDeliveryTime),
      ...fieldsOf(fields),
    }),
    outlookBody({ text: fields.body, html: fields.bodyHtml ?? fields.html, rtf: fields.compressedRtf }),
    ...inner,
    attached.length === 0 ? '' : `${depth === 0 ? '##' : '###'} Attachments\n\n${attached.join('\n')}`,
  ]
  return parts.filter((part) => part !== '').join('\n\n')
}

/** Reads the mail, and once more where its one-byte texts turn out to be in another encoding. */
function parse(bytes: Buffer) {
  // An import would give its default export inside another one.
  const { default: Reader }: typeof Outlook.default = createRequire(import.meta.url)('@kenjiuno/msgreader')
  const read = (ansiEncoding: string) => {
    const reader = new Reader(Uint8Array.from(bytes).buffer)
    reader.parserConfig = { ansiEncoding }
    return { reader, fields: reader.getFileData() }
  }
  const first = read('latin1')
  if (!hasByteStrings(bytes)) return first
  const { subject = '', body = '', bodyHtml = '', senderName = '' } = first.fields
  return read(encodingOf(first.fields, [subject, body, bodyHtml, senderName]))
}

/** A mail as Outlook saves it. */
export const readMsg: ReadDocument = async ({ bytes, readInner }) => {
  checkCompoundFile(bytes)
  const { reader, fields } = parse(bytes)
  if (fields.error !== undefined) throw new ConvertError('broken')
  const getBytes = (attachment: Outlook.FieldsData) => reader.getAttachment(attachment).content
  return asOnePart(await writeMessage(fields, { getBytes, readInner }, 0))
}
