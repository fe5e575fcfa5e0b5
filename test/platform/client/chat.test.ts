import { describe, expect, test } from 'vitest'
import type { ChatEvent } from '#platform/client/chat-answer.ts'
import { PROFILE_NAMES, PROFILES } from '#platform/wire/profile.ts'
import { all, ask, failureOf, setUp, shortLimits, textFile } from './setup.ts'

const piece = (content: string) => `data: ${JSON.stringify({ choices: [{ delta: { content } }] })}\n\n`

const textOf = (events: readonly ChatEvent[]) =>
  events.flatMap((event) => (event.type === 'text' ? [event.text] : [])).join('')

async function withLighthouse(profile: (typeof PROFILE_NAMES)[number]) {
  const { client, double } = await setUp(profile)
  await client.collections.create('lighthouse')
  await client.files.upload('lighthouse', textFile('lamp.md', 'The lamp burns kerosene.\n\nIt is lit at dusk.'))
  await client.collections.generateIndex('lighthouse')
  return { client, double }
}

describe.each(PROFILE_NAMES)('in the profile %s', (profile) => {
  test('a streamed collection answer comes with progress, text, the References block and one finish', async () => {
    const { client, double } = await withLighthouse(profile)
    const events = await all(client.chat.stream(ask('What burns in the lamp?', 'alice/lighthouse')))
    const tool = PROFILES[profile].progressTool
    expect(events.slice(0, 2)).toEqual([
      { type: 'progress', event: 'accessing', tool },
      { type: 'progress', event: 'done', tool },
    ])
    expect(textOf(events)).toMatch(
      /^According to lamp\.md: The lamp burns kerosene\. \[RREF1\]\n-{41}\nReferences:\n\n\[RREF1\] lamp\.md \(0\.\d{3}\)\nThe lamp burns kerosene\.\n/,
    )
    expect(events.at(-1)).toMatchObject({ type: 'finish', reason: 'stop', usage: { total_tokens: 18 } })
    expect(events.filter(({ type }) => type === 'finish')).toHaveLength(1)
    const { chatObject } = PROFILES[profile]
    const request = await double.seen('chat')
    expect(request.json).toMatchObject({ 'enable-tools': true, [chatObject]: { id: 'alice/lighthouse' } })
    expect(request.headers['inference-service']).toBe('saia-openai-gateway')
  })

  test('a plain answer comes without any of the three additions', async () => {
    const { client, double } = await setUp(profile)
    expect(textOf(await all(client.chat.stream(ask('hi'))))).toBe('You said: hi')
    expect(await client.chat.complete(ask('hi'))).toMatchObject({
      text: 'You said: hi',
      finishReason: 'stop',
      usage: { total_tokens: 18 },
    })
    for (const { json, headers } of double.requests) {
      expect(Object.keys(json as object)).toEqual(['model', 'messages', 'stream'])
      expect(headers['inference-service']).toBeUndefined()
      expect(headers['authorization']).toBe(`Bearer ${double.key}`)
    }
  })

  test('a collection answer in one piece is retrieved too', async () => {
    const { client } = await withLighthouse(profile)
    const { text } = await client.chat.complete(ask('When is it lit?', 'alice/lighthouse'))
    expect(text).toContain('According to lamp.md: It is lit at dusk. [RREF1]')
  })
})

test('further parameters are forwarded as given', async () => {
  const { client, double } = await setUp()
  const request = { ...ask('x'), temperature: 0, maxTokens: 5, parameters: { top_p: 0.5, stop: ['\n'] } }
  await client.chat.complete(request)
  expect((await double.seen('chat')).json).toMatchObject({
    temperature: 0,
    max_tokens: 5,
    top_p: 0.5,
    stop: ['\n'],
    stream: false,
  })
})

test('a collection must be named by its full id', async () => {
  const { client, double } = await setUp()
  expect((await failureOf(all(client.chat.stream(ask('x', 'handbook'))))).code).toBe('invalid')
  expect(double.requests).toEqual([])
})

