import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { toEventStream } from '../../../../src/platform/server/http/sse.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

/** Events that come when they are given. */
function createSource() {
  let given = Promise.withResolvers<string | undefined>()
  async function* events() {
    for (let event = await given.promise; event !== undefined; event = await given.promise) {
      given = Promise.withResolvers()
      yield event
    }
  }
  return { events: events(), give: (event?: string) => given.resolve(event) }
}

it('a stream gives a sign of life where the model thinks, each time that 15 s pass without an event', async () => {
  const { events, give } = createSource()
  const left = vi.fn<() => void>()
  const response = toEventStream(events, {
    onLeave: left,
    toError: () => ({ error: { message: '', type: '', code: null, param: null }, detail: '' }),
  })
  const reader = response.body?.getReader()
  const read = async () => new TextDecoder().decode((await reader?.read())?.value)
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
  expect((await reader?.read())?.done).toBe(true)
  expect(vi.getTimerCount()).toBe(0)
  expect(left).not.toHaveBeenCalled()
})

it('a reader that leaves stops the clock of its stream', async () => {
  const { events } = createSource()
  const left = vi.fn<() => void>()
  const response = toEventStream(events, {
    onLeave: left,
    toError: () => ({ error: { message: '', type: '', code: null, param: null }, detail: '' }),
  })
  const reader = response.body?.getReader()
  void reader?.read()
  void reader?.cancel()
  await vi.advanceTimersByTimeAsync(0)
  expect(left).toHaveBeenCalledOnce()
  expect(vi.getTimerCount()).toBe(0)
})
