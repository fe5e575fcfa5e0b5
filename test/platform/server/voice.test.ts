import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { readContainer, readMemo } from '#test/support/speech.ts'
import { openPlatform, toForm, type TestPlatform } from './platform.ts'
import { inLong } from '#test/support/forms.ts'

const path = '/v1/audio/transcriptions'
const ogg = readMemo('lighthouse.ogg')
const segments = [
  { id: 0, start: 0, end: 1.25, text: ' When does it open?' },
  { id: 1, start: 1.25, end: 2.5, text: ' At nine.' },
]
const said = { kind: 'transcript', text: 'When does it open? At nine.', segments } as const

describe('voice', () => {
  let platform: TestPlatform
  let earlier = 0
  beforeAll(async () => {
    platform = await openPlatform({ over: 'socket', withUpstream: true })
  })
  beforeEach(() => {
    earlier = platform.upstream.requests.length
  })
  afterAll(() => platform.close())

  /** The requests to the model server in this test. */
  const asked = () => platform.upstream.requests.slice(earlier)

  const send = (fields: object, file: readonly [string, Uint8Array<ArrayBuffer>] = ['memo.ogg', ogg], to = path) =>
    platform.call('POST', to, { body: toForm('file', ...file, fields), bearer: true })

  it.each([
    ['json', 'application/json', JSON.stringify({ text: said.text }), 'json'],
    ['text', 'text/plain', `${said.text}\n`, 'json'],
    [
      'srt',
      'text/plain',
      '1\n00:00:00,000 --> 00:00:01,250\nWhen does it open?\n\n2\n00:00:01,250 --> 00:00:02,500\nAt nine.\n\n',
      'verbose_json',
    ],
    [
      'vtt',
      'text/vtt',
      'WEBVTT\n\n00:00:00.000 --> 00:00:01.250\nWhen does it open?\n\n00:00:01.250 --> 00:00:02.500\nAt nine.\n\n',
      'verbose_json',
    ],
  ])('answers in %s, whatever the model server can do itself', async (format, type, body, wanted) => {
    platform.upstream.script(said)
    const response = await send({ response_format: format })
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toContain(type)
    expect(await response.text()).toBe(body)
    expect(asked()[0]?.fields?.['response_format']).toBe(wanted)
  })

  it('answers in verbose_json with all that the model server says', async () => {
    platform.upstream.script({ ...said, more: { words: [{ word: 'When', start: 0, end: 0.2 }], odd: 1 } })
    const form = toForm('file', 'memo.ogg', ogg, { response_format: 'verbose_json', language: 'en' })
    form.append('timestamp_granularities[]', 'word')
    form.append('timestamp_granularities[]', 'segment')
    const response = await platform.call('POST', path, { body: form, bearer: true })
    expect(await response.json()).toEqual({
      task: 'transcribe',
      language: 'en',
      duration: 1,
      text: said.text,
      segments,
      words: [{ word: 'When', start: 0, end: 0.2 }],
      odd: 1,
    })
    expect(asked()[0]?.fields).toMatchObject({ language: 'en', 'timestamp_granularities[]': 'word segment' })
  })

  it('translates in every format, without a language', async () => {
    for (const format of ['json', 'text', 'srt', 'vtt', 'verbose_json']) {
      platform.upstream.script(said)
      const response = await send({ response_format: format, language: 'de' }, undefined, '/v1/audio/translations')
      expect(response.status).toBe(200)
      expect(await response.text()).toContain('At nine.')
    }
    expect(asked().map(({ path: to, fields }) => [to, fields?.['language']])).toEqual(
      Array.from({ length: 5 }, () => ['/audio/translations', undefined]),
    )
  })

  it.each(['srt', 'vtt'])('says that no %s can be made when the model gives no times', async (format) => {
    platform.upstream.script({ kind: 'transcript', text: 'Hello', segments: null })
    const response = await send({ response_format: format })
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({
      detail: `The speech model gives no times, so ${format} cannot be made: ask for json or text.`,
      error: { code: 'no_segments' },
    })
  })

  it('asks a model server that knows no verbose_json for the words alone, and measures the length itself', async () => {
    const message = "response_format 'verbose_json' is not compatible with this model"
    platform.upstream.script(
      { kind: 'fault', fault: 'status', status: 400, body: { error: { message } } },
      { kind: 'transcript', text: 'Hello' },
    )
    const response = await send({ response_format: 'verbose_json' })
    expect(await response.json()).toEqual({ task: 'transcribe', duration: 2.587, text: 'Hello' })
  })

  it('takes a transcript in plain text, whatever was asked for', async () => {
    platform.upstream.script({ kind: 'fault', fault: 'status', status: 200, body: 'Hello there\n' })
    expect(await (await send({})).json()).toEqual({ text: 'Hello there' })
  })

  it('sends the sound of a video clip, under a name that fits', async () => {
    platform.upstream.script(said)
    const clip = readContainer('clip.mp4')
    expect((await send({}, ['clip.mp4', clip])).status).toBe(200)
    const file = asked()[0]?.file
    expect(file).toMatchObject({ name: 'clip.m4a', type: 'audio/mp4' })
    expect(file?.bytes.length).toBeLessThan(clip.length)
  })

  it.each([
    ['garbage', 'memo.ogg', new TextEncoder().encode('no sound'), 415, 'is no recording that can be read'],
    ['nothing', 'memo.ogg', new Uint8Array(), 400, 'The recording is empty'],
    ['half a memo', 'memo.ogg', ogg.slice(0, 5000), 400, 'breaks off'],
    ['a clip without sound', 'clip.mp4', readContainer('silent.mp4'), 400, 'There is no sound in clip.mp4'],
  ])('refuses %s with a sentence, and asks nobody', async (_, name, bytes, status, sentence) => {
    const response = await send({}, [name, bytes])
    expect(response.status).toBe(status)
    expect(await response.json()).toMatchObject({ detail: expect.stringContaining(sentence) })
    expect(asked()).toEqual([])
  })

  it('refuses a recording over the limit in words that fit one', inLong, async () => {
    const body = toForm('file', 'memo.ogg', new Uint8Array(101 * 1024 * 1024))
    const response = await platform.call('POST', path, { body, bearer: true })
    expect(response.status).toBe(413)
    expect(await response.json()).toMatchObject({
      detail: 'The recording is larger than 100 MB: send a shorter one.',
      error: { code: 'recording_too_large' },
    })
  })

  it('refuses a format that it does not know', async () => {
    expect((await send({ response_format: 'midi' })).status).toBe(422)
  })

  it('stops the model server when the caller leaves', async () => {
    platform.upstream.script({ kind: 'fault', fault: 'hang' })
    const caller = new AbortController()
    const next = platform.upstream.next('/audio/transcriptions')
    const body = toForm('file', 'memo.ogg', ogg)
    const response = platform.call('POST', path, { body, bearer: true, signal: caller.signal }).catch(() => 'aborted')
    const request = await next
    caller.abort()
    expect(await request.ended).toBe('left')
    await response
  })

  it('hands the failure of the model server on', async () => {
    platform.upstream.script({ kind: 'fault', fault: 'status', status: 500, body: 'CUDA out of memory' })
    const response = await send({})
    expect(response.status).toBe(502)
    expect(await response.json()).toMatchObject({ detail: 'The model server failed: CUDA out of memory' })
  })
})
