import { describe, expect, test } from 'vitest'
import { createPlatformClient, createSharedByKey } from '#platform/client/client.ts'
import { createRateLimiter, windowEnd } from '#platform/client/rate-limit.ts'
import { PROFILE_NAMES, type ProfileName } from '#platform/wire/profile.ts'
import { all, ask, failureOf, setUp } from './setup.ts'

const noHeader = () => undefined

const waits = () => {
  const seen: { window: string; waitMs: number }[] = []
  return { seen, onRateWait: (wait: { window: string; waitMs: number }) => void seen.push(wait) }
}

describe.each(PROFILE_NAMES)('in the profile %s', (profile: ProfileName) => {
  test('the dictionary is empty at first and then says what the last response said', async () => {
    const { client, double } = await setUp(profile)
    expect(Object.values(client.rateLimit.dictionary())).toEqual(Array(9).fill(null))
    expect(await client.rateLimit.probe()).toEqual({
      limit_minute: 30,
      limit_hour: 200,
      limit_day: 1000,
      limit_month: 3000,
      remaining_minute: 29,
      remaining_hour: 199,
      remaining_day: 999,
      remaining_month: 2999,
      reset_seconds: 60,
    })
    expect(double.requests).toMatchObject([{ op: 'probe', method: 'GET' }])
    await all(client.chat.stream(ask('x')))
    expect(client.rateLimit.dictionary().remaining_minute).toBe(28)
    await client.collections.list()
    expect(client.rateLimit.dictionary()).toEqual(double.quota)
    expect(JSON.parse(JSON.stringify(client.rateLimit.dictionary()))).toEqual(double.quota)
  })

  test('a short limit is waited out and told of, a stream included', async () => {
    const { seen, onRateWait } = waits()
    const { client, double } = await setUp(profile, { onRateWait })
    double.script('chat', { kind: 'rate-limit', window: 'minute', retryAfter: '1' })
    const told: number[] = []
    const onWait = (waitMs: number) => void told.push(waitMs)
    const events = await all(client.chat.stream(ask('x'), { onWait }))
    expect(events.at(-1)?.type).toBe('finish')
    expect(told).toEqual([expect.toSatisfy((ms: number) => ms > 0 && ms <= 1000)])
    expect(seen).toMatchObject([{ window: 'minute' }])
    expect(double.requests).toHaveLength(2)
  })

  test.each([
    ['minute', { resetSeconds: 45 }, 45_000],
    ['hour', { retryAfter: '600' }, 600_000],
    ['day', { retryAfter: '7200', resetSeconds: 5 }, 7_200_000],
    ['month', { retryAfter: '86400' }, 86_400_000],
  ] as const)('a long limit of the %s fails at once and says window and reset', async (window, said, ms) => {
    const start = Date.parse('2026-11-21T12:00:00Z')
    const { client, double } = await setUp(profile, { now: () => start })
    double.script('chat', { kind: 'rate-limit', window, ...said })
    const error = await failureOf(client.chat.complete(ask('x')))
    expect(error).toMatchObject({ code: 'rate-limited', status: 429, retryAfterMs: ms })
    expect(error.message).toContain(`requests a ${window} is used up; it resets in ${ms / 1000} s`)
    expect(error.message).toContain(new Date(start + ms).toISOString().slice(0, 19))
    expect(error.message).toContain('PLATFORM_API_KEY')
  })
})

test('while a long limit lasts nothing is sent, and afterwards everything is', async () => {
  let now = Date.parse('2026-11-21T12:00:00Z')
  const { client, double } = await setUp('collection', { now: () => now })
  double.script('chat', { kind: 'rate-limit', window: 'hour', retryAfter: '600' })
  await failureOf(client.chat.complete(ask('x')))
  expect((await failureOf(client.models.list())).code).toBe('rate-limited')
  expect((await failureOf(client.files.list('c'))).retryAfterMs).toBe(600_000)
  expect(double.requests).toHaveLength(1)
  expect((await client.rateLimit.probe()).limit_hour).toBe(200)
  now += 600_001
  expect(await client.models.list()).toHaveLength(2)
})

