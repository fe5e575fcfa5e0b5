import type { Circuits } from './circuits.ts'
import { createDeadline, type Deadline } from './deadline.ts'
import { PlatformError, requestError } from './errors.ts'
import type { Exchange, Request } from './exchange.ts'
import { createFairQueue } from './fair-queue.ts'
import { pause, rateLimitError, type RateLimiter } from './rate-limit.ts'
import type { Reply } from './reply.ts'

/** A request with the rules under which it may wait and be tried again. */
export interface Call extends Request {
  readonly retry: RetryRule
  /** Sent even when the quota is known to be used up. */
  readonly whenLimited?: boolean
  readonly signal?: AbortSignal | undefined
  /** Plain name of the collection that is asked. */
  readonly collection?: string | undefined
  /** For whom. */
  readonly workspace?: string | undefined
  /** Sent although calls like it failed before, and no judgement on them: it asks for a sign of life, or may be cut off. */
  readonly unguarded?: boolean
  /** Called when it waits for the rate limit. */
  readonly onWait?: ((waitMs: number) => void) | undefined
}

export interface TransportSettings {
  readonly exchange: Exchange
  readonly limiter: RateLimiter
  readonly circuits: Circuits
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
  const { exchange, limiter, circuits, maxRateWaitMs, now } = settings

  const wakeUp = createWakeUp()

  /** Waits for the rate limit if it ends soon. Returns the waiting time. */
  const passRateLimit = async (call: Call, deadline: Deadline, waitedMs: number, refused?: PlatformError) => {
    const block = limiter.blocked(settings.reserve)
    // A refusal although the quota is not used up has a limit of its own: too much at once.
    const ownMs = block === undefined ? refused?.retryAfterMs : undefined
    if (block === undefined && ownMs === undefined) return 0
    const waitMs = Math.max(block === undefined ? (ownMs ?? 0) : block.resetAt - now(), 50)
    if (waitedMs + waitMs > maxRateWaitMs) throw refused ?? (block && rateLimitError(block, now()))
    settings.onRateWait({ window: block?.window ?? 'minute', waitMs })
    call.onWait?.(waitMs)
    await pause(waitMs, deadline.signal)
    await wakeUp(call)
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
        if (refused !== undefined && (refusals += 1) < MAX_REFUSALS) {
          const tellsTime = refused.retryAfterMs !== undefined || limiter.blocked(settings.reserve) !== undefined
          if (!tellsTime) await pause(backoffMs(refusals), deadline.signal)
          continue
        }
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
      const ask = () =>
        run(call, deadline).catch((error: unknown) => {
          throw asFailure(call, error)
        })
      try {
        return await (call.unguarded === true ? ask() : circuits.guard(guarded(call), deadline.signal, ask))
      } catch (error) {
        deadline.release()
        throw requestError(error, call.doing)
      }
    },
    close: () => exchange.close(),
  }
}

/** Paths of one kind fail together: all of the management API, and each of the others by itself. */
function guarded({ doing, path, collection }: Call) {
  const operation = /^\/\w+\/api\//.test(path) ? 'management' : path
  return { doing, operation, collection }
}

/** Calls that wake up together, after this time, milliseconds. */
const WAKING_MS = 5

/** Calls that waited for the same limit go on in fair order: the first take the requests that are left. */
function createWakeUp() {
  const waking = createFairQueue<() => void>()
  let timer: NodeJS.Timeout | undefined
  const wake = () => {
    timer = undefined
    for (let next = waking.next(); next !== undefined; next = waking.next()) next()
  }
  return ({ workspace = '', collection: channel = '' }: Call) =>
    new Promise<void>((resolve) => {
      waking.add({ workspace, channel }, resolve)
      timer ??= setTimeout(wake, WAKING_MS)
    })
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
