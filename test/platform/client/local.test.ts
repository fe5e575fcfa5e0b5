import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createPlatformClient } from '#platform/client/client.ts'
import { createPlatformApp } from '#platform/server/app.ts'
import { localContent } from '#platform/wire/local-request.ts'
import { toSteps } from '#platform/wire/stream-events.ts'
import { createLogSink, openPlatform, type PlatformOptions } from '../server/platform.ts'
import { all, failureOf } from './setup.ts'

/** Nothing listens there: whatever is asked over a connection fails. */
const nowhere = 'http://127.0.0.1:9/v1'

async function open(options: PlatformOptions = {}) {
  const platform = await openPlatform(options)
  const app = createPlatformApp({ engine: platform.engine, log: createLogSink().log })
  const client = createPlatformClient({ baseUrl: nowhere, apiKey: platform.key, local: app.fetch })
  onTestFinished(async () => {
    await client.close()
    await platform.close()
  })
  return { platform, client }
}

const plain = { model: 'double-chat', messages: [{ role: 'user' as const, content: 'hi' }] }

test('a platform in the same process is asked without a connection, and refuses in the same words', async () => {
  const { client, platform } = await open()
  expect(await client.collections.create('notes')).toMatchObject({ id: 'local/notes' })
  expect((await failureOf(client.collections.create('notes'))).code).toBe('conflict')
  await platform.fill('other', { 'lamp.md': 'The lamp burns kerosene.' })
  expect(await client.files.list('other')).toMatchObject([{ name: 'lamp.md' }])
  expect(Buffer.from(await client.files.download('other', 'lamp.md')).toString()).toBe('The lamp burns kerosene.')
  const question = { ...plain, model: 'extractive', collection: 'local/other' }
  const asked = { ...question, messages: [{ role: 'user' as const, content: 'What does the lamp burn?' }] }
  const events = await all(client.chat.stream(asked))
  const text = events.flatMap((event) => (event.type === 'text' ? [event.text] : [])).join('')
  expect(text).toContain('The lamp burns kerosene. [RREF1]')
  expect(events.at(-1)).toMatchObject({ type: 'finish', reason: 'stop' })
  expect((await client.chat.complete(asked)).text).toBe(text)
  expect((await failureOf(all(client.chat.stream({ ...question, collection: 'local/none' })))).code).toBe('not-found')
  await client.collections.delete('notes')
})

test('a request within the process has no body, its text is taken as it is, and the limits of a body hold', async () => {
  const platform = await openPlatform({ withUpstream: true })
  const app = createPlatformApp({ engine: platform.engine, log: createLogSink().log })
  const bodies: unknown[] = []
  const local = (request: Request) => {
    bodies.push(request.body)
    return app.fetch(request)
  }
  const client = createPlatformClient({ baseUrl: nowhere, apiKey: platform.key, local })
  onTestFinished(async () => {
    await client.close()
    await platform.close()
  })
  const ask = (content: string) => client.chat.complete({ ...plain, messages: [{ role: 'user', content }] })
  await ask('ü'.repeat(100_000))
  expect(JSON.stringify(platform.upstream.requests.at(-1)?.json)).toContain('ü'.repeat(100_000))
  expect((await failureOf(ask('x'.repeat(1024 * 1024 + 1)))).message).toContain('larger than 1 MB')
  await client.collections.create('notes')
  await client.collections.delete('notes')
  expect(new Set(bodies)).toEqual(new Set([null]))
})