test('one limiter holds for all clients of the same key', async () => {
  const shared = createSharedByKey({})
  const { client, double } = await setUp('collection', { shared })
  const other = createPlatformClient({ baseUrl: double.baseUrl, apiKey: double.key, shared })
  double.script('models', { kind: 'rate-limit', window: 'day', retryAfter: '9999' })
  await failureOf(client.models.list())
  expect((await failureOf(other.models.list())).code).toBe('rate-limited')
  expect(double.requests).toHaveLength(1)
  await other.close()
})

test('the wait that a caller bears is bounded, and can be stopped', async () => {
  const { client, double } = await setUp('collection', { maxRateWaitMs: 1500 })
  double.script('models', { kind: 'rate-limit', window: 'minute', retryAfter: '1' }, Infinity)
  expect((await failureOf(client.models.list())).code).toBe('rate-limited')
  expect(double.requests).toHaveLength(2)
  const controller = new AbortController()
  const patient = await setUp('collection', { onRateWait: () => controller.abort() })
  patient.double.script('models', { kind: 'rate-limit', window: 'minute', retryAfter: '15' })
  const stopped = await failureOf(patient.client.models.list({ signal: controller.signal }))
  expect(stopped.code).toBe('aborted')
})

test('a used-up minute is waited out before it costs a refusal', async () => {
  const { seen, onRateWait } = waits()
  const { client, double } = await setUp('collection', { onRateWait })
  Object.assign(double.quota, { remaining_minute: 1, reset_seconds: 1 })
  double.script('models', {
    kind: 'status',
    status: 200,
    body: '{"data":[]}',
    headers: { 'x-ratelimit-remaining-minute': '0', 'ratelimit-reset': '1' },
  })
  await client.models.list()
  await client.models.list()
  expect(seen).toMatchObject([{ window: 'minute' }])
})

test('a 429 without any header names the window that its words or nothing suggest', () => {
  const now = Date.parse('2026-11-21T12:34:56Z')
  const limiter = createRateLimiter(() => now)
  expect(limiter.observe(429, noHeader, 'API rate limit exceeded')).toMatchObject({
    window: 'minute',
    resetAt: Date.parse('2026-11-21T12:35:00Z'),
  })
  expect(limiter.observe(429, noHeader, 'Limit per day reached')).toMatchObject({
    window: 'day',
    resetAt: Date.parse('2026-11-22T00:00:00Z'),
  })
})

test('of several used-up windows the longest is the one that counts', () => {
  const now = Date.parse('2026-11-21T12:34:56Z')
  const limiter = createRateLimiter(() => now)
  const headers = new Map([
    ['x-ratelimit-remaining-minute', '0'],
    ['x-ratelimit-remaining-hour', '0'],
    ['x-ratelimit-remaining-day', '5'],
    ['x-ratelimit-limit-hour', '200'],
    ['ratelimit-reset', '4'],
  ])
  expect(limiter.observe(429, (name) => headers.get(name), '')).toMatchObject({
    window: 'hour',
    limit: 200,
    resetAt: Date.parse('2026-11-21T13:00:00Z'),
  })
})

test('a used-up minute stops nobody for longer than a minute, whatever the header says', () => {
  const limiter = createRateLimiter(() => 0)
  const headers = new Map([
    ['x-ratelimit-remaining-minute', '0'],
    ['ratelimit-reset', '86400'],
  ])
  limiter.observe(200, (name) => headers.get(name), '')
  expect(limiter.blocked()?.resetAt).toBe(60_000)
})

test('a reset that is only guessed stops nobody for longer than a minute', () => {
  let now = Date.parse('2026-11-21T12:34:56Z')
  const limiter = createRateLimiter(() => now)
  limiter.observe(429, noHeader, 'month')
  expect(limiter.blocked()?.resetAt).toBe(Date.parse('2026-12-01T00:00:00Z'))
  now += 60_001
  expect(limiter.blocked()).toBeUndefined()
})

