import { expect, test } from 'vitest'
import type { WebFindings, WebState } from '#adapters/web/protocol.ts'
import type { ChannelFile, ChannelFiles } from '#bridge/port/channel-files.ts'
import type { ReceiptItem } from '#bridge/port/message.ts'
import type { DrawPage } from '#adapters/shared/page-pictures.ts'
import { createScene, outgoing, type Scene } from './scene.ts'

const channels = async ({ browser }: Scene) =>
  ((await (await browser.request('/api/web/state')).json()) as WebState).channels
const change = (scene: Scene, id: string, body: object) => scene.browser.send('PATCH', `/api/web/channels/${id}`, body)
const drop = (scene: Scene, id: string) => scene.browser.request(`/api/web/channels/${id}`, { method: 'DELETE' })
const search = async ({ browser }: Scene, query: string) =>
  (await (await browser.request(`/api/web/search?q=${encodeURIComponent(query)}`)).json()) as WebFindings

test.each([
  ['  #  Board  meeting\n2026 🎉 ', 'Board meeting 2026 🎉'],
  ['Пристань', 'Пристань'],
  ['a/b & "c" <d>', 'a/b & "c" <d>'],
  ['x'.repeat(80), 'x'.repeat(80)],
])('a channel takes any name: %j', async (asked, name) => {
  await using scene = await createScene()
  expect(await scene.browser.createChannel(asked)).toMatchObject({ name })
})

test.each(['', ' # ', '\u202E', 'x'.repeat(81)])('a channel has a name at all: not %j', async (name) => {
  await using scene = await createScene()
  expect((await scene.browser.send('POST', '/api/web/channels', { name })).status).toBe(400)
})

test('a channel of several words is found in a text by its longest name', async () => {
  await using scene = await createScene()
  await scene.browser.createChannel('Harbour')
  const { id } = await scene.browser.createChannel('Harbour master, north')
  await scene.browser.say('direct', { text: 'ask in #harbour master, North: who keeps the keys?' })
  expect(scene.receiver.message().channels).toMatchObject([{ conversation: { channel: id } }])
  await scene.browser.say('direct', { text: 'ask in #harbours' })
  expect(scene.receiver.message().channels).toBeUndefined()
})

test('a channel is renamed, keeps its id, and no two have one name', async () => {
  await using scene = await createScene()
  const { id } = await scene.browser.createChannel('tides')
  expect(await (await change(scene, id, { name: 'High Tides' })).json()).toEqual({
    id,
    name: 'High Tides',
    direct: false,
  })
  expect((await change(scene, 'general', { name: 'HIGH TIDES' })).status).toBe(409)
  expect((await change(scene, id, { name: 'high tides' })).status).toBe(200)
})

test('an archived channel is read only until it is restored, over a restart, too', async () => {
  await using scene = await createScene()
  const { id } = await scene.browser.createChannel('tides')
  await scene.browser.say(id, { text: 'when?' })
  await change(scene, id, { archived: true })
  await scene.restart()
  expect(await channels(scene)).toContainEqual({ id, name: 'tides', direct: false, archived: true })
  expect((await scene.browser.post(id, { text: 'and now?' })).status).toBe(409)
  expect((await scene.browser.history(id)).messages).toHaveLength(1)
  await change(scene, id, { archived: false })
  expect((await scene.browser.post(id, { text: 'and now?' })).status).toBe(201)
})

test('a deleted channel is gone with its messages and files, which the bridge is told one by one; its name is free', async () => {
  await using scene = await createScene()
  const { id } = await scene.browser.createChannel('tides')
  const file = await scene.browser.upload('a.md', new Uint8Array([1]))
  const said = await scene.browser.say(id, { text: 'look', files: [file.id] })
  const asked = await scene.browser.say(id, { text: 'when?' })
  await scene.adapter.post(scene.receiver.message().conversation, outgoing('At noon.'))
  expect((await drop(scene, id)).status).toBe(204)
  const deleted = scene.receiver.inbounds.filter(({ kind }) => kind === 'delete')
  expect(deleted).toMatchObject([{ messageId: said.id }, { messageId: asked.id }])
  expect((await channels(scene)).map(({ name }) => name)).toEqual(['', 'general'])
  expect((await scene.browser.request(`/api/web/channels/${id}/messages`)).status).toBe(404)
  expect((await scene.browser.request(`/api/web/files/${file.id}`)).status).toBe(404)
  expect(await search(scene, 'noon')).toEqual({ messages: [], files: [] })
  expect(await scene.browser.createChannel('tides')).not.toMatchObject({ id })
})

