import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { ChatAnswer } from '#test/doubles/upstream/script.ts'
import { collectionChat, inference, openPlatform, readEvents, type TestPlatform } from './platform.ts'

const chat = '/v1/chat/completions'
const block = /\n-{41}\nReferences:\n\n\[RREF1\] ferry\.md /

interface Event {
  choices?: {
    index: number
    delta?: { content?: string; tool_calls?: unknown }
    logprobs?: unknown
    finish_reason: string | null
  }[]
  usage?: unknown
}

/** All that an OpenAI client may send in addition to the conversation. */
const everything = {
  temperature: 0.3,
  top_p: 0.9,
  max_tokens: 100,
  max_completion_tokens: 100,
  n: 2,
  seed: 7,
  stop: ['END', '\n\n'],
  presence_penalty: 0.1,
  frequency_penalty: -0.1,
  logit_bias: { '50256': -100 },
  logprobs: true,
  top_logprobs: 3,
  user: 'someone',
  reasoning_effort: 'low',
  tools: [{ type: 'function', function: { name: 'f', strict: true, parameters: { type: 'object' } } }],
  tool_choice: { type: 'function', function: { name: 'f' } },
  parallel_tool_calls: false,
  response_format: { type: 'json_schema', json_schema: { name: 'x', schema: { type: 'object' } } },
  metadata: { a: 'b' },
  store: null,
  prediction: { type: 'content', content: 'x' },
  modalities: ['text'],
  service_tier: 'auto',
  chat_template_kwargs: { enable_thinking: false },
  messages: [
    { role: 'developer', content: 'Be brief.', name: 'dev' },
    {
      role: 'user',
      content: [
        { type: 'text', text: 'What is it?' },
        { type: 'image_url', image_url: { url: 'data:image/png;base64,AA==', detail: 'low' } },
        { type: 'input_audio', input_audio: { data: 'AA==', format: 'wav' } },
      ],
    },
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } }],
    },
    { role: 'tool', tool_call_id: 'c', content: 'result' },
    { role: 'function', name: 'old', content: 'result' },
    { role: 'user', content: 'And now?' },
  ],
}