test.each([
  ['collection', undefined, 'raw'],
  ['collection', 'bearer', 'bearer'],
  ['saia', undefined, 'bearer'],
  ['saia', 'raw', 'raw'],
] as const)('collection chat in %s with the setting %s sends the key %s', async (profile, setting, form) => {
  const { client, double } = await setUp(profile, setting === undefined ? {} : { chatCredential: setting })
  await client.collections.create('c')
  await all(client.chat.stream(ask('x', 'alice/c')))
  const { headers } = await double.seen('chat')
  expect(headers['authorization']).toBe(form === 'raw' ? double.key : `Bearer ${double.key}`)
})

test('reasoning is passed on apart from the text, in a stream and in one piece', async () => {
  const { client, double } = await setUp()
  double.script('chat', { kind: 'answer', text: 'four', reasoning: 'two and two' }, 2)
  const events = await all(client.chat.stream(ask('2+2')))
  expect(textOf(events)).toBe('four')
  expect(events.flatMap((one) => (one.type === 'reasoning' ? [one.text] : [])).join('')).toBe('two and two')
  expect(await client.chat.complete(ask('2+2'))).toMatchObject({ text: 'four', reasoning: 'two and two' })
})

test('tokens spent on reasoning alone are an empty answer that says so', async () => {
  const { client, double } = await setUp()
  const fault = { kind: 'answer', text: '', reasoning: 'hm', finishReason: 'length' } as const
  double.script('chat', fault, 2)
  for (const call of [() => all(client.chat.stream(ask('x'))), () => client.chat.complete(ask('x'))]) {
    const error = await failureOf(call())
    expect(error.code).toBe('empty')
    expect(error.message).toContain('reasoning')
  }
})

test('a real tool call is passed on whole and not executed', async () => {
  const { client, double } = await setUp()
  double.script('chat', { kind: 'tool-call', name: 'delete_all', arguments: '{"sure":true}', only: true })
  const events = await all(client.chat.stream(ask('x')))
  expect(events).toMatchObject([
    {
      type: 'progress',
      event: 'tool-call',
      toolCall: { id: 'call_1', name: 'delete_all', arguments: '{"sure":true}' },
    },
    { type: 'finish', reason: 'tool_calls' },
  ])
  expect(double.requests).toHaveLength(1)
})

test.each(['object', 'type', 'error', 'event'] as const)(
  'an error inside a 200 stream (form "%s") is a server failure that says what the platform said',
  async (form) => {
    const { client, double } = await setUp()
    double.script('chat', { kind: 'stream-error', after: 1, form, message: 'CUDA out of memory' })
    const seen: ChatEvent[] = []
    const error = await failureOf(
      (async () => {
        for await (const event of client.chat.stream(ask('x'))) seen.push(event)
      })(),
    )
    expect(error.code).toBe('server')
    expect(error.message).toContain('CUDA out of memory')
    expect(textOf(seen)).toBe('You sai')
  },
)

test('a stream that ends without [DONE] and without a finish reason is cut, and what came was passed on', async () => {
  for (const by of ['end', 'destroy'] as const) {
    const { client, double } = await setUp()
    double.script('chat', { kind: 'break', after: 2, by })
    const seen: ChatEvent[] = []
    const error = await failureOf(
      (async () => {
        for await (const event of client.chat.stream(ask('hello'))) seen.push(event)
      })(),
    )
    expect(error.code).toBe('cut')
    expect(textOf(seen)).toBe('You said: hell')
    expect(double.requests).toHaveLength(1)
  }
})

test('a stream that goes silent in the middle of its answer is cut', async () => {
  const { client, double } = await setUp('collection', { timeLimits: shortLimits })
  double.script('chat', { kind: 'break', after: 2, by: 'hang' })
  expect((await failureOf(all(client.chat.stream(ask('hello'))))).code).toBe('cut')
  await (
    await double.seen('chat')
  ).closedEarly
})

