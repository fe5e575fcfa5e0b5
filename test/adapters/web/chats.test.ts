import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import type { WebChannel, WebFindings, WebState } from '#adapters/web/protocol.ts'
import type { ChannelFile, ChannelFiles } from '#bridge/port/channel-files.ts'
import { createBrowser } from '#test/support/web/browser.ts'
import { createScene, outgoing, type Scene } from './scene.ts'

const newChat = async ({ browser }: Scene) =>
  (await (await browser.request('/api/web/chats', { method: 'POST' })).json()) as WebChannel
const chats = async ({ browser }: Pick<Scene, 'browser'>) =>
  ((await (await browser.request('/api/web/state')).json()) as WebState).channels.filter(({ direct }) => direct)
const titles = async (scene: Pick<Scene, 'browser'>) => (await chats(scene)).map(({ name }) => name)
const rename = (scene: Scene, id: string, name: string) =>
  scene.browser.send('PATCH', `/api/web/channels/${id}`, { name })
const drop = (scene: Scene, id: string) => scene.browser.request(`/api/web/channels/${id}`, { method: 'DELETE' })

test('a new chat has its own messages and history, and asks the files of the same person', async () => {
  await using scene = await createScene()
  await scene.browser.say('direct', { text: 'When does the ferry leave?' })
  const first = scene.receiver.message()
  const { id } = await newChat(scene)
  await scene.browser.say(id, { text: 'Who keeps the keys?' })
  const second = scene.receiver.message()
  expect(first.conversation).toEqual({ adapter: 'web', workspace: 'local', channel: 'direct', direct: true })
  expect(second.conversation).toEqual({ ...first.conversation, thread: id })
  expect(second.addressed).toBe(true)
  const sent = outgoing('Anna.')
  const answer = await scene.adapter.post(second.conversation, sent)
  const { sendId } = sent
  expect(await scene.adapter.find?.(second.conversation, { sendId, after: '', known: [] })).toEqual(answer)
  expect(await scene.adapter.find?.(first.conversation, { sendId, after: '', known: [] })).toBeUndefined()
  expect((await scene.browser.history(id)).messages.map(({ text }) => text)).toEqual(['Who keeps the keys?', 'Anna.'])
  expect((await scene.browser.history('direct')).messages).toHaveLength(1)
  const history = await scene.adapter.history?.(second.conversation, 'no-message', undefined)
  expect(history?.map(({ text }) => text)).toEqual(['Who keeps the keys?', 'Anna.'])
  const link = (await scene.adapter.permalink?.(answer)) ?? ''
  expect(link).toMatch(new RegExp(`/#${id}/${answer.id}$`))
  expect(await scene.adapter.messageAt?.(link)).toEqual({ conversation: second.conversation, id: answer.id })
})

test('the first text is the title, and the chat written in last is the first of the list', async () => {
  await using scene = await createScene({ clock: ticking() })
  expect(await titles(scene)).toEqual([''])
  await scene.browser.say('direct', { text: '@footbridge When does the ferry leave?\nAnd from where?' })
  const { id } = await newChat(scene)
  expect(await newChat(scene)).toMatchObject({ id })
  const upload = await scene.browser.upload('tides.md', new Uint8Array([1]))
  await scene.browser.say(id, { text: '', files: [upload.id] })
  expect(await titles(scene)).toEqual(['tides.md', 'When does the ferry leave?'])
  await scene.browser.say('direct', { text: 'And back?' })
  expect(await titles(scene)).toEqual(['When does the ferry leave?', 'tides.md'])
  const long = await newChat(scene)
  await scene.browser.say(long.id, { text: 'a word '.repeat(40) })
  expect((await titles(scene))[0]).toBe(`${'a word '.repeat(8)}a …`)
})

test('a chat is renamed, over a restart, too; two may have one title', async () => {
  await using scene = await createScene()
  await scene.browser.say('direct', { text: 'one' })
  const { id } = await newChat(scene)
  await scene.browser.say(id, { text: 'two' })
  expect((await rename(scene, id, 'Ferry')).status).toBe(200)
  expect((await rename(scene, 'direct', 'Ferry')).status).toBe(200)
  expect((await rename(scene, id, ' ')).status).toBe(400)
  expect((await scene.browser.send('PATCH', `/api/web/channels/${id}`, { archived: true })).status).toBe(400)
  await scene.restart()
  expect(await titles(scene)).toEqual(['Ferry', 'Ferry'])
  await scene.browser.say(id, { text: 'three' })
  expect(await titles(scene)).toEqual(['Ferry', 'Ferry'])
})