test('the JSON of a piece is parsed once between the model and the answer', async () => {
  const { client, platform } = await open({ withUpstream: true })
  const deltas = Array.from({ length: 50 }, (_, index) => `piece${index} `)
  platform.upstream.script({ kind: 'chat', deltas })
  const parse = vi.spyOn(JSON, 'parse')
  onTestFinished(() => parse.mockRestore())
  const events = await all(client.chat.stream(plain))
  expect(events.flatMap((event) => (event.type === 'text' ? [event.text] : [])).join('')).toBe(deltas.join(''))
  expect(parse.mock.calls.filter(([text]) => /"content":"piece\d/.test(text))).toHaveLength(deltas.length)
})

test('a failure of the model within its answer comes as over a connection', async () => {
  const { client, platform } = await open({ withUpstream: true })
  platform.upstream.script({ kind: 'fault', fault: 'error-event', after: ['Hello'], message: 'out of memory' })
  const failure = await failureOf(all(client.chat.stream(plain)))
  expect(failure.code).toBe('server')
  expect(failure.message).toContain('out of memory')
  platform.upstream.script({ kind: 'fault', fault: 'cut', after: ['Hello'] })
  expect((await failureOf(all(client.chat.stream(plain)))).message).toContain('stopped in the middle')
})

test('a stop, an end of the process and a reader who leaves each end the question at the model', async () => {
  const { client, platform } = await open({ withUpstream: true })
  const left = async () => {
    const { ended } = platform.upstream.requests.at(-1) ?? {}
    expect(await ended).toBe('left')
  }
  const controller = new AbortController()
  platform.upstream.script({ kind: 'fault', fault: 'hang', after: ['Hello'] })
  const stopped = async () => {
    for await (const event of client.chat.stream(plain, { signal: controller.signal }))
      if (event.type === 'text') setImmediate(() => controller.abort())
  }
  expect((await failureOf(stopped())).code).toBe('aborted')
  await left()
  platform.upstream.script({ kind: 'fault', fault: 'hang', after: ['Hello'] })
  for await (const event of client.chat.stream(plain)) if (event.type === 'text') break
  await left()
  platform.upstream.script({ kind: 'fault', fault: 'hang', after: ['Hello'] })
  const running = client.chat.stream(plain)
  await running.next()
  const waiting = failureOf(running.next())
  await nextTurn()
  await client.close()
  expect((await waiting).code).toBe('aborted')
  await left()
  expect((await failureOf(client.models.list())).code).toBe('aborted')
})

test('a model that says nothing is waited for no longer than the time limit', async () => {
  const platform = await openPlatform({ withUpstream: true })
  const app = createPlatformApp({ engine: platform.engine, log: createLogSink().log })
  const timeLimits = { betweenBytesMs: 100 }
  const client = createPlatformClient({ baseUrl: nowhere, apiKey: platform.key, local: app.fetch, timeLimits })
  onTestFinished(async () => {
    await client.close()
    await platform.close()
  })
  platform.upstream.script({ kind: 'fault', fault: 'hang', after: ['Hello'] })
  expect((await failureOf(all(client.chat.stream(plain)))).code).toBe('cut')
  expect(await platform.upstream.requests.at(-1)?.ended).toBe('left')
})

test('an answer that comes after its caller left is cancelled, so that what it holds open is closed', async () => {
  const late = Promise.withResolvers<Response>()
  const reached = Promise.withResolvers<void>()
  const local = () => {
    reached.resolve()
    return late.promise
  }
  const client = createPlatformClient({ baseUrl: nowhere, apiKey: 'k', local })
  onTestFinished(() => client.close())
  const leaving = new AbortController()
  const asked = failureOf(client.files.download('notes', 'lamp.md', { signal: leaving.signal }))
  await reached.promise
  leaving.abort()
  expect((await asked).code).toBe('aborted')
  const cancelled = Promise.withResolvers<void>()
  late.resolve(new Response(new ReadableStream({ cancel: () => cancelled.resolve() })))
  await cancelled.promise
})

test('events that are handed over after their caller left are left, so that the model is not asked for more', async () => {
  const answers = Promise.withResolvers<Response>()
  const reached = Promise.withResolvers<Request>()
  const local = (request: Request) => {
    reached.resolve(request)
    return answers.promise
  }
  const client = createPlatformClient({ baseUrl: nowhere, apiKey: 'k', local })
  onTestFinished(() => client.close())
  const leaving = new AbortController()
  const asked = failureOf(all(client.chat.stream(plain, { signal: leaving.signal })))
  const request = await reached.promise
  leaving.abort()
  expect((await asked).code).toBe('aborted')
  const left = Promise.withResolvers<void>()
  const steps = toSteps(
    async () => ({ value: [] }),
    async () => undefined,
  )
  localContent(request)?.handOver?.({ steps, leave: () => left.resolve() })
  answers.resolve(new Response(null))
  await left.promise
})

test('a failure behind the hand-over is told in its own words, and the events are left', async () => {
  const left = vi.fn<() => void>()
  const steps = toSteps(
    async () => ({ value: [] }),
    async () => undefined,
  )
  const local = async (request: Request) => {
    localContent(request)?.handOver?.({ steps, leave: left })
    return Response.json({ error: { message: 'The figures are broken.' } }, { status: 400 })
  }
  const client = createPlatformClient({ baseUrl: nowhere, apiKey: 'key-0123456789', local })
  onTestFinished(() => client.close())
  const failure = await failureOf(all(client.chat.stream(plain)))
  expect([failure.code, failure.message]).toEqual(['invalid', expect.stringContaining('The figures are broken')])
  expect(left).toHaveBeenCalledOnce()
})
