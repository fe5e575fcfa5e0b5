import { allowedHosts } from '#adapters/discord/inbound/attachment.ts'
import { isAllowedHost } from '#adapters/shared/files.ts'
import { expect, test } from 'vitest'
import type { Attachment } from '#bridge/port/message.ts'
import { type Opened, open, openDouble } from '../harness.ts'

const never = new AbortController().signal
const files = 'GET /attachments'
const refetch = 'GET /channels/:channel/messages/:message'

async function dropped(opened: Opened): Promise<Attachment> {
  const { attachments } = await opened.nextMessage()
  const [attachment] = attachments
  if (attachment === undefined) throw new Error('nothing was dropped')
  return attachment
}

const textOf = async ({ adapter }: Opened, attachment: Attachment) =>
  new Response(await adapter.open(attachment, never)).text()

test('a dropped file carries its true name, type, size and kind', async () => {
  const opened = await open(await openDouble())
  opened.discord.say({ files: [{ name: 'Größe & Maß.md', bytes: 'hello', mimeType: 'text/markdown; charset=utf-8' }] })
  expect(await dropped(opened)).toMatchObject({
    name: 'Größe & Maß.md',
    mimeType: 'text/markdown; charset=utf-8',
    kind: 'document',
    sizeBytes: 5,
  })
})

test('a voice message is a voice attachment with its length, addressed only by where it is said', async () => {
  const opened = await open(await openDouble())
  opened.discord.say({ voice: { bytes: new Uint8Array(8), seconds: 3.25 } })
  const message = await opened.nextMessage()
  expect(message).toMatchObject({ text: '', addressed: false })
  expect(message.attachments[0]).toMatchObject({ kind: 'voice', durationMs: 3250, mimeType: 'audio/ogg' })
})

test('a forwarded file is a dropped file, and what it was forwarded from is not answered', async () => {
  const opened = await open(await openDouble())
  const { id, url } = opened.discord.hostFile({ name: 'plan.pdf', bytes: 'pdf', mimeType: 'application/pdf' })
  const attachment = { id, url, proxy_url: url, filename: 'plan.pdf', size: 3, content_type: 'application/pdf' }
  opened.discord.say({
    extra: {
      message_reference: { type: 1, message_id: '1', channel_id: '2' },
      message_snapshots: [{ message: { content: 'old words', attachments: [attachment], embeds: [] } }],
    },
  })
  const message = await opened.nextMessage()
  expect(message).not.toHaveProperty('replyTo')
  expect(message.text).toBe('> old words')
  const [forwarded] = message.attachments
  expect(forwarded).toMatchObject({ id, name: 'plan.pdf', kind: 'document' })
  expect(await textOf(opened, await dropped(opened))).toBe('pdf')
})

test('the bytes are fetched without any credential', async () => {
  const opened = await open(await openDouble())
  opened.discord.say({ files: [{ name: 'a.txt', bytes: 'hello' }] })
  expect(await textOf(opened, await dropped(opened))).toBe('hello')
  expect(opened.discord.callsTo(files)[0]?.authorization).toBeUndefined()
})

test('an address that no longer works is renewed once', async () => {
  const opened = await open(await openDouble())
  opened.discord.say({ files: [{ name: 'a.txt', bytes: 'hello' }] })
  const attachment = await dropped(opened)
  opened.discord.expireFiles()
  expect(await textOf(opened, attachment)).toBe('hello')
  expect(opened.discord.callsTo(files)).toHaveLength(2)
  expect(opened.discord.callsTo(refetch)).toHaveLength(1)
})

test('an address past its time is not even tried', async () => {
  const opened = await open(await openDouble({ attachmentTtlMs: -1000 }))
  opened.discord.say({ files: [{ name: 'a.txt', bytes: 'hello' }] })
  const attachment = await dropped(opened)
  await expect(opened.adapter.open(attachment, never)).rejects.toMatchObject({ code: 'not-found' })
  expect(opened.discord.callsTo(refetch)).toHaveLength(1)
  expect(opened.discord.callsTo(files)).toHaveLength(1)
})

test('a file whose message was deleted is not-found', async () => {
  const opened = await open(await openDouble())
  const said = opened.discord.say({ files: [{ name: 'a.txt', bytes: 'hello' }] })
  const attachment = await dropped(opened)
  opened.discord.remove(said.id)
  opened.discord.expireFiles()
  await expect(opened.adapter.open(attachment, never)).rejects.toMatchObject({ code: 'not-found' })
})

