import { expect, it } from 'vitest'
import { createLru, loadOnce } from '#lib/lru.ts'

it('lets go of what was not asked for the longest, by number or by size', () => {
  const few = createLru<number>(2)
  few.set('a', 1)
  few.set('b', 2)
  expect(few.get('a')).toBe(1)
  few.set('c', 3)
  expect(['a', 'b', 'c'].map((key) => few.has(key))).toEqual([true, false, true])

  const small = createLru<string, number>(10, (text) => text.length)
  small.set(1, 'aaaa')
  small.set(2, 'bbb')
  small.set(1, 'aaaaa')
  small.set(3, 'cc')
  expect([1, 2, 3].map((key) => small.get(key))).toEqual(['aaaaa', 'bbb', 'cc'])
  small.delete(2)
  small.set(4, 'ddd')
  expect([1, 2, 3, 4].map((key) => small.has(key))).toEqual([true, false, true, true])
  small.set(5, 'more than it holds')
  expect([1, 2, 3, 4, 5].some((key) => small.has(key))).toBe(false)
})

it('what is loaded once is loaded again after a failure alone', async () => {
  const outcomes = [
    Promise.reject(new Error('Too many files are open.')),
    Promise.resolve('it'),
    Promise.resolve('more'),
  ]
  const load = loadOnce(async () => outcomes.shift())
  await expect(load()).rejects.toThrow('Too many files')
  expect(await Promise.all([load(), load()])).toEqual(['it', 'it'])
})
