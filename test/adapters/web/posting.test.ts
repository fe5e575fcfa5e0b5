import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createFolderBytes } from '#adapters/web/server/store/upload-bytes.ts'
import { createScene } from './scene.ts'

const ID = 'client-made-id-1'

test('a fresh page has a direct conversation and #general, both empty', async () => {
  await using scene = await createScene()
  const state = await (await scene.browser.request('/api/web/state')).json()
  expect(state).toMatchObject({
    channels: [
      { id: 'direct', name: '', direct: true, usedAt: 0 },
      { id: 'general', name: 'general', direct: false },
    ],
    statuses: [],
    login: false,
  })
  expect(await scene.browser.history('general')).toEqual({ messages: [], before: null })
})

test('every message is addressed, a mention is taken out, and who calls somebody else talks to them', async () => {
  await using scene = await createScene()
  const cases = [
    ['@footbridge how long?', { text: 'how long?', addressed: true, mentionsOthers: false }],
    ['how long, @Footbridge?', { text: 'how long, ?', addressed: true, mentionsOthers: false }],
    ['@footbridge, and @anna', { text: ', and @anna', addressed: true, mentionsOthers: true }],
    ['hello all', { text: 'hello all', addressed: true, mentionsOthers: false }],
    ['@anna look', { text: '@anna look', addressed: false, mentionsOthers: true }],
    ['@footbridges and me@footbridge.example', { addressed: false, mentionsOthers: true }],
  ] as const
  for (const [text, expected] of cases) {
    await scene.browser.say('general', { text })
    expect({ ...scene.receiver.message(), said: text }).toMatchObject({ ...expected, said: text })
  }
})

test('a first message in a channel is the root of its thread, a reply stands in it', async () => {
  await using scene = await createScene()
  const root = await scene.browser.say('general', { text: '@footbridge how long?', id: ID })
  expect(scene.receiver.message().conversation).toEqual({
    adapter: 'web',
    workspace: 'local',
    channel: 'general',
    thread: ID,
    direct: false,
  })
  const reply = await scene.browser.say('general', { text: 'and on Tuesday?', thread: root.id })
  expect(scene.receiver.message()).toMatchObject({
    text: 'and on Tuesday?',
    addressed: true,
    conversation: { thread: ID },
  })
  await scene.browser.say('general', { text: 'and then?', thread: reply.id })
  expect(scene.receiver.message().conversation.thread).toBe(ID)
})

test('the direct conversation is one line, and every message in it is addressed', async () => {
  await using scene = await createScene()
  await scene.browser.say('direct', { text: 'how long?', name: 'Ada' })
  const { conversation, addressed, author } = scene.receiver.message()
  expect(conversation).toEqual({ adapter: 'web', workspace: 'local', channel: 'direct', direct: true })
  expect(addressed).toBe(true)
  expect(author).toEqual({ id: 'person', name: 'Ada' })
})

test('the language of the browser goes along', async () => {
  await using scene = await createScene()
  await scene.browser.request('/api/web/channels/direct/messages', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'accept-language': 'de-AT,de;q=0.9,en;q=0.5' },
    body: JSON.stringify({ id: ID, text: 'Wie lange?' }),
  })
  expect(scene.receiver.message().author).toEqual({ id: 'person', name: 'You', language: 'de-AT' })
})

test('the time zone of the browser goes along, and stays with the server', async () => {
  await using scene = await createScene()
  const post = (zone: string, id: string) =>
    scene.browser.request('/api/web/channels/direct/messages', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-time-zone': zone },
      body: JSON.stringify({ id, text: 'What is new since Monday?' }),
    })
  const seen = await (await post('Asia/Kolkata', ID)).text()
  expect(scene.receiver.message().author.timeZone).toBe('Asia/Kolkata')
  expect(seen).not.toContain('Kolkata')
  await scene.restart()
  await scene.browser.request(`/api/web/messages/${ID}`, {
    method: 'PATCH',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ text: 'What is new since Tuesday?' }),
  })
  expect(scene.receiver.inbounds.at(-1)).toMatchObject({ message: { author: { timeZone: 'Asia/Kolkata' } } })
  await post('<b>"here"</b>', `${ID}2`)
  expect(scene.receiver.message().author.timeZone).toBeUndefined()
})

