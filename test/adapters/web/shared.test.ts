import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { WebEvent, WebFindings, WebState } from '#adapters/web/protocol.ts'
import type { Sql } from '#sql/sql.ts'
import { createRowBytes } from '#adapters/web/server/store/upload-bytes.ts'
import { PAGE_SCHEMA, PAGE_STEPS } from '#adapters/web/server/store/schema.ts'
import { openPostgresStore, type SharedStore } from '#store/postgres/open-store.ts'
import { createLogSink } from '#test/support/fakes/log.ts'
import { usePostgres } from '#test/support/postgres/postgres.ts'
import { createScene, outgoing, type Scene } from './scene.ts'

const postgres = usePostgres()
const directory = mkdtempSync(join(tmpdir(), 'footbridge-shared-page-'))
const stores: SharedStore[] = []
const pages: Sql[] = []
let one: Scene
let other: Scene

async function openPage(url: string): Promise<Scene> {
  const store = await openPostgresStore(url, directory, createLogSink())
  stores.push(store)
  const shared = await store.openTables<WebEvent>({ schema: PAGE_SCHEMA, steps: PAGE_STEPS })
  pages.push(shared.sql)
  return createScene({ shared })
}

beforeAll(async () => {
  const url = await postgres.database()
  ;[one, other] = await Promise.all([openPage(url), openPage(url)])
})
afterAll(async () => {
  for (const scene of [one, other]) await scene[Symbol.asyncDispose]()
  for (const store of stores) await store.close()
  rmSync(directory, { recursive: true })
})

const CONVERSATION = { adapter: 'web', workspace: 'local', channel: 'general', direct: false } as const

test('a browser on one process sees what another one writes, piece by piece and in order', async () => {
  const events = await one.browser.events()
  await events.next()
  const asker = { id: 'person', name: 'You' }
  const stream = await other.adapter.stream?.(CONVERSATION, outgoing('Ferries '), asker)
  const first = await events.nextOf('message')
  expect(first.message).toMatchObject({ text: 'Ferries ', streaming: true })
  for (const piece of ['leave ', 'at ', 'ten.']) await stream?.append(piece)
  let text = first.message.text
  while (text !== 'Ferries leave at ten.') {
    const delta = await events.nextOf('delta')
    expect(delta.at).toBe(text.length)
    text += delta.text
  }
  await stream?.finish(outgoing('Ferries leave at ten. [1]'))
  expect((await events.nextOf('message')).message).toMatchObject({
    text: 'Ferries leave at ten. [1]',
    streaming: false,
  })
  await events.close()
})

test('a thread whose first message was deleted stays in the history', async () => {
  const { id } = await one.browser.createChannel('ferries')
  const root = await one.browser.say(id, { text: 'When do ferries leave?' })
  const reply = await one.browser.say(id, { text: 'At ten.', thread: root.id })
  await one.browser.request(`/api/web/messages/${root.id}`, { method: 'DELETE' })
  expect((await other.browser.history(id)).messages.map((message) => message.id)).toEqual([reply.id])
})

test('a first try of an upload that fails late leaves the second one whole', async () => {
  const url = '/api/web/uploads/upload-in-two-tries?name=a.md'
  const first = new TransformStream<Uint8Array, Uint8Array>()
  const writer = first.writable.getWriter()
  const late = one.browser.request(url, { method: 'PUT', body: first.readable, duplex: 'half' })
  await writer.write(new Uint8Array(1_200_000))
  const whole = new TextEncoder().encode('whole'.repeat(400_000))
  expect((await other.browser.request(url, { method: 'PUT', body: whole })).status).toBe(201)
  await writer.abort(new Error('The connection is gone.'))
  expect((await late).status).toBe(503)
  const read = await one.browser.request('/api/web/files/upload-in-two-tries')
  expect(new Uint8Array(await read.arrayBuffer())).toEqual(whole)
})

test('what a killed try of an upload left is removed after a day, a new one stays', async () => {
  const [tables] = pages
  if (tables === undefined) throw new Error('There are no tables.')
  const old = `upload-left.${Date.now() - 2 * 24 * 3600_000}.x`
  const fresh = `upload-left.${Date.now()}.y`
  for (const upload of [old, fresh])
    await tables.write(['INSERT INTO upload_parts (upload, part, bytes) VALUES (?, 1, ?)', upload, new Uint8Array([1])])
  await createRowBytes(tables).removeUnfinished(Date.now() - 24 * 3600_000)
  const left = await tables.all("SELECT upload FROM upload_parts WHERE upload LIKE 'upload-left%'")
  expect(left.map((row) => row['upload'])).toEqual([fresh])
})

test('the end of an upload that is repeated after a lost answer leaves it whole', async () => {
  const [tables] = pages
  if (tables === undefined) throw new Error('There are no tables.')
  // PostgreSQL carries statements out, and the answer is lost: they are sent again.
  const write: Sql['write'] = async (...all) => {
    await tables.write(...all)
    await tables.write(...all)
  }
  const bytes = createRowBytes({ ...tables, write })
  await bytes.write('upload-told-twice', new Blob(['whole']).stream(), 100)
  expect(await new Response(await bytes.read('upload-told-twice')).text()).toBe('whole')
})

test('a message and a file of one process are there in the other', async () => {
  const said = await one.browser.say('general', { text: 'Où est la Grösse?' })
  expect(await other.adapter.read({ conversation: CONVERSATION, id: said.id })).toMatchObject({
    text: 'Où est la Grösse?',
  })
  const file = new Blob(['x'.repeat(2_500_000)])
  const sent = await other.adapter.upload?.(
    CONVERSATION,
    { name: 'tides.csv', mimeType: 'text/csv', bytes: file },
    outgoing('Here'),
  )
  const message = await one.adapter.read(sent ?? { conversation: CONVERSATION, id: '' })
  const [attachment] = message?.attachments ?? []
  if (attachment === undefined) throw new Error('no file')
  const bytes = await one.adapter.open(attachment, AbortSignal.timeout(5000))
  expect((await new Response(bytes).blob()).size).toBe(2_500_000)
  // The receipt names the file before it says why.
  await expect(one.adapter.open({ ...attachment, locator: 'none' }, AbortSignal.timeout(5000))).rejects.toThrow(
    /^The file is not on the page any more\. Drop it again\.$/,
  )
  for (const [query, ids] of [
    ['OÙ gröss', [said.id]],
    ['ou gross', [said.id]],
    ['o_', []],
  ] as const) {
    const response = await one.browser.request(`/api/web/search?q=${encodeURIComponent(query)}`)
    const { messages } = (await response.json()) as WebFindings
    expect(messages.map(({ id }) => id)).toEqual(ids)
  }
})

test('chats are called after the first message or its files, on every process', async () => {
  const upload = await one.browser.upload('tides.md', new Uint8Array([1]))
  const said = await one.browser.say('direct', { text: '', files: [upload.id] })
  expect(await titleOnOther()).toBe('tides.md')
  await one.browser.send('PATCH', `/api/web/messages/${said.id}`, { text: 'The tides' })
  expect(await titleOnOther()).toBe('The tides')
})

async function titleOnOther(): Promise<string | undefined> {
  const { channels } = (await (await other.browser.request('/api/web/state')).json()) as WebState
  return channels.find(({ id }) => id === 'direct')?.name
}
