import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createAnswer } from '#platform/client/chat-answer.ts'
import { readChatEvents } from '#platform/client/chat-stream.ts'
import { STREAM_END } from '#platform/wire/chat.ts'
import { newIn, readReceived } from '#platform/wire/received-chat.ts'
import { createStreamAppender } from '#platform/engine/answer/answer-block.ts'

const wordsOf = (message: unknown) => readReceived({ choices: [{ message }] })?.choices[0]?.words

describe('the content of a message', () => {
  test.each([
    ['a text', 'x', 'x'],
    ['null', null, ''],
    ['a list of texts', ['a', 'b'], 'ab'],
    [
      'a list of parts',
      [
        { type: 'text', text: 'a' },
        { type: 'output_text', text: 'b' },
      ],
      'ab',
    ],
    ['parts with a value', [{ type: 'text', text: { value: 'a', annotations: [] } }], 'a'],
    ['one part', { type: 'text', text: 'a' }, 'a'],
    [
      'parts that are no text',
      [{ type: 'image_url', image_url: { url: 'data:,' } }, null, 3, { type: 'text', text: 'a' }],
      '3a',
    ],
    ['a number', 42, '42'],
    ['a flag', true, ''],
  ])('may be %s', (_, content, text) => {
    expect(wordsOf({ content })?.content).toBe(text)
  })

  test('has its thoughts and its refusal apart', () => {
    const thinking = { type: 'thinking', thinking: [{ type: 'text', text: 'hm' }], closed: true }
    expect(wordsOf({ content: [thinking, { type: 'text', text: 'a' }] })).toMatchObject({
      content: 'a',
      reasoning: 'hm',
    })
    expect(wordsOf({ content: [{ type: 'reasoning', reasoning: 'hm' }] })).toMatchObject({
      content: '',
      reasoning: 'hm',
    })
    expect(wordsOf({ content: [{ type: 'refusal', refusal: 'no' }] })).toMatchObject({ content: '', refusal: 'no' })
    expect(wordsOf({ content: null, refusal: 'no' })).toMatchObject({ content: '', refusal: 'no' })
    let deep: unknown = { type: 'text', text: 'x' }
    for (let at = 0; at < 10_000; at += 1) deep = [deep]
    expect(wordsOf({ content: deep })?.content).toBe('')
  })
})

test('calls of tools are read in the old and the new form, with arguments as text or object', () => {
  const calls = [{ index: '1', id: 7, function: { name: 'f', arguments: { a: 1 } } }, null, { function: 'x' }]
  expect(wordsOf({ tool_calls: calls })?.toolCalls).toEqual([
    { index: 1, id: undefined, name: 'f', arguments: '{"a":1}' },
  ])
  expect(wordsOf({ function_call: { name: 'g', arguments: '{}' } })?.toolCalls).toMatchObject([
    { name: 'g', arguments: '{}' },
  ])
})

test('the new words of a whole message are those that were not said yet', () => {
  const pieces = { text: '', byPieces: true }
  expect(newIn('The whole.', { text: '', byPieces: false })).toBe('The whole.')
  expect(newIn('The whole.', { text: 'The ', byPieces: false })).toBe('whole.')
  expect(newIn('whole.', { text: 'The ', byPieces: false })).toBe('whole.')
  expect(newIn('The whole.', pieces)).toBe('')
})

const PIECES = ['The ', 'Größe ', 'is ', '7 [RREF1].']
const TEXT = PIECES.join('')
const NAMES = ['id', 'object', 'created', 'model', 'system_fingerprint', 'service_tier', 'usage', 'logprobs', 'x']
const IN_CHOICE = ['logprobs', 'index', 'content_filter_results', 'native_finish_reason', 'stop_reason', 'x']
const IN_DELTA = ['role', 'name', 'audio', 'annotations', 'reasoning_details', 'function_call', 'tool_calls', 'x']
const odd = fc.oneof(
  fc.constantFrom(null, '', 0, 17, -1.5, true, false, [], {}, [[]], [null], 'odd', { a: [{}] }),
  fc.jsonValue({ maxDepth: 2 }),
)
/** Fields that nobody needs, with any value. An index must tell the choices apart. */
const oddFields = (names: readonly string[]) =>
  fc
    .dictionary(fc.constantFrom(...names), odd, { maxKeys: 4 })
    .map((fields) =>
      'index' in fields
        ? { ...fields, index: [null, 'x', 0, '0'][(JSON.stringify(fields['index']) ?? '').length % 4] }
        : fields,
    )
