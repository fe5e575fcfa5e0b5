import assert from 'node:assert/strict'
import { everywhere, onlyOurs, type Row } from '../row.ts'
import { answerText, events, sentence, streamedText } from '../session.ts'

export const chatRows: readonly Row[] = [
  everywhere([54, 55], 'a chat without a model or without messages is refused', async (s) => {
    const { model, messages } = s.chatBody('Say hello.')
    for (const body of [{ messages }, { model }, { model: 7, messages }, { model, messages: 'x' }]) {
      const { status } = await s.chat(body)
      assert.ok(status >= 400 && status < 500, `${JSON.stringify(body)} answers ${status}`)
    }
  }),
  onlyOurs([54, 55], 'model and messages reach the model server as given', async (s, { upstream }) => {
    const messages = [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Say hello.' },
    ]
    assert.equal((await s.chat({ model: 'double-other', messages })).status, 200)
    assert.deepEqual(upstream.requests.at(-1)?.json, { model: 'double-other', messages })
  }),
  everywhere([56, 57], 'temperature and max_tokens are taken', async (s) => {
    const reply = await s.chat(s.chatBody('Say hello.', { temperature: 0.2, max_tokens: 50 }))
    assert.equal(reply.status, 200, reply.text)
  }),
  everywhere([58, 60, 92], 'without stream the answer comes whole, in the first of its choices', async (s) => {
    const reply = await s.chat(s.chatBody('Say hello.'))
    assert.match(reply.headers.get('content-type') ?? '', /^application\/json/)
    assert.partialDeepStrictEqual(reply.json, { choices: [{ message: { role: 'assistant' } }] })
    assert.equal(typeof answerText(reply), 'string')
  }),
  onlyOurs([56, 57, 59], 'every further parameter reaches the model server as given', async (s, { upstream }) => {
    const more = {
      temperature: 0.3,
      max_tokens: 17,
      top_p: 0.9,
      seed: 7,
      stop: ['x'],
      n: 1,
      logprobs: true,
      response_format: { type: 'json_object' },
      tools: [{ type: 'function', function: { name: 'f', parameters: {} } }],
      something_new: { a: [1] },
    }
    assert.equal((await s.chat(s.chatBody('Say hello.', more))).status, 200)
    assert.deepEqual(upstream.requests.at(-1)?.json, s.chatBody('Say hello.', more))
  }),
  onlyOurs([61], 'an answer without choices is handed on', async (s, { upstream }) => {
    upstream.script({ kind: 'chat', text: 'x', choices: 0 })
    const reply = await s.chat(s.chatBody('Say hello.'))
    assert.equal(reply.status, 200)
    assert.partialDeepStrictEqual(reply.json, { choices: [] })
  }),
  onlyOurs([62], 'an answer whose content is null is handed on', async (s, { upstream }) => {
    upstream.script({ kind: 'chat', text: '', reasoning: 'thinking', finishReason: 'length' })
    const { json } = await s.chat(s.chatBody('Say hello.'))
    assert.partialDeepStrictEqual(json, {
      choices: [{ finish_reason: 'length', message: { content: null, reasoning_content: 'thinking' } }],
    })
  }),
  onlyOurs(
    [63],
    'further fields come as OpenAI has them: id, object, created, model, finish_reason, usage',
    async (s) => {
      for (const model of ['double-chat', 'extractive']) {
        const body = (await s.chat(s.chatBody('Say hello.', { model }))).json as Record<string, unknown>
        assert.partialDeepStrictEqual(body, { object: 'chat.completion', model, choices: [{ finish_reason: 'stop' }] })
        for (const field of ['id', 'created', 'usage']) assert.ok(body[field] !== undefined, field)
      }
    },
  ),
  everywhere([92, 131, 132], 'with stream the answer comes as server-sent events, each a JSON object', async (s) => {
    const reply = await s.chat(s.chatBody('Say hello.', { stream: true }))
    assert.equal(reply.status, 200)
    assert.match(reply.headers.get('content-type') ?? '', /^text\/event-stream/)
    const all = events(reply).filter((event) => event !== '[DONE]')
    assert.ok(all.length > 1)
    for (const event of all) {
      const decoded: unknown = JSON.parse(event)
      assert.ok(typeof decoded === 'object' && decoded !== null && !Array.isArray(decoded))
    }
    assert.ok(streamedText(reply).length > 0)
  }),
  everywhere([133], 'what fails on opening a stream is an error status and no event', async (s) => {
    const reply = await s.chat(
      { ...s.chatBody('Say hello.', { stream: true }), model: 'no-such-model-here' },
      { key: 'no-such-key' },
    )
    assert.ok(reply.status >= 400 && reply.status < 500)
    assert.doesNotMatch(reply.headers.get('content-type') ?? '', /event-stream/)
  }),
  onlyOurs([133], 'a failure of the model server on opening a stream is an error status', async (s, { upstream }) => {
    for (const [status, answered] of [
      [500, 502],
      [503, 503],
      [429, 429],
      [404, 404],
    ] as const) {
      upstream.script({ kind: 'fault', fault: 'status', status, body: { error: { message: 'out of order' } } })
      const reply = await s.chat(s.chatBody('Say hello.', { stream: true }))
      assert.equal(reply.status, answered)
      assert.match(sentence(reply), /out of order|model/)
    }
  }),
  onlyOurs(
    [136],
    'the events of a stream are chunks as OpenAI has them, and [DONE] is the last',
    async (s, { upstream }) => {
      upstream.script({ kind: 'chat', deltas: ['Hel', 'lo'] })
      const reply = await s.chat(s.chatBody('Say hello.', { stream: true, stream_options: { include_usage: true } }))
      const all = events(reply)
      assert.equal(all.at(-1), '[DONE]')
      assert.equal(streamedText(reply), 'Hello')
      assert.partialDeepStrictEqual(JSON.parse(all[0] ?? ''), {
        object: 'chat.completion.chunk',
        choices: [{ index: 0 }],
      })
      assert.partialDeepStrictEqual(JSON.parse(all.at(-2) ?? ''), { choices: [], usage: { total_tokens: 18 } })
    },
  ),
  onlyOurs([136], 'a stream that breaks off says so in an event and has no [DONE]', async (s, { upstream }) => {
    upstream.script({ kind: 'fault', fault: 'cut', after: ['Half an '] })
    const all = events(await s.chat(s.chatBody('Say hello.', { stream: true })))
    assert.ok(!all.includes('[DONE]'))
    assert.partialDeepStrictEqual(JSON.parse(all.at(-1) ?? ''), { object: 'error' })
  }),
]
