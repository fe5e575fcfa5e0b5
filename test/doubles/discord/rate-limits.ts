/** Windows per bucket, told by headers; over the limit a real 429 comes. `Infinity` switches one off. */
export interface RateLimitOptions {
  /** Edits of messages in one channel within `windowMs`. */
  readonly edits: number
  /** New messages in one channel within `windowMs`. Discord does not publish it; off unless set. */
  readonly sends: number
  readonly windowMs: number
  /** Requests of the whole bot in one second; off unless set, since discord.js keeps to 50 by itself. */
  readonly global: number
}

export const realLimits: RateLimitOptions = {
  edits: 5,
  sends: Number.POSITIVE_INFINITY,
  windowMs: 5000,
  global: Number.POSITIVE_INFINITY,
}

export interface Verdict {
  readonly allowed: boolean
  readonly global: boolean
  readonly retryAfterMs: number
  readonly headers: Readonly<Record<string, string>>
}

const free: Verdict = { allowed: true, global: false, retryAfterMs: 0, headers: {} }

export function createRateLimits(limits: RateLimitOptions) {
  const windows = new Map<string, { left: number; resetAt: number }>()

  const take = (key: string, limit: number, windowMs: number) => {
    const now = Date.now()
    let window = windows.get(key)
    if (window === undefined || window.resetAt <= now) {
      window = { left: limit, resetAt: now + windowMs }
      windows.set(key, window)
    }
    const allowed = window.left > 0
    if (allowed) window.left -= 1
    return { allowed, left: window.left, resetAt: window.resetAt, resetAfterMs: window.resetAt - now }
  }

  /** Counts this request and says whether it may pass. */
  return (route: string, channel: string): Verdict => {
    if (Number.isFinite(limits.global)) {
      const whole = take('global', limits.global, 1000)
      if (!whole.allowed) return { allowed: false, global: true, retryAfterMs: whole.resetAfterMs, headers: {} }
    }
    const name =
      route === 'PATCH /channels/:channel/messages/:message'
        ? 'edits'
        : route === 'POST /channels/:channel/messages'
          ? 'sends'
          : undefined
    if (name === undefined || !Number.isFinite(limits[name])) return free
    const bucket = take(`${name}:${channel}`, limits[name], limits.windowMs)
    return {
      allowed: bucket.allowed,
      global: false,
      retryAfterMs: bucket.resetAfterMs,
      headers: {
        'x-ratelimit-limit': String(limits[name]),
        'x-ratelimit-remaining': String(bucket.left),
        'x-ratelimit-reset': (bucket.resetAt / 1000).toFixed(3),
        'x-ratelimit-reset-after': (bucket.resetAfterMs / 1000).toFixed(3),
        'x-ratelimit-bucket': `double-${name}`,
      },
    }
  }
}
