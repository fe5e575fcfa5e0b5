import { PlatformError, sentence } from './errors.ts'

export interface DeadlineOptions {
  readonly doing: string
  readonly totalMs: number
  readonly signal?: AbortSignal | undefined
}

/** Ends a call when its time is over or its caller stops it. */
export interface Deadline {
  readonly signal: AbortSignal
  /** Why it ended; undefined while it runs. */
  failure(): PlatformError | undefined
  /** Runs one wait under a limit of its own. The wait must listen to `signal`. */
  within<T>(limitMs: number, wait: () => Promise<T>): Promise<T>
  /** Ends it with no failure: timers and listeners are gone after it. */
  release(): void
}

const seconds = (ms: number) => (ms < 1000 ? `${ms} ms` : `${Math.round(ms / 100) / 10} s`)

function silence(doing: string, limitMs: number): PlatformError {
  const what = `The platform did not answer within ${seconds(limitMs)} while ${doing}`
  return new PlatformError('timeout', sentence('timeout', what))
}

export function abortedError(doing: string): PlatformError {
  return new PlatformError('aborted', sentence('aborted', `Stopped while ${doing}`))
}

/**
 * undici's own timers are too coarse for short limits and do not cover a whole call, so every limit is a timer here
 * and reaches undici as an abort, which closes the connection at once.
 */
export function createDeadline({ doing, totalMs, signal }: DeadlineOptions): Deadline {
  const controller = new AbortController()
  let failure: PlatformError | undefined
  const end = (error: PlatformError) => {
    if (controller.signal.aborted) return
    failure = error
    controller.abort(error)
  }
  const onAbort = () => end(abortedError(doing))
  const total = setTimeout(() => end(silence(doing, totalMs)), totalMs)
  if (signal?.aborted === true) onAbort()
  else signal?.addEventListener('abort', onAbort, { once: true })
  return {
    signal: controller.signal,
    failure: () => failure,
    async within(limitMs, wait) {
      const timer = setTimeout(() => end(silence(doing, limitMs)), limitMs)
      try {
        return await wait()
      } finally {
        clearTimeout(timer)
      }
    },
    release() {
      clearTimeout(total)
      signal?.removeEventListener('abort', onAbort)
    },
  }
}
