import { readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { withBlock } from '#adapters/discord/rest-block.ts'
import { createLog, open, openDouble, outgoing } from './harness.ts'
import { createDiscordAdapter } from '#adapters/discord/adapter.ts'

const CASE = JSON.parse(
  await readFile(new URL('../../reports/chat/discord-429-without-retry-after.json', import.meta.url), 'utf8'),
) as { readonly answer: { readonly status: number; readonly headers: Record<string, string>; readonly body: string } }

type Answer = readonly [status: number, headers?: Readonly<Record<string, string>>, body?: string]

const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' }
const HTML_TYPE = { 'content-type': 'text/html' }

/** A Discord that answers with these, one after the other, and the last one for ever; a clock that is set by hand. */
function setUp(...answers: readonly Answer[]) {
  const sent: number[] = []
  const clock = { now: 0 }
  const send = async () => {
    const [status = 200, headers = {}, body = CASE.answer.body] =
      answers[Math.min(sent.length, answers.length - 1)] ?? []
    sent.push(clock.now)
    return new Response(body, { status, headers })
  }
  const chance = { next: Math.random }
  const request = withBlock(send, { clock: () => clock.now, chance: () => chance.next() })
  const ask = async () => {
    const response = await request('https://discord.com/api/v10/gateway/bot', {})
    const { status, headers } = response
    const told = {
      status,
      waitMs: Number(headers.get('retry-after')) * 1000,
      isGlobal: headers.get('x-ratelimit-global'),
    }
    return { ...told, body: await response.text() }
  }
  /** Asks again whenever it may; gives each pause. */
  async function pauses(count: number): Promise<number[]> {
    const found: number[] = []
    for (let turn = 0; turn < count; turn += 1) {
      const { waitMs } = await ask()
      found.push(waitMs)
      clock.now += waitMs + 1
    }
    return found
  }
  return { ask, pauses, sent, clock, chance }
}

describe('a 429 that does not say how long', () => {
  test.each([
    ['as Cloudflare has it', CASE.answer.headers, 5000],
    ['with Retry-After that is no number', { 'retry-after': 'soon' }, 5000],
    ['with an empty Retry-After', { 'retry-after': '' }, 5000],
    ['with Retry-After below zero', { 'retry-after': '-3' }, 5000],
    ['with Retry-After 0', { ...JSON_TYPE, 'retry-after': '0' }, 1000],
    ['as Cloudflare has it with a short Retry-After', { ...HTML_TYPE, 'retry-after': '2' }, 5000],
    ['as Cloudflare has it with Retry-After 0', { ...HTML_TYPE, 'retry-after': '0' }, 5000],
  ])('%s pauses all requests for longer and longer', async (_, headers, firstMs) => {
    const { pauses, sent } = setUp([429, headers])
    const found = await pauses(60)
    expect(found[0]).toBeGreaterThanOrEqual(firstMs)
    expect(found[0]).toBeLessThan(firstMs * 1.3)
    expect(found[1]).toBeGreaterThan(firstMs * 1.9)
    const young = found.slice(0, 8)
    expect(Math.max(...young)).toBeLessThanOrEqual(40_000)
    expect(Math.max(...found)).toBeGreaterThan(5 * 60_000)
    expect(Math.max(...found)).toBeLessThanOrEqual(15 * 60_000)
    expect(sent.length).toBe(60)
    expect(sent.filter((at) => at < 3_600_000).length).toBeLessThan(50)
  })

  test('says to discord.js that it is for the whole bot, and is answered here until it is over', async () => {
    const { ask, sent, clock } = setUp([429, CASE.answer.headers], [200])
    expect(await ask()).toMatchObject({ status: 429, isGlobal: 'true' })
    for (let turn = 0; turn < 400; turn += 1) expect((await ask()).status).toBe(429)
    expect(sent).toHaveLength(1)
    clock.now = 10_000
    expect((await ask()).status).toBe(200)
  })

  test('after a pause one request tries, and the others see what becomes of it', async () => {
    const { ask, sent, clock } = setUp([429, CASE.answer.headers], [429, CASE.answer.headers], [200])
    await ask()
    clock.now = 10_000
    const asked = await Promise.all(Array.from({ length: 50 }, ask))
    expect(asked.map(({ status }) => status)).toEqual(Array(50).fill(429))
    expect(sent).toHaveLength(2)
    clock.now = 60_000
    await Promise.all(Array.from({ length: 50 }, ask))
    expect(sent).toHaveLength(52)
  })

  test('that many requests meet together is one refusal', async () => {
    const { ask, sent } = setUp([429, CASE.answer.headers])
    const asked = await Promise.all(Array.from({ length: 50 }, ask))
    expect(sent).toHaveLength(50)
    expect(Math.max(...asked.map(({ waitMs }) => waitMs))).toBeLessThan(6500)
  })

  test('that says how long is left to discord.js', async () => {
    const { ask, sent } = setUp([429, { ...JSON_TYPE, 'retry-after': '2' }])
    expect(await ask()).toMatchObject({ waitMs: 2000, isGlobal: null })
    await ask()
    expect(sent).toHaveLength(2)
  })
})

describe('a page of Cloudflare', () => {
  test('that says how long pauses all requests for no less', async () => {
    const { ask, sent, clock } = setUp([429, { ...HTML_TYPE, 'retry-after': '60' }], [200])
    const { waitMs, isGlobal } = await ask()
    expect(isGlobal).toBe('true')
    expect(waitMs).toBeGreaterThanOrEqual(60_000)
    expect(waitMs).toBeLessThan(76_000)
    clock.now = 59_999
    expect([(await ask()).status, sent.length]).toEqual([429, 1])
    clock.now = 76_000
    expect((await ask()).status).toBe(200)
  })

  test.each([
    ['without a time', {}],
    ['with one', { 'retry-after': '60' }],
  ])('%s lets two processes try at different times, also when the pause is at its longest', async (_, headers) => {
    const found = [0, 0.9].map((next) => {
      const one = setUp([429, { ...HTML_TYPE, ...headers }])
      one.chance.next = () => next
      return one.pauses(7)
    })
    const [early = [], late = []] = await Promise.all(found)
    expect(early).toHaveLength(7)
    for (const [turn, pause] of early.entries()) expect(late[turn]).toBeGreaterThan(pause * 1.2)
  })
})

describe('a 429 of Discord itself', () => {
  test.each([
    ['in its body', JSON_TYPE, '{"retry_after": 0.65}', 650],
    ['in its body, beside a rounded header', { ...JSON_TYPE, 'retry-after': '0' }, '{"retry_after": 0.4}', 400],
    ['in another header', { ...JSON_TYPE, 'x-ratelimit-reset-after': '3.5' }, '{}', 3500],
    ['nowhere', JSON_TYPE, '{"message": "no"}', 5000],
    ['nowhere, in a body that is cut', JSON_TYPE, '{"mess', 5000],
    ['as slow mode', JSON_TYPE, '{"code": 20016, "retry_after": 13.474, "global": false}', 13_474],
  ])('that says its time %s is waited for, and the rest of the bot goes on', async (_, headers, body, waitMs) => {
    const { ask, sent } = setUp([429, headers, body], [200])
    expect(await ask()).toEqual({ status: 429, waitMs, isGlobal: null, body })
    expect([(await ask()).status, sent.length]).toEqual([200, 2])
  })

  test('for the whole bot is told to discord.js as such', async () => {
    const { ask } = setUp([429, JSON_TYPE, '{"retry_after": 2, "global": true}'])
    expect(await ask()).toMatchObject({ waitMs: 2000, isGlobal: 'true' })
  })
})

describe('a Discord that blocks the address', () => {
  test('hears of a post no second time within seconds', async () => {
    const discord = await openDouble()
    const { adapter, general } = await open(discord, { times: { callMs: 1500 } })
    discord.goAway('rest-blocked')
    const before = discord.calls.length
    await expect(adapter.post(general, outgoing('x'))).rejects.toMatchObject({ code: 'rate-limited' })
    await expect(adapter.post(general, outgoing('y'))).rejects.toMatchObject({ code: 'rate-limited' })
    expect(discord.calls.length - before).toBe(1)
  })

  test('hears of a start no second time within seconds', async () => {
    const discord = await openDouble()
    discord.goAway('rest-blocked')
    const adapter = createDiscordAdapter({
      token: discord.token,
      apiUrl: discord.apiUrl,
      log: createLog().log,
      times: { startMs: 1500 },
    })
    await expect(adapter.start(() => Promise.resolve())).rejects.toMatchObject({ code: 'network' })
    await adapter.stop()
    expect(discord.calls).toHaveLength(1)
  })
})