test('a deletion that was cut off is gone on with at the next start', async () => {
  await using scene = await createScene()
  const { id } = await scene.browser.createChannel('tides')
  await scene.browser.say(id, { text: 'one' })
  const second = await scene.browser.say(id, { text: 'two' })
  const isSecond = () => (scene.receiver.inbounds.at(-1) as { messageId?: string }).messageId === second.id
  scene.receiver.gate(async () => {
    if (isSecond()) throw new Error('the disk is full')
  })
  expect((await drop(scene, id)).status).toBe(503)
  scene.receiver.gate(undefined)
  await scene.restart()
  expect(scene.receiver.inbounds.filter(({ kind }) => kind === 'delete')).toHaveLength(3)
  expect((await channels(scene)).map(({ id: left }) => left)).not.toContain(id)
})

test('a search finds parts of words in every script, marks left aside, and nothing of another word', async () => {
  await using scene = await createScene()
  const said = async (text: string) => (await scene.browser.say('general', { text })).id
  const ferry = await said('When does the Fähre leave?')
  const tides = await said('100 % of the high tides_today')
  const harbour = await said('港口的钥匙在哪里')
  const { conversation } = scene.receiver.message()
  const answer = await scene.adapter.post(conversation, outgoing('The harbour master keeps the keys.'))
  const found = async (query: string) => (await search(scene, query)).messages.map(({ id }) => id)
  expect(await found('fahr')).toEqual([ferry])
  const long = await said(`${'word '.repeat(100)}Brücke`)
  expect((await search(scene, 'brucke')).messages).toMatchObject([
    { id: long, excerpt: expect.stringMatching(/Brücke$/) },
  ])
  expect(await found('钥匙')).toEqual([harbour])
  expect(await found('keys MASTER')).toEqual([answer.id])
  expect(await found('%')).toEqual([tides])
  expect(await found('s_t')).toEqual([tides])
  expect(await found('"tides" OR x')).toEqual([])
  expect(await found('  ')).toEqual([])
  await scene.browser.send('PATCH', `/api/web/messages/${ferry}`, { text: 'When does the boat leave?' })
  expect([await found('fahr'), await found('boat')]).toEqual([[], [ferry]])
  await scene.browser.request(`/api/web/messages/${ferry}`, { method: 'DELETE' })
  expect(await found('boat')).toEqual([])
})

test('a streamed answer is found when it is complete', async () => {
  await using scene = await createScene()
  await scene.browser.say('general', { text: 'when?' })
  const { conversation, author } = scene.receiver.message()
  const stream = await scene.adapter.stream?.(conversation, outgoing('At nine'), author)
  await stream?.append(' in the morning')
  expect((await search(scene, 'nine')).messages).toEqual([])
  await stream?.finish(outgoing('At nine in the morning.'))
  expect((await search(scene, 'morning')).messages).toMatchObject([{ excerpt: 'At nine in the morning.' }])
})

