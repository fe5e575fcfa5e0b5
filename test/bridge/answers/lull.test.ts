import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { createLull } from '../../../src/bridge/answers/lull.ts'

async function turns(count: number, each: () => void = () => {}) {
  for (let turn = 0; turn < count; turn += 1) {
    each()
    await nextTurn()
  }
}

it('is over some turns after the last question of a burst began, for all who wait', async () => {
  const lull = createLull(4, 60_000)
  let over = 0
  await turns(20, () => {
    lull.begin()
    void lull.over().then(() => (over += 1))
  })
  expect(over).toBe(0)
  await turns(6)
  expect(over).toBe(20)
})

it('is over at last where questions do not cease, and comes again', async () => {
  const lull = createLull(4, 20)
  const goOn = setInterval(() => lull.begin(), 0)
  await lull.over()
  await expect(lull.over()).resolves.toBeUndefined()
  clearInterval(goOn)
})
