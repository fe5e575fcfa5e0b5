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

test('what was said before a time is forgotten, by its channel, its thread and itself', () => {
  vi.useFakeTimers({ toFake: ['Date'], now: 1_000_000_000 })
  const workspace = createWorkspace()
  const { id: channel } = workspace.addChannel()
  const said = { channel, user: 'U1', blocks: [], files: [] }
  const old = workspace.insert({ ...said, text: 'old' })
  workspace.insert({ ...said, text: 'reply', threadTs: old.ts })
  vi.setSystemTime(1_000_060_000)
  const kept = workspace.insert({ ...said, text: 'later reply', threadTs: old.ts })
  workspace.forgetBefore('1000030')
  expect(workspace.messages).toEqual([kept])
  expect(workspace.messagesIn(channel)).toEqual([kept])
  expect(workspace.repliesTo(channel, old.ts)).toEqual([kept])
  expect(workspace.message(channel, old.ts)).toBeUndefined()
  expect(workspace.message(channel, kept.ts)).toBe(kept)
})