const handbook: ChannelFile = {
  id: 'job#0',
  name: 'Handbook.pdf',
  version: 2,
  state: 'ready',
  droppedBy: 'Ada',
  messageId: 'm2',
  retryable: false,
  earlier: [{ id: 'job#9', version: 1, state: 'ready', droppedBy: 'Ben', messageId: 'm1' }],
}
const BYTES: Readonly<Record<string, readonly [name: string, bytes: string]>> = {
  'job#0': ['Handbook.pdf', '%PDF-1.7 …'],
  'job#9': ['Handbook.pdf', '%PDF-1.4 …'],
  evil: ['evil.pdf', '<script>alert(1)</script>'],
  text: ['notes.md', '<b>bold</b>'],
}
const files: ChannelFiles = {
  list: async ({ channel }) => (channel === 'general' ? [handbook] : []),
  async open(_, id) {
    const [name, bytes] = BYTES[id] ?? []
    return name === undefined ? undefined : { name, mimeType: 'text/html', bytes: new Blob([bytes ?? '']) }
  },
  outline: async () => ({ pages: 12, headings: ['Opening hours'] }),
  search: async ({ channel }, words) =>
    channel === 'general' && words.every((word) => 'the quay opens at noon'.includes(word))
      ? [{ file: handbook, line: '- **The quay** opens at noon.' }]
      : [],
}

test('a reference opens the version that it cites, whatever failed to take its place', async () => {
  const failed = { ...handbook, id: 'evil', version: 1, state: 'failed', earlier: [] } as const
  await using scene = await createScene({ files: () => ({ ...files, list: async () => [failed, handbook] }) })
  const open = async (query: string) => {
    const answer = await scene.browser.request(`/api/web/channels/general/files/bytes?name=Handbook.pdf${query}`)
    return answer.text()
  }
  expect([await open('&version=1'), await open('&version=2'), await open('')]).toEqual([
    '%PDF-1.4 …',
    '%PDF-1.7 …',
    '%PDF-1.7 …',
  ])
})

test('a page is drawn once for a reader of its file, and not where there is no PDF, page or file', async () => {
  const drawn: string[] = []
  const drawPage: DrawPage = async (pdf, { page, quote }) => {
    if (page > 12) throw new Error('There is no such page.')
    drawn.push(`${await pdf.text()} ${page} ${quote}`)
    return new Uint8Array([1, 2, 3])
  }
  const evil = { ...handbook, id: 'evil', name: 'evil.pdf', earlier: [] }
  await using scene = await createScene({
    files: () => ({ ...files, list: async (place) => [...(await files.list(place)), evil] }),
    drawPage,
  })
  const see = async (query: string, channel = 'general') => {
    const answer = await scene.browser.request(`/api/web/channels/${channel}/files/page?${query}`)
    return [answer.status, answer.headers.get('content-type')?.split(';')[0], (await answer.arrayBuffer()).byteLength]
  }
  await scene.browser.say('general', { text: 'when does the quay open?' })
  const references = [
    { number: 1, file: 'Handbook.pdf', passage: 'the quay' },
    { number: 2, file: 'Handbook.pdf', passage: 'x'.repeat(3000), support: 'opens at noon' },
  ]
  const { id } = await scene.adapter.post(scene.receiver.message().conversation, outgoing('At noon.', { references }))
  const asked = `name=Handbook.pdf&version=1&page=4&message=${id}&reference=1`
  expect(await Promise.all([see(asked), see(asked)])).toEqual([
    [200, 'image/png', 3],
    [200, 'image/png', 3],
  ])
  expect(await see(asked)).toEqual([200, 'image/png', 3])
  expect(drawn).toEqual(['%PDF-1.4 … 4 the quay'])
  const bad = ['name=evil.pdf&page=1', 'name=Handbook.pdf&page=13', 'name=gone.pdf&page=1']
  for (const query of bad) expect((await see(query))[0]).toBe(404)
  expect((await see(asked, 'gone'))[0]).toBe(404)
  for (const query of ['name=Handbook.pdf', 'name=Handbook.pdf&page=0', `${asked}${'x'.repeat(3000)}`])
    expect((await see(query))[0]).toBe(400)
  expect(drawn).toHaveLength(1)
  for (const query of [asked.replace(/1$/, '2'), asked.replace(/1$/, '3')]) expect((await see(query))[0]).toBe(200)
  expect(drawn.slice(1)).toEqual(['%PDF-1.4 … 4 opens at noon', '%PDF-1.4 … 4 '])
})

