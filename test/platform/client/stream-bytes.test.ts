import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createAnswer, type ChatEvent } from '#platform/client/chat-answer.ts'
import { readChatEvents } from '#platform/client/chat-stream.ts'
import { PlatformError } from '#platform/client/errors.ts'
import { ask, all, failureOf, setUp } from './setup.ts'

const reading = { doing: 'testing', redact: (text: string) => text }

async function* cut(bytes: Uint8Array, sizes: readonly number[]): AsyncGenerator<Uint8Array, void, undefined> {
  let at = 0
  for (const size of sizes) {
    if (at >= bytes.length) return
    yield bytes.subarray(at, at + size)
    at += size
  }
  if (at < bytes.length) yield bytes.subarray(at)
}

async function parse(bytes: Uint8Array, sizes: readonly number[]): Promise<ChatEvent[]> {
  const answer = createAnswer('testing')
  const events: ChatEvent[] = []
  for await (const some of readChatEvents(cut(bytes, sizes), reading)) events.push(...answer.take(some))
  return [...events, ...answer.finish()]
}

const merged = (events: readonly ChatEvent[]) => ({
  text: events.flatMap((event) => (event.type === 'text' ? [event.text] : [])).join(''),
  rest: events.filter(({ type }) => type !== 'text'),
})

const delta = (content: string) => JSON.stringify({ choices: [{ delta: { content } }] })
const tool = (name: string | undefined, args: string) =>
  JSON.stringify({ choices: [{ delta: { tool_calls: [{ function: { name, arguments: args } }] } }] })

const lines = [
  ': ping',
  '',
  'event: message',
  'id: 7',
  `data: ${tool('arcana.event', '{"event":"accessing","arcana":"o/n"}')}`,
  '',
  `data: ${tool('arcana.event', '{"event":"done"}')}`,
  '',
  `data: ${delta('Größe 🏮 灯')}`,
  '',
  'data: {"choices":null}',
  '',
  'data: {"choices":[{"delta":',
  'data: {"content":"台"}}]}',
  '',
  `data:${delta(' end\r\n【RREF1】')}`,
  '',
  'data: {"choices":[{"delta":{},"finish_reason":"stop"}]}',
  '',
  'data: {"choices":[],"usage":{"total_tokens":3}}',
  '',
  'data: [DONE]',
  '',
  '',
]
const expected = {
  text: 'Größe 🏮 灯台 end\r\n【RREF1】',
  rest: [
    { type: 'progress', event: 'accessing', tool: 'arcana.event' },
    { type: 'progress', event: 'done', tool: 'arcana.event' },
    { type: 'finish', reason: 'stop', usage: { total_tokens: 3 } },
  ],
}
const encoder = new TextEncoder()

describe.each([
  ['LF', '\n', ''],
  ['CRLF', '\r\n', ''],
  ['CR', '\r', ''],
  ['LF after a BOM', '\n', '\uFEFF'],
])('with %s', (_, lineEnd, prefix) => {
  const bytes = encoder.encode(prefix + lines.join(lineEnd))

  test('a stream cut in two at every byte reads the same', async () => {
    for (let at = 0; at <= bytes.length; at++) {
      expect(merged(await parse(bytes, [at])), `cut at byte ${at}`).toEqual(expected)
    }
  })

  test('a stream of single bytes reads the same', async () => {
    expect(merged(await parse(bytes, Array(bytes.length).fill(1)))).toEqual(expected)
  })

  test('a stream in any pieces reads the same', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 0, max: 40 }), { maxLength: 200 }), async (sizes) => {
        expect(merged(await parse(bytes, sizes))).toEqual(expected)
      }),
    )
  })
})

test('any text, in any pieces, arrives as it was written', async () => {
  const pieces = fc.array(fc.string({ unit: 'grapheme', minLength: 1 }), { minLength: 1 })
  await fc.assert(
    fc.asyncProperty(pieces, fc.array(fc.integer({ min: 1, max: 9 })), async (texts, sizes) => {
      const body = [...texts.map(delta), '[DONE]'].map((one) => `data: ${one}\n\n`).join('')
      expect(merged(await parse(encoder.encode(body), sizes)).text).toBe(texts.join(''))
    }),
  )
})

test('whatever bytes come, the outcome is events or a PlatformError', async () => {
  const line = fc.oneof(
    fc.string(),
    fc.json().map((json) => `data: ${json}`),
    fc.constantFrom(...lines),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(line), fc.array(fc.integer({ min: 1, max: 30 })), async (some, sizes) => {
      const outcome = await parse(encoder.encode(some.join('\n')), sizes).catch((error: unknown) => error)
      expect(Array.isArray(outcome) || outcome instanceof PlatformError).toBe(true)
    }),
    { numRuns: 300 },
  )
})

