import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { createWebAdapter } from '#adapters/web/adapter.ts'
import type { Author } from '#bridge/port/author.ts'
import type { ConversationRef, Outgoing } from '#bridge/port/message.ts'
import { openStore } from '#adapters/web/server/store/store.ts'
import { createScene, outgoing, type Scene } from './scene.ts'

const ASKER: Author = { id: 'person', name: 'You' }

async function ask(scene: Scene): Promise<ConversationRef> {
  await scene.browser.say('general', { text: '@footbridge how long?' })
  return scene.receiver.message().conversation
}

async function stream(scene: Scene, conversation: ConversationRef, first = outgoing('The ferry')) {
  const opened = await scene.adapter.stream?.(conversation, first, ASKER)
  if (!opened) throw new Error('The page does not stream.')
  return {
    first,
    ref: opened.ref,
    append: (delta: string) => opened.append(delta),
    finish: (last: Outgoing) => opened.finish(last),
  }
}

const answers = async (scene: Scene, channel = 'general') =>
  (await scene.browser.history(channel)).messages.filter(({ ours }) => ours)

test('an answer stands in the thread of its question, with references, receipt and buttons', async () => {
  await using scene = await createScene()
  const conversation = await ask(scene)
  const more = {
    references: [{ number: 1, file: 'a.pdf', place: 'p.2', passage: '47 minutes' }],
    receipt: [{ file: 'a.pdf', state: 'ready' }],
    actions: [{ id: 'retry', label: 'Retry', value: 'x' }],
    replyTo: conversation.thread ?? '',
  } as const
  const ref = await scene.adapter.post(conversation, outgoing('47 minutes [1]', more))
  expect(await answers(scene)).toMatchObject([
    { id: ref.id, thread: conversation.thread, kind: 'answer', text: '47 minutes [1]', ...more },
  ])
})

test('a streamed answer reaches the browser piece by piece, and is whole at the end', async () => {
  await using scene = await createScene()
  const conversation = await ask(scene)
  const events = await scene.browser.events()
  const { append, finish, ref, first } = await stream(scene, conversation)
  expect((await events.nextOf('message')).message).toMatchObject({ text: 'The ferry', streaming: true })
  await append(' takes')
  expect(await events.nextOf('delta')).toMatchObject({ id: ref.id, at: 9, text: ' takes' })
  await append(' 47')
  expect(await events.nextOf('delta')).toMatchObject({ at: 15, text: ' 47' })
  await finish({ ...first, text: 'The ferry takes 47 minutes.' })
  expect((await events.nextOf('message')).message).toMatchObject({
    text: 'The ferry takes 47 minutes.',
    streaming: false,
  })
  await events.close()
})

test('a reload in the middle of an answer shows the text so far', async () => {
  await using scene = await createScene()
  const { append } = await stream(scene, await ask(scene))
  await append(' takes')
  expect(await answers(scene)).toMatchObject([{ text: 'The ferry takes', streaming: true }])
})

test('after a restart in the middle the text so far is there, found by its send, and can be written over', async () => {
  await using scene = await createScene()
  const conversation = await ask(scene)
  const { append, ref, first } = await stream(scene, conversation)
  await append(' takes')
  await scene.restart()
  expect(await answers(scene)).toMatchObject([{ text: 'The ferry takes', streaming: false }])
  const found = await scene.adapter.find(conversation, { sendId: first.sendId, after: '', known: [] })
  expect(found).toEqual({ conversation, id: ref.id })
  await scene.adapter.edit?.(ref, { ...first, text: 'It takes 47 minutes.' })
  expect(await answers(scene)).toMatchObject([{ id: ref.id, text: 'It takes 47 minutes.' }])
})

test('the same send streamed again starts the same message over', async () => {
  await using scene = await createScene()
  const conversation = await ask(scene)
  const begun = await stream(scene, conversation)
  await begun.append(' takes')
  const again = await stream(scene, conversation, { ...begun.first, text: 'It' })
  await again.append(' takes')
  expect(again.ref.id).toBe(begun.ref.id)
  expect(await answers(scene)).toMatchObject([{ text: 'It takes' }])
})

test('an ended stream takes no more text, and says so', async () => {
  await using scene = await createScene()
  const { append, finish, first } = await stream(scene, await ask(scene))
  await finish(first)
  await expect(append(' more')).rejects.toMatchObject({ name: 'AdapterError', code: 'stream-closed' })
})

test('nothing is written after a stop, and the caller learns it', async () => {
  await using scene = await createScene()
  const conversation = await ask(scene)
  const { append } = await stream(scene, conversation)
  await append(' takes')
  await scene.adapter.stop()
  for (const late of [append(' 47'), scene.adapter.post(conversation, outgoing('late'))]) {
    await expect(late).rejects.toMatchObject({ name: 'AdapterError', code: 'network' })
  }
  expect((await scene.browser.request('/')).status).toBe(503)
})

