import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  formatRateLimit,
  parseRateLimit,
  parseRetryAfter,
  readWait,
  rateLimitDictionary,
  type RateLimitDictionary,
} from '#platform/wire/rate-limit.ts'

const names = Object.keys(rateLimitDictionary.shape) as (keyof RateLimitDictionary)[]
const count = fc.option(fc.nat())
const dictionary = fc.record(Object.fromEntries(names.map((name) => [name, count]))) as fc.Arbitrary<
  RateLimitDictionary & Record<string, number | null>
>

test('what a server says is what a client reads, whatever is left out', () => {
  fc.assert(
    fc.property(dictionary, (said) => {
      const headers = new Headers(formatRateLimit(said))
      const empty = Object.values(said).every((value) => value === null)
      expect(parseRateLimit((name) => headers.get(name))).toEqual(empty ? undefined : said)
    }),
  )
})

test('the headers have the names of the deployed gateway', () => {
  const all = Object.fromEntries(names.map((name, index) => [name, index])) as RateLimitDictionary
  expect(formatRateLimit(all)).toEqual({
    'x-ratelimit-limit-minute': '0',
    'x-ratelimit-limit-hour': '1',
    'x-ratelimit-limit-day': '2',
    'x-ratelimit-limit-month': '3',
    'x-ratelimit-remaining-minute': '4',
    'x-ratelimit-remaining-hour': '5',
    'x-ratelimit-remaining-day': '6',
    'x-ratelimit-remaining-month': '7',
    'ratelimit-reset': '8',
  })
})

const readReset = (value: string) => parseRateLimit((name) => (name === 'ratelimit-reset' ? value : undefined))

test('a header that is no count is nothing', () => {
  expect(readReset('17')?.reset_seconds).toBe(17)
  for (const value of ['', 'soon', '-1', '1.5', '1e3', 'NaN']) expect(readReset(value)).toBeUndefined()
})

test('Retry-After is read as seconds or as a date', () => {
  const now = Date.parse('2026-11-21T12:00:00Z')
  expect(parseRetryAfter('7', now)).toBe(7000)
  expect(parseRetryAfter('0.5', now)).toBe(500)
  expect(parseRetryAfter('30s', now)).toBe(30_000)
  expect(parseRetryAfter('1m12.5s', now)).toBe(72_500)
  expect(parseRetryAfter('250ms', now)).toBe(250)
  expect(parseRetryAfter('Sat, 21 Nov 2026 12:01:00 GMT', now)).toBe(60_000)
  expect(parseRetryAfter('Sat, 21 Nov 2026 11:00:00 GMT', now)).toBe(0)
  for (const text of ['', 'later', 'later 5', '-1', '60;', null, undefined])
    expect(parseRetryAfter(text, now)).toBeUndefined()
})

test.each([
  [{ 'retry-after-ms': '1500', 'retry-after': '2' }, '', 1500],
  [{ 'retry-after-ms': 'soon', 'retry-after': '2' }, '', 2000],
  [{ 'retry-after': '7' }, 'Please try again in 41.2s.', 7000],
  [{}, 'Limit 6000, Requested 900. Please try again in 41.2s. Need more tokens?', 41_200],
  [{}, 'Rate limit reached. Please try again in 1m26.4s.', 86_400],
  [{}, '[{"error":{"details":[{"retryDelay": "43s"}]}}]', 43_000],
  [{}, 'Please retry after 20 seconds.', 20_000],
  [{}, 'Please wait and try again later', undefined],
] as const)('a server at its limit is left alone as long as it says: %j %s', (headers, body, waitMs) => {
  const named = new Map(Object.entries(headers))
  expect(readWait((name) => named.get(name), body, 0)).toBe(waitMs)
})
