import { afterEach, expect, test, vi } from 'vitest'
import { createWorkspace } from './workspace.ts'

afterEach(() => void vi.useRealTimers())

test('a message carries the time at which it was said, and each is later than the one before', () => {
  vi.useFakeTimers({ toFake: ['Date'], now: 1_000_000_000 })
  const workspace = createWorkspace()
  const stamps = Array.from({ length: 2500 }, () => workspace.nextTs())
  expect(stamps[0]).toBe('1000000.001100')
  expect(stamps).toEqual([...new Set(stamps)].toSorted())
  vi.setSystemTime(1_000_000_000 + 20 * 60_000)
  expect(workspace.nextTs()).toBe('1001200.001100')
})
