import { createRequire } from 'node:module'
import type * as Outlook from '@kenjiuno/msgreader'
import { asOnePart, ConvertError, type ReadDocument } from '../reader.ts'
import { htmlToMarkdown } from '../web/html.ts'
import { toSize, writeHead, writePlain, writeTitle } from '../web/mail.ts'

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

/** Plain text first: it is what the sender's program made of the markup. */
function bodyOf({ body, bodyHtml, html }: Outlook.FieldsData): string {
  if (body !== undefined && body.trim() !== '') return writePlain(body)
  const markup = bodyHtml ?? (html === undefined ? undefined : Buffer.from(html).toString('utf8'))
  return markup === undefined ? '' : htmlToMarkdown(markup)
}

function writeMessage(fields: Outlook.FieldsData, depth: number): string {
  const inner: string[] = []
  const attached: string[] = []
  for (const attachment of (fields.attachments ?? []).slice(0, MAX_ATTACHMENTS)) {
    const { innerMsgContentFields: mail, fileName, fileNameShort, name, contentLength = 0 } = attachment
    if (mail !== undefined && depth < MAX_DEPTH) inner.push(writeMessage(mail, depth + 1))
    else if (attachment.attachmentHidden !== true) {
      const shown = fileName ?? fileNameShort ?? name ?? 'attachment'
      attached.push(`- ${shown}, ${toSize({ byteLength: contentLength })}`)
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
    }),
    bodyOf(fields),
    ...inner,
    attached.length === 0 ? '' : `${depth === 0 ? '##' : '###'} Attachments\n\n${attached.join('\n')}`,
  ]
  return parts.filter((part) => part !== '').join('\n\n')
}

/** A mail as Outlook saves it. */
export const readMsg: ReadDocument = async ({ bytes }) => {
  // An import would give its default export inside another one.
  const { default: Reader }: typeof Outlook.default = createRequire(import.meta.url)('@kenjiuno/msgreader')
  const reader = new Reader(Uint8Array.from(bytes).buffer)
  const fields = reader.getFileData()
  if (fields.error !== undefined) throw new ConvertError('broken')
  return asOnePart(writeMessage(fields, 0))
}