describe.each([false, true])('what a client sends and gets (stream: %s)', (stream) => {
  let platform: TestPlatform
  let earlier = 0
  beforeAll(async () => {
    platform = await openPlatform({ withUpstream: true })
    await platform.fill('notes', { 'ferry.md': 'The ferry to the island leaves at nine.' })
  })
  beforeEach(() => {
    earlier = platform.upstream.requests.length
  })
  afterAll(() => platform.close())

  const chats = () =>
    platform.upstream.requests.slice(earlier).filter((request) => request.path === '/chat/completions')
  const post = (json: object) => platform.call('POST', chat, { json, headers: inference, bearer: true })
  const askFiles = (more: object = {}) =>
    post(collectionChat('When does the ferry leave?', { model: 'double-chat', stream, ...more }))
  /** Text of each choice, in order, from a stream or a whole answer. */
  async function textsOf(response: Response): Promise<string[]> {
    expect(response.status).toBe(200)
    if (!stream) {
      const body = (await response.json()) as { choices: { message: { content: string | null } }[] }
      return body.choices.map(({ message }) => message.content ?? '')
    }
    const texts: string[] = []
    for (const event of await readEvents(response)) {
      if (event === '[DONE]') continue
      for (const { index, delta } of (JSON.parse(event) as Event).choices ?? [])
        texts[index] = `${texts[index] ?? ''}${delta?.content ?? ''}`
    }
    return texts
  }

  it('passes on untouched, whatever it is', async () => {
    const more = stream ? { stream, stream_options: { include_usage: true, extra: 1 } } : {}
    const sent = { model: 'double-chat', ...everything, ...more }
    expect((await post({ ...sent, 'enable-tools': true })).status).toBe(200)
    expect(chats()[0]?.json).toEqual(sent)
  })

  it('passes on with a collection, too: only the messages become the prompt', async () => {
    const { messages: _messages, ...rest } = everything
    await askFiles(rest)
    const { messages, ...asked } = { messages: undefined, ...chats()[0]?.json }
    expect(asked).toEqual({ model: 'double-chat', stream, ...rest })
    expect(JSON.stringify(messages)).toContain('Passage [RREF1]')
  })

  it.each(['reasoning', 'reasoning_content'])(
    'gives %s back under its name, with no block behind it alone',
    async (name) => {
      platform.upstream.script({ kind: 'chat', deltas: [], message: { [name]: 'hm' }, finishReason: 'length' })
      const response = await askFiles()
      const text = await response.text()
      expect(text).toContain(`"${name}":"hm"`)
      expect(text).not.toContain('References:')
    },
  )

  it('puts the block behind each of several choices, once', async () => {
    platform.upstream.script({ kind: 'chat', text: 'At nine.', choices: 3 })
    const texts = await textsOf(await askFiles({ n: 3 }))
    expect(texts).toHaveLength(3)
    for (const text of texts) {
      expect(text).toMatch(block)
      expect(text.match(/References:/g)).toHaveLength(1)
    }
  })

  it('puts no block behind a tool call, whatever it says beside it, and one behind the answer to it', async () => {
    const call = { index: 0, id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } }
    const calling: ChatAnswer = {
      kind: 'chat',
      deltas: ['Let me look.'],
      message: { tool_calls: [call] },
      finishReason: 'tool_calls',
    }
    platform.upstream.script(calling, { kind: 'chat', text: 'At nine.' })
    expect(await textsOf(await askFiles({ tools: [{ type: 'function', function: { name: 'f' } }] }))).toEqual([
      'Let me look.',
    ])
    const messages = [
      { role: 'user', content: 'When does the ferry leave?' },
      { role: 'assistant', content: null, tool_calls: [call] },
      { role: 'tool', tool_call_id: 'c', content: 'nine' },
    ]
    expect((await textsOf(await askFiles({ messages })))[0]).toMatch(block)
    expect(chats()[1]?.json?.['messages']).toMatchObject([
      { role: 'system' },
      { role: 'user' },
      { role: 'assistant', tool_calls: [{ id: 'c' }] },
      { role: 'tool', content: 'nine' },
    ])
  })

  it.each(['json_object', 'json_schema'])('puts no block behind %s, which it would break', async (type) => {
    platform.upstream.script({ kind: 'chat', text: '{"at":9}' })
    expect(await textsOf(await askFiles({ response_format: { type } }))).toEqual(['{"at":9}'])
    platform.upstream.script({ kind: 'chat', text: 'At nine.' })
    expect((await textsOf(await askFiles({ response_format: { type: 'text' } })))[0]).toMatch(block)
  })

  it('answers with a fitting status when an error comes under a good one', async () => {
    const error = { message: 'no memory left', type: 'server_error', code: 'oom' }
    platform.upstream.script(
      stream
        ? { kind: 'fault', fault: 'error-event', message: error.message }
        : { kind: 'fault', fault: 'status', status: 200, body: { error } },
    )
    const response = await askFiles()
    expect(response.status).toBe(502)
    expect(await response.json()).toMatchObject({ detail: 'The model server failed: no memory left' })
  })

  it('stops the model server when the caller leaves, without a further sign from it', async () => {
    platform.upstream.script({ kind: 'fault', fault: 'hang', ...(stream ? { after: ['At '] } : {}) })
    const caller = new AbortController()
    const asked = platform.upstream.next('/chat/completions')
    const response = platform
      .call('POST', chat, {
        json: { model: 'double-chat', stream, messages: [{ role: 'user', content: 'x' }] },
        bearer: true,
        signal: caller.signal,
      })
      .catch(() => undefined)
    const request = await asked
    const reader = stream ? (await response)?.body?.getReader() : undefined
    await reader?.read()
    caller.abort()
    await reader?.cancel().catch(() => undefined)
    // It hangs: nothing but the caller's leaving can end this request.
    expect(await request.ended).toBe('left')
    await response
  })
})
