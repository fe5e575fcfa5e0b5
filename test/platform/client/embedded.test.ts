import { expect, onTestFinished, test } from 'vitest'
import { createPlatformClient } from '#platform/client/client.ts'
import { addKey } from '../server/people.ts'
import { openPlatform, type PlatformOptions } from '../server/platform.ts'
import { all, failureOf, textFile } from './setup.ts'

async function open(options: PlatformOptions = {}) {
  const platform = await openPlatform({ over: 'socket', ...options })
  const client = createPlatformClient({ baseUrl: `${platform.url}/v1/`, apiKey: platform.key })
  onTestFinished(async () => {
    await client.close()
    await platform.close()
  })
  return { platform, client }
}

const question = {
  model: 'extractive',
  messages: [{ role: 'user' as const, content: 'What does the lamp burn?' }],
  collection: 'local/notes',
}

test('our own platform does for the client all that the double does: drop, index, ask, replace, delete', async () => {
  const { client } = await open()
  expect(await client.collections.create('notes')).toMatchObject({ id: 'local/notes', name: 'notes' })
  expect((await failureOf(client.collections.create('notes'))).code).toBe('conflict')
  const lamp = textFile('lamp – Öl.md', '---\na: b\n---\nThe lamp burns kerosene.\n')
  await client.files.upload('notes', lamp)
  expect((await failureOf(client.files.upload('notes', lamp))).code).toBe('conflict')
  expect(await client.files.list('notes')).toMatchObject([{ name: 'lamp – Öl.md', index: null }])
  expect(await client.collections.generateIndex('notes')).toBe('done')
  expect(await client.files.list('local/notes')).toMatchObject([{ index: { status: 'INDEXED', chunks: 1 } }])
  const events = await all(client.chat.stream(question))
  const text = events.flatMap((event) => (event.type === 'text' ? [event.text] : [])).join('')
  expect(text).toContain('The lamp burns kerosene. [RREF1]')
  expect(text).toMatch(/\n-{41}\nReferences:\n\n\[RREF1\] lamp – Öl\.md .*\(\d\.\d{3}\)\n/)
  expect(events.at(-1)).toMatchObject({ type: 'finish', reason: 'stop' })
  expect((await client.chat.complete(question)).text).toBe(text)
  await client.files.replace('notes', textFile('lamp – Öl.md', 'The lamp burns gas.'))
  expect(await client.files.list('notes')).toMatchObject([{ index: { status: 'NOT_INDEXED' } }])
  expect(Buffer.from(await client.files.download('notes', 'lamp – Öl.md')).toString()).toBe('The lamp burns gas.')
  await client.files.delete('notes', 'lamp – Öl.md')
  expect((await failureOf(client.files.delete('notes', 'lamp – Öl.md'))).code).toBe('not-found')
  await client.collections.deleteIndex('notes')
  await client.collections.delete('notes')
  expect(await client.collections.list()).toEqual([])
})

