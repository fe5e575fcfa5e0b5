import { type Fields, list, text, toFields } from '#adapters/shared/json.ts'

/**
 * A mail that Slack received for a channel. It says `text/html` and hands out the body, without the headers, which are
 * in the fields of the file (https://docs.slack.dev/reference/objects/file-object).
 */
export const isMail = (file: Fields): boolean => text(file, 'mode') === 'email' || text(file, 'filetype') === 'email'

export const MAIL_TYPE = 'message/rfc822'

const oneLine = (value: string): string => value.replaceAll(/[\r\n]+/g, ' ')

const addresses = (file: Fields, name: string): string =>
  list(file, name)
    .flatMap((one) => text(one, 'original') ?? text(one, 'address') ?? [])
    .join(', ')

/** Headers of the mail, as far as Slack tells them. */
export function mailHead(file: Fields): string {
  const head = [
    ['From', addresses(file, 'from')],
    ['To', addresses(file, 'to')],
    ['Cc', addresses(file, 'cc')],
    ['Subject', text(file, 'subject') ?? text(file, 'title') ?? ''],
    ['Date', text(toFields(file['headers']), 'date') ?? ''],
  ] as const
  return head
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `${name}: ${oneLine(value)}\r\n`)
    .join('')
}

/** A header line; some workspaces hand out the whole mail. */
const BEGINS_AS_MAIL = /^(?:[A-Za-z][\w-]*:[ \t]?.*\r?\n)/
const IS_HTML = /^\s*<(?:!doctype|html|head|body|div|p|table|meta|span)\b/i

/** The bytes of a mail with its headers in front, where Slack left them out. */
export function asMail(bytes: ReadableStream<Uint8Array>, head: string): ReadableStream<Uint8Array> {
  let isFirst = true
  return bytes.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(piece, controller) {
        if (isFirst) {
          const start = Buffer.from(piece.subarray(0, 512)).toString('latin1')
          const isHtml = IS_HTML.test(start)
          const type = `Content-Type: text/${isHtml ? 'html' : 'plain'}; charset=utf-8\r\n`
          if (isHtml || !BEGINS_AS_MAIL.test(start))
            controller.enqueue(Buffer.from(`${head}MIME-Version: 1.0\r\n${type}\r\n`))
          isFirst = false
        }
        controller.enqueue(piece)
      },
    }),
  )
}
