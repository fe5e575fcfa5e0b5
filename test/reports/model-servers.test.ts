import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readAnswer } from '#bridge/answers/read-answer.ts'
import { isUnanswered } from '#bridge/answers/read-answer.ts'
import { createPlatformClient, type PlatformClient } from '#platform/client/client.ts'
import { pack, type Quirks } from '../doubles/upstream/quirks.ts'
import { ENDS, THINKING } from '../doubles/upstream/thinking.ts'
import type { ChatAnswer, UpstreamAnswer } from '../doubles/upstream/script.ts'
import { inference, openPlatform, type TestPlatform } from '../platform/server/platform.ts'

interface ReportedStream {
  readonly file: { readonly name: string; readonly text: string }
  readonly question: string
  readonly body: string
}

const caseOf = async <Case>(name: string): Promise<Case> =>
  JSON.parse(await readFile(new URL(`chat/llm-${name}.json`, import.meta.url), 'utf8')) as Case

const stream = (body: string | Uint8Array, headers: Readonly<Record<string, string>> = {}): UpstreamAnswer => ({
  kind: 'fault',
  fault: 'raw',
  type: 'text/event-stream',
  body,
  headers,
})

const beacons = await caseOf<ReportedStream>('think-tags')
const ANSWER = 'The Eider beacon flashes with the period ZPERIOD7 [1].'
const SAID = 'The Eider beacon flashes with the period ZPERIOD7 [RREF1].'

let platform: TestPlatform
let client: PlatformClient

/** How the bridge reads what the model server says, over the embedded platform or as a hosted one hands it on. */
async function ask(answer: UpstreamAnswer, { model = 'double-chat', isHosted = false } = {}) {
  platform.upstream.script(answer)
  let shown = ''
  const out = { push: (text: string) => (shown += text), retract: () => (shown = ''), onWait: () => undefined }
  const { question } = beacons
  const messages = [{ role: 'user', content: question }] as const
  const request = { model, messages, ...(isHosted ? {} : { collection: 'local/beacons' }) }
  const options = { question, signal: AbortSignal.timeout(20_000), out }
  const read = await readAnswer(isHosted ? hosted : client, request, options)
  return { ...read, text: read.end.text, files: read.end.references.map(({ file }) => file), seen: shown }
}

/** A hosted platform that hands on what its model server says. */
let hosted: PlatformClient

beforeAll(async () => {
  platform = await openPlatform({ over: 'socket', withUpstream: true })
  client = createPlatformClient({ baseUrl: `${platform.url}/v1`, apiKey: platform.key })
  hosted = createPlatformClient({ baseUrl: platform.upstream.baseUrl, apiKey: 'any' })
  await platform.fill('beacons', { [beacons.file.name]: beacons.file.text })
})
afterAll(async () => {
  await hosted.close()
  await client.close()
  await platform.close()
})

test.each(['think-tags', 'content-array', 'numeric-id', 'stop-on-every-chunk', 'last-event-no-blank-line'])(
  'the reported stream %s is a whole answer with its reference',
  async (name) => {
    const { body } = await caseOf<ReportedStream>(name)
    const read = await ask(stream(body))
    expect(read).toMatchObject({ text: ANSWER, files: ['beacons.md'], cutByLength: false, cutByFilter: false })
    expect(isUnanswered(read)).toBe(false)
    expect(read.seen).not.toContain('SECRETTHOUGHT')
    expect((await ask(stream(body), { isHosted: true })).end.answer).toBe(SAID)
  },
)

test('a stream that is packed unasked is unpacked', async () => {
  const { headers } = await caseOf<{ readonly headers: Readonly<Record<string, string>> }>('gzip-always')
  const { body } = await caseOf<ReportedStream>('numeric-id')
  expect(await ask(stream(pack(body, 'gzip'), headers))).toMatchObject({ text: ANSWER, files: ['beacons.md'] })
  expect((await ask(stream(pack(body, 'gzip'), headers), { isHosted: true })).end.answer).toBe(SAID)
})

test('what a filter ended says so', async () => {
  const { body } = await caseOf<ReportedStream>('content-filter-cut')
  const read = await ask(stream(body))
  expect(read).toMatchObject({ text: 'The Eider beacon flashes with', cutByFilter: true, files: ['beacons.md'] })
  expect(isUnanswered(read)).toBe(false)
})

test('a refusal is no answer, in the words of the model', async () => {
  const { body } = await caseOf<ReportedStream>('refusal-only')
  await expect(ask(stream(body))).rejects.toMatchObject({
    name: 'NoAnswerError',
    kind: 'declined',
    said: 'REFUSALTEXT I cannot help with that request.',
  })
})

test('a call of a tool that nobody offered is no answer, and with a text it is one', async () => {
  const calls = {
    tool_calls: [{ index: 0, id: 'c1', type: 'function', function: { name: 'search', arguments: '{}' } }],
  }
  const called: ChatAnswer = { kind: 'chat', text: '', message: calls, finishReason: 'tool_calls' }
  await expect(ask(called)).rejects.toMatchObject({ name: 'NoAnswerError', kind: 'tool-call', said: 'search' })
  expect(await ask({ ...called, text: SAID })).toMatchObject({ text: ANSWER, files: ['beacons.md'] })
})

