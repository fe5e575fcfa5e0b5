import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { generateText, streamText } from 'ai'
import { BadRequestError, NotFoundError, OpenAI } from 'openai'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { modelList } from '#platform/wire/models.ts'
import { startUpstreamDouble } from '#test/doubles/upstream/double.ts'
import { addKey } from './people.ts'
import { openPlatform, type TestPlatform } from './platform.ts'

const messages = [{ role: 'user' as const, content: 'When does the ferry leave?' }]
const tides = 'The ferry to the island leaves at 9:40 from pier seven.\n\nIt does not run on Mondays.\n'

describe('clients that know no more than the interface of OpenAI', () => {
  let platform: TestPlatform
  let client: OpenAI
  beforeAll(async () => {
    platform = await openPlatform({ over: 'socket', collectionsAsModels: true })
    client = new OpenAI({ apiKey: platform.key, baseURL: `${platform.url}/v1`, maxRetries: 0 })
    await platform.fill('notes', { 'ferry.md': tides })
  })
  afterAll(() => platform.close())
  const ask = (more: object = {}) =>
    client.chat.completions.create({ model: 'extractive:local/notes', messages, ...more })

  it('find a model by its id', async () => {
    expect(await client.models.retrieve('extractive')).toMatchObject({ id: 'extractive', object: 'model' })
    const collection = await client.models.retrieve('extractive:local/notes')
    expect(collection).toMatchObject({ id: 'extractive:local/notes', owned_by: 'local', object: 'model' })
    // A slash is one in the path, too.
    expect((await platform.call('GET', '/v1/models/extractive:local/notes', { bearer: true })).status).toBe(200)
    for (const id of ['gpt-4', 'meta/llama', 'extractive:local/gone', 'gpt-4:local/notes'])
      await expect(client.models.retrieve(id)).rejects.toThrow(NotFoundError)
  })

  it('are told that a chat without messages is no chat', async () => {
    const empty = client.chat.completions.create({ model: 'extractive', messages: [] })
    await expect(empty).rejects.toThrow(BadRequestError)
    await expect(empty).rejects.toThrow('send at least one message')
  })

  it('choose a collection in the list of models, and ask it whole and streamed', async () => {
    const listed = (await client.models.list()).data.map(({ id }) => id)
    expect(listed).toEqual(['extractive', 'extractive:local/notes'])
    const answer = await ask()
    expect(answer.choices[0]?.message.content).toMatch(/9:40[\s\S]*\nReferences:\n\n\[RREF1\] ferry\.md \(/)
    const stream = await client.chat.completions.create({ model: 'extractive:local/notes', messages, stream: true })
    let text = ''
    for await (const event of stream) {
      expect(event.choices[0]?.delta.tool_calls).toBeUndefined()
      text += event.choices[0]?.delta.content ?? ''
    }
    expect(text).toBe(answer.choices[0]?.message.content)
  })

  it('do so with the AI SDK', async () => {
    const provider = createOpenAICompatible({ name: 'x', baseURL: `${platform.url}/v1`, apiKey: platform.key })
    const asked = { model: provider('extractive:local/notes'), prompt: 'When does the ferry leave?', maxRetries: 0 }
    expect((await generateText(asked)).text).toContain('9:40')
    const streamed = streamText(asked)
    expect(await streamed.text).toContain('9:40')
    expect(await streamed.toolCalls).toEqual([])
  })

  it('reach a collection of another owner by a model only where it is shared', async () => {
    const { key: other } = await addKey(platform, 'vera')
    const asked = { json: { model: 'extractive:local/notes', messages }, bearer: true, key: other }
    expect((await platform.call('POST', '/v1/chat/completions', asked)).status).toBe(404)
    const path = '/v1/models/extractive:local/notes'
    expect((await platform.call('GET', path, { bearer: true, key: other })).status).toBe(404)
    const share = { visibility: 'private', users: ['vera'] }
    await platform.call('PUT', '/collections/api/v1/collection/notes/sharing', { json: share })
    expect((await platform.call('POST', '/v1/chat/completions', asked)).status).toBe(200)
    const list = await platform.call('GET', '/v1/models', { bearer: true, key: other })
    expect(modelList.parse(await list.json()).data.map(({ id }) => id)).toContain('extractive:local/notes')
  })

  it.each([
    ['several answers', { n: 2 }, 'n: 1'],
    ['probabilities', { logprobs: true }, 'logprobs'],
    ['an object', { response_format: { type: 'json_object' } }, 'JSON'],
    ['a schema', { response_format: { type: 'json_schema', json_schema: { name: 'a', schema: {} } } }, 'JSON'],
  ])('are told that quotes from files are not %s', async (_, more, named) => {
    await expect(ask(more)).rejects.toThrow(BadRequestError)
    await expect(ask(more)).rejects.toThrow(named)
  })

  it.each(['max_tokens', 'max_completion_tokens'])(
    'get no more than %s, and are told that it was cut',
    async (name) => {
      const whole = await ask()
      const cut = await ask({ [name]: 8 })
      expect(cut.choices[0]?.finish_reason).toBe('length')
      expect(cut.usage?.completion_tokens).toBeLessThanOrEqual(8)
      const [text = '', block] = (cut.choices[0]?.message.content ?? '').split('\n-----')
      expect(whole.choices[0]?.message.content).toContain(text)
      expect(block).toContain('[RREF1] ferry.md')
      expect((await ask({ [name]: 4000 })).choices[0]?.finish_reason).toBe('stop')
    },
  )
})

describe('models that do not answer', () => {
  const kinds = {
    'llama3.3:70b': [['text'], ['text']],
    'nomic-embed-text:latest': [['text'], ['embedding']],
    'BAAI/bge-m3': [['text'], ['embedding']],
    'intfloat/e5-mistral-7b-instruct': [['text'], ['embedding']],
    'bge-reranker-v2': [['text'], ['score']],
    'Systran/faster-whisper-large-v3': [['audio'], ['text']],
    'gpt-4o-mini-transcribe': [['audio'], ['text']],
    'gpt-4o-mini-tts': [['text'], ['audio']],
    'gpt-image-1': [['text'], ['image']],
    'qwen2.5-coder': [['text'], ['text']],
  }

  it('are listed as what they are, and refused in a chat', async () => {
    const double = await startUpstreamDouble({
      models: ['double-chat', 'double-embed', 'double-whisper', ...Object.keys(kinds)],
    })
    const { baseUrl } = double
    const configured = {
      chatModel: 'double-chat',
      embeddingModel: 'double-embed',
      transcriptionModel: 'double-whisper',
    }
    const platform = await openPlatform({ upstream: { baseUrl, ...configured } })
    const list = modelList.parse(await (await platform.call('GET', '/v1/models', { bearer: true })).json()).data
    const told = Object.fromEntries(list.map(({ id, input, output }) => [id, [input, output]]))
    expect(told).toMatchObject(kinds)
    for (const model of ['double-embed', 'double-whisper']) {
      const response = await platform.call('POST', '/v1/chat/completions', { json: { model, messages }, bearer: true })
      expect(response.status).toBe(400)
      expect(await response.json()).toMatchObject({ detail: expect.stringMatching(/answers no chat: ask double-chat/) })
    }
    await platform.close()
    await double.close()
  })
})