test('a JSON document cut at every byte reads the same', async () => {
  const bytes = encoder.encode(
    ' \r\n{"choices":[{"message":{"role":"assistant","content":"灯台"},"finish_reason":"stop"}]}',
  )
  for (let at = 0; at <= bytes.length; at++) {
    expect(merged(await parse(bytes, [at])).text, `cut at byte ${at}`).toBe('灯台')
  }
})

test('a last event without its blank line counts', async () => {
  const body = `data: ${delta('a')}\n\ndata: [DONE]`
  expect(merged(await parse(encoder.encode(body), []))).toMatchObject({ text: 'a' })
})

test('pieces that come at once are one text, and what else comes with them keeps its place', async () => {
  const reasoning = JSON.stringify({ choices: [{ delta: { reasoning: 'hm', content: 'c' } }] })
  const references = JSON.stringify({ choices: [{ delta: { content: 'e' } }], references: [{ number: 1, file: 'f' }] })
  const body = [delta('a'), delta('b'), reasoning, delta('d'), references, '[DONE]']
  const events = await parse(encoder.encode(body.map((one) => `data: ${one}\n\n`).join('')), [])
  expect(events).toEqual([
    { type: 'text', text: 'ab' },
    { type: 'reasoning', text: 'hm' },
    { type: 'text', text: 'cd' },
    { type: 'references', references: [{ number: 1, file: 'f' }] },
    { type: 'text', text: 'e' },
    { type: 'finish' },
  ])
})

test('a finish reason without [DONE] is an end', async () => {
  const body = `data: ${delta('a')}\n\ndata: {"choices":[{"delta":{},"finish_reason":"stop"}]}\n\n`
  expect(merged(await parse(encoder.encode(body), [])).rest).toEqual([{ type: 'finish', reason: 'stop' }])
})

test('progress whose arguments come in pieces, without a repeated name or broken, is told once each', async () => {
  const calls = [
    tool('websearch.event', '{"event":'),
    tool(undefined, '"searching"}'),
    tool(undefined, '{"event":"done"}'),
    tool('tools.event', '{broken'),
  ]
  const body = [...calls, delta('x'), '[DONE]'].map((one) => `data: ${one}\n\n`).join('')
  expect(merged(await parse(encoder.encode(body), [])).rest).toEqual([
    { type: 'progress', event: 'searching', tool: 'websearch.event' },
    { type: 'progress', event: 'done', tool: 'websearch.event' },
    { type: 'progress', event: 'tools.event', tool: 'tools.event' },
    { type: 'finish' },
  ])
})

test.each([
  ['a plain-text error', 'Model Not Found', 'Model Not Found'],
  ['an HTML page', '<html><title>502 Bad Gateway</title></html>', '502 Bad Gateway'],
  ['an event that is no JSON', 'data: oops\n\n', 'oops'],
  ['an error document', '{"object":"error","message":"no such model"}', 'no such model'],
  ['an event of another shape', 'data: {"choices":"x"}\n\n', 'no event of the contract'],
])('%s in place of a stream is a server failure that quotes it', async (_, body, words) => {
  const error = await failureOf(parse(encoder.encode(body), []))
  expect(error.code).toBe('server')
  expect(error.message).toContain(words)
})

test('an event without an end is given up', async () => {
  const piece = encoder.encode('x'.repeat(1024 * 1024))
  async function* endless() {
    yield encoder.encode('data: ')
    for (;;) yield piece
  }
  const error = await failureOf(all(readChatEvents(endless(), reading)))
  expect(error.code).toBe('server')
})

async function* late(pieces: number) {
  const blanks = new Uint8Array(16_384).fill(10)
  for (let count = 0; count < pieces; count += 1) yield blanks
  yield encoder.encode('data: [DONE]\n\n')
}

/** Processor time of this many pieces of blanks, microseconds. */
async function cpuOfBlanks(pieces: number): Promise<number> {
  const before = process.cpuUsage().user
  expect(await all(readChatEvents(late(pieces), reading))).toEqual([['[DONE]']])
  return process.cpuUsage().user - before
}

test('blanks without number before a stream take time in proportion to them', async () => {
  // Ten times as many: a hundred times the time, if each piece were read again with the next.
  const few = await cpuOfBlanks(100)
  expect(await cpuOfBlanks(1000)).toBeLessThan(40 * Math.max(few, 10_000))
})

test('over a real socket, one byte at a time, the answer is the same', async () => {
  const { client, double } = await setUp('saia')
  const bytes = encoder.encode(lines.join('\r\n'))
  double.script('chat', { kind: 'raw', pieces: [...bytes].map((byte) => Uint8Array.of(byte)) })
  expect(merged(await all(client.chat.stream(ask('x'))))).toEqual(expected)
})