describe('an answer in the words of other servers', () => {
  const QUIRKS: readonly Quirks[] = [
    { numericIds: true },
    { emptyErrors: true },
    { parts: true },
    { messages: 'pieces' },
    { messages: 'growing' },
    { messages: 'growing', parts: true, stopOnEach: true },
    { stopOnEach: true },
    { stopOnEach: true, unended: true },
    { unended: true },
    { ownLines: 'chat' },
    { ownLines: 'generate' },
    ...(['gzip', 'deflate', 'raw deflate', 'br', 'zstd'] as const).map((packed) => ({ packed })),
    { packed: 'gzip', unended: true, stopOnEach: true, parts: true, numericIds: true, emptyErrors: true },
  ]
  test.each(QUIRKS)('%j arrives whole, with its reference', async (quirks) => {
    const long = 'The Eider beacon is a beacon. '.repeat(90)
    const deltas = [...(long.match(/\S+ /g) ?? []), ...(SAID.match(/\S+ ?/g) ?? [])]
    const answer: ChatAnswer = { kind: 'chat', deltas, quirks }
    expect(await ask(answer)).toMatchObject({ text: long + ANSWER, files: ['beacons.md'] })
    expect((await ask(answer, { isHosted: true })).end.answer).toBe(long + SAID)
  })

  test.each([...THINKING.map((thinksBetween) => ({ thinksBetween })), ...ENDS.map((leaves) => ({ leaves }))])(
    '%j is taken out of the text',
    async (quirks: Quirks) => {
      for (const isHosted of [false, true]) {
        const model = `m ${JSON.stringify(quirks)}${String(isHosted)}`
        const answer: ChatAnswer = { kind: 'chat', text: SAID, reasoning: 'SECRETTHOUGHT of mine', quirks }
        const read = await ask(answer, { isHosted, model })
        expect(read.end.answer.trimEnd()).toBe(SAID)
        expect(read.seen).not.toContain('SECRET')
      }
    },
  )

  test('the form of Ollama is that of the contract for every caller, whole and with the block', async () => {
    const message = { role: 'assistant', content: SAID, thinking: 'SECRETTHOUGHT' }
    const body = JSON.stringify({ model: 'm', message, done: true, done_reason: 'stop' })
    platform.upstream.script({ kind: 'fault', fault: 'raw', type: 'application/json', body })
    const json = { model: 'm', messages: [{ role: 'user', content: beacons.question }], collection: 'beacons' }
    const response = await platform.call('POST', '/v1/chat/completions', { json, headers: inference })
    const { choices } = (await response.json()) as { choices: object[] }
    expect(choices[0]).toMatchObject({
      finish_reason: 'stop',
      message: { content: expect.stringMatching(/ZPERIOD7 \[RREF1\]\.\n-+\nReferences:/), reasoning: 'SECRETTHOUGHT' },
    })
  })

  test.each([
    [
      'an error in several lines, without a field',
      '{\n  "error": {\n    "code": 503,\n    "message": "overloaded"\n  }\n}\n',
      /overloaded/,
    ],
    ['a page of a proxy', '<html><head><title>Sign in</title></head></html>', /sent no answer, but this: “Sign in”/],
    [
      'a stop of the server',
      'data: {"choices":[{"index":0,"delta":{"content":"The"},"finish_reason":"abort"}]}\n\n',
      /stopped in the middle/,
    ],
  ])('%s is told', async (_, body, words) => {
    await expect(ask(stream(body))).rejects.toThrow(words)
  })

  test('a prompt that is too long for a stream under way is asked again with less', async () => {
    const error = { code: 400, message: 'the request exceeds the available context size (4096 tokens)', n_ctx: 4096 }
    platform.upstream.script(stream(`data: ${JSON.stringify({ error })}\n\n`))
    expect(await ask({ kind: 'chat', text: 'Less.' })).toMatchObject({ text: 'Less.' })
  })

  test('thinking in the text is shown nowhere, streamed or whole, also of a hosted platform', async () => {
    for (const text of [`<think>SECRETTHOUGHT\n</think>\n\n${SAID}`, `Okay, SECRETTHOUGHT\n</think>\n\n${SAID}`]) {
      for (const isHosted of [false, true]) {
        const read = await ask({ kind: 'chat', deltas: Array.from(text) }, { isHosted, model: `m${String(isHosted)}` })
        expect(read.end.answer).toBe(SAID)
        expect(read.seen).not.toContain('SECRET')
      }
      platform.upstream.script({ kind: 'chat', text })
      const whole = await client.chat.complete({ model: 'double-chat', messages: [{ role: 'user', content: 'x' }] })
      expect(whole).toMatchObject({ text: SAID, reasoning: expect.stringContaining('SECRETTHOUGHT') })
    }
  })

  test('thinking without an end is an empty answer that says so', async () => {
    await expect(ask({ kind: 'chat', text: '<think>SECRETTHOUGHT', finishReason: 'length' })).rejects.toMatchObject({
      code: 'empty',
      message: expect.stringContaining('reasoning'),
    })
  })

  test('a message that is a list is a text for every caller, with the block behind it', async () => {
    const parts = [
      { type: 'thinking', thinking: [{ type: 'text', text: 'SECRETTHOUGHT' }] },
      { type: 'text', text: SAID },
    ]
    platform.upstream.script({ kind: 'chat', text: 'x', message: { content: parts } })
    const json = {
      model: 'double-chat',
      messages: [{ role: 'user', content: beacons.question }],
      collection: 'beacons',
    }
    const response = await platform.call('POST', '/v1/chat/completions', { json, headers: inference })
    const { choices } = (await response.json()) as { choices: { message: object }[] }
    expect(choices[0]?.message).toMatchObject({
      content: expect.stringMatching(/ZPERIOD7 \[RREF1\]\.\n-+\nReferences:/),
      reasoning: 'SECRETTHOUGHT',
    })
  })
})