test('the browser hears yes only when the event is stored', async () => {
  await using scene = await createScene()
  const stored = Promise.withResolvers<void>()
  scene.receiver.gate(() => stored.promise)
  let answered = false
  const post = scene.browser.post('general', { text: 'hold on' }).then((response) => {
    answered = true
    return response
  })
  await expect.poll(() => scene.receiver.inbounds.length).toBe(1)
  expect(answered).toBe(false)
  stored.resolve()
  expect((await post).status).toBe(201)
})

test('a message that was not taken is early so, stays visible as such, and is delivered once it is sent again', async () => {
  await using scene = await createScene()
  scene.receiver.gate(() => Promise.reject(new Error('The disk is full.')))
  const refused = await scene.browser.post('general', { text: '@footbridge how long?', id: ID })
  expect(refused.status).toBe(503)
  expect(await refused.json()).toMatchObject({ error: { code: 'not-taken', message: /try again/ } })
  expect((await scene.browser.history('general')).messages).toMatchObject([{ id: ID, accepted: false }])
  scene.receiver.gate(undefined)
  const again = await scene.browser.say('general', { text: '@footbridge how long?', id: ID })
  expect(again).toMatchObject({ id: ID, accepted: true })
  expect(scene.receiver.inbounds.map(({ key }) => key)).toEqual([`web:general:${ID}`, `web:general:${ID}`])
  expect((await scene.browser.history('general')).messages).toHaveLength(1)
  expect(scene.log.at('error')).toHaveLength(1)
  expect(scene.log.dump()).not.toContain('how long?')
})

test('what a dying process had stored but not handed over is handed over on the next start', async () => {
  await using scene = await createScene()
  scene.receiver.gate(() => Promise.reject(new Error('Killed.')))
  await scene.browser.post('general', { text: '@footbridge how long?', id: ID })
  scene.receiver.gate(undefined)
  await scene.restart()
  expect(scene.receiver.inbounds).toHaveLength(2)
  expect((await scene.browser.history('general')).messages).toMatchObject([{ id: ID, accepted: true }])
  await scene.restart()
  expect(scene.receiver.inbounds).toHaveLength(2)
})

test('one id is one message: it cannot be used in another channel', async () => {
  await using scene = await createScene()
  await scene.browser.say('general', { text: 'here', id: ID })
  expect((await scene.browser.post('direct', { text: 'there', id: ID })).status).toBe(409)
  expect(scene.receiver.inbounds).toHaveLength(1)
})

test('nothing at all, an unknown channel and a broken body are refused with a sentence', async () => {
  await using scene = await createScene()
  const refusals = [
    [await scene.browser.post('general', { text: '  ' }), 400],
    [await scene.browser.post('nowhere', { text: 'hello' }), 404],
    [await scene.browser.post('general', { text: 'hello', id: '../x' }), 400],
    [await scene.browser.post('general', { text: 'hello', files: ['not-uploaded'] }), 409],
    [await scene.browser.send('POST', '/api/web/channels', { name: ' # ' }), 400],
    [await scene.browser.send('POST', '/api/web/channels', { name: '#General' }), 409],
    [await scene.browser.post('general', { text: 'x'.repeat(3_000_000) }), 413],
  ] as const
  for (const [answer, status] of refusals) {
    expect(answer.status).toBe(status)
    expect(await answer.json()).toMatchObject({ error: { message: /^[A-Z].+\.$/ } })
  }
  expect(scene.receiver.inbounds).toEqual([])
})

