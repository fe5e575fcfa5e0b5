import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { modelList } from '#platform/wire/models.ts'
import { parseRateLimit } from '#platform/wire/rate-limit.ts'
import { management, openPlatform, toForm, type TestPlatform } from './platform.ts'

const detail = async (response: Response) => ((await response.json()) as { detail: string }).detail
const probe = (platform: TestPlatform) => platform.call('GET', '/v1/chat/completions', { bearer: true })

describe('service', () => {
  let platform: TestPlatform
  beforeEach(async () => {
    platform = await openPlatform()
  })
  afterEach(() => platform.close())

  it('tells version and heartbeat without a key, at both prefixes', async () => {
    for (const prefix of ['', '/v1']) {
      const version = await platform.call('GET', `${prefix}${management}/version`, { key: null })
      expect(await version.json()).toEqual({ version: expect.stringMatching(/^\d+\.\d+\.\d+$/) })
      const heartbeat = await platform.call('GET', `${prefix}${management}/heartbeat`, { key: null })
      expect(heartbeat.status).toBe(204)
      expect(await heartbeat.text()).toBe('')
    }
  })

  it('tells whoever watches it that it answers', async () => {
    const health = await platform.call('GET', '/health', { key: null })
    expect(await health.json()).toEqual({ status: 'ok', version: expect.stringMatching(/^\d+\.\d+\.\d+$/) })
  })

  it('answers 401 without a key and with a wrong one', async () => {
    for (const key of [null, 'wrong']) {
      for (const path of [`${management}/collection/`, '/v1/models', '/v1/chat/completions', '/user/me']) {
        const response = await platform.call('GET', path, { key, bearer: key !== null && !path.startsWith(management) })
        expect(response.status).toBe(401)
        expect(await detail(response)).toMatch(/^The key is /)
      }
    }
  })

  it('lists the models for GET and POST', async () => {
    for (const method of ['GET', 'POST']) {
      const list = modelList.parse(await (await platform.call(method, '/v1/models', { bearer: true })).json())
      expect(list.data.map((model) => model.id)).toEqual(['extractive'])
    }
  })

  it('answers the probe with 400, the headers and no use of quota', async () => {
    const first = await probe(platform)
    expect(first.status).toBe(400)
    expect(await detail(first)).toBe('Service or model not specified')
    await probe(platform)
    const after = await probe(platform)
    const left = parseRateLimit((name) => after.headers.get(name))
    expect(left).toMatchObject({ limit_minute: 6000, remaining_minute: 6000 })
  })

  it('says what to set when a memo comes and no model server is there', async () => {
    const response = await platform.call('POST', '/v1/audio/transcriptions', {
      body: toForm('file', 'm.ogg', 'x'),
      bearer: true,
    })
    expect(response.status).toBe(501)
    expect(await detail(response)).toMatch(/UPSTREAM_BASE_URL and UPSTREAM_TRANSCRIPTION_MODEL/)
    expect(platform.entries).toMatchObject([{ level: 'info', message: 'Request refused', fields: { status: 501 } }])
    const embeddings = await platform.call('POST', '/v1/embeddings', { json: { model: 'm', input: 'x' }, bearer: true })
    expect(embeddings.status).toBe(501)
    expect(await detail(embeddings)).toContain('UPSTREAM_EMBEDDING_MODEL')
  })

  it('answers 404 with a sentence for a path that is none', async () => {
    const response = await platform.call('GET', '/v1/nothing', { bearer: true })
    expect(response.status).toBe(404)
    expect(await detail(response)).toBe('There is nothing at GET /v1/nothing: the base URL ends in /v1.')
  })

  it('gives every request an id, and keeps the key and bodies out of the log', async () => {
    const response = await platform.call('GET', `${management}/collection/gone`, {
      headers: { 'x-request-id': 'abc-1' },
    })
    expect(response.headers.get('x-request-id')).toBe('abc-1')
    expect(platform.entries.at(-1)).toMatchObject({
      level: 'info',
      fields: { requestId: 'abc-1', method: 'GET', status: 404, route: expect.stringContaining(':name') },
    })
    expect(JSON.stringify(platform.entries)).not.toContain(platform.key)
  })
})
