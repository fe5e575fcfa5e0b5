import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createLull } from '#bridge/answers/lull.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

it('is over a moment after the last question of a burst began, for all who wait', async () => {
  const lull = createLull(10, 60_000)
  let over = 0
  for (let question = 0; question < 20; question += 1) {
    lull.begin()
    void lull.over().then(() => (over += 1))
    await vi.advanceTimersByTimeAsync(4)
  }
  expect(over).toBe(0)
  await vi.advanceTimersByTimeAsync(20)
  expect(over).toBe(20)
})

it('is over at last where questions do not cease, and comes again', async () => {
  const lull = createLull(10, 25)
  let over = 0
  void lull.over().then(() => (over += 1))
  for (let question = 0; question < 40; question += 1) {
    lull.begin()
    await vi.advanceTimersByTimeAsync(1)
  }
  expect(over).toBe(1)
  void lull.over().then(() => (over += 1))
  await vi.advanceTimersByTimeAsync(10)
  expect(over).toBe(2)
})