test('a message that is gone cannot be edited, and a person’s message never', async () => {
  await using scene = await createScene()
  const conversation = await ask(scene)
  const theirs = { conversation, id: conversation.thread ?? '' }
  await expect(scene.adapter.edit?.(theirs, outgoing('mine now'))).rejects.toMatchObject({ code: 'not-found' })
  await scene.adapter.remove(theirs)
  expect((await scene.browser.history('general')).messages).toHaveLength(1)
})

test('a status is shown, also to who comes later, until it is aborted or a message comes', async () => {
  await using scene = await createScene()
  const conversation = await ask(scene)
  const { channel, thread } = conversation
  const statuses = async () =>
    ((await (await scene.browser.request('/api/web/state')).json()) as { statuses: unknown }).statuses
  const events = await scene.browser.events()
  const first = new AbortController()
  await scene.adapter.status(conversation, 'is reading', first.signal)
  expect((await events.nextOf('status')).status).toEqual({ channel, thread, text: 'is reading' })
  const second = new AbortController()
  await scene.adapter.status(conversation, 'is searching', second.signal)
  first.abort()
  expect(await statuses()).toEqual([{ channel, thread, text: 'is searching' }])
  second.abort()
  expect(await statuses()).toEqual([])
  await scene.adapter.status(conversation, 'is writing', new AbortController().signal)
  await scene.adapter.post(conversation, outgoing('here'))
  expect(await statuses()).toEqual([])
  await events.close()
})

test('a pressed button reaches the bridge; one that is not there is refused', async () => {
  await using scene = await createScene()
  const conversation = await ask(scene)
  const actions = [{ id: 'retry', label: 'Retry', value: 'file 1' }]
  const ref = await scene.adapter.post(conversation, outgoing('failed', { actions }))
  const press = (value: string) =>
    scene.browser.send('POST', `/api/web/messages/${ref.id}/actions`, {
      id: 'press-number-1',
      action: 'retry',
      value,
      name: 'Ada',
    })
  expect((await press('file 2')).status).toBe(409)
  expect((await press('file 1')).status).toBe(204)
  expect(scene.receiver.inbounds.at(-1)).toEqual({
    kind: 'action',
    key: 'web:action:press-number-1',
    conversation,
    author: { id: 'person', name: 'Ada' },
    messageId: ref.id,
    action: { id: 'retry', value: 'file 1' },
  })
})

test('the stop button tells the bridge which conversation', async () => {
  await using scene = await createScene()
  const conversation = await ask(scene)
  const stop = { id: 'stop-number-1', thread: conversation.thread }
  const answer = await scene.browser.send('POST', '/api/web/channels/general/stop', stop)
  expect(answer.status).toBe(204)
  expect(scene.receiver.inbounds.at(-1)).toMatchObject({ kind: 'stop', conversation })
})

test('the history of a thread holds what people and answers say, not our receipts, notices and errors', async () => {
  await using scene = await createScene()
  const said = await scene.browser.say('general', { text: 'look at this' })
  const { conversation } = scene.receiver.message()
  for (const kind of ['receipt', 'notice', 'error', 'answer'] as const)
    await scene.adapter.post(conversation, outgoing(`the ${kind}`, { kind }))
  const asked = await scene.browser.say('general', { text: 'what does it cost?', thread: said.id })
  const history = await scene.adapter.history(conversation, asked.id)
  expect(history?.map(({ text }) => text)).toEqual(['look at this', 'the answer'])
})

test('the history of a thread is early oldest first, without what comes later', async () => {
  await using scene = await createScene()
  const conversation = await ask(scene)
  const root = conversation.thread ?? ''
  await scene.adapter.post(conversation, outgoing('47 minutes'))
  const asked = await scene.browser.say('general', { text: 'and back?', thread: root })
  await scene.browser.say('general', { text: 'later', thread: root })
  await scene.browser.say('general', { text: 'elsewhere' })
  const history = await scene.adapter.history(conversation, asked.id)
  expect(history?.map(({ text, author }) => [author.name, text])).toEqual([
    ['You', 'how long?'],
    ['Footbridge', '47 minutes'],
  ])
})

test('a permalink is there where the outside address is known', async () => {
  await using scene = await createScene({ publicUrl: 'https://ask.example.org/' })
  const conversation = await ask(scene)
  const ref = await scene.adapter.post(conversation, outgoing('here'))
  expect(await scene.adapter.permalink(ref)).toBe(`https://ask.example.org/#general/${ref.id}`)
  expect(await scene.adapter.messageAt?.(`https://ask.example.org/#general/${ref.id}`)).toMatchObject({
    id: ref.id,
    conversation: { adapter: 'web', channel: 'general' },
  })
  for (const other of [
    `https://ask.example.org.evil.example/#general/${ref.id}`,
    `https://ask.example.org/#x/${ref.id}`,
  ])
    expect(await scene.adapter.messageAt?.(other)).toBeUndefined()
})

