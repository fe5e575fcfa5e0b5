import { setTimeout as sleep } from 'node:timers/promises'
import {
  parseRateLimit,
  parseRetryAfter,
  RATE_LIMIT_WINDOWS,
  RETRY_AFTER_HEADER,
  type RateLimitDictionary,
  type RateLimitWindow,
} from '../wire/rate-limit.ts'
import { PlatformError, sentence } from './errors.ts'

export type HeaderReader = (name: string) => string | undefined

/** Why no request may be sent now. */
export interface RateBlock {
  readonly window: RateLimitWindow
  readonly limit: number | null
  /** Milliseconds since the epoch. */
  readonly resetAt: number
}

/** Quota of one key: shared by all calls with the key, fed by the headers of every response. */
export interface RateLimiter {
  /** Figures of the last response; all null before the first. */
  dictionary(): RateLimitDictionary
  /** Reads a response's headers. Returns the block that a 429 means. */
  observe(status: number, header: HeaderReader, message: string): RateBlock | undefined
  /**
   * The block in force now, if any. `reserve`: the part of each window's limit (0…1) that is left to others; a window in
   * which no more than that remains blocks until it ends.
   */
  blocked(reserve?: number): RateBlock | undefined
}

const NO_FIGURES: RateLimitDictionary = {
  limit_minute: null,
  limit_hour: null,
  limit_day: null,
  limit_month: null,
  remaining_minute: null,
  remaining_hour: null,
  remaining_day: null,
  remaining_month: null,
  reset_seconds: null,
}

const WINDOW_MS = { minute: 60_000, hour: 3_600_000, day: 86_400_000 } as const

/** Longest block when the platform does not say when it ends. */
const MAX_GUESS_MS = 60_000

/** End of the fixed window around `now`. Windows of the deployed gateway follow the UTC calendar (D). */
export function windowEnd(window: RateLimitWindow, now: number): number {
  if (window !== 'month') return (Math.floor(now / WINDOW_MS[window]) + 1) * WINDOW_MS[window]
  const date = new Date(now)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1)
}

/** The window that a 429 means: the longest one that is used up, else the one in its text, else by its wait. */
function windowHit(seen: RateLimitDictionary, message: string, waitMs: number | undefined): RateLimitWindow {
  const used = RATE_LIMIT_WINDOWS.findLast((window) => seen[`remaining_${window}`] === 0)
  if (used !== undefined) return used
  const said = RATE_LIMIT_WINDOWS.find((window) => new RegExp(`\\b(per |a )?${window}\\b`, 'i').test(message))
  if (said !== undefined) return said
  if (waitMs === undefined || waitMs <= WINDOW_MS.minute) return 'minute'
  if (waitMs <= WINDOW_MS.hour) return 'hour'
  return waitMs <= WINDOW_MS.day ? 'day' : 'month'
}

function isUsedUp(seen: RateLimitDictionary): boolean {
  const figures = RATE_LIMIT_WINDOWS.map((window) => seen[`remaining_${window}`]).filter((left) => left !== null)
  return figures.length === 0 || figures.some((left) => left <= 0)
}

export function createRateLimiter(now: () => number = Date.now): RateLimiter {
  let last = NO_FIGURES
  let lastAt = 0
  let block: (RateBlock & { readonly until: number }) | undefined

  const observe = (status: number, header: HeaderReader, message: string) => {
    const at = now()
    const seen = parseRateLimit(header)
    if (seen !== undefined) [last, lastAt] = [seen, at]
    if (status !== 429) {
      if (seen?.remaining_minute === 0 && seen.reset_seconds !== null) {
        // The header may mean a longer window; the minute still ends within a minute.
        const resetAt = at + Math.min(seen.reset_seconds * 1000, WINDOW_MS.minute)
        block = { window: 'minute', limit: seen.limit_minute, resetAt, until: resetAt }
      }
      return undefined
    }
    // Every reported window has requests left: a server that the platform calls (a model server, say) is at its limit,
    // not our key. Only this call waits.
    if (seen !== undefined && !isUsedUp(seen)) return undefined
    const saidMs = parseRetryAfter(header(RETRY_AFTER_HEADER), at)
    const window = windowHit(seen ?? NO_FIGURES, message, saidMs)
    const resetMs = window === 'minute' ? seen?.reset_seconds : undefined
    const waitMs = saidMs ?? (typeof resetMs === 'number' ? resetMs * 1000 : undefined)
    const resetAt = waitMs === undefined ? windowEnd(window, at) : at + waitMs
    const until = waitMs === undefined ? Math.min(resetAt, at + MAX_GUESS_MS) : resetAt
    block = { window, limit: (seen ?? last)[`limit_${window}`], resetAt, until }
    return block
  }

  /** The longest window of which only the reserve is left, unless it has ended since. */
  const reserved = (reserve: number): RateBlock | undefined => {
    const window = RATE_LIMIT_WINDOWS.findLast((each) => {
      const [limit, left] = [last[`limit_${each}`], last[`remaining_${each}`]]
      return limit !== null && left !== null && left <= limit * reserve && windowEnd(each, lastAt) > now()
    })
    return window && { window, limit: last[`limit_${window}`], resetAt: windowEnd(window, lastAt) }
  }

  return {
    dictionary: () => last,
    observe,
    blocked: (reserve = 0) => {
      if (block !== undefined && block.until > now()) return block
      return reserve > 0 ? reserved(reserve) : undefined
    },
  }
}

/** The error of a rate limit: which window, when it resets, what to do. */
export function rateLimitError(block: RateBlock, now: number, status?: number): PlatformError {
  const retryAfterMs = Math.max(0, block.resetAt - now)
  const quota =
    block.limit === null ? `limit of requests a ${block.window}` : `limit of ${block.limit} requests a ${block.window}`
  const at = new Date(block.resetAt).toISOString().replace(/\.\d+Z$/, 'Z')
  const what = `The platform's ${quota} is used up; it resets in ${Math.ceil(retryAfterMs / 1000)} s, at ${at}`
  return new PlatformError('rate-limited', sentence('rate-limited', what), { retryAfterMs, status })
}

/** Sleeps; an abort of the signal rejects with its reason. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await sleep(ms, undefined, { signal })
  } catch (error) {
    throw signal.aborted ? signal.reason : error
  }
}