test('a stream that goes silent before any text is a time-out', async () => {
  const { client, double } = await setUp('collection', { timeLimits: shortLimits })
  double.script('chat', { kind: 'raw', pieces: [': hello\n\n'], end: 'hang' })
  expect((await failureOf(all(client.chat.stream(ask('hello'))))).code).toBe('timeout')
})

test('comment lines of a stream count as signs of life, within the time for the whole call', async () => {
  const { client, double } = await setUp('collection', { timeLimits: { betweenBytesMs: 1500 } })
  double.script('chat', { kind: 'pings', count: 20, intervalMs: 100 })
  expect(textOf(await all(client.chat.stream(ask('x'))))).toBe('You said: x')
  const impatient = await setUp('collection', { timeLimits: { betweenBytesMs: 1500, totalMs: 600 } })
  impatient.double.script('chat', { kind: 'pings', count: 100_000, intervalMs: 100 })
  expect((await failureOf(all(impatient.client.chat.stream(ask('x'))))).code).toBe('timeout')
})

test('a slow stream, a token at a time, arrives whole', async () => {
  const pauses: number[] = []
  const sleep = async (ms: number) => void pauses.push(ms)
  const { client, double } = await setUp('collection', {}, { sleep })
  double.script('chat', { kind: 'slow', intervalMs: 1000 })
  expect(textOf(await all(client.chat.stream(ask('one two three'))))).toBe('You said: one two three')
  expect(pauses.length).toBeGreaterThan(2)
})

test('a 200 with no bytes and a stream with no content are empty', async () => {
  const { client, double } = await setUp()
  double.script('chat', { kind: 'raw', pieces: [] })
  expect((await failureOf(all(client.chat.stream(ask('x'))))).code).toBe('empty')
  double.script('chat', { kind: 'raw', pieces: ['data: {"choices":[]}\n\n', 'data: [DONE]\n\n'] })
  expect((await failureOf(all(client.chat.stream(ask('x'))))).code).toBe('empty')
  double.script('chat', { kind: 'raw', pieces: ['{"choices":[]}'], contentType: 'application/json' })
  expect((await failureOf(client.chat.complete(ask('x')))).code).toBe('empty')
})

test('an error document with status 200 is a server failure, in one piece too', async () => {
  const { client, double } = await setUp()
  const body = '{"object":"error","message":"Out of memory","type":"InternalServerError","code":500}'
  double.script('chat', { kind: 'status', status: 200, body }, 2)
  for (const call of [() => client.chat.complete(ask('x')), () => all(client.chat.stream(ask('x')))]) {
    const error = await failureOf(call())
    expect(error).toMatchObject({ code: 'server', status: 500 })
    expect(error.message).toContain('Out of memory')
  }
})

test('an unknown model or collection names the setting to check', async () => {
  const { client } = await setUp()
  const unknownModel = await failureOf(client.chat.complete({ ...ask('x'), model: 'none' }))
  expect(unknownModel).toMatchObject({ code: 'not-found' })
  expect(unknownModel.message).toContain(': Model Not Found (status 404). Check PLATFORM_MODEL')
  const unknownCollection = await failureOf(all(client.chat.stream(ask('x', 'alice/none'))))
  expect(unknownCollection.message).toContain('that the collection exists')
})

test('a JSON answer to a stream request is understood', async () => {
  const { client, double } = await setUp()
  double.script('chat', { kind: 'unstreamed' })
  const events = await all(client.chat.stream(ask('x')))
  expect(events).toMatchObject([
    { type: 'text', text: 'You said: x' },
    { type: 'finish', reason: 'stop' },
  ])
})

