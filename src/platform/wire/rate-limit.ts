import { z } from 'zod'
import { guess } from './names.ts'

/** Fixed windows, shortest first. Guess (D). */
export const RATE_LIMIT_WINDOWS = ['minute', 'hour', 'day', 'month'] as const

export type RateLimitWindow = (typeof RATE_LIMIT_WINDOWS)[number]

/** `x-ratelimit-limit-minute` … Guess (D). */
export const limitHeader = (window: RateLimitWindow) => `x-ratelimit-limit-${window}` as const

/** `x-ratelimit-remaining-minute` … Guess (D). */
export const remainingHeader = (window: RateLimitWindow) => `x-ratelimit-remaining-${window}` as const

/** Seconds; in practice to the end of the minute window. Guess (D). */
export const RESET_HEADER = 'ratelimit-reset'

/** Seconds or an HTTP date, on 429. Guess (D). */
export const RETRY_AFTER_HEADER = 'retry-after'

const count = z.int().nullable()

/** The rate-limit object that callers get: JSON, each value an integer or null. Guess (B). */
export const rateLimitDictionary = z
  .object({
    limit_minute: count,
    limit_hour: count,
    limit_day: count,
    limit_month: count,
    remaining_minute: count,
    remaining_hour: count,
    remaining_day: count,
    remaining_month: count,
    reset_seconds: count,
  })
  .meta(guess('B'))

export type RateLimitDictionary = z.infer<typeof rateLimitDictionary>

function toCount(text: string | null | undefined): number | null {
  return text !== null && text !== undefined && /^\s*\d{1,15}\s*$/.test(text) ? Number(text) : null
}

/** Reads the headers of any response. Undefined when there is no rate-limit header at all. */
export function parseRateLimit(header: (name: string) => string | null | undefined): RateLimitDictionary | undefined {
  const dictionary: RateLimitDictionary = {
    limit_minute: toCount(header(limitHeader('minute'))),
    limit_hour: toCount(header(limitHeader('hour'))),
    limit_day: toCount(header(limitHeader('day'))),
    limit_month: toCount(header(limitHeader('month'))),
    remaining_minute: toCount(header(remainingHeader('minute'))),
    remaining_hour: toCount(header(remainingHeader('hour'))),
    remaining_day: toCount(header(remainingHeader('day'))),
    remaining_month: toCount(header(remainingHeader('month'))),
    reset_seconds: toCount(header(RESET_HEADER)),
  }
  return Object.values(dictionary).some((value) => value !== null) ? dictionary : undefined
}

/** The headers of these figures, for a server. Windows without a figure are left out. */
export function formatRateLimit(dictionary: RateLimitDictionary): Record<string, string> {
  const headers: Record<string, string> = {}
  for (const window of RATE_LIMIT_WINDOWS) {
    const limit = dictionary[`limit_${window}`]
    const remaining = dictionary[`remaining_${window}`]
    if (limit !== null) headers[limitHeader(window)] = String(limit)
    if (remaining !== null) headers[remainingHeader(window)] = String(remaining)
  }
  if (dictionary.reset_seconds !== null) headers[RESET_HEADER] = String(dictionary.reset_seconds)
  return headers
}

const UNITS_MS: Readonly<Record<string, number>> = { h: 3_600_000, m: 60_000, s: 1000, ms: 1 }
const DURATION = /^(?:\d+(?:\.\d+)?(?:ms|[hms]))+$/

/** A time as Go writes it: `1m12.5s`. Undefined for another text. */
function parseDuration(text: string): number | undefined {
  if (!DURATION.test(text)) return undefined
  const parts = [...text.matchAll(/([\d.]+)(ms|[hms])/g)]
  return Math.ceil(parts.reduce((sum, [, number, unit = 's']) => sum + Number(number) * (UNITS_MS[unit] ?? 0), 0))
}

/**
 * `Retry-After` in milliseconds from `now` (milliseconds): seconds, an HTTP date, or a time such as `30s`, as gateways
 * write it. Undefined when it says none.
 */
export function parseRetryAfter(text: string | null | undefined, now: number): number | undefined {
  if (text === null || text === undefined || text.trim() === '') return undefined
  if (/^\s*\d+(\.\d+)?\s*$/.test(text)) return Math.ceil(Number(text) * 1000)
  const duration = parseDuration(text.trim())
  if (duration !== undefined) return duration
  // `Date.parse` finds a year in `-1` and in `60;`: a date has a time of day.
  const at = /\d:\d\d/.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(at) ? undefined : Math.max(0, at - now)
}

/** Where a body says it: Google's RetryInfo; a sentence of OpenAI, Groq and others. */
const SAID = [/"retryDelay"\s*:\s*"([^"]{1,30})"/, /(?:try again|retry|wait)(?: in| after| for)? (\d[\d.hms]*[hms])\b/i]
const SAID_SECONDS = /(?:try again|retry|wait)(?: in| after| for)? (\d{1,6}(?:\.\d{1,6})?) seconds?\b/i

/** How long a server that is at its limit wants to be left alone: by its headers, else by the words of its body. */
export function readWait(header: (name: string) => string | undefined, body: string, now: number): number | undefined {
  const milliseconds = header('retry-after-ms') ?? ''
  if (/^\d{1,12}(?:\.\d{1,9})?$/.test(milliseconds)) return Math.ceil(Number(milliseconds))
  const named = parseRetryAfter(header(RETRY_AFTER_HEADER), now)
  const [said] = SAID.flatMap((pattern) => parseDuration(pattern.exec(body)?.[1] ?? '') ?? [])
  const seconds = SAID_SECONDS.exec(body)?.[1]
  return named ?? said ?? (seconds === undefined ? undefined : Math.ceil(Number(seconds) * 1000))
}
