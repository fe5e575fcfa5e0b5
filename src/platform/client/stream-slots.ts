import { abortedError } from './deadline.ts'
import { PlatformError, sentence } from './errors.ts'

/** Keeps the streams of one key below the number at which the platform drops them silently. */
export interface StreamSlots {
  /** Waits for a free slot, in order. Returns what frees it. @throws {PlatformError} `aborted`, `timeout` */
  enter(doing: string, signal: AbortSignal | undefined): Promise<() => void>
}

export function createStreamSlots(most: number, longestWaitMs: number): StreamSlots {
  let taken = 0
  const waiting: (() => void)[] = []

  const leaveOnce = () => {
    let left = false
    return () => {
      if (left) return
      left = true
      const next = waiting.shift()
      // The slot passes on without becoming free, so that nobody can step in between.
      if (next === undefined) taken -= 1
      else next()
    }
  }

  const queue = async (doing: string, signal: AbortSignal | undefined) => {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const give = (error: PlatformError) => {
      waiting.splice(waiting.indexOf(resolve), 1)
      reject(error)
    }
    const onAbort = () => give(abortedError(doing))
    const timer = setTimeout(() => give(crowded(doing, most)), longestWaitMs)
    waiting.push(resolve)
    signal?.addEventListener('abort', onAbort, { once: true })
    try {
      await promise
    } finally {
      clearTimeout(timer)
      signal?.removeEventListener('abort', onAbort)
    }
  }

  return {
    async enter(doing, signal) {
      if (signal?.aborted === true) throw abortedError(doing)
      if (taken < most) taken += 1
      else await queue(doing, signal)
      return leaveOnce()
    },
  }
}

function crowded(doing: string, most: number): PlatformError {
  const what = `All ${most} answers that may run at once are still running while ${doing}`
  return new PlatformError('timeout', sentence('timeout', what, 'Ask again in a moment.'))
}
