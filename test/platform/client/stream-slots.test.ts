import { expect, test } from 'vitest'
import { createStreamSlots } from '#platform/client/stream-slots.ts'

const party = (name: string) => ({ workspace: name.slice(0, 1), channel: name })

/** Takes slots for these parties in this order and frees one at a time; the order in which they were served. */
async function served(most: number, names: readonly string[]): Promise<string[]> {
  const slots = createStreamSlots(() => most, 10_000)
  const order: string[] = []
  const leave: (() => void)[] = []
  const all = names.map(async (name) => {
    leave.push(await slots.enter('asking', party(name), undefined))
    order.push(name)
  })
  for (let count = 0; count < names.length; count += 1) {
    await new Promise(setImmediate)
    leave.shift()?.()
  }
  await Promise.all(all)
  return order
}

test('workspaces take turns, and within each its channels: a busy one holds nobody up', async () => {
  const busy = ['a1', 'a1', 'a1', 'a1', 'a2', 'b1']
  expect(await served(1, busy)).toEqual(['a1', 'a1', 'b1', 'a2', 'a1', 'a1'])
})

test('one collection leaves a quarter of the slots to others, chats without one may take all', async () => {
  const slots = createStreamSlots(() => 8, 10_000)
  const taken: string[] = []
  const take = (name: string) =>
    slots.enter('asking', party(name), undefined).then((leave) => {
      taken.push(name)
      return leave
    })
  const first = Array.from({ length: 8 }, () => take('a1'))
  const other = [take('b1'), take('b1')]
  await Promise.all([...first.slice(0, 6), ...other])
  expect(taken.filter((name) => name === 'a1')).toHaveLength(6)
  expect(taken.filter((name) => name === 'b1')).toHaveLength(2)
  for (const leave of await Promise.all(first.slice(0, 2))) leave()
  expect(await Promise.all(first)).toHaveLength(8)
  expect(await served(2, ['', '', ''])).toEqual(['', '', ''])
})

test('who gives up waiting takes no slot', async () => {
  const slots = createStreamSlots(() => 1, 10_000)
  const leave = await slots.enter('asking', party('a1'), undefined)
  const stop = new AbortController()
  const stopped = slots.enter('asking', party('a1'), stop.signal)
  const waiting = slots.enter('asking', party('b1'), undefined)
  stop.abort()
  await expect(stopped).rejects.toMatchObject({ code: 'aborted' })
  leave()
  leave()
  ;(await waiting)()
  const again = await slots.enter('asking', party('a1'), undefined)
  expect(again).toBeTypeOf('function')
})