test('stopping closes the connection and frees the next stream', async () => {
  const { client, double } = await setUp('collection', { maxStreams: 1 })
  double.script('chat', { kind: 'break', after: 1, by: 'hang' })
  const controller = new AbortController()
  const error = await failureOf(
    (async () => {
      for await (const event of client.chat.stream(ask('hello'), { signal: controller.signal })) {
        if (event.type === 'text') controller.abort()
      }
    })(),
  )
  expect(error.code).toBe('aborted')
  await (
    await double.seen('chat')
  ).closedEarly
  expect(textOf(await all(client.chat.stream(ask('again'))))).toBe('You said: again')
})

test('after a stop nothing more is passed on, not even what has already arrived', async () => {
  const { client, double } = await setUp()
  const thought = 'data: {"choices":[{"delta":{"reasoning":"hm"}}]}\n\n'
  double.script('chat', { kind: 'raw', pieces: [`${piece('one')}${thought}${piece('b')}data: [DONE]\n\n`] })
  const controller = new AbortController()
  const seen: ChatEvent[] = []
  const stopped = async () => {
    for await (const event of client.chat.stream(ask('x'), { signal: controller.signal })) {
      seen.push(event)
      controller.abort()
    }
  }
  expect((await failureOf(stopped())).code).toBe('aborted')
  expect(seen).toEqual([{ type: 'text', text: 'one' }])
})

test('leaving the loop early closes the connection and frees the next stream', async () => {
  const { client, double } = await setUp('collection', { maxStreams: 1 })
  double.script('chat', { kind: 'break', after: 1, by: 'hang' })
  for await (const event of client.chat.stream(ask('hello'))) if (event.type === 'text') break
  await (
    await double.seen('chat')
  ).closedEarly
  expect(textOf(await all(client.chat.stream(ask('again'))))).toBe('You said: again')
})

test('more streams than the key may have at once wait their turn, and can be stopped while they wait', async () => {
  const { client, double } = await setUp('collection', { maxStreams: 2 })
  const gate = Promise.withResolvers<void>()
  double.script('chat', { kind: 'delay', until: gate.promise }, 2)
  const running = [1, 2].map((n) => all(client.chat.stream(ask(String(n)))))
  await double.seen('chat', 2)
  const controller = new AbortController()
  const stopped = all(client.chat.stream(ask('3'), { signal: controller.signal }))
  const waiting = all(client.chat.stream(ask('4')))
  controller.abort()
  expect((await failureOf(stopped)).code).toBe('aborted')
  expect(double.requests).toHaveLength(2)
  gate.resolve()
  expect((await Promise.all([...running, waiting])).map(textOf)).toEqual(['You said: 1', 'You said: 2', 'You said: 4'])
})

test('the saia profile keeps to eight streams at once, our own platform has no such limit', async () => {
  for (const profile of PROFILE_NAMES) {
    const { client, double } = await setUp(profile)
    const gate = Promise.withResolvers<void>()
    double.script('chat', { kind: 'delay', until: gate.promise }, Infinity)
    const running = Array.from({ length: 12 }, (_, n) => all(client.chat.stream(ask(String(n)))))
    await double.seen('chat', profile === 'saia' ? 8 : 12)
    await client.heartbeat()
    expect(double.requests.filter(({ op }) => op === 'chat')).toHaveLength(profile === 'saia' ? 8 : 12)
    gate.resolve()
    expect((await Promise.all(running)).every((events) => events.at(-1)?.type === 'finish')).toBe(true)
    expect(double.requests.filter(({ op }) => op === 'chat')).toHaveLength(12)
  }
})

test('a connection that served a stream to its end, or a refusal, serves the next call too', async () => {
  const { client, double } = await setUp('collection', { maxConnections: 1 })
  double.script('models', { kind: 'status', status: 404, body: '{"detail":"no"}' })
  await all(client.chat.stream(ask('a')))
  await failureOf(client.models.list())
  await all(client.chat.stream(ask('b')))
  await client.heartbeat()
  expect(double.requests).toHaveLength(4)
  expect(new Set(double.requests.map(({ clientPort }) => clientPort)).size).toBe(1)
})
