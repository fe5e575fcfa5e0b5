import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { withRefusals } from '#adapters/discord/gateway/refusals.ts'
import { createLog } from './harness.ts'

const API = 'https://discord.com/api/v10'

/** A Discord that refuses with `status`, counts that processes share, and a clock that is set by hand. */
function setUp(headers: Readonly<Record<string, string>> = {}) {
  const clock = { now: 1_800_000_000_000 }
  const shared = new Map<string, unknown>()
  const store = { looks: 0, writes: 0, isAway: false }
  const counts = {
    get: (key: string) => Promise.resolve(shared.get(key)),
    set: (key: string, value: unknown) => {
      store.writes += 1
      return Promise.resolve(void shared.set(key, value))
    },
    keys: () => {
      store.looks += 1
      return store.isAway ? Promise.reject(new Error('away')) : Promise.resolve([...shared.keys()])
    },
  }
  const process = () => {
    const sent: string[] = []
    const { log, lines } = createLog()
    let status = 403
    const send = async (url: string) => {
      sent.push(url)
      return new Response('{}', { status, headers })
    }
    const request = withRefusals(send, { log, counts, clock: () => clock.now })
    const ask = (method: string, path: string) => request(`${API}${path}`, { method })
    const refused = async (times: number) => {
      for (let turn = 0; turn < times; turn += 1) await ask('PATCH', '/channels/1/messages/2')
    }
    return { sent, lines, ask, refused, answer: (next: number) => void (status = next) }
  }
  return { clock, store, process }
}

test('of 10,000 refusals in ten minutes, 2,000 are left for answers that have begun', async () => {
  const { process, clock } = setUp()
  const { ask, refused, answer, sent, lines } = process()
  await refused(8000)
  expect((await ask('GET', '/channels/1/messages')).status).toBe(403)
  const before = sent.length
  answer(200)
  for (const path of ['/channels/7/messages', '/channels/7/typing', '/guilds/1/members/2']) {
    const { status, headers } = await ask(path.includes('members') ? 'GET' : 'POST', path)
    expect({ status, after: headers.get('retry-after'), isGlobal: headers.get('x-ratelimit-global') }).toEqual({
      status: 429,
      after: '60',
      isGlobal: null,
    })
  }
  expect(sent).toHaveLength(before)
  expect((await ask('PATCH', '/channels/1/messages/2')).status).toBe(200)
  expect((await ask('POST', '/channels/1/messages')).status).toBe(200)
  expect((await ask('POST', '/interactions/1/token/callback')).status).toBe(200)
  expect(lines.filter(({ level }) => level === 'error')).toHaveLength(1)
  clock.now += 11 * 60_000
  expect((await ask('POST', '/channels/7/messages')).status).toBe(200)
})

test('an answer grows until its last edit is a minute ago, while others begin and end', async () => {
  const { process, clock } = setUp()
  const { ask, refused, answer } = process()
  await refused(8001)
  answer(200)
  const edit = (channel: number) => ask('PATCH', `/channels/${channel}/messages/2`)
  const post = async (channel: number) => (await ask('POST', `/channels/${channel}/messages`)).status
  await edit(7)
  await edit(8)
  clock.now += 50_000
  await edit(7)
  clock.now += 50_000
  expect([await post(7), await post(8)]).toEqual([200, 429])
  clock.now += 20_000
  expect(await post(7)).toBe(429)
})

test('the refusals of all processes count together', async () => {
  const { process, clock } = setUp()
  const [one, other] = [process(), process()]
  await one.refused(4500)
  clock.now += 6000
  await one.refused(1)
  await other.refused(4000)
  clock.now += 6000
  await other.refused(1)
  await new Promise((resolve) => setTimeout(resolve, 0))
  expect((await other.ask('POST', '/channels/7/messages')).status).toBe(429)
})

test('a limit that others share does not count', async () => {
  const { process } = setUp({ 'x-ratelimit-scope': 'shared' })
  const { refused, ask } = process()
  await refused(9000)
  expect((await ask('POST', '/channels/7/messages')).status).toBe(403)
})

const post = async ({ ask }: ReturnType<ReturnType<typeof setUp>['process']>) =>
  (await ask('POST', '/channels/7/messages')).status

describe('what other processes were refused', () => {
  beforeEach(() => {
    vi.useFakeTimers()
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  test('stops a process that was refused nothing, and one that has just started', async () => {
    const { process, clock } = setUp()
    const [one, idle] = [process(), process()]
    idle.answer(200)
    expect(await post(idle)).toBe(200)
    await one.refused(8001)
    clock.now += 5000
    await vi.advanceTimersByTimeAsync(5000)
    await post(idle)
    expect([await post(idle), idle.sent.length]).toEqual([429, 2])
    const started = process()
    started.answer(200)
    expect([await post(started), started.sent.length]).toEqual([429, 0])
    clock.now += 11 * 60_000
    expect([await post(idle), await post(started)]).toEqual([200, 200])
  })

  test('counts from the first refusal of each: 90 processes with 90 each stop', async () => {
    const { process, clock } = setUp()
    const all = Array.from({ length: 90 }, () => process())
    for (const one of all) await one.refused(90)
    clock.now += 60_000
    await vi.advanceTimersByTimeAsync(5000)
    expect(await Promise.all(all.map(post))).toEqual(Array(90).fill(429))
  })

  test('is read and written once in five seconds at most, and asked for by no answer that goes on', async () => {
    const { process, clock, store } = setUp()
    const one = process()
    await one.refused(500)
    expect(store).toMatchObject({ looks: 0, writes: 1 })
    clock.now += 5000
    await vi.advanceTimersByTimeAsync(5000)
    expect(store).toMatchObject({ looks: 0, writes: 2 })
    for (let turn = 0; turn < 500; turn += 1) await post(one)
    expect(store.looks).toBe(1)
    clock.now += 5000
    for (let turn = 0; turn < 500; turn += 1) await post(one)
    expect(store.looks).toBe(2)
  })

  test('cannot be read for a while: requests go on, and the log tells it once a minute', async () => {
    const { process, clock, store } = setUp()
    const one = process()
    one.answer(200)
    store.isAway = true
    for (let turn = 0; turn < 9; turn += 1) {
      expect(await post(one)).toBe(200)
      clock.now += 5000
    }
    expect(one.lines).toEqual([expect.objectContaining({ level: 'warn' })])
  })
})
