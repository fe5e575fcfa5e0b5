import { createDeadline, type Deadline } from './deadline.ts'
import { PlatformError, requestError } from './errors.ts'
import type { Exchange, Request } from './exchange.ts'
import { pause, rateLimitError, type RateLimiter } from './rate-limit.ts'
import type { Reply } from './reply.ts'

/** A request with the rules under which it may wait and be tried again. */
export interface Call extends Request {
  readonly retry: RetryRule
  /** Sent even when the quota is known to be used up. */
  readonly whenLimited?: boolean
  readonly signal?: AbortSignal | undefined
  /** Called when it waits for the rate limit. */
  readonly onWait?: ((waitMs: number) => void) | undefined
}

export interface TransportSettings {
  readonly exchange: Exchange
  readonly limiter: RateLimiter
  readonly totalMs: number
  readonly maxRateWaitMs: number
  /** Share of the quota that is left to others. */
  readonly reserve: number
  readonly onRateWait: (wait: { readonly window: string; readonly waitMs: number }) => void
  readonly now: () => number
}

export interface Transport {
  /** Resolves with an accepted answer whose body still obeys the deadline of the call. @throws {PlatformError} */
  send(call: Call): Promise<Reply>
  close(): Promise<void>
}

/** Most retries after "come back at once". */
const MAX_REFUSALS = 3

export function createTransport(settings: TransportSettings): Transport {
  const { exchange, limiter, maxRateWaitMs, now } = settings

  /** Waits for the rate limit if it ends soon. Returns the waiting time. */
  const passRateLimit = async ({ onWait }: Call, deadline: Deadline, waitedMs: number, refused?: PlatformError) => {
    const block = limiter.blocked(settings.reserve)
    if (block === undefined) return 0
    const waitMs = Math.max(block.resetAt - now(), 50)
    if (waitedMs + waitMs > maxRateWaitMs) throw refused ?? rateLimitError(block, now())
    settings.onRateWait({ window: block.window, waitMs })
    onWait?.(waitMs)
    await pause(waitMs, deadline.signal)
    return waitMs
  }

  const run = async (call: Call, deadline: Deadline): Promise<Reply> => {
    let waitedMs = 0
    let refused: PlatformError | undefined
    let refusals = 0
    for (let tries = 0; ;) {
      if (call.whenLimited !== true) waitedMs += await passRateLimit(call, deadline, waitedMs, refused)
      try {
        return await exchange.attempt(call, deadline)
      } catch (error) {
        if (!(error instanceof PlatformError) || deadline.failure() !== undefined) throw error
        refused = error.code === 'rate-limited' ? error : undefined
        if (refused !== undefined && (refusals += 1) < MAX_REFUSALS) continue
        const delayMs = retryDelayMs(error, { rule: call.retry, tries, maxWaitMs: maxRateWaitMs })
        if (delayMs === undefined) throw error
        tries += 1
        await pause(delayMs, deadline.signal)
      }
    }
  }

  return {
    async send(call) {
      const totalMs = settings.totalMs + (call.allowanceMs ?? 0)
      const deadline = createDeadline({ doing: call.doing, totalMs, signal: call.signal })
      try {
        return await run(call, deadline)
      } catch (error) {
        deadline.release()
        throw asFailure(call, error)
      }
    },
    close: () => exchange.close(),
  }
}

/** A change without an answer in time may have been carried out. */
function asFailure(call: Call, error: unknown): PlatformError {
  const failure = requestError(error, call.doing)
  const inDoubt = call.method !== 'GET' && failure.code === 'timeout' && failure.status === undefined
  if (!inDoubt) return failure
  return new PlatformError('timeout', failure.message, { maybeDone: true, cause: failure.cause })
}

/**
 * Which requests may be sent again before the first byte of an answer: `safe` (GET) after any failure, `refused` if
 * certainly not carried out (never sent, or 503 with a short `Retry-After`), `unsent` if never sent.
 */
export type RetryRule = 'safe' | 'refused' | 'unsent'

const MAX_RETRIES = 2
const FIRST_DELAY_MS = 200

/** Full jitter, so that many clients do not come back at once. */
const backoffMs = (tries: number) => Math.ceil(Math.random() * FIRST_DELAY_MS * 4 ** tries)

/** How long to wait before the next try; undefined: give up. */
function retryDelayMs(
  error: PlatformError,
  { rule, tries, maxWaitMs }: { readonly rule: RetryRule; readonly tries: number; readonly maxWaitMs: number },
): number | undefined {
  if (tries >= MAX_RETRIES || error.code === 'rate-limited') return undefined
  if (error.code === 'unreachable' && error.status === undefined) {
    return rule === 'safe' || !error.maybeDone ? backoffMs(tries) : undefined
  }
  if (rule === 'unsent') return undefined
  if (error.status === 503 && error.retryAfterMs !== undefined) {
    return error.retryAfterMs <= maxWaitMs ? error.retryAfterMs : undefined
  }
  return rule === 'safe' && (error.status === 502 || error.status === 503) ? backoffMs(tries) : undefined
}