test('a deleted chat is gone with its messages, the others stay, and one to write in is always there', async () => {
  await using scene = await createScene()
  await scene.browser.say('direct', { text: 'one' })
  const { id } = await newChat(scene)
  const said = await scene.browser.say(id, { text: 'two' })
  expect((await drop(scene, id)).status).toBe(204)
  expect(scene.receiver.inbounds.at(-1)).toMatchObject({ kind: 'delete', messageId: said.id })
  expect((await scene.browser.request(`/api/web/channels/${id}/messages`)).status).toBe(404)
  expect((await scene.browser.post(id, { text: 'again' })).status).toBe(404)
  expect((await titles(scene)).toSorted()).toEqual(['', 'one'])
  expect((await drop(scene, 'direct')).status).toBe(204)
  expect(await titles(scene)).toEqual([''])
  // Without a chat the direct conversation is still a place of this person.
  const place = { adapter: 'web', workspace: 'local', channel: 'direct', direct: true }
  expect(await scene.adapter.isMember?.(place, 'person')).toBe(true)
  expect(await scene.adapter.describeChannel?.(place)).toEqual({ name: 'Chat', isPublic: false })
  await scene.adapter.post(place, outgoing('News for you.'))
  expect((await titles(scene)).toSorted()).toEqual(['', 'Footbridge'])
})

test('a chat that was deleted while its answer was written stays deleted', async () => {
  await using scene = await createScene()
  const asker = { id: 'person', name: 'You' }
  for (const _ of ['the first chat', 'another one']) {
    const { id } = await newChat(scene)
    const { id: replyTo } = await scene.browser.say(id, { text: 'When does the ferry leave?' })
    const { conversation } = scene.receiver.message()
    const stream = await scene.adapter.stream?.(conversation, outgoing('At ', { replyTo }), asker)
    // The bridge hears of the deletion while it posts a second message.
    let late: Promise<unknown> | undefined
    scene.receiver.gate(async () => {
      late ??= scene.adapter.post(conversation, outgoing('More.', { replyTo })).catch((error: unknown) => error)
      await late
    })
    expect((await drop(scene, id)).status).toBe(204)
    scene.receiver.gate(undefined)
    expect(await late).toMatchObject({ code: 'not-found' })
    await expect(stream?.append('ten.')).rejects.toMatchObject({ code: 'stream-closed' })
    await expect(stream?.finish(outgoing('At ten.', { replyTo }))).rejects.toMatchObject({ code: 'not-found' })
    await expect(scene.adapter.post(conversation, outgoing('At ten.', { replyTo }))).rejects.toMatchObject({
      code: 'not-found',
    })
    expect((await chats(scene)).filter((shown) => shown.id === id)).toEqual([])
  }
  expect(await titles(scene)).toEqual([''])
  await scene.restart()
  expect(await titles(scene)).toEqual([''])
})

test('a message that arrives while its chat is deleted is refused, and leaves nothing', async () => {
  await using scene = await createScene()
  const { id } = await newChat(scene)
  await scene.browser.say(id, { text: 'one' })
  const body = new TransformStream<Uint8Array, Uint8Array>()
  const late = scene.browser.request(`/api/web/channels/${id}/messages`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: body.readable,
    duplex: 'half',
  })
  await drop(scene, id)
  const writer = body.writable.getWriter()
  void writer.write(new TextEncoder().encode('{"id":"message-2","text":"a secret plan"}'))
  void writer.close()
  expect((await late).status).toBe(404)
  expect(scene.receiver.inbounds.filter(({ kind }) => kind === 'message')).toHaveLength(1)
  const database = new DatabaseSync(join(scene.dataDir, 'web.sqlite'), { readOnly: true })
  expect(database.prepare("SELECT id FROM messages WHERE id = 'message-2'").all()).toEqual([])
  database.close()
})

