import { expect, it } from 'vitest'
import { openPlatform } from './platform.ts'

const origin = 'https://app.example.org'
const preflight = {
  origin,
  'access-control-request-method': 'POST',
  'access-control-request-headers': 'authorization,content-type,inference-service,x-stainless-os',
}

it('a page of an origin that is set asks, and reads the rate limits', async () => {
  const platform = await openPlatform({ corsOrigins: [origin] })
  const path = '/v1/chat/completions'
  const before = await platform.call('OPTIONS', path, { key: null, headers: preflight })
  expect(before.status).toBe(204)
  expect(before.headers.get('access-control-allow-origin')).toBe(origin)
  expect(before.headers.get('access-control-allow-methods')).toContain('POST')
  expect(before.headers.get('access-control-allow-headers')).toContain('x-stainless-os')
  const json = { model: 'extractive', messages: [{ role: 'user', content: 'Hi' }] }
  for (const [given, status] of [
    [{ json, bearer: true }, 200],
    [{ json, bearer: true, key: 'wrong' }, 401],
  ] as const) {
    const answer = await platform.call('POST', path, { ...given, headers: { origin } })
    expect(answer.status).toBe(status)
    // A refusal must be readable, too: without this header the page sees a network error.
    expect(answer.headers.get('access-control-allow-origin')).toBe(origin)
    expect(answer.headers.get('access-control-expose-headers')).toContain('x-ratelimit-remaining-minute')
    expect(answer.headers.get('access-control-allow-credentials')).toBeNull()
  }
  const stranger = { ...preflight, origin: 'https://evil.example.org' }
  const refused = await platform.call('OPTIONS', path, { key: null, headers: stranger })
  expect(refused.headers.get('access-control-allow-origin')).toBeNull()
  await platform.close()
})

it('without the setting no page of another origin may ask', async () => {
  const platform = await openPlatform()
  const refused = await platform.call('OPTIONS', '/v1/models', { key: null, headers: preflight })
  expect(refused.headers.get('access-control-allow-origin')).toBeNull()
  const plain = await platform.call('OPTIONS', '/v1/models', { key: null })
  expect([plain.status, plain.headers.get('allow')]).toEqual([204, 'GET, HEAD, POST'])
  await platform.close()
})

it('every origin may ask where the setting says so', async () => {
  const platform = await openPlatform({ corsOrigins: ['*'] })
  const before = await platform.call('OPTIONS', '/v1/models', { key: null, headers: preflight })
  expect(before.headers.get('access-control-allow-origin')).toBe('*')
  await platform.close()
})
