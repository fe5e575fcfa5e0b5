import { expect, test } from 'vitest'
import { normaliseBaseUrl, createPlatformClient } from '#platform/client/client.ts'
import { bearerHeader, createKeys, rawHeader, type BearerKey, type RawKey } from '#platform/client/exchange.ts'
import type { PlatformError } from '#platform/client/errors.ts'

const thrownBy = (act: () => unknown): unknown => {
  try {
    return act()
  } catch (error) {
    return error
  }
}

test.each([
  ['http://127.0.0.1:3000/v1', 'http://127.0.0.1:3000/v1'],
  ['http://127.0.0.1:3000/v1/', 'http://127.0.0.1:3000/v1'],
  [' https://chat-ai.academiccloud.de/v1// ', 'https://chat-ai.academiccloud.de/v1'],
  ['https://example.org/gateway/v1/', 'https://example.org/gateway/v1'],
])('the base URL %j becomes %j', (text, url) => {
  expect(normaliseBaseUrl(text)).toBe(url)
})

test.each([
  ['', 'is not a URL'],
  ['example.org/v1', 'is not a URL'],
  ['ftp://example.org/v1', 'must start with http'],
  ['https://example.org', 'must end in /v1, but ends in the host name'],
  ['https://example.org/v1/chat/completions', 'but ends in /v1/chat/completions'],
  ['https://example.org/apiv2', 'must end in /v1'],
  ['https://user:sesame@example.org/v1', 'must not hold a user name'],
  ['https://example.org/v1?key=sesame', 'must not have a query'],
])('the base URL %j is refused', (text, words) => {
  const error = thrownBy(() => normaliseBaseUrl(text))
  expect(error).toMatchObject({ name: 'PlatformError', code: 'invalid' })
  const { message } = error as PlatformError
  expect(message).toContain('PLATFORM_BASE_URL')
  expect(message).toContain(words)
  expect(message).not.toContain('sesame')
})

test('without a base URL the saia profile has its own, the collection profile has none', async () => {
  await createPlatformClient({ apiKey: 'k', profile: 'saia' }).close()
  expect(thrownBy(() => createPlatformClient({ apiKey: 'k' }))).toMatchObject({ code: 'invalid' })
})

test.each(['', 'Bearer sk-sesame', 'sk-sesame\n', 'sk-sesame x', 'sk-sésame'])(
  'a key that no header can carry (%j) is refused without being shown',
  (apiKey) => {
    const error = thrownBy(() => createKeys(apiKey))
    expect(error).toMatchObject({ code: 'invalid' })
    expect((error as PlatformError).message).toContain('PLATFORM_API_KEY')
    expect((error as PlatformError).message).not.toMatch(/s[eé]same/)
  },
)

test('each form of the key fits only its own header', () => {
  const { bearer, raw } = createKeys('k')
  expect(bearerHeader(bearer)).toEqual({ authorization: 'Bearer k' })
  expect(rawHeader(raw)).toEqual({ authorization: 'k' })
  // The compiler refuses the mix-up: were it allowed, these types would not be `false`.
  type Fits<A, B> = A extends B ? true : false
  const rawAsBearer: Fits<RawKey, Parameters<typeof bearerHeader>[0]> = false
  const bearerAsRaw: Fits<BearerKey, Parameters<typeof rawHeader>[0]> = false
  const plainAsEither: Fits<string, RawKey | BearerKey> = false
  expect([rawAsBearer, bearerAsRaw, plainAsEither]).toEqual([false, false, false])
})