test('a title that nobody gave follows its message: edited, deleted, and gone with the last one', async () => {
  await using scene = await createScene()
  const events = await scene.browser.events()
  const shownTitle = async () => (await events.nextOf('channel')).channel.name
  const edit = (id: string, text: string) => scene.browser.send('PATCH', `/api/web/messages/${id}`, { text })
  const remove = (id: string) => scene.browser.request(`/api/web/messages/${id}`, { method: 'DELETE' })
  const first = await scene.browser.say('direct', { text: 'My salary is 4711' })
  expect(await shownTitle()).toBe('My salary is 4711')
  const second = await scene.browser.say('direct', { text: 'When does the ferry leave?' })
  expect(await shownTitle()).toBe('My salary is 4711')
  await edit(first.id, 'What is a salary?')
  expect(await shownTitle()).toBe('What is a salary?')
  const answer = await scene.adapter.post(scene.receiver.message().conversation, outgoing('Money.'))
  await remove(first.id)
  expect(await shownTitle()).toBe('When does the ferry leave?')
  await remove(second.id)
  expect(await shownTitle()).toBe('Footbridge')
  await scene.adapter.remove?.(answer)
  expect(await shownTitle()).toBe('')
  expect(await newChat(scene)).toMatchObject({ id: 'direct' })

  const third = await scene.browser.say('direct', { text: 'one' })
  await rename(scene, 'direct', 'Ferry')
  await edit(third.id, 'two')
  await scene.browser.say('direct', { text: 'three' })
  await remove(third.id)
  expect(await titles(scene)).toEqual(['Ferry'])
  await events.close()
})

test('a chat that Footbridge begins appears in the open page', async () => {
  await using scene = await createScene()
  await drop(scene, 'direct')
  const events = await scene.browser.events()
  await scene.adapter.post(
    { adapter: 'web', workspace: 'local', channel: 'direct', direct: true },
    outgoing('News for you.'),
  )
  expect((await events.nextOf('channel')).channel).toMatchObject({ id: 'direct', name: 'Footbridge' })
  await events.close()
})

test('the files of all chats are one list, and each names the chat in which it was dropped', async () => {
  const listed: ChannelFile[] = []
  const files: ChannelFiles = {
    list: async ({ channel }) => (channel === 'direct' ? listed : []),
    open: async () => undefined,
    outline: async () => undefined,
    search: async () => [],
  }
  await using scene = await createScene({ files: () => files })
  const { id } = await newChat(scene)
  const { id: other } = await newChat(scene)
  const { id: messageId } = await scene.browser.say(id, { text: 'look' })
  listed.push({
    id: 'f1',
    name: 'tides.md',
    version: 1,
    state: 'ready',
    droppedBy: 'You',
    messageId,
    retryable: false,
    earlier: [],
  })
  const list = await (await scene.browser.request(`/api/web/channels/${other}/files`)).json()
  expect(list).toMatchObject([{ name: 'tides.md', channel: id }])
  const found = (await (await scene.browser.request('/api/web/search?q=tides')).json()) as WebFindings
  expect(found.files).toMatchObject([{ name: 'tides.md', channel: id }])
})

test('nobody without the login, and no other site, lists, makes, reads, renames or deletes a chat', async () => {
  await using scene = await createScene({ password: 'drawbridge', loopback: false })
  const form = new URLSearchParams({ password: 'drawbridge' })
  const { headers } = await scene.browser.request('/login', { method: 'POST', body: form })
  const cookie = headers
    .getSetCookie()
    .map((each) => each.split(';', 1)[0])
    .join('; ')
  const owner = createBrowser((request) => scene.adapter.fetch(request), { cookie })
  await owner.say('direct', { text: 'my secret plan' })
  const json = { 'content-type': 'application/json' }
  const from = (origin: string, path: string, method: string, body?: string) =>
    scene.adapter.fetch(
      new Request(new URL(path, 'http://127.0.0.1'), {
        method,
        body,
        headers: { ...(body && json), ...(origin && { origin }) },
      }),
    )
  const refused = async (path: string, method = 'GET', body?: string) => {
    const stranger = await from('', path, method, body)
    const site = await from('https://elsewhere.example', path, method, body)
    return [stranger.status, site.status, (await stranger.text()).includes('secret')]
  }
  const nothing = [401, 403, false]
  expect(await refused('/api/web/state')).toEqual(nothing)
  expect(await refused('/api/web/chats', 'POST')).toEqual(nothing)
  expect(await refused('/api/web/channels/direct/messages')).toEqual(nothing)
  expect(await refused('/api/web/channels/direct', 'PATCH', '{"name":"mine"}')).toEqual(nothing)
  expect(await refused('/api/web/channels/direct', 'DELETE')).toEqual(nothing)
  expect(await refused('/api/web/search?q=secret')).toEqual(nothing)
  expect(await refused('/api/web/sample')).toEqual(nothing)
  expect(await titles({ browser: owner })).toEqual(['my secret plan'])
})

function ticking(): () => number {
  let now = 1_000_000
  return () => (now += 1000)
}
