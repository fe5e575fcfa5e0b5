import { abortedError, PlatformError, sentence } from './errors.ts'

export interface DeadlineOptions {
  readonly doing: string
  readonly totalMs: number
  readonly signal?: AbortSignal | undefined
}

/** Ends a call when its time is up or its caller aborts it. */
export interface Deadline {
  readonly signal: AbortSignal
  /** Reason of its end; undefined while it runs. */
  failure(): PlatformError | undefined
  /** Runs one wait under a limit of its own. The wait must listen to `signal`. */
  within<T>(limitMs: number, wait: () => Promise<T>): Promise<T>
  /** The same for many waits one after another, with one timer for all. */
  watch(limitMs: number): Watch
  /** Ends it without a failure and clears timers and listeners. */
  release(): void
}

export interface Watch {
  /** A wait begins. */
  begin(): void
  /** It ended in time. */
  end(): void
  release(): void
}

const seconds = (ms: number) => (ms < 1000 ? `${ms} ms` : `${Math.round(ms / 100) / 10} s`)

function silence(doing: string, limitMs: number): PlatformError {
  const what = `The platform did not answer within ${seconds(limitMs)} while ${doing}`
  return new PlatformError('timeout', sentence('timeout', what))
}

/**
 * undici's timers are too coarse for short limits and do not cover a whole call. Every limit is a timer here and
 * reaches undici as an abort.
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

  function createWatch(limitMs: number): Watch {
    let waits = false
    let begun = 0
    const judge = (wait: number) => {
      if (waits && wait === begun) end(silence(doing, limitMs))
    }
    // After a standstill of this process the limit is over before the answer, which is there, was read.
    const timer = setTimeout(() => setImmediate(judge, begun), limitMs)
    return {
      begin() {
        waits = true
        begun += 1
        timer.refresh()
      },
      end() {
        waits = false
      },
      release: () => clearTimeout(timer),
    }
  }

  return {
    signal: controller.signal,
    failure: () => failure,
    async within(limitMs, wait) {
      const watch = createWatch(limitMs)
      watch.begin()
      try {
        return await wait()
      } finally {
        watch.end()
        watch.release()
      }
    },
    watch: createWatch,
    release() {
      clearTimeout(total)
      signal?.removeEventListener('abort', onAbort)
    },
  }
}

/** Every wait of the client is bounded. Milliseconds. */
export interface TimeLimits {
  /** Until a connection is open. Default 10,000. */
  readonly connectMs: number
  /** From the start of a request to the head of its answer. Default 30,000. */
  readonly firstByteMs: number
  /**
   * Between two pieces of an answer's body. Default 45,000. Comments of an event stream (`: ping`) count: they show
   * that the other side lives. `totalMs` ends an endless answer.
   */
  readonly betweenBytesMs: number
  /** The whole call, retries, waits for the rate limit and slow readers included. Default 300,000. */
  readonly totalMs: number
  /** First byte of an answer that is not streamed: it comes when the whole text is there. Default 120,000. */
  readonly answerMs: number
  /** First byte of an index trigger; after it the pass counts as accepted. Default 60,000. */
  readonly indexMs: number
  /** First byte of a conversion. Default 300,000. */
  readonly conversionMs: number
  /** First byte of a transcription or translation. Default 300,000. */
  readonly transcriptionMs: number
  /** Added to the first-byte and total limits of an upload for each started MiB. Default 4,000. */
  readonly perUploadedMiBMs: number
}

export const DEFAULT_TIME_LIMITS: TimeLimits = {
  connectMs: 10_000,
  firstByteMs: 30_000,
  betweenBytesMs: 45_000,
  totalMs: 300_000,
  answerMs: 120_000,
  indexMs: 60_000,
  conversionMs: 300_000,
  transcriptionMs: 300_000,
  perUploadedMiBMs: 4_000,
}

/** Further time that sending this many bytes may take. */
export function uploadAllowanceMs(sizeBytes: number, limits: TimeLimits): number {
  return Math.ceil(sizeBytes / 1_048_576) * limits.perUploadedMiBMs
}
