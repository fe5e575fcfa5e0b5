import { readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { withBlock } from '#adapters/discord/rest-block.ts'
import { createLog, open, openDouble, outgoing } from './harness.ts'
import { createDiscordAdapter } from '#adapters/discord/adapter.ts'

const CASE = JSON.parse(
  await readFile(new URL('../../reports/chat/discord-429-without-retry-after.json', import.meta.url), 'utf8'),
) as { readonly answer: { readonly status: number; readonly headers: Record<string, string>; readonly body: string } }

/** A Discord that answers with these, one after the other, and the last one for ever; a clock that is set by hand. */
function setUp(...answers: readonly (readonly [status: number, headers?: Readonly<Record<string, string>>])[]) {
  const sent: number[] = []
  const clock = { now: 0 }
  const send = async () => {
    const [status = 200, headers = {}] = answers[Math.min(sent.length, answers.length - 1)] ?? []
    sent.push(clock.now)
    return new Response(CASE.answer.body, { status, headers })
  }
  const request = withBlock(send, () => clock.now)
  const ask = async () => {
    const { status, headers } = await request('https://discord.com/api/v10/gateway/bot', {})
    return { status, waitMs: Number(headers.get('retry-after')) * 1000, isGlobal: headers.get('x-ratelimit-global') }
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
  return { ask, pauses, sent, clock }
}

describe('a 429 that does not say how long', () => {
  test.each([
    ['as Cloudflare has it', CASE.answer.headers, 5000],
    ['with Retry-After that is no number', { 'retry-after': 'soon' }, 5000],
    ['with an empty Retry-After', { 'retry-after': '' }, 5000],
    ['with Retry-After below zero', { 'retry-after': '-3' }, 5000],
    ['with Retry-After 0', { 'retry-after': '0' }, 1000],
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
    const { ask, sent } = setUp([429, { 'retry-after': '2' }])
    expect(await ask()).toMatchObject({ waitMs: 2000, isGlobal: null })
    await ask()
    expect(sent).toHaveLength(2)
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