test('a file goes up as it is, is announced with its kind, and comes back as a download', async () => {
  await using scene = await createScene()
  const bytes = new TextEncoder().encode('# Ferry\n47 minutes\n')
  const file = await scene.browser.upload("fähre 'n' times.md", bytes)
  await scene.browser.say('general', { files: [file.id] })
  expect(scene.receiver.message()).toMatchObject({
    text: '',
    addressed: true,
    attachments: [{ name: "fähre 'n' times.md", kind: 'document', sizeBytes: bytes.length, locator: file.id }],
  })
  const back = await scene.browser.request(`/api/web/files/${file.id}`)
  expect(new Uint8Array(await back.arrayBuffer())).toEqual(bytes)
  expect(back.headers.get('content-type')).toBe('application/octet-stream')
  expect(back.headers.get('content-disposition')).toBe("attachment; filename*=UTF-8''f%C3%A4hre%20%27n%27%20times.md")
  expect(back.headers.get('content-security-policy')).toContain('sandbox')
})

test('kinds of files are early from type and name', async () => {
  await using scene = await createScene()
  const kinds = [
    ['a.pdf', 'application/pdf', '', 'document'],
    ['a.md', '', '', 'document'],
    ['a.png', 'image/png', '', 'image'],
    ['a.mp3', 'audio/mpeg', '', 'audio'],
    ['memo.webm', 'audio/webm', '&kind=voice&durationMs=1500', 'voice'],
    ['a.bin', 'application/octet-stream', '', 'other'],
  ] as const
  for (const [name, type, query, kind] of kinds) {
    const file = await scene.browser.upload(name, new Uint8Array([1]), { type, query })
    expect([name, file.kind]).toEqual([name, kind])
  }
})

test('a file is handed to us, with words or without, unless they call somebody else', async () => {
  await using scene = await createScene()
  const [picture, letter] = [
    await scene.browser.upload('a.png', new Uint8Array([1]), { type: 'image/png' }),
    await scene.browser.upload('b.md', new Uint8Array([2])),
  ]
  await scene.browser.say('general', { files: [picture.id] })
  expect(scene.receiver.message().addressed).toBe(true)
  await scene.browser.say('general', { files: [letter.id], text: '@anna look at this' })
  expect(scene.receiver.message().addressed).toBe(false)
})

test('the same upload twice is one file', async () => {
  await using scene = await createScene()
  const id = 'upload-made-once'
  await scene.browser.upload('a.md', new Uint8Array([1, 2]), { id })
  const second = await scene.browser.upload('b.md', new Uint8Array([3]), { id })
  expect(second).toMatchObject({ name: 'a.md', sizeBytes: 2 })
})

test('a text over the cap is refused with the sentence that helps, below the cap of a body, too', async () => {
  await using scene = await createScene()
  const answer = await scene.browser.post('general', { id: 'message-too-long', text: 'x'.repeat(200_001) })
  expect(answer.status).toBe(413)
  expect(await answer.json()).toMatchObject({ error: { message: /too long. Drop it as a file/ } })
})

test('a file over the cap is refused with a sentence, announced or not, and leaves nothing behind', async () => {
  await using scene = await createScene({ maxFileBytes: 1024 * 1024 })
  const piece = new Uint8Array(300_000)
  const unannounced = new ReadableStream<Uint8Array>({ pull: (controller) => controller.enqueue(piece) })
  const url = '/api/web/uploads/upload-too-large?name=big.pdf'
  const streamed = await scene.browser.request(url, { method: 'PUT', body: unannounced, duplex: 'half' })
  const announced = await scene.browser.request(url, {
    method: 'PUT',
    body: new Uint8Array(2_000_000),
    headers: { 'content-length': '2000000' },
  })
  for (const answer of [streamed, announced]) {
    expect(answer.status).toBe(413)
    expect(await answer.json()).toMatchObject({ error: { message: /over 1 MB/ } })
  }
  expect(readdirSync(join(scene.dataDir, 'web-files'))).toEqual([])
})

