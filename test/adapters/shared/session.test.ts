import { expect, test } from 'vitest'
import { deepFreeze, isConfirmed, isOwnFault, waitAtMost } from '#adapters/shared/session.ts'
import { AdapterError } from '#bridge/port/errors.ts'

test('a wait ends with the work, with its failure, or with its limit', async () => {
  expect(await waitAtMost(10_000, Promise.resolve('done'))).toBe('done')
  await expect(waitAtMost(10_000, Promise.reject(new Error('broke')))).rejects.toThrow('broke')
  expect(await waitAtMost(1, new Promise(() => {}))).toBeUndefined()
})

test('no answer counts as no, and is logged unless it is an ordinary refusal', async () => {
  const lines: string[] = []
  const note = (_: object, message: string) => void lines.push(message)
  const log = { debug: note, info: note, warn: note, error: note }
  const ask = (answer: () => Promise<boolean>) => isConfirmed(log, 'Whether it rains', answer, ['not-found'])
  expect(await ask(async () => true)).toBe(true)
  expect(await ask(() => Promise.reject(new AdapterError('not-found', 'gone')))).toBe(false)
  expect(lines).toEqual([])
  expect(await ask(() => Promise.reject(new AdapterError('network', 'no way')))).toBe(false)
  expect(lines).toEqual(['Whether it rains is unknown; taken as no.'])
})

test('frozen data is frozen to its leaves', () => {
  const data = deepFreeze({ list: [{ name: 'a' }] })
  expect(Object.isFrozen(data.list[0])).toBe(true)
})

const code = (name: string) => Object.assign(new Error(name), { code: name })

test('an error of our own code is told from a connection that broke', () => {
  for (const own of [new TypeError('x.map is not a function'), new RangeError('Invalid array length')])
    expect(isOwnFault(own)).toBe(true)
  for (const other of [
    new TypeError('fetch failed', { cause: new Error('unexpected redirect') }),
    new TypeError('terminated', { cause: code('UND_ERR_SOCKET') }),
    new DOMException('late', 'TimeoutError'),
    code('ECONNREFUSED'),
    new AdapterError('network', 'It is away.'),
  ])
    expect(isOwnFault(other)).toBe(false)
})
