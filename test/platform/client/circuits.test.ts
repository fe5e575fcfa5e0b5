import { describe, expect, test } from 'vitest'
import { PlatformError } from '#platform/client/errors.ts'
import { all, ask, failureOf, setUp } from './setup.ts'

const asked = (double: { readonly requests: readonly { readonly op: string }[] }, op: string) =>
  double.requests.filter((request) => request.op === op).length

/** A client whose clock stays until it is moved. */
async function opened(timeLimits = {}) {
  const clock = { now: Date.UTC(2026, 10, 21, 12) }
  const set = await setUp('collection', { now: () => clock.now, timeLimits })
  const chat = (collection?: string) => all(set.client.chat.stream(ask('When?', collection)))
  return { ...set, clock, chat }
}

async function failFiveTimes({ double, chat }: Awaited<ReturnType<typeof opened>>) {
  double.script('chat', { kind: 'drop' }, 5)
  for (let time = 0; time < 5; time += 1) expect((await failureOf(chat())).code).toBe('unreachable')
}

describe('an operation that fails', () => {
  test('five times in a row is not asked for five seconds, with a sentence; others are', async () => {
    const set = await opened()
    await failFiveTimes(set)
    const refused = await failureOf(set.chat())
    expect(refused).toMatchObject({ code: 'unreachable', maybeDone: false, retryAfterMs: 5000 })
    expect(refused.message).toContain('failed several times in a row')
    expect(refused.message).toContain('it is asked again in 5 s')
    expect(asked(set.double, 'chat')).toBe(5)
    expect(await set.client.models.list()).not.toEqual([])
    expect(await set.client.heartbeat()).toBeUndefined()
  })

  test('is then tried by one call; the others wait for it and go on when it succeeds', async () => {
    const set = await opened()
    await failFiveTimes(set)
    set.clock.now += 5000
    const gate = Promise.withResolvers<void>()
    set.double.script('chat', { kind: 'delay', until: gate.promise })
    const running = [set.chat(), set.chat(), set.chat()]
    await set.double.seen('chat', 6)
    expect(asked(set.double, 'chat')).toBe(6)
    gate.resolve()
    expect((await Promise.all(running)).map((events) => events.at(-1)?.type)).toEqual(['finish', 'finish', 'finish'])
  })

  test('is given twice the time when the try fails, and whoever waited is told the same', async () => {
    const set = await opened()
    await failFiveTimes(set)
    set.clock.now += 5000
    set.double.script('chat', { kind: 'status', status: 503 })
    const failures = await Promise.all([failureOf(set.chat()), failureOf(set.chat())])
    expect(failures.map(({ status }) => status)).toEqual([503, undefined])
    expect(asked(set.double, 'chat')).toBe(6)
    expect(await failureOf(set.chat())).toMatchObject({ retryAfterMs: 10_000 })
  })

  test('is told with the words of a platform that answers, and without the address of the platform', async () => {
    const { double, chat } = await opened()
    const body = '{"error":{"message":"The model server cannot be reached: check UPSTREAM_BASE_URL."}}'
    double.script('chat', { kind: 'status', status: 502, body }, 5)
    for (let time = 0; time < 5; time += 1) await failureOf(chat())
    for (let time = 0; time < 2; time += 1) {
      const { code, message } = await failureOf(chat())
      expect([code, message]).toEqual([
        'unreachable',
        expect.stringContaining('check UPSTREAM_BASE_URL), so it was not'),
      ])
      expect(message).not.toContain('PLATFORM_BASE_URL')
    }
  })

  test('goes on being asked where the platform answers: an error of one model, a refusal, a stop', async () => {
    const { double, chat, client } = await opened()
    for (const status of [500, 400, 404]) {
      double.script('chat', { kind: 'status', status }, 4)
      for (let time = 0; time < 4; time += 1) expect((await failureOf(chat())).status).toBe(status)
    }
    for (let time = 0; time < 6; time += 1)
      expect((await failureOf(all(client.chat.stream(ask('x'), { signal: AbortSignal.abort() })))).code).toBe('aborted')
    expect((await chat()).at(-1)?.type).toBe('finish')
  })
})

describe('a collection that is silent', () => {
  const limits = { firstByteMs: 300 }

  test('is asked by one call at a time until it answers, others are not held up', async () => {
    const { double, chat, client } = await opened(limits)
    double.script('chat', { kind: 'hang' })
    expect((await failureOf(chat('double/a'))).code).toBe('timeout')
    double.script('chat', { kind: 'hang' })
    const failures = await Promise.all([1, 2, 3].map(() => failureOf(chat('double/a'))))
    expect(failures.map(({ code, maybeDone }) => [code, maybeDone])).toEqual([
      ['timeout', true],
      ['timeout', false],
      ['timeout', false],
    ])
    expect(asked(double, 'chat')).toBe(2)
    // It counts once, however often it was silent: no other collection suffers.
    double.script('chat', { kind: 'hang' }, 4)
    for (let time = 0; time < 4; time += 1) await failureOf(chat('double/a'))
    const open = await client.collections.create('b')
    expect((await chat(open.id)).at(-1)?.type).toBe('finish')
  })

  test('stops being one with the first answer, and waiting for it can be stopped', async () => {
    const { double, chat, client } = await opened(limits)
    const { id } = await client.collections.create('a')
    double.script('chat', { kind: 'hang' })
    await failureOf(chat(id))
    const gate = Promise.withResolvers<void>()
    double.script('chat', { kind: 'delay', until: gate.promise })
    const first = chat(id)
    await double.seen('chat', 2)
    const stop = new AbortController()
    const stopped = failureOf(all(client.chat.stream(ask('x', id), { signal: stop.signal })))
    stop.abort()
    expect(await stopped).toBeInstanceOf(PlatformError)
    expect((await stopped).code).toBe('aborted')
    gate.resolve()
    await first
    expect(await Promise.all([chat(id), chat(id)])).toHaveLength(2)
  })
})