test('the files of a channel are listed, opened by id, name and version, and never shown as a page', async () => {
  await using scene = await createScene({ files: () => files })
  const get = (path: string) => scene.browser.request(`/api/web/channels/general/files${path}`)
  expect(await (await get('')).json()).toEqual([{ ...handbook, channel: 'general' }])
  expect(await (await get('/outline?id=job%230')).json()).toEqual({ pages: 12, headings: ['Opening hours'] })
  const open = async (query: string) => {
    const { status, headers } = await get(`/bytes?${query}`)
    return [status, headers.get('content-type'), headers.get('content-disposition')?.split(';')[0]]
  }
  const pdf = [200, 'application/pdf', 'inline']
  expect(await open('id=job%230')).toEqual(pdf)
  expect(await open('name=Handbook.pdf')).toEqual(pdf)
  expect(await (await get('/bytes?name=Handbook.pdf&version=1')).text()).toContain('1.4')
  expect((await open('name=Handbook.pdf&version=7'))[0]).toBe(404)
  expect(await open('id=evil')).toEqual([200, 'application/octet-stream', 'attachment'])
  expect(await open('id=text')).toEqual([200, 'text/plain; charset=utf-8', 'inline'])
  expect((await get('/bytes?id=text')).headers.get('content-security-policy')).toContain('sandbox')
  expect((await scene.browser.request('/api/web/channels/gone/files')).status).toBe(404)
  expect(await search(scene, 'hand')).toMatchObject({ files: [{ name: 'Handbook.pdf', channel: 'general' }] })
  const excerpt = 'The quay opens at noon.'
  expect(await search(scene, 'QUAY noon')).toMatchObject({ files: [{ name: 'Handbook.pdf', excerpt }] })
  // Nearly every text has one letter.
  expect(await search(scene, 'q')).toEqual({ messages: [], files: [] })
})

test.each([
  ['forget', 'file.forget-id'],
  ['retry', 'file.retry-id'],
])('to %s a file goes to the bridge as a button of the channel', async (wanted, id) => {
  await using scene = await createScene({ files: () => files })
  const body = { id: crypto.randomUUID(), file: 'job#0', do: wanted, name: 'Ada' }
  expect((await scene.browser.send('POST', '/api/web/channels/general/files', body)).status).toBe(204)
  expect(scene.receiver.inbounds.at(-1)).toMatchObject({
    kind: 'action',
    conversation: { channel: 'general' },
    author: { name: 'Ada' },
    action: { id, value: 'job#0' },
  })
})

const votes = (value: string) => ['up', 'down'].map((id) => ({ id: `vote.${id}`, label: id, value, group: 'vote' }))

test('a vote stays pressed, the last one counts, and it is gone with the answer that it was for', async () => {
  await using scene = await createScene()
  await scene.browser.say('general', { text: 'when?' })
  const { conversation } = scene.receiver.message()
  const ref = await scene.adapter.post(conversation, outgoing('At noon.', { actions: votes('a') }))
  const shown = async () => (await scene.browser.history('general')).messages.at(-1)?.pressed
  const press = (action: string, value: string) =>
    scene.browser.send('POST', `/api/web/messages/${ref.id}/actions`, { id: crypto.randomUUID(), action, value })
  expect(await shown()).toBeUndefined()
  await press('vote.up', 'a')
  expect(await shown()).toEqual({ action: 'vote.up', value: 'a' })
  await scene.restart()
  await press('vote.down', 'a')
  expect(await shown()).toEqual({ action: 'vote.down', value: 'a' })
})

test('a button of one file of a receipt is pressed like one of the message', async () => {
  await using scene = await createScene()
  await scene.browser.say('general', { text: 'when?' })
  const { conversation } = scene.receiver.message()
  const retry = { id: 'file.retry', label: 'Retry', value: '0.x' }
  const receipt: readonly ReceiptItem[] = [{ file: 'a.md', state: 'failed', actions: [retry] }]
  const { id } = await scene.adapter.post(conversation, outgoing('words', { kind: 'receipt', receipt }))
  const body = { id: crypto.randomUUID(), action: 'file.retry', value: '0.x' }
  expect((await scene.browser.send('POST', `/api/web/messages/${id}/actions`, body)).status).toBe(204)
})
