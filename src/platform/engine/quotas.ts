import { limits } from '../wire/limits.ts'
import { rateLimitWindows, type RateLimitDictionary, type RateLimitWindow } from '../wire/rate-limit.ts'
import type { Catalog, KeyRow, Quota } from './catalog/catalog.ts'
import { EngineError } from './errors.ts'
import type { EngineClock } from './ports.ts'

/** One's own machine: there to stop a loop that ran wild, not a person. */
const firstKeyQuota: Required<Quota> = { minute: 6000, hour: 100_000, day: 1_000_000, month: 10_000_000 }

/** Counts are written so often; a crash forgets what came since. */
const saveEveryMs = 1000

export interface Quotas {
  /** Where a key stands, without counting. */
  peek(key: KeyRow): RateLimitDictionary
  /** Counts one request. @throws {EngineError} `rate-limited`, which window and when it ends in the sentence */
  take(key: KeyRow): RateLimitDictionary
  close(): Promise<void>
}

const lengths = { minute: 60_000, hour: 3_600_000, day: 86_400_000 } as const

/** Start of the window in which `now` stands, and of the next: fixed windows, in UTC. */
function bounds(window: RateLimitWindow, now: number): { readonly start: number; readonly end: number } {
  if (window === 'month') {
    const date = new Date(now)
    const month = (offset: number) => Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + offset, 1)
    return { start: month(0), end: month(1) }
  }
  const start = now - (now % lengths[window])
  return { start, end: start + lengths[window] }
}

interface Count {
  startsAt: number
  used: number
  changed: boolean
}

const seconds = (ms: number) => Math.max(1, Math.ceil(ms / 1000))

export async function openQuotas(catalog: Catalog, clock: EngineClock, given?: Quota): Promise<Quotas> {
  const counts = new Map<string, Count>()
  for (const { keyId, span, startsAt, used } of await catalog.quotas.load()) {
    counts.set(`${keyId}:${span}`, { startsAt, used, changed: false })
  }
  const quotaOf = (key: KeyRow): Quota => key.quota ?? given ?? (key.isFirst ? firstKeyQuota : limits.quota)

  function count(key: KeyRow, window: RateLimitWindow, now: number): Count {
    const { start } = bounds(window, now)
    const id = `${key.id}:${window}`
    const known = counts.get(id)
    if (known !== undefined && known.startsAt === start) return known
    const fresh = { startsAt: start, used: 0, changed: false }
    counts.set(id, fresh)
    return fresh
  }

  function peek(key: KeyRow): RateLimitDictionary {
    const now = clock()
    const quota = quotaOf(key)
    const limit = (window: RateLimitWindow) => quota[window] ?? null
    const remaining = (window: RateLimitWindow) => {
      const most = limit(window)
      return most === null ? null : Math.max(0, most - count(key, window, now).used)
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

  async function save() {
    const changed = [...counts].filter(([, one]) => one.changed)
    if (changed.length === 0) return
    for (const [, one] of changed) one.changed = false
    await catalog.quotas.save(
      changed.map(([id, { startsAt, used }]) => {
        const [keyId, span = ''] = id.split(':')
        return { keyId: Number(keyId), span, startsAt, used }
      }),
    )
  }
  const timer = setInterval(() => void save().catch(() => undefined), saveEveryMs)
  timer.unref()

  return {
    peek,
    take(key) {
      const now = clock()
      const quota = quotaOf(key)
      // The longest window that is used up says when it is worth coming back.
      const full = rateLimitWindows.findLast((window) => {
        const most = quota[window]
        return most !== undefined && count(key, window, now).used >= most
      })
      if (full !== undefined) {
        const waitMs = bounds(full, now).end - now
        throw new EngineError(
          'rate-limited',
          `The limit of ${quota[full]} requests a ${full} is used up; it resets in ${seconds(waitMs)} seconds.`,
          { retryAfterMs: waitMs, reason: `rate_limit_${full}` },
        )
      }
      for (const window of rateLimitWindows) {
        const one = count(key, window, now)
        one.used += 1
        one.changed = true
      }
      return peek(key)
    },
    async close() {
      clearInterval(timer)
      await save()
    },
  }
}
