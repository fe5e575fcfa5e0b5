import { expect, it } from 'vitest'
import { toSteps } from '#platform/wire/stream-events.ts'

/** Steps of these values, and then of this end. */
function open(values: readonly number[], fails = false) {
  const left: number[] = []
  const rest = [...values]
  const sent: unknown[] = []
  const steps = toSteps<number, string>(
    async (word) => {
      sent.push(word)
      const value = rest.shift()
      if (value !== undefined) return { value }
      if (fails) throw new Error('broken')
      return { done: true, value: undefined }
    },
    async () => void left.push(rest.length),
  )
  return { steps, left, sent }
}

it('come one after the other, with what is sent between them, and are left once at their end', async () => {
  const { steps, left, sent } = open([1, 2])
  expect(await steps.next('a')).toEqual({ value: 1 })
  expect(await steps.next('b')).toEqual({ value: 2 })
  expect(await steps.next('c')).toEqual({ done: true, value: undefined })
  expect(await steps.next('d')).toEqual({ done: true, value: undefined })
  await steps.return()
  expect(sent).toEqual(['a', 'b', 'c'])
  expect(left).toEqual([0])
})

it('are left by a reader who breaks off, and by their own failure, which is the one that is told', async () => {
  const broken = open([1, 2])
  for await (const value of broken.steps) {
    expect(value).toBe(1)
    break
  }
  expect(broken.left).toEqual([1])
  expect((await broken.steps.next()).done).toBe(true)
  const failing = open([], true)
  await expect(failing.steps.next()).rejects.toThrow('broken')
  expect(failing.left).toEqual([0])
  expect((await failing.steps.next()).done).toBe(true)
  const thrown = toSteps(
    () => Promise.reject(new Error('broken')),
    () => Promise.reject(new Error('not left')),
  )
  await expect(thrown.next()).rejects.toThrow('broken')
})