test('an address of a file on the page is known, by its id and by its name, and another one is not', async () => {
  const version = { id: 'k#0', version: 1, state: 'ready', droppedBy: 'Ada', messageId: 'm7' } as const
  const file = { ...version, name: 'a b.pdf', retryable: false, earlier: [{ ...version, id: 'k0#0', messageId: 'm1' }] }
  const files = () => ({
    list: async () => [file],
    open: async () => undefined,
    outline: async () => undefined,
    search: async () => [],
  })
  await using scene = await createScene({ publicUrl: 'https://ask.example.org/', files })
  const base = 'https://ask.example.org/api/web/channels/general/files/bytes'
  const at = (url: string) => scene.adapter.messageAt?.(url)
  for (const url of [`${base}?id=k%230`, `${base}?name=a+b.pdf&version=1#page=3`])
    expect(await at(url)).toMatchObject({ id: 'm7', file: 'k#0', conversation: { adapter: 'web', channel: 'general' } })
  expect(await at(`${base}?id=k0%230`)).toMatchObject({ id: 'm1', file: 'k0#0' })
  for (const url of [
    `${base}?id=other`,
    `${base}?name=b.pdf`,
    `${base.replace('general', 'none')}?id=k%230`,
    `${base.replace('general', '%E0%A4')}?id=k%230`,
    `${base.replace('ask.', 'ask.evil.')}?id=k%230`,
    `${base}/more?id=k%230`,
  ])
    expect(await at(url)).toBeUndefined()
})

test('a data folder of a newer version is refused with a sentence', async () => {
  await using scene = await createScene()
  await scene.adapter.stop()
  const database = new DatabaseSync(join(scene.dataDir, 'web.sqlite'))
  database.exec('PRAGMA user_version = 99')
  database.close()
  const open = () => createWebAdapter({ dataDir: scene.dataDir, loopback: true, log: scene.log })
  expect(open).toThrow(/newer Footbridge.*DATA_DIR/)
})

test('a save of streamed text that comes late leaves the finished answer alone', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'footbridge-page-'))
  const store = openStore(folder, () => 0)
  try {
    const ours = { ours: true, authorId: 'footbridge', authorName: 'Footbridge' } as const
    const answer = { ...ours, channel: 'general', kind: 'answer', body: {}, accepted: true } as const
    await store.messages.insert({ ...answer, id: 'm1', text: 'At', streaming: true, sentAt: 0 })
    await store.messages.saveText('m1', 'At ni')
    expect((await store.messages.get('m1'))?.text).toBe('At ni')
    await store.messages.change('m1', { text: 'At nine.', streaming: false })
    await store.messages.saveText('m1', 'At ni')
    expect((await store.messages.get('m1'))?.text).toBe('At nine.')
  } finally {
    store.close()
    rmSync(folder, { recursive: true })
  }
})

test('a thread whose first message was deleted stays in the history, at its place', async () => {
  await using scene = await createScene()
  const { browser } = scene
  const root = await browser.say('general', { text: 'When do ferries leave?' })
  const reply = await browser.say('general', { text: 'At ten.', thread: root.id })
  const later = await browser.say('general', { text: 'Thanks', thread: root.id })
  const other = await browser.say('general', { text: 'Something else' })
  await browser.request(`/api/web/messages/${root.id}`, { method: 'DELETE' })
  const { messages, before } = await browser.history('general')
  expect(messages.map(({ id }) => id)).toEqual([reply.id, later.id, other.id])
  expect(before).toBeNull()
})

test('pages of the history count threads without a first message, too, and give each of them once', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'footbridge-page-'))
  const store = openStore(folder, () => 0)
  try {
    const said = { ours: false, authorId: 'a', authorName: 'A', kind: 'message', body: {}, accepted: true } as const
    const add = (id: string, thread?: string) =>
      store.messages.insert({ ...said, channel: 'general', id, thread, text: id, sentAt: 0 })
    for (const id of ['one', 'two', 'three', 'four']) {
      await add(id)
      await add(`${id} reply`, id)
    }
    await add('two late', 'two')
    for (const id of ['one', 'two', 'four']) await store.messages.remove(id)
    const pages: string[][] = []
    let before: string | undefined
    do {
      const page: Awaited<ReturnType<typeof store.messages.page>> = await store.messages.page('general', before, 1)
      pages.push(page.messages.map(({ id }) => id))
      before = page.before
    } while (before !== undefined)
    expect(pages).toEqual([['four reply'], ['three', 'three reply'], ['two reply', 'two late'], ['one reply']])
  } finally {
    store.close()
    rmSync(folder, { recursive: true })
  }
})
