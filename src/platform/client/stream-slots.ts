import { abortedError, PlatformError, sentence } from './errors.ts'
import { createFairQueue, type Requester } from './fair-queue.ts'

/** Bounds the streams of one key: from a number on the platform drops them silently. */
export interface StreamSlots {
  /**
   * Waits for a free slot; workspaces and channels take turns. Returns a function that frees it.
   *
   * @throws {PlatformError} `aborted`, `timeout`
   */
  enter(doing: string, party: Requester, signal: AbortSignal | undefined): Promise<() => void>
}

/** Share of the slots that one collection leaves to others: one that does not answer cannot take them all. */
const LEFT_TO_OTHERS = 0.25
const mostOfOne = (most: number) => (most === Infinity ? most : Math.max(1, most - Math.ceil(most * LEFT_TO_OTHERS)))

/** @param limit how many there may be now: processes with one key share them */
export function createStreamSlots(limit: () => number, longestWaitMs: number): StreamSlots {
  const running = new Map<string, number>()
  const waiting = createFairQueue<() => void>()
  let taken = 0

  // Chats without a collection are no single thing that could fail together.
  const fits = (channel: string) => channel === '' || (running.get(channel) ?? 0) < mostOfOne(limit())
  const take = ({ channel }: Requester) => {
    taken += 1
    running.set(channel, (running.get(channel) ?? 0) + 1)
    let left = false
    return () => {
      if (left) return
      left = true
      taken -= 1
      const rest = (running.get(channel) ?? 1) - 1
      if (rest === 0) running.delete(channel)
      else running.set(channel, rest)
      if (taken < limit()) waiting.next(fits)?.()
    }
  }

  async function queue(doing: string, party: Requester, signal: AbortSignal | undefined): Promise<() => void> {
    const { promise, resolve, reject } = Promise.withResolvers<() => void>()
    // The slot is taken as it is handed over, so that no other call can take it.
    const remove = waiting.add(party, () => resolve(take(party)))
    const giveUp = (error: PlatformError) => {
      remove()
      reject(error)
    }
    const onAbort = () => giveUp(abortedError(doing))
    const timer = setTimeout(() => giveUp(crowded(doing, limit())), longestWaitMs)
    signal?.addEventListener('abort', onAbort, { once: true })
    try {
      return await promise
    } finally {
      clearTimeout(timer)
      signal?.removeEventListener('abort', onAbort)
    }
  }

  return {
    async enter(doing, party, signal) {
      if (signal?.aborted === true) throw abortedError(doing)
      return taken < limit() && fits(party.channel) ? take(party) : queue(doing, party, signal)
    },
  }
}

function crowded(doing: string, most: number): PlatformError {
  const what = `All ${most} requests of this kind that may run at once are still running while ${doing}`
  return new PlatformError('timeout', sentence('timeout', what, 'Ask again in a moment.'))
}
