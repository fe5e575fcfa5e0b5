import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chatResponse, chatStreamEvent } from '#platform/wire/chat.ts'
import { ferryPages, makePdf } from '#test/fixtures/pdf.ts'
import { collectionChat, inference, joinDeltas, openPlatform, readEvents, type TestPlatform } from './platform.ts'

const notes = `---
title: Lighthouse notes
author: Ines Zuckerguss
---
# Tarife

Eine Tageskarte kostet vier Euro. Kinder unter sechs Jahren fahren frei.

## 高さ

東京タワーの高さは333メートルです。

## Opening hours

Monday to Friday from nine to five.
`

describe('answers without a language model', () => {
  let platform: TestPlatform
  beforeAll(async () => {
    platform = await openPlatform()
    await platform.fill('notes', { 'handbook.pdf': await makePdf(ferryPages), 'notes.md': notes })
  })
  afterAll(() => platform.close())

  const ask = async (question: string, options: { headers?: Record<string, string>; more?: object } = {}) => {
    const response = await platform.call('POST', '/v1/chat/completions', {
      json: collectionChat(question, options.more),
      headers: options.headers ?? inference,
      bearer: true,
    })
    const body = chatResponse.parse(await response.json())
    return body.choices[0]?.message.content ?? ''
  }

  it('quotes the sentence that answers, with its mark, and ends with the block', async () => {
    const text = await ask('When does the ferry leave?')
    expect(text).toContain('> The ferry to the island leaves at 9:40 from pier seven every day except Monday. [RREF1]')
    expect(text).toContain('no language model is connected')
    expect(text).toMatch(/\n-{41}\nReferences:\n\n\[RREF1\] handbook\.pdf \(0\.\d{3}\)\n# Getting there\n/)
  })

  it('answers German questions in German, with the lines of the file', async () => {
    const text = await ask('Was kostet eine Tageskarte?')
    expect(text).toContain('es ist kein Sprachmodell angeschlossen')
    expect(text).toContain('> Eine Tageskarte kostet vier Euro. [RREF1]')
    expect(text).toMatch(/\[RREF1\] notes\.md \(/)
  })

  it('finds Japanese text', async () => {
    expect(await ask('東京タワーの高さは？')).toContain('> 東京タワーの高さは333メートルです。 [RREF1]')
  })

  it('answers with what stands below a heading that has the words of the question', async () => {
    expect(await ask('What are the opening hours?')).toContain('> Monday to Friday from nine to five. [RREF1]')
  })

  it('says that it is not there, without a block, and invents nothing', async () => {
    const text = await ask('Who won the football world cup in Brazil?')
    expect(text).toMatch(/^Not found in this collection: [^\n]*$/)
    expect(await ask('Wer gewann die Fußballweltmeisterschaft in Brasilien?')).toMatch(
      /^In dieser Sammlung nicht gefunden/,
    )
  })

  it('never shows or finds front matter', async () => {
    expect(await ask('Who is Ines Zuckerguss?')).toMatch(/^Not found in this collection/)
    for (const question of ['Was kostet eine Tageskarte?', '東京タワーの高さは？', 'What are the opening hours?']) {
      expect(await ask(question)).not.toMatch(/Zuckerguss|title: /)
    }
  })

  it('searches a short follow-up together with the question before it', async () => {
    const messages = [
      { role: 'user', content: 'When does the ferry to the island leave?' },
      { role: 'assistant', content: 'At 9:40.' },
      { role: 'user', content: 'And on Monday?' },
    ]
    expect(await ask('', { more: { messages } })).toContain('every day except Monday. [RREF')
  })

  it.each([
    ['the header', { headers: {} }],
    ['the tool field', { more: { 'enable-tools': false } }],
    ['the collection', { more: { collection: undefined } }],
  ])('retrieves nothing without %s', async (_, options) => {
    const text = await ask('When does the ferry leave?', options)
    expect(text).not.toContain('References:')
    expect(text).toMatch(/^No language model is configured, .* drop a PDF/)
  })

  it.each([
    ['its plain name', 'notes'],
    ['its full id', 'local/notes'],
  ])('retrieves with nothing but the collection by %s, with either form of the key', async (_, collection) => {
    const json = {
      model: 'extractive',
      messages: [{ role: 'user', content: 'When does the ferry leave?' }],
      collection,
    }
    for (const bearer of [true, false]) {
      const response = await platform.call('POST', '/v1/chat/completions', { json, bearer })
      const body = (await response.json()) as { choices: { message: { content: string } }[] }
      expect(body.choices[0]?.message.content).toContain('References:')
    }
  })

  it.each([
    ['a collection that is not there', { collection: 'gone' }, 404, 'gone'],
    [
      'two names for it at once',
      { arcana: { id: 'local/notes' }, collection: { id: 'local/notes' } },
      422,
      'two names',
    ],
    ['a misspelt field of the object', { collection: { id: 'local/notes', limt: 3 } }, 422, 'limt'],
    ['tools switched off for a named collection', { collection: 'notes', 'enable-tools': false }, 422, 'enable-tools'],
    ['an empty name', { collection: '' }, 422, 'collection'],
  ])('refuses what it would have to ignore: %s', async (_, more, status, named) => {
    const json = { model: 'extractive', messages: [{ role: 'user', content: 'x' }], ...more }
    const response = await platform.call('POST', '/v1/chat/completions', { json, bearer: true, headers: inference })
    expect([response.status, await response.text()]).toEqual([status, expect.stringContaining(named)])
  })

  it('warns in a header when the object stands there without its two additions, which is a plain chat', async () => {
    const asked = [
      { json: collectionChat('x'), headers: {} },
      { json: collectionChat('x', { 'enable-tools': false }), headers: inference },
      { json: collectionChat('x'), headers: inference },
    ]
    const answers = await Promise.all(asked.map((one) => platform.call('POST', '/v1/chat/completions', one)))
    const warning: unknown = expect.stringMatching(/^299 - "Nothing was retrieved: .*enable-tools.*inference-service/)
    expect(answers.map(({ headers }) => headers.get('warning'))).toEqual([warning, warning, null])
  })

  it('streams the same text, block included, and closes with [DONE]', async () => {
    const whole = await ask('When does the ferry leave?')
    const response = await platform.call('POST', '/v1/chat/completions', {
      json: collectionChat('When does the ferry leave?', { stream: true, stream_options: { include_usage: true } }),
      headers: inference,
    })
    expect(response.headers.get('content-type')).toContain('text/event-stream')
    expect(response.headers.get('x-accel-buffering')).toBe('no')
    expect(response.headers.get('x-ratelimit-limit-minute')).toMatch(/^\d+$/)
    const events = await readEvents(response)
    expect(events.at(-1)).toBe('[DONE]')
    expect(joinDeltas(events)).toBe(whole)
    const last = chatStreamEvent.parse(JSON.parse(events.at(-2) ?? ''))
    expect(last.choices).toEqual([])
    expect(last.usage?.total_tokens).toBeGreaterThan(0)
  })

  it('answers 404 for an unknown model and an unknown collection', async () => {
    const model = await platform.call('POST', '/v1/chat/completions', {
      json: { model: 'gpt', messages: [{ role: 'user', content: 'x' }] },
      bearer: true,
    })
    expect(model.status).toBe(404)
    expect(await model.json()).toMatchObject({
      error: { code: 'model_not_found', message: expect.stringContaining('UPSTREAM_BASE_URL') },
    })
    const collection = await platform.call('POST', '/v1/chat/completions', {
      json: collectionChat('x', { collection: { id: 'local/gone' } }),
      headers: inference,
    })
    expect(collection.status).toBe(404)
    expect(await collection.json()).toMatchObject({ detail: 'There is no collection local/gone.' })
  })

  it('says so when nothing is indexed yet', async () => {
    await platform.fill('empty', {})
    expect(await ask('What?', { more: { collection: { id: 'local/empty' } } })).toMatch(
      /^This collection holds nothing to search yet/,
    )
  })
})
