import { createLru } from '#lib/lru.ts'
import { EngineError } from '#platform/engine/errors.ts'

/** Calls of one person in a minute, in this process; a request without a call counts as one. Questions count against the budgets of chat as well. */
const MAX_CALLS = 300
const WINDOW_MS = 60_000
const MAX_PEOPLE = 10_000

/** @returns a function that counts a call of somebody, and throws {EngineError} `rate-limited` beyond the limit */
export function createCallLimit(clock: () => number = Date.now): (who: string) => void {
  const windows = createLru<{ count: number; readonly endsAt: number }>(MAX_PEOPLE)
  return (who) => {
    const now = clock()
    const known = windows.get(who)
    const window = known !== undefined && known.endsAt > now ? known : { count: 0, endsAt: now + WINDOW_MS }
    if (window !== known) windows.set(who, window)
    window.count += 1
    if (window.count <= MAX_CALLS) return
    throw new EngineError('rate-limited', `More than ${MAX_CALLS} calls in a minute: try again in the next minute.`, {
      retryAfterMs: window.endsAt - now,
    })
  }
}
