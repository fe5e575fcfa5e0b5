import type { PlatformError } from './errors.ts'

/**
 * What may be sent again before its first byte. `safe`: anything that failed on the way (GET). `refused`: what was
 * certainly not carried out: never sent, or 503 with a short `Retry-After`. `unsent`: only what was never sent.
 * A 429 was never carried out either; the rate limit decides about it.
 */
export type RetryRule = 'safe' | 'refused' | 'unsent'

const mostTries = 2
const firstDelayMs = 200

/** Full jitter, so that many clients do not come back at once. */
const backoffMs = (tries: number) => Math.ceil(Math.random() * firstDelayMs * 4 ** tries)

/** How long to wait before the next try; undefined: give up. */
export function retryDelayMs(
  error: PlatformError,
  {
    rule,
    tries,
    maxWaitMs,
  }: { readonly rule: RetryRule; readonly tries: number; readonly maxWaitMs: number },
): number | undefined {
  if (tries >= mostTries || error.code === 'rate-limited') return undefined
  if (error.code === 'unreachable' && error.status === undefined) {
    return rule === 'safe' || !error.maybeDone ? backoffMs(tries) : undefined
  }
  if (rule === 'unsent') return undefined
  if (error.status === 503 && error.retryAfterMs !== undefined) {
    return error.retryAfterMs <= maxWaitMs ? error.retryAfterMs : undefined
  }
  return rule === 'safe' && (error.status === 502 || error.status === 503) ? backoffMs(tries) : undefined
}
