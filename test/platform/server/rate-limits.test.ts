import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, it } from 'vitest'
import { openKeyRing } from '#platform/engine/api/keys.ts'
import { rateLimitErrorBody } from '#platform/wire/errors.ts'
import { parseRateLimit, parseRetryAfter } from '#platform/wire/rate-limit.ts'
import { addKey, as } from './people.ts'
import { management, openPlatform, type PlatformOptions, type TestPlatform } from './platform.ts'

const standing = (response: Response) => parseRateLimit((name) => response.headers.get(name))
/** No window ends while it is looked at: the first half minute of this hour, for ever. */
const frozen = (now = Date.now()) => {
  const at = now - (now % 3_600_000) + 30_000
  return () => at
}
const chat = (more: object = {}) => ({
  json: { model: 'extractive', messages: [{ role: 'user', content: 'Hello?' }], ...more },
  bearer: true,
})

/** Requests left this month; the headers have to be there. */
const left = async (response: Promise<Response>) => {
  const answered = await response
  await answered.arrayBuffer()
  expect(standing(answered)).toMatchObject({ limit_minute: 10, limit_hour: 20, limit_day: 30, limit_month: 40 })
  return standing(answered)?.remaining_month
}

describe('rate limits', () => {
  const open: TestPlatform[] = []
  afterEach(async () => {
    await Promise.all(open.splice(0).map((platform) => platform.close()))
  })
  const start = async (options: PlatformOptions) => {
    const platform = await openPlatform(options)
    open.push(platform)
    return platform
  }

  it('show on chat, streams, the probe, lists, uploads and errors, and count them all together', async () => {
    const quota = { minute: 10, hour: 20, day: 30, month: 40 }
    const platform = await start({ over: 'socket', quota, clock: frozen() })
    const probe = () => platform.call('GET', '/v1/chat/completions', { bearer: true })
    expect(await left(probe())).toBe(40)
    expect(await left(platform.call('POST', '/v1/chat/completions', chat()))).toBe(39)
    expect(await left(platform.call('POST', '/v1/chat/completions', chat({ stream: true })))).toBe(38)
    expect(await left(platform.call('GET', `${management}/collection/`))).toBe(37)
    expect(await left(platform.call('GET', `${management}/collection/gone`))).toBe(36)
    expect(await left(platform.call('POST', '/v1/chat/completions', chat({ model: 'gone' })))).toBe(35)
    expect(await left(probe())).toBe(35)
  })

  it.each([
    ['minute', 50, 'in 50 seconds', 60_000],
    ['hour', 47 * 60 + 50, 'in 48 minutes (2026-11-30 at 13:00 UTC)', 3_600_000],
    ['day', 11 * 3600 + 47 * 60 + 50, 'in 12 hours (2026-12-01 at 00:00 UTC)', 86_400_000],
    ['month', 11 * 3600 + 47 * 60 + 50, 'in 12 hours (2026-12-01 at 00:00 UTC)', 86_400_000],
  ] as const)(
    'say that the %s is used up, in the sentence, in fields and in headers',
    async (window, seconds, words, ms) => {
      let now = Date.UTC(2026, 10, 30, 12, 12, 10)
      const platform = await start({ quota: { [window]: 1 }, clock: () => now })
      const ask = (stream: boolean) => platform.call('POST', '/v1/chat/completions', chat({ stream }))
      expect((await ask(false)).status).toBe(200)
      for (const stream of [false, true]) {
        const refused = await ask(stream)
        expect(refused.status).toBe(429)
        expect(refused.headers.get('content-type')).toBe('application/json')
        expect(parseRetryAfter(refused.headers.get('retry-after'), now)).toBe(seconds * 1000)
        expect(standing(refused)).toMatchObject({ [`remaining_${window}`]: 0, reset_seconds: seconds })
        const body = (await refused.json()) as { detail: string }
        expect(body.detail).toBe(`The limit of 1 request a ${window} is used up; it resets ${words}.`)
        const { error } = rateLimitErrorBody.parse(body)
        expect(error).toMatchObject({ code: `rate_limit_${window}`, window, limit: 1, reset_seconds: seconds })
        expect(Date.parse(error.resets_at) - now).toBe(seconds * 1000)
      }
      // A refused request used nothing up, and the probe tells the rest.
      const probe = await platform.call('GET', '/v1/chat/completions', { bearer: true })
      expect(probe.status).toBe(400)
      now += ms
      expect((await ask(true)).status).toBe(200)
    },
  )

  it('name the longest window that is full', async () => {
    const platform = await start({ quota: { minute: 1, day: 1 }, clock: frozen() })
    await platform.call('POST', '/v1/chat/completions', chat())
    const refused = await platform.call('POST', '/v1/chat/completions', chat())
    expect(await refused.json()).toMatchObject({ error: { window: 'day' } })
  })

  it('do not count a refused request in the windows that have room', async () => {
    let now = Date.UTC(2026, 10, 21, 12)
    const platform = await start({ quota: { minute: 1, hour: 3 }, clock: () => now })
    const ask = async () => (await platform.call('GET', '/v1/models', { bearer: true })).status
    expect([await ask(), await ask(), await ask()]).toEqual([200, 429, 429])
    now += 60_000
    expect([await ask(), await ask()]).toEqual([200, 429])
    now += 60_000
    expect(await ask()).toBe(200)
    now += 60_000
    expect(await ask()).toBe(429)
  })

  it('can be set for all keys of a user together, beside those of each key', async () => {
    let now = Date.UTC(2026, 10, 21, 12, 0, 10)
    const platform = await start({ clock: () => now })
    const keys = [await addKey(platform, 'anna', { quota: { minute: 2, hour: 10 } }), await addKey(platform, 'anna')]
    const other = await addKey(platform, 'berta')
    const ask = (key = keys[0]) => as(platform, key?.key ?? '')('GET', '/v1/models', { bearer: true })
    const ring = await openKeyRing(platform.dataDir)
    await ring.limitUser('anna', () => ({ minute: 3 }))
    await ask(keys[0])
    expect(standing(await ask(keys[1]))).toMatchObject({ limit_minute: 3, remaining_minute: 1, limit_hour: 200 })
    expect(standing(await ask(keys[0]))).toMatchObject({ remaining_minute: 0, limit_hour: 10, remaining_hour: 8 })
    const refused = await ask(keys[1])
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '50'])
    expect(await refused.json()).toMatchObject({
      detail: 'The limit of 3 requests a minute for all keys of anna is used up; it resets in 50 seconds.',
      error: { code: 'rate_limit_minute' },
    })
    expect((await ask(other)).status).toBe(200)
    now += 60_000
    expect((await ask(keys[1])).status).toBe(200)
    await ring.limitUser('anna', () => undefined)
    expect(standing(await ask(keys[1]))).toMatchObject({ limit_minute: 30 })
    await expect(ring.limitUser('nobody', () => undefined)).rejects.toThrow('There is no user nobody')
    await ring.close()
  })

  it('are set key by key while the platform runs', async () => {
    const platform = await start({ clock: frozen() })
    const { key, id } = await addKey(platform, 'anna', { quota: { minute: 1 } })
    const ask = async () => as(platform, key)('GET', '/v1/models', { bearer: true })
    expect(standing(await ask())).toEqual({
      limit_minute: 1,
      remaining_minute: 0,
      limit_hour: null,
      limit_day: null,
      limit_month: null,
      remaining_hour: null,
      remaining_day: null,
      remaining_month: null,
      reset_seconds: expect.any(Number),
    })
    expect((await ask()).status).toBe(429)
    const ring = await openKeyRing(platform.dataDir)
    await ring.limit(id, { minute: 2 })
    expect((await ask()).status).toBe(200)
    await ring.limit(id, undefined)
    expect(standing(await ask())).toMatchObject({ limit_minute: 30, limit_month: 3000 })
    expect((await ring.list()).find((one) => one.row.id === id)?.usedThisMonth).toBe(3)
    await ring.close()
    expect((await platform.call('GET', '/v1/models', { bearer: true })).status).toBe(200)
  })

  it('hold when many requests come at once', async () => {
    const platform = await start({ over: 'socket', quota: { day: 10 }, clock: frozen() })
    const statuses = await Promise.all(
      Array.from({ length: 40 }, async () => (await platform.call('GET', '/v1/models', { bearer: true })).status),
    )
    expect(statuses.filter((status) => status === 200)).toHaveLength(10)
    expect(statuses.filter((status) => status === 429)).toHaveLength(30)
  })

  it('are counted for good before the answer: a killed process forgets none', async () => {
    const platform = await start({ quota: { month: 100 } })
    await platform.engine.close()
    const child = fork(fileURLToPath(new URL('counted-requests.ts', import.meta.url)), [platform.dataDir], {
      execArgv: [],
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    })
    const [count] = (await once(child, 'message')) as [number]
    const exited = once(child, 'exit')
    child.kill('SIGKILL')
    await exited
    const again = await start({ quota: { month: 100 }, dataDir: platform.dataDir })
    const probe = await again.call('GET', '/v1/chat/completions', { bearer: true })
    expect(count).toBe(7)
    expect(standing(probe)?.remaining_month).toBe(93)
  })
})
