import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { followEvents, toBody } from '#platform/server/http/sse.ts'
import type { EventSteps } from '#platform/wire/stream-events.ts'

async function* threeAtOnce(): EventSteps {
  yield [{ raw: '{"a": 1}', body: { a: 1 } }, { body: { b: 2 } }, { raw: '{\n"c": 3}', body: { c: 3 } }]
}

async function* broken(): EventSteps {
  yield [{ body: { a: 1 } }]
  throw new Error('broken')
}

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

const toError = () => ({ error: { message: 'broken', type: '', code: null, param: null }, detail: '' })

/** Events that come when they are given. */
function createSource() {
  let given = Promise.withResolvers<string | undefined>()
  async function* events(): EventSteps {
    for (let raw = await given.promise; raw !== undefined; raw = await given.promise) {
      given = Promise.withResolvers()
      yield [{ raw, body: {} }]
    }
  }
  return { events: events(), give: (event?: string) => given.resolve(event) }
}

it('a stream gives a sign of life where the model thinks, each time that 15 s pass without an event', async () => {
  const { events, give } = createSource()
  const left = vi.fn<() => void>()
  const reader = toBody(followEvents(events, { onLeave: left, onEnd: () => {}, toError })).getReader()
  const read = async () => new TextDecoder().decode((await reader.read())?.value)
  for (let round = 0; round < 2; round += 1) {
    const alive = read()
    await vi.advanceTimersByTimeAsync(15_000)
    expect(await alive).toBe(': alive\n\n')
    const event = read()
    await vi.advanceTimersByTimeAsync(14_000)
    give(`{"round":${round}}`)
    expect(await event).toBe(`data: {"round":${round}}\n\n`)
  }
  give()
  expect(await read()).toBe('data: [DONE]\n\n')
  expect((await reader.read())?.done).toBe(true)
  expect(vi.getTimerCount()).toBe(0)
  expect(left).not.toHaveBeenCalled()
})

it('a reader that leaves stops the clock of its stream', async () => {
  const { events } = createSource()
  const left = vi.fn<() => void>()
  const reader = toBody(followEvents(events, { onLeave: left, onEnd: () => {}, toError })).getReader()
  void reader.read()
  void reader.cancel()
  await vi.advanceTimersByTimeAsync(0)
  expect(left).toHaveBeenCalledOnce()
  expect(vi.getTimerCount()).toBe(0)
})

it('events that came at once are one write, each as it came; one that came over several lines is written anew', async () => {
  const reader = toBody(followEvents(threeAtOnce(), { onLeave: () => {}, onEnd: () => {}, toError })).getReader()
  const read = async () => new TextDecoder().decode((await reader.read())?.value)
  expect(await read()).toBe('data: {"a": 1}\n\ndata: {"b":2}\n\ndata: {"c":3}\n\n')
  expect(await read()).toBe('data: [DONE]\n\n')
})

it('who is in the same process takes the events, with signs of life and the failure, and may leave amid a step', async () => {
  const { events, give } = createSource()
  const [left, ended] = [vi.fn<() => void>(), vi.fn<() => void>()]
  const handed = followEvents(events, { onLeave: left, onEnd: ended, toError })
  const alive = handed.steps.next()
  await vi.advanceTimersByTimeAsync(15_000)
  expect((await alive)?.value).toEqual([])
  give('{"a":1}')
  expect((await handed.steps.next())?.value).toEqual([{ raw: '{"a":1}', body: {} }])
  const waiting = handed.steps.next()
  handed.leave()
  expect(await waiting).toEqual({ done: true, value: undefined })
  expect(left).toHaveBeenCalledOnce()
  expect(ended).toHaveBeenCalledOnce()
  const failing = followEvents(broken(), { onLeave: left, onEnd: ended, toError })
  await failing.steps.next()
  expect((await failing.steps.next())?.value).toMatchObject([{ body: { object: 'error', message: 'broken' } }])
  expect((await failing.steps.next())?.done).toBe(true)
  expect(vi.getTimerCount()).toBe(0)
})
