import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { APICallError, embedMany, generateText, isStepCount, jsonSchema, Output, streamText, tool } from 'ai'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ferryPages, makePdf } from '#test/fixtures/pdf.ts'
import { inference, openPlatform, type TestPlatform } from './platform.ts'

const prompt = 'When does the ferry leave?'
const additions = { collection: { id: 'local/notes' }, 'enable-tools': true }

// It lists no models and takes no recordings: those of a client library are in openai-sdk.test.ts.
describe("the AI SDK's provider for OpenAI-compatible servers", () => {
  let platform: TestPlatform
  const open = (apiKey = platform.key) =>
    createOpenAICompatible({
      name: 'footbridge',
      baseURL: `${platform.url}/v1`,
      apiKey,
      includeUsage: true,
      headers: inference,
      supportsStructuredOutputs: true,
    })
  const ask = (more: object = {}) => ({ model: open()('double-chat'), prompt, maxRetries: 0, ...more })
  const asked = () => platform.upstream.requests.at(-1)?.json

  beforeAll(async () => {
    platform = await openPlatform({ over: 'socket', withUpstream: true })
    await platform.fill('notes', { 'handbook.pdf': await makePdf(ferryPages) })
  })
  afterAll(() => platform.close())

  it('chats, with every setting on its way to the model server', async () => {
    platform.upstream.script({ kind: 'chat', text: 'At nine.', reasoning: 'Let me see' })
    const settings = { temperature: 0.2, maxOutputTokens: 50, seed: 7, stopSequences: ['END'], topP: 0.9 }
    const answer = await generateText(ask(settings))
    expect(answer.text).toBe('At nine.')
    expect(answer.reasoningText).toBe('Let me see')
    expect(answer.usage.totalTokens).toBe(18)
    expect(asked()).toMatchObject({ temperature: 0.2, max_tokens: 50, seed: 7, stop: ['END'], top_p: 0.9 })
  })

  it('sends images', async () => {
    platform.upstream.script({ kind: 'chat', text: 'A pier.' })
    const image = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10])
    const { model } = ask()
    const content = [
      { type: 'text' as const, text: 'What is it?' },
      { type: 'file' as const, mediaType: 'image/png', data: image },
    ]
    const answer = await generateText({ model, messages: [{ role: 'user', content }] })
    expect(answer.text).toBe('A pier.')
    expect(JSON.stringify(asked())).toContain('data:image/png;base64,iVBORw0KGgo')
  })

  it('streams, with the usage', async () => {
    platform.upstream.script({ kind: 'chat', deltas: ['At ', 'nine.'], reasoning: 'Let me see' })
    const answer = streamText(ask())
    const deltas: string[] = []
    for await (const delta of answer.textStream) deltas.push(delta)
    expect(deltas).toEqual(['At ', 'nine.'])
    expect(await answer.reasoningText).toBe('Let me see')
    expect((await answer.usage).totalTokens).toBe(18)
  })

  const tools = {
    tide: tool({
      description: 'Height of the water',
      inputSchema: jsonSchema<{ day: string }>({ type: 'object', properties: { day: { type: 'string' } } }),
      execute: async ({ day }) => `high on ${day}`,
    }),
  }
  const calls = [{ index: 0, id: 'c1', type: 'function', function: { name: 'tide', arguments: '{"day":"Monday"}' } }]

  it.each([false, true])('calls a tool and goes on with its result (stream: %s)', async (stream) => {
    platform.upstream.script(
      { kind: 'chat', deltas: [], message: { tool_calls: calls }, finishReason: 'tool_calls' },
      { kind: 'chat', text: 'High water.' },
    )
    const options = ask({ tools, toolChoice: 'auto', stopWhen: isStepCount(2) })
    const text = stream ? await streamText(options).text : (await generateText(options)).text
    expect(text).toBe('High water.')
    expect(asked()).toMatchObject({
      tool_choice: 'auto',
      tools: [{ type: 'function', function: { name: 'tide' } }],
      messages: [
        { role: 'user' },
        { role: 'assistant', tool_calls: [{ id: 'c1' }] },
        { role: 'tool', tool_call_id: 'c1' },
      ],
    })
  })

  it('gets an object, also out of a collection: no block stands behind JSON', async () => {
    const schema = jsonSchema<{ at: string }>({ type: 'object', properties: { at: { type: 'string' } } })
    platform.upstream.script({ kind: 'chat', text: '{"at":"9:40"}' })
    const answer = await generateText(
      ask({ output: Output.object({ schema }), providerOptions: { footbridge: additions } }),
    )
    expect(answer.output).toEqual({ at: '9:40' })
    expect(asked()).toMatchObject({ response_format: { type: 'json_schema' } })
    expect(JSON.stringify(asked())).toContain('Passage [RREF1]')
  })

  it.each(['extractive', 'double-chat'])('asks a collection with the model %s', async (id) => {
    const answer = streamText(ask({ model: open()(id), providerOptions: { footbridge: additions } }))
    expect(await answer.text).toMatch(/References:\n\n\[RREF1\] handbook\.pdf \(\d\.\d{3}\)\n/)
  })

  it('makes embeddings', async () => {
    const { embeddings } = await embedMany({
      model: open().embeddingModel('double-embed'),
      values: ['harbour', 'harbour', 'bread'],
    })
    expect(embeddings[0]).toEqual(embeddings[1])
    expect(embeddings[0]).not.toEqual(embeddings[2])
  })

  it('throws its own error with our sentence', async () => {
    const failure: unknown = await generateText(ask({ model: open('wrong')('double-chat') })).catch(
      (error: unknown) => error,
    )
    expect(APICallError.isInstance(failure) && failure.statusCode).toBe(401)
    expect(String(failure)).toContain('The key is unknown or has expired')
  })

  it('is told when a stream breaks off', async () => {
    platform.upstream.script({ kind: 'fault', fault: 'cut', after: ['Half an '] })
    const errors: unknown[] = []
    const answer = streamText(ask({ onError: ({ error }: { error: unknown }) => void errors.push(error) }))
    let text = ''
    for await (const delta of answer.textStream) text += delta
    expect(text).toBe('Half an ')
    expect(JSON.stringify(errors, (_, value: unknown) => (value instanceof Error ? value.message : value))).toContain(
      'stopped in the middle of the answer',
    )
  })
})
