import { createReadStream } from 'node:fs'
import { AuthenticationError, OpenAI, RateLimitError } from 'openai'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ferryPages, makePdf } from '#test/fixtures/pdf.ts'
import { memoPath, readMemo } from '#test/support/speech.ts'
import { inference, openPlatform, type TestPlatform } from './platform.ts'

describe("OpenAI's own library against the server", () => {
  let platform: TestPlatform
  let client: OpenAI
  beforeAll(async () => {
    platform = await openPlatform({ over: 'socket', withUpstream: true })
    client = new OpenAI({ apiKey: platform.key, baseURL: `${platform.url}/v1`, maxRetries: 0 })
    await platform.fill('notes', { 'handbook.pdf': await makePdf(ferryPages) })
  })
  afterAll(() => platform.close())

  const messages = [{ role: 'user' as const, content: 'When does the ferry leave?' }]
  const additions = { collection: { id: 'local/notes' }, 'enable-tools': true }

  it('lists the models, the configured ones first and the built-in one last', async () => {
    const ids = (await client.models.list()).data.map((model) => model.id)
    expect(ids).toEqual(['double-chat', 'double-embed', 'double-whisper', 'extractive'])
  })

  it('chats', async () => {
    platform.upstream.script({ kind: 'chat', text: 'Good day.' })
    const answer = await client.chat.completions.create({ model: 'double-chat', messages })
    expect(answer.choices[0]?.message.content).toBe('Good day.')
    expect(answer.usage?.total_tokens).toBe(18)
  })

  it('asks a collection with one more field: its name', async () => {
    const request = { model: 'extractive', messages, collection: 'notes' }
    const answer = await client.chat.completions.create(request)
    expect(answer.choices[0]?.message.content).toMatch(/References:\n\n\[RREF1\] handbook\.pdf/)
  })

  it('streams', async () => {
    platform.upstream.script({ kind: 'chat', deltas: ['Good ', 'day.'] })
    const stream = await client.chat.completions.create({ model: 'double-chat', messages, stream: true })
    const deltas: string[] = []
    for await (const event of stream) deltas.push(event.choices[0]?.delta.content ?? '')
    expect(deltas.filter((delta) => delta !== '')).toEqual(['Good ', 'day.'])
  })

  it('streams with tools through its own accumulator', async () => {
    const call = { index: 0, id: 'c1', type: 'function', function: { name: 'f', arguments: '{"a":1}' } }
    platform.upstream.script({ kind: 'chat', deltas: [], message: { tool_calls: [call] }, finishReason: 'tool_calls' })
    const tools = [{ type: 'function' as const, function: { name: 'f', parameters: { type: 'object' } } }]
    const runner = client.chat.completions.stream({ model: 'double-chat', messages, tools })
    const answer = await runner.finalChatCompletion()
    expect(answer.choices[0]?.message.tool_calls?.[0]).toMatchObject({ id: 'c1', function: { name: 'f' } })
  })

  it.each(['extractive', 'double-chat'])('asks a collection with the model %s', async (model) => {
    const body = { model, messages, stream: true as const, ...additions }
    const stream = await client.chat.completions.create(body, { headers: inference })
    let text = ''
    for await (const event of stream) text += event.choices[0]?.delta.content ?? ''
    expect(text).toMatch(/References:\n\n\[RREF1\] handbook\.pdf \(\d\.\d{3}\)\n/)
  })

  it('transcribes a file as it is read from the disk, which tells no length', async () => {
    platform.upstream.script({ kind: 'transcript', text: 'buy bread' })
    const file = createReadStream(memoPath('lighthouse.ogg'))
    expect((await client.audio.transcriptions.create({ file, model: 'whisper-1' })).text).toBe('buy bread')
    expect(platform.upstream.requests.at(-1)?.file).toMatchObject({ bytes: readMemo('lighthouse.ogg') })
  })

  it('transcribes and translates', async () => {
    const bytes = readMemo('lighthouse.ogg')
    const file = new File([bytes], 'memo.ogg', { type: 'audio/ogg' })
    platform.upstream.script({ kind: 'transcript', text: 'buy bread' }, { kind: 'transcript', text: 'in English' })
    const heard = await client.audio.transcriptions.create({
      file,
      model: 'whisper-1',
      language: 'en',
      prompt: 'bread',
    })
    expect(heard.text).toBe('buy bread')
    const request = platform.upstream.requests.at(-1)
    expect(request?.fields).toEqual({
      model: 'double-whisper',
      response_format: 'json',
      language: 'en',
      prompt: 'bread',
    })
    expect(request?.file).toMatchObject({ name: 'memo.ogg', type: 'audio/ogg', bytes })
    expect((await client.audio.translations.create({ file, model: 'whisper-1' })).text).toBe('in English')
    expect(platform.upstream.requests.at(-1)?.path).toBe('/audio/translations')
  })

  it('reads out', async () => {
    const spoken = await client.audio.speech.create({ model: 'tts-1', voice: 'alloy', input: 'Good day.' })
    expect(spoken.headers.get('content-type')).toBe('audio/mpeg')
    expect(await spoken.text()).toBe('sound of Good day.')
    expect(platform.upstream.requests.at(-1)?.json).toMatchObject({ model: 'tts-1', voice: 'alloy' })
    platform.upstream.script({ kind: 'fault', fault: 'status', status: 500, body: 'out of breath' })
    const failing = client.audio.speech.create({ model: 'tts-1', voice: 'alloy', input: 'Again.' })
    await expect(failing).rejects.toThrow('The model server failed')
  })

  it('makes embeddings', async () => {
    const made = await client.embeddings.create({ model: 'double-embed', input: ['harbour', 'harbour', 'bread'] })
    expect(made.data).toHaveLength(3)
    expect(made.data[0]?.embedding).toEqual(made.data[1]?.embedding)
    expect(made.data[0]?.embedding).not.toEqual(made.data[2]?.embedding)
  })

  it('throws its own error types, with our sentence', async () => {
    const stranger = new OpenAI({ apiKey: 'wrong', baseURL: `${platform.url}/v1`, maxRetries: 0 })
    await expect(stranger.models.list()).rejects.toThrow(AuthenticationError)
    await expect(stranger.models.list()).rejects.toThrow('The key is unknown or has expired')
    platform.upstream.script({ kind: 'fault', fault: 'status', status: 429, body: 'slow down' })
    await expect(client.chat.completions.create({ model: 'double-chat', messages })).rejects.toThrow(RateLimitError)
  })

  it('throws when the answer breaks off', async () => {
    platform.upstream.script({ kind: 'fault', fault: 'cut', after: ['Half an '] })
    const stream = await client.chat.completions.create({ model: 'double-chat', messages, stream: true })
    const reading = (async () => {
      for await (const event of stream) expect(event.choices).toBeDefined()
    })()
    await expect(reading).rejects.toThrow('stopped in the middle of the answer')
  })
})
