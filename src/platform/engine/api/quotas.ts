import { LIMITS } from '#platform/wire/limits.ts'
import { RATE_LIMIT_WINDOWS, type RateLimitDictionary, type RateLimitWindow } from '#platform/wire/rate-limit.ts'
import type { Catalog, KeyRow, Quota } from '../storage/catalog.ts'
import { EngineError } from '../errors.ts'
import type { EngineClock } from '../types.ts'

/** Default of the first key: high, only to stop runaway loops. */
const FIRST_KEY_QUOTA: Required<Quota> = { minute: 6000, hour: 100_000, day: 1_000_000, month: 10_000_000 }

export interface Quotas {
  /** The current quota of a key, without counting. */
  peek(key: KeyRow): Promise<RateLimitDictionary>
  /** Counts one request in every window, or in none when one of them is full. */
  take(key: KeyRow): Promise<{
    readonly standing: RateLimitDictionary
    /** `rate-limited`: which window was hit and when it ends. */
    readonly refusal?: EngineError
  }>
  /** Resolves when the counts of this turn of the event loop are stored: waited for before a request is answered. */
  stored(): Promise<void>
}

const WINDOW_MS = { minute: 60_000, hour: 3_600_000, day: 86_400_000 } as const

/** Start of the window around `now`, and of the next one: fixed windows in UTC. */
function bounds(window: RateLimitWindow, now: number): { readonly start: number; readonly end: number } {
  if (window === 'month') {
    const date = new Date(now)
    const month = (offset: number) => Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + offset, 1)
    return { start: month(0), end: month(1) }
  }
  const start = now - (now % WINDOW_MS[window])
  return { start, end: start + WINDOW_MS[window] }
}

const seconds = (ms: number) => Math.max(1, Math.ceil(ms / 1000))

const amount = (count: number, unit: string) => `${count} ${unit}${count === 1 ? '' : 's'}`

/** The waiting time in words. */
function inWords(ms: number): string {
  if (ms <= 120_000) return amount(seconds(ms), 'second')
  if (ms <= 2 * WINDOW_MS.hour) return amount(Math.ceil(ms / WINDOW_MS.minute), 'minute')
  return ms <= 2 * WINDOW_MS.day
    ? amount(Math.ceil(ms / WINDOW_MS.hour), 'hour')
    : amount(Math.ceil(ms / WINDOW_MS.day), 'day')
}

/** @param whose of which keys, for the sentence; empty: of this key */
function toRefusal(window: RateLimitWindow, most: number, now: number, whose = ''): EngineError {
  const { end } = bounds(window, now)
  const waitMs = end - now
  const at = new Date(end).toISOString()
  const when = window === 'minute' ? '' : ` (${at.slice(0, 10)} at ${at.slice(11, 16)} UTC)`
  return new EngineError(
    'rate-limited',
    `The limit of ${amount(most, 'request')} a ${window}${whose} is used up; it resets in ${inWords(waitMs)}${when}.`,
    {
      retryAfterMs: waitMs,
      reason: `rate_limit_${window}`,
      fields: { window, limit: most, reset_seconds: seconds(waitMs), resets_at: at },
    },
  )
}

function toStanding(quota: Quota, used: readonly number[], now: number): RateLimitDictionary {
  const limit = (window: RateLimitWindow) => quota[window] ?? null
  const remaining = (window: RateLimitWindow) => {
    const most = limit(window)
    return most === null ? null : Math.max(0, most - (used[RATE_LIMIT_WINDOWS.indexOf(window)] ?? 0))
  }
  return {
    limit_minute: limit('minute'),
    limit_hour: limit('hour'),
    limit_day: limit('day'),
    limit_month: limit('month'),
    remaining_minute: remaining('minute'),
    remaining_hour: remaining('hour'),
    remaining_day: remaining('day'),
    remaining_month: remaining('month'),
    reset_seconds: seconds(bounds('minute', now).end - now),
  }
}

/** Windows of a quota at `now`, in the order of `rateLimitWindows`. */
export function toWindows(quota: Quota, now: number) {
  return RATE_LIMIT_WINDOWS.map((window) => ({
    span: window,
    startsAt: bounds(window, now).start,
    most: quota[window],
  }))
}

/** Quota of a key: its own, else `given`, else the contract's (the first key: far more). */
export function quotaOf(key: KeyRow, given?: Quota): Quota {
  return key.quota ?? given ?? (key.isFirst ? FIRST_KEY_QUOTA : LIMITS.quota)
}

/** The longest full window: it decides when a retry makes sense. */
const fullWindow = (quota: Quota, used: readonly number[]) =>
  RATE_LIMIT_WINDOWS.findLast((window, place) => (used[place] ?? 0) >= (quota[window] ?? Infinity))

/** Merges two limits in force at once: in each window the one of which less is left. */
function tighter(one: RateLimitDictionary, other: RateLimitDictionary): RateLimitDictionary {
  const result: { -readonly [Field in keyof RateLimitDictionary]: RateLimitDictionary[Field] } = { ...one }
  for (const window of RATE_LIMIT_WINDOWS) {
    const [left, otherLeft] = [one[`remaining_${window}`], other[`remaining_${window}`]]
    if (otherLeft === null || (left !== null && left <= otherLeft)) continue
    result[`limit_${window}`] = other[`limit_${window}`]
    result[`remaining_${window}`] = otherLeft
  }
  return result
}

const refuse = (standing: RateLimitDictionary, full: RateLimitWindow, refusal: EngineError, now: number) => ({
  standing: { ...standing, reset_seconds: seconds(bounds(full, now).end - now) },
  refusal,
})

export function createQuotas(catalog: Catalog, clock: EngineClock, given?: Quota): Quotas {
  return {
    stored: () => catalog.quotas.stored(),
    async peek(key) {
      const now = clock()
      const quota = quotaOf(key, given)
      const standing = toStanding(quota, await catalog.quotas.used(key.id, toWindows(quota, now)), now)
      const { id, quota: limits } = key.user
      if (limits === undefined) return standing
      return tighter(standing, toStanding(limits, await catalog.quotas.usedByUser(id, toWindows(limits, now)), now))
    },
    async take(key) {
      const now = clock()
      const quota = quotaOf(key, given)
      const { id, quota: limits = {}, name } = key.user
      const user = key.user.quota && { userId: id, windows: toWindows(limits, now) }
      const { taken, used, together } = await catalog.quotas.take(key.id, toWindows(quota, now), user)
      const fullTogether = taken || together === undefined ? undefined : fullWindow(limits, together)
      if (together !== undefined && fullTogether !== undefined) {
        const refusal = toRefusal(fullTogether, limits[fullTogether] ?? 0, now, ` for all keys of ${name}`)
        return refuse(toStanding(limits, together, now), fullTogether, refusal, now)
      }
      const own = toStanding(quota, used, now)
      const standing = together === undefined ? own : tighter(own, toStanding(limits, together, now))
      const full = taken ? undefined : fullWindow(quota, used)
      return full === undefined ? { standing } : refuse(standing, full, toRefusal(full, quota[full] ?? 0, now), now)
    },
  }
}
