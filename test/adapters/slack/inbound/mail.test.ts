import { expect, test } from 'vitest'
import { toAttachment } from '#adapters/slack/inbound/attachment.ts'
import type { FileRecord } from '#test/doubles/slack/types.ts'
import { askedScene } from '../scene.ts'

/** A mail as Slack describes it (slack-web, golden test `email_message.json`). */
const MAIL = {
  name: 'Jetty',
  title: 'Jetty',
  mimetype: 'text/html',
  filetype: 'email',
  mode: 'email',
  subject: 'Jetty\r\nBcc: x@example.com',
  from: [{ address: 'bo@example.com', name: 'Bo', original: 'Bo <bo@example.com>' }],
  to: [{ address: '', name: 'Email', original: 'Email <>' }],
  headers: { date: 'Fri, 16 Dec 2022 18:58:30 +0000' },
}

async function read(body: string): Promise<string> {
  const { slack, channel, adapter } = await askedScene()
  const file = slack.hostFile(body, 'Jetty', 'text/html')
  slack.workspace.files.get(file.id)?.shares.add(channel)
  const record = { ...file, ...MAIL } as FileRecord
  return new Response(await adapter.open(toAttachment(record, channel), AbortSignal.timeout(10_000))).text()
}

const HEAD = [
  'From: Bo <bo@example.com>',
  'To: Email <>',
  'Subject: Jetty Bcc: x@example.com',
  'Date: Fri, 16 Dec 2022 18:58:30 +0000',
  'MIME-Version: 1.0',
].join('\r\n')

test('a mail in Slack is a mail by its name and type', () => {
  const attachment = toAttachment({ id: 'F1', url_private: 'https://files.slack.com/x', ...MAIL }, 'C1')
  expect(attachment).toMatchObject({ name: 'Jetty.eml', mimeType: 'message/rfc822', kind: 'document' })
})

test('its body gets the headers that Slack tells beside it', async () => {
  const html = '<html><body>It is closed.</body></html>'
  expect(await read(html)).toBe(`${HEAD}\r\nContent-Type: text/html; charset=utf-8\r\n\r\n${html}`)
  expect(await read('It is closed.')).toBe(`${HEAD}\r\nContent-Type: text/plain; charset=utf-8\r\n\r\nIt is closed.`)
})

test('a whole mail stays as it is', async () => {
  const mail = 'From: Bo <bo@example.com>\r\nSubject: Jetty\r\n\r\nIt is closed.'
  expect(await read(mail)).toBe(mail)
})