test('an upload that breaks off is early so, leaves nothing behind and can be made again', async () => {
  await using scene = await createScene()
  const id = 'upload-that-breaks'
  const broken = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(new Uint8Array(1000)),
    pull: (controller) => controller.error(new Error('The line went dead.')),
  })
  const cut = await scene.browser.request(`/api/web/uploads/${id}?name=a.md`, {
    method: 'PUT',
    body: broken,
    duplex: 'half',
  })
  expect(cut.status).toBe(503)
  expect(await cut.json()).toMatchObject({ error: { message: /^a\.md did not arrive whole\. Try again/ } })
  expect(readdirSync(join(scene.dataDir, 'web-files'))).toEqual([])
  expect(scene.log.at('warn')).toHaveLength(1)
  expect((await scene.browser.upload('a.md', new Uint8Array([1, 2]), { id })).sizeBytes).toBe(2)
})

test('what a killed process left of an upload is removed after a day, one under way stays', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'footbridge-page-'))
  const bytes = createFolderBytes(dataDir)
  const folder = join(dataDir, 'web-files')
  for (const name of ['old.1.part', 'new.2.part', 'whole']) writeFileSync(join(folder, name), 'x')
  const long = new Date('2026-01-01T00:00:00Z')
  for (const name of ['old.1.part', 'whole']) utimesSync(join(folder, name), long, long)
  await bytes.removeUnfinished(long.getTime() + 1)
  expect(readdirSync(folder).toSorted()).toEqual(['new.2.part', 'whole'])
  rmSync(dataDir, { recursive: true })
})

test('the name of an upload turns nothing that stands behind it', async () => {
  await using scene = await createScene()
  const name = encodeURIComponent('dir/annual\u202Efdp.exe\n.md')
  const answer = await scene.browser.request(`/api/web/uploads/upload-odd-name?name=${name}`, {
    method: 'PUT',
    body: 'x',
  })
  expect(await answer.json()).toMatchObject({ name: 'annualfdp.exe .md' })
})

test('uploads that no message names are removed a day later, the others stay', async () => {
  let now = 1_700_000_000_000
  await using scene = await createScene({ clock: () => now })
  await scene.browser.upload('lost.md', new Uint8Array([1]))
  const kept = await scene.browser.upload('kept.md', new Uint8Array([2]))
  await scene.browser.say('general', { files: [kept.id] })
  now += 25 * 60 * 60 * 1000
  await scene.restart()
  await expect.poll(() => readdirSync(join(scene.dataDir, 'web-files'))).toEqual([kept.id])
})

test('a deleted message is gone with its files, after the bridge has heard of it', async () => {
  await using scene = await createScene()
  const file = await scene.browser.upload('a.md', new Uint8Array([1]))
  await scene.browser.say('general', { files: [file.id], id: ID })
  scene.receiver.gate(() => Promise.reject(new Error('The disk is full.')))
  const path = `/api/web/messages/${ID}`
  expect((await scene.browser.request(path, { method: 'DELETE' })).status).toBe(503)
  expect((await scene.browser.history('general')).messages).toHaveLength(1)
  scene.receiver.gate(undefined)
  expect((await scene.browser.request(path, { method: 'DELETE' })).status).toBe(204)
  expect((await scene.browser.request(path, { method: 'DELETE' })).status).toBe(204)
  expect((await scene.browser.history('general')).messages).toEqual([])
  expect((await scene.browser.request(`/api/web/files/${file.id}`)).status).toBe(404)
  expect(scene.receiver.inbounds.at(-1)).toMatchObject({ kind: 'delete', messageId: ID })
})

test('older threads come page by page, each with all its replies', async () => {
  await using scene = await createScene()
  for (let n = 0; n < 55; n += 1) {
    const root = await scene.browser.say('general', { text: `root ${n}` })
    if (n === 0) await scene.browser.say('general', { text: 'late reply', thread: root.id })
  }
  const newest = await scene.browser.history('general')
  expect(newest.messages.map(({ text }) => text)).toEqual(Array.from({ length: 50 }, (_, n) => `root ${n + 5}`))
  const path = `/api/web/channels/general/messages?before=${newest.before}`
  const older = await (await scene.browser.request(path)).json()
  expect(older).toMatchObject({ before: null, messages: { length: 6 } })
  expect(JSON.stringify(older)).toContain('late reply')
})