test('our own platform answers version, heartbeat, profile, models, probe and conversion', async () => {
  const { client } = await open()
  expect(await client.version()).toMatch(/^\d+\.\d+\.\d+$/)
  await client.heartbeat()
  expect(await client.user.me()).toMatchObject({ username: 'local', collectionCount: 0, fileCount: 0 })
  expect((await client.models.list()).map(({ id }) => id)).toContain('extractive')
  // Of the longest window: a shorter one may begin anew in between.
  const { limit_month: limit, remaining_month: remaining } = await client.rateLimit.probe()
  expect(remaining).toBeLessThan(limit ?? 0)
  const page = textFile('page.html', '<h1>Lamp</h1><p>kerosene</p>', 'text/html')
  expect((await client.documents.convert(page)).markdown).toMatch(/^# Lamp\s+kerosene/)
})

test('our own platform says what is wrong in words that reach the caller', async () => {
  const { platform, client } = await open()
  const stranger = createPlatformClient({ baseUrl: `${platform.url}/v1`, apiKey: 'wrong' })
  expect((await failureOf(stranger.collections.list())).code).toBe('unauthorized')
  expect((await failureOf(stranger.models.list())).code).toBe('unauthorized')
  await stranger.close()
  const memo = await failureOf(client.voice.transcribe(textFile('memo.ogg', 'sound', 'audio/ogg')))
  expect(memo).toMatchObject({ code: 'unsupported', status: 501 })
  expect(memo.message).toContain('UPSTREAM_TRANSCRIPTION_MODEL')
  expect((await failureOf(client.chat.complete({ ...question, collection: 'local/none' }))).code).toBe('not-found')
})

test('our own platform with models behind it streams, and a stop of the client stops them', async () => {
  const { platform, client } = await open({ withUpstream: true })
  const plain = { model: 'double-chat', messages: [{ role: 'user' as const, content: 'hi' }] }
  expect((await client.chat.complete(plain)).text).not.toBe('')
  const vectors = await client.embeddings.create({ model: 'double-embed', input: ['a', 'b'] })
  expect(vectors).toHaveLength(2)
  platform.upstream.script({ kind: 'fault', fault: 'hang', after: ['Hello'] })
  const controller = new AbortController()
  const stopped = async () => {
    for await (const event of client.chat.stream(plain, { signal: controller.signal })) {
      if (event.type === 'text') controller.abort()
    }
  }
  expect((await failureOf(stopped())).code).toBe('aborted')
})

test('our own platform reads out where a model server can, and says what is missing where not', async () => {
  const { client, platform } = await open({ withUpstream: true })
  expect((await failureOf(client.voice.speak('Good day.'))).message).toContain('SPEECH_MODEL')
  const options = { baseUrl: `${platform.url}/v1/`, apiKey: platform.key, speechModel: 'tts-1', speechVoice: 'nova' }
  const speaking = createPlatformClient(options)
  onTestFinished(() => speaking.close())
  const { bytes, mimeType } = await speaking.voice.speak('Good day.')
  expect(mimeType).toBe('audio/mpeg')
  expect(await bytes.text()).toBe('sound of Good day.')
  expect(platform.upstream.requests.at(-1)?.json).toEqual({
    model: 'tts-1',
    voice: 'nova',
    input: 'Good day.',
    response_format: 'mp3',
  })
  const bare = await open()
  const mute = createPlatformClient({ ...options, baseUrl: `${bare.platform.url}/v1/`, apiKey: bare.platform.key })
  onTestFinished(() => mute.close())
  const failure = await failureOf(mute.voice.speak('Good day.'))
  expect(failure).toMatchObject({ status: 501 })
  expect(failure.message).toContain('UPSTREAM_BASE_URL')
})

test('our own platform shares a collection as the client asks, and says so in its record', async () => {
  const { platform, client } = await open()
  await addKey(platform, 'anna')
  await client.collections.create('notes')
  expect((await client.collections.get('notes')).sharing).toEqual({ visibility: 'private', users: [] })
  const shared = { visibility: 'private', users: ['anna'] } as const
  expect(await client.collections.share('local/notes', { users: ['anna'] })).toMatchObject({
    id: 'local/notes',
    sharing: shared,
  })
  expect((await client.collections.list())[0]?.sharing).toEqual(shared)
  await client.collections.share('notes', { visibility: 'public' })
  expect((await client.collections.get('notes')).sharing).toEqual({ visibility: 'public', users: [] })
  expect((await failureOf(client.collections.share('gone', {}))).code).toBe('not-found')
  expect((await failureOf(client.collections.share('notes', { users: [''] }))).code).toBe('invalid')
})

test('our own platform groups a file under the one that the client derived it from', async () => {
  const { client } = await open()
  await client.collections.create('notes')
  await client.files.upload('notes', textFile('memo.md', 'What was said.'))
  const derived = textFile('memo.en.md', 'What was said, in English.')
  await client.files.upload('notes', derived, { derivedFrom: 'memo.md' })
  const [memo, ...others] = await client.files.list('notes')
  expect(memo).toMatchObject({ name: 'memo.md', related: [{ name: 'memo.en.md' }] })
  expect(others).toEqual([])
  const lost = client.files.upload('notes', textFile('b.md', 'b'), { derivedFrom: 'gone.md' })
  expect((await failureOf(lost)).message).toContain('gone.md')
  const outside = client.files.upload('notes', textFile('b.md', 'b'), { derivedFrom: '../memo.md' })
  expect((await failureOf(outside)).code).toBe('invalid')
})

test.each(['collection', 'saia'] as const)(
  'our own platform answers to the names of the profile %s',
  async (profile) => {
    const { platform } = await open()
    const client = createPlatformClient({ baseUrl: `${platform.url}/v1`, apiKey: platform.key, profile })
    onTestFinished(() => client.close())
    expect(await client.version()).toMatch(/^\d+\.\d+\.\d+$/)
    await client.heartbeat()
    expect(await client.collections.create('notes')).toMatchObject({ id: 'local/notes' })
    await client.files.upload('notes', textFile('lamp.md', 'Intro.\n\nThe lamp burns kerosene.\n'))
    expect(await client.collections.generateIndex('notes')).toBe('done')
    expect(await client.user.me()).toMatchObject({ collectionCount: 1, fileCount: 1 })
    const events = await all(client.chat.stream(question))
    const told = events.flatMap((event) => (event.type === 'progress' ? [[event.tool, event.event]] : []))
    const progress = ['accessing', 'done'].map((event) => ['arcana.event', event])
    expect(told).toEqual(profile === 'saia' ? progress : [])
    const fields = [{ number: 1, file: 'lamp.md', place: 'L1-3' }]
    expect(events.filter(({ type }) => type === 'references')).toEqual([{ type: 'references', references: fields }])
    expect(events.at(-1)).toMatchObject({
      type: 'finish',
      reason: 'stop',
      ...(profile === 'saia' ? { usage: {} } : {}),
    })
    await client.collections.delete('notes')
  },
)
