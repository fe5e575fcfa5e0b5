/** The short form of `npm run torture`. Kills and leaks have suites of their own: test/crash, test/leak. */
import { describe, expect, it } from 'vitest'
import { fuzz } from './fuzz.ts'
import { platformFaults } from './load.ts'
import { cutStreams, repeatedEvents } from './streams.ts'
import { textFunctions } from './text-functions.ts'

describe.concurrent('torture, short', () => {
  it.each([
    ['text functions', () => textFunctions(3000, 7)],
    ['hostile input', () => fuzz(160, 7)],
    ['platform faults', () => platformFaults({ faultRate: 0.3, questions: 60, seed: 7 })],
    ['cut answers', cutStreams],
    ['repeated events', () => repeatedEvents(3)],
  ])('%s', async (_, run) => {
    const { wrong, tried } = await run()
    expect(wrong).toEqual([])
    expect(tried).toMatch(/[1-9]/)
  })
})