test('windows end on the calendar', () => {
  const at = Date.parse('2026-12-31T23:59:59Z')
  const newYear = Date.parse('2027-01-01T00:00:00Z')
  for (const window of ['minute', 'hour', 'day', 'month'] as const) {
    expect(windowEnd(window, at)).toBe(newYear)
  }
})

test('the index trigger waits for a short limit too, since a refused one was not carried out', async () => {
  const { client, double } = await setUp()
  await client.collections.create('c')
  double.script('generate-index', { kind: 'rate-limit', window: 'minute', retryAfter: '1' })
  expect(await client.collections.generateIndex('c')).toBe('done')
  expect(double.collections.get('c')?.passes).toBe(1)
})

test('a limit that somebody behind the platform has reached stops only the call that met it', () => {
  const limiter = createRateLimiter(() => 0)
  const headers = new Map([
    ['x-ratelimit-limit-hour', '200'],
    ['x-ratelimit-remaining-hour', '150'],
    ['retry-after', '3600'],
  ])
  const read = (name: string) => headers.get(name)
  expect(limiter.observe(429, read, 'The model server is busy.')).toBeUndefined()
  expect(limiter.blocked()).toBeUndefined()
  headers.set('x-ratelimit-remaining-hour', '0')
  expect(limiter.observe(429, read, 'Too many requests.')).toMatchObject({ window: 'hour', limit: 200 })
  expect(limiter.blocked()).toMatchObject({ resetAt: 3_600_000 })
})

const seen =
  (remaining: number, limit = 100) =>
  (name: string) =>
    ({ 'x-ratelimit-limit-hour': `${limit}`, 'x-ratelimit-remaining-hour': `${remaining}` })[name.toLowerCase()]

/** Near the end of an hour its window would be waited out. */
const now = () => Date.parse('2026-11-21T12:00:00Z')

describe('a reserve', () => {
  test('stops who leaves the last tenth to others, and nobody else, until the window ends', () => {
    let at = now()
    const limiter = createRateLimiter(() => at)
    limiter.observe(200, seen(11), '')
    expect(limiter.blocked(0.1)).toBeUndefined()
    limiter.observe(200, seen(10), '')
    expect(limiter.blocked()).toBeUndefined()
    expect(limiter.blocked(0.1)).toEqual({ window: 'hour', limit: 100, resetAt: Date.parse('2026-11-21T13:00:00Z') })
    at = Date.parse('2026-11-21T13:00:00Z')
    expect(limiter.blocked(0.1)).toBeUndefined()
  })

  test('lets questions through on the same key while indexing has to wait', async () => {
    const shared = createSharedByKey({ now })
    const { client, double } = await setUp('collection', { shared, now })
    const { client: background } = await setUp('collection', { shared, now, reserve: 0.1 })
    shared.limiter.observe(200, seen(9), '')
    expect(await failureOf(background.collections.list())).toMatchObject({ code: 'rate-limited' })
    const events = await all(client.chat.stream(ask('x')))
    expect(events.at(-1)?.type).toBe('finish')
    expect(double.requests).toMatchObject([{ op: 'chat' }])
  })
})

test('a refusal although the quota has room is not repeated before its time', async () => {
  const { client, double } = await setUp('collection', { maxRateWaitMs: 500 })
  const headers = { 'retry-after': '7', 'x-ratelimit-limit-minute': '30', 'x-ratelimit-remaining-minute': '20' }
  double.script('chat', { kind: 'status', status: 429, headers }, 3)
  const failure = await failureOf(all(client.chat.stream(ask('x'))))
  expect(failure).toMatchObject({ code: 'rate-limited', retryAfterMs: 7000 })
  expect(double.requests.filter(({ op }) => op === 'chat')).toHaveLength(1)
})
