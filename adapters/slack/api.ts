import { setTimeout as sleep } from 'node:timers/promises'
import { WebClient } from '@slack/web-api'
import type { WebClientOptions } from '@slack/web-api'
import type { AdapterError } from '../../src/bridge/port/errors.ts'
import type { SlackOptions } from './config.ts'
import { toAdapterError } from './errors.ts'
import type { SdkLogger } from './sdk-log.ts'

/** How a call may be treated when it fails. */
export interface CallPolicy {
  /** Doing it twice is doing it once: a lost answer is asked for again. Default false. */
  readonly repeatable?: boolean
  /** Default true: a short rate limit is waited out here, beside all other calls. */
  readonly patient?: boolean
}

export interface Api {
  /** @throws {AdapterError} */
  call<T>(method: string, run: (web: WebClient) => Promise<T>, policy?: CallPolicy): Promise<T>
  /** Ends all waiting before another try; resolves when no call is under way, or after `ms`. */
  settle(ms: number): Promise<void>
}

const defaultTimeoutMs = 15_000
const repeats = 2

/**
 * One object a client, never shared: the SDK writes into it. The retries of the SDK are off, since it repeats posts whose
 * answer was lost; its waiting on 429 is off, since it pauses every other call of the client. No `headers`: the
 * SDK would put the token into the shared object.
 */
export function toClientOptions(options: SlackOptions, logger: SdkLogger): WebClientOptions {
  return {
    slackApiUrl: `${(options.apiUrl ?? 'https://slack.com/api').replace(/\/+$/, '')}/`,
    retryConfig: { retries: 0 },
    timeout: options.timeoutMs ?? defaultTimeoutMs,
    rejectRateLimitedCalls: true,
    logger,
  }
}

export function createApi(options: SlackOptions, logger: SdkLogger): Api {
  const web = new WebClient(options.botToken, toClientOptions(options, logger))
  const maxWaitMs = options.maxRateLimitWaitMs ?? 60_000
  const underWay = new Set<Promise<unknown>>()
  const halt = new AbortController()

  /** How long to wait before the call is made again; undefined: not again. */
  function pause(
    error: AdapterError,
    policy: CallPolicy,
    attempt: number,
    waitedMs: number,
  ): number | undefined {
    if (error.code === 'rate-limited') {
      const waitMs = error.retryAfterMs ?? maxWaitMs
      return policy.patient !== false && waitedMs + waitMs <= maxWaitMs ? waitMs : undefined
    }
    const again = error.code === 'network' || (error.code === 'ambiguous' && policy.repeatable === true)
    return again && attempt < repeats ? 200 * 4 ** attempt : undefined
  }

  async function persist<T>(
    method: string,
    run: (web: WebClient) => Promise<T>,
    policy: CallPolicy,
  ): Promise<T> {
    let waitedMs = 0
    for (let attempt = 0; ;) {
      try {
        return await run(web)
      } catch (failure) {
        const error = toAdapterError(failure, method, policy.repeatable !== true)
        const waitMs = pause(error, policy, attempt, waitedMs)
        if (waitMs === undefined || halt.signal.aborted) throw error
        if (error.code === 'rate-limited') waitedMs += waitMs
        else attempt += 1
        await sleep(waitMs, undefined, { signal: halt.signal }).catch(() => {
          throw error
        })
      }
    }
  }

  return {
    async call(method, run, policy = {}) {
      const call = persist(method, run, policy)
      underWay.add(call)
      try {
        return await call
      } finally {
        underWay.delete(call)
      }
    },
    async settle(ms) {
      halt.abort()
      await Promise.race([Promise.allSettled(underWay), sleep(ms, undefined, { ref: false })])
    },
  }
}