test('a redirect within the file hosts is followed, one to a foreign host is not', async () => {
  const discord = await openDouble()
  const elsewhere = await openDouble()
  const opened = await open(discord)
  const target = discord.hostFile({ name: 'b.txt', bytes: 'moved' })
  const said = discord.say({ files: [{ name: 'a.txt', bytes: 'hello' }] })
  const attachment = await dropped(opened)
  discord.redirectFile(said.files[0]?.id ?? '', target.url)
  expect(await textOf(opened, attachment)).toBe('moved')
  discord.redirectFile(said.files[0]?.id ?? '', elsewhere.hostFile({ name: 'c.txt', bytes: 'bad' }).url)
  await expect(opened.adapter.open(attachment, never)).rejects.toMatchObject({ code: 'forbidden' })
  expect(elsewhere.calls).toEqual([])
})

test('a redirect that leads in circles ends', async () => {
  const opened = await open(await openDouble())
  const said = opened.discord.say({ files: [{ name: 'a.txt', bytes: 'hello' }] })
  const attachment = await dropped(opened)
  const { url } = JSON.parse(attachment.locator) as { url: string }
  opened.discord.redirectFile(said.files[0]?.id ?? '', url)
  await expect(opened.adapter.open(attachment, never)).rejects.toMatchObject({ code: 'invalid' })
})

test('a file host that does not answer ends the download', async () => {
  const opened = await open(await openDouble(), { times: { fileMs: 60 } })
  opened.discord.say({ files: [{ name: 'a.txt', bytes: 'hello' }] })
  const attachment = await dropped(opened)
  opened.discord.script(files, { kind: 'hang' })
  await expect(opened.adapter.open(attachment, never)).rejects.toMatchObject({ code: 'network' })
})

test('a file host that breaks is told as such', async () => {
  const opened = await open(await openDouble())
  opened.discord.say({ files: [{ name: 'a.txt', bytes: 'hello' }] })
  const attachment = await dropped(opened)
  opened.discord.script(files, { kind: 'status', status: 500 })
  await expect(opened.adapter.open(attachment, never)).rejects.toMatchObject({ code: 'network' })
  opened.discord.script(files, { kind: 'reset' })
  await expect(opened.adapter.open(attachment, never)).rejects.toMatchObject({ code: 'network' })
  opened.discord.script(files, { kind: 'status', status: 431 })
  await expect(opened.adapter.open(attachment, never)).rejects.toMatchObject({ code: 'invalid' })
})

test('why there is no file is said without its name, which stands before it on the receipt', async () => {
  const opened = await open(await openDouble())
  const said = opened.discord.say({ files: [{ name: 'plan.pdf', bytes: 'hello' }] })
  const attachment = await dropped(opened)
  const why = () => opened.adapter.open(attachment, never).catch(String)
  const seen: unknown[] = []
  for (const status of [500, 431]) {
    opened.discord.script(files, { kind: 'status', status })
    seen.push(await why())
  }
  opened.discord.remove(said.id)
  opened.discord.expireFiles()
  seen.push(await why(), await opened.adapter.open({ ...attachment, locator: '{}' }, never).catch(String))
  expect(seen).toEqual([
    'AdapterError: Discord answered the download with HTTP 500. Try again later.',
    'AdapterError: Discord refused the download (HTTP 431). Drop the file again.',
    'AdapterError: The file is gone from Discord. Drop it again if it is still needed.',
    'AdapterError: The file is not an attachment from Discord.',
  ])
})

test('without FILE_HOSTS only the hosts of Discord are asked', async () => {
  const opened = await open(await openDouble(), { fileHosts: [] })
  opened.discord.say({ files: [{ name: 'a.txt', bytes: 'hello' }] })
  const attachment = await dropped(opened)
  await expect(opened.adapter.open(attachment, never)).rejects.toMatchObject({ code: 'forbidden' })
  expect(opened.discord.callsTo(files)).toEqual([])
})

test.each([
  ['https://files.example.org/a', true],
  ['https://files.example.org:8443/a', false],
  ['http://files.example.org/a', false],
  ['http://127.0.0.1:4000/a', true],
  ['https://cdn.discordapp.com/a', true],
  ['https://cdn.discordapp.com.example.org/a', false],
  ['https://cdn.discordapp.com:444/a', false],
])('%s with FILE_HOSTS of one host and loopback: %s', (address, isAllowed) => {
  expect(isAllowedHost(new URL(address), allowedHosts(['files.example.org', '127.0.0.1:*']))).toBe(isAllowed)
})

test('a locator that is not ours is refused', async () => {
  const opened = await open(await openDouble())
  for (const locator of ['', '{}', 'null', 'F123', '{"channel":1,"message":2,"url":3}']) {
    const attachment: Attachment = { id: '1', name: 'x', mimeType: '', kind: 'other', locator }
    await expect(opened.adapter.open(attachment, never)).rejects.toMatchObject({ code: 'invalid' })
  }
})