const finish = fc.constantFrom(null, '', 'null', undefined, 0, false, 'stop')
const emptyError = fc.constantFrom(undefined, null, '', {}, { message: '' }, { message: null, code: 0 }, { code: '' })
const form = fc.constantFrom('text', 'parts', 'list', 'message', 'growing')
const chunk = fc.record({
  top: oddFields(NAMES),
  choice: oddFields(IN_CHOICE),
  delta: oddFields(IN_DELTA),
  finish,
  error: emptyError,
})

type Chunk = typeof chunk extends fc.Arbitrary<infer Value> ? Value : never

function toBody(
  content: string,
  so: string,
  how: string,
  { top, choice, delta, finish: reason, error }: Chunk,
): object {
  const said = how === 'parts' ? [{ type: 'text', text: content }] : how === 'list' ? [content] : content
  const words = { ...delta, function_call: undefined, tool_calls: undefined, content: how === 'growing' ? so : said }
  const wrapped = how === 'message' || how === 'growing' ? { message: words } : { delta: words }
  return { ...top, error, choices: [{ ...choice, ...wrapped, finish_reason: reason }] }
}

/** One answer in one form, each event with odd fields of its own. */
const stream = fc
  .record({
    how: form,
    chunks: fc.array(chunk, { minLength: 4, maxLength: 4 }),
    end: fc.constantFrom('[DONE]', 'stop', 'both'),
  })
  .map(({ how, chunks, end }) => {
    const bodies = chunks.map((one, at) => toBody(PIECES[at] ?? '', PIECES.slice(0, at + 1).join(''), how, one))
    const last = end === '[DONE]' ? [] : [{ choices: [{ delta: {}, finish_reason: 'stop' }] }]
    return { bodies: [...bodies, ...last], end }
  })

async function readAll(body: string): Promise<string> {
  const answer = createAnswer('testing')
  async function* bytes() {
    yield new TextEncoder().encode(body)
  }
  const events = []
  for await (const some of readChatEvents(bytes(), { doing: 'testing', redact: (text) => text }))
    events.push(...answer.take(some))
  return [...events, ...answer.finish()].map((event) => (event.type === 'text' ? event.text : '')).join('')
}

const toStream = (bodies: readonly object[], end: string) =>
  [...bodies.map((one) => JSON.stringify(one)), ...(end === 'stop' ? [] : [STREAM_END])]
    .map((data) => `data: ${data}`)
    .join('\n\n')

test('no text of an answer is lost where fields that nobody needs are odd', async () => {
  await fc.assert(
    fc.asyncProperty(stream, async ({ bodies, end }) => {
      expect(await readAll(toStream(bodies, end))).toBe(TEXT)
    }),
    { numRuns: 400 },
  )
})

test('the block comes once, behind the whole text, whatever is odd and wherever an end is told', async () => {
  await fc.assert(
    fc.asyncProperty(stream, async ({ bodies }) => {
      const appender = createStreamAppender({ block: '\nBLOCK', references: [], offersTools: true })
      const events = [...bodies.flatMap((body) => appender.next({ body })), ...appender.end()]
      const written = events.map(({ body }) => body)
      expect(await readAll(toStream(written, 'both'))).toBe(`${TEXT}\nBLOCK`)
    }),
    { numRuns: 400 },
  )
})

test('whatever JSON comes is read, or is no answer', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (top, choice) => {
      readReceived(top)
      expect(readReceived({ choices: [choice, { delta: { content: 'x' } }] })?.choices.at(-1)?.words.content).toBe('x')
    }),
  )
  for (const json of ['x', [], { choices: 'x' }, { choices: {} }]) expect(readReceived(json)).toBeUndefined()
  for (const json of [null, 3, true, {}, { choices: null }]) expect(readReceived(json)?.choices).toEqual([])
})
