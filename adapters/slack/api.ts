import { setTimeout as sleep } from 'node:timers/promises'
import { type Logger as SdkLogger, LogLevel, type WebClient, type WebClientOptions } from '@slack/web-api'
import type { AdapterError } from '#bridge/port/errors.ts'
import type { Log } from '#bridge/port/platform.ts'
import { waitAtMost } from '#adapters/shared/session.ts'
import { type CallOrder, createCallOrder } from './calls/call-order.ts'
import type { SlackOptions } from './config.ts'
import { isMissing, toAdapterError } from './errors.ts'
import { CONNECTIONS, TextClient } from './calls/web-client.ts'

export type { SdkLogger }

/** Rule for a failed call. */
export interface CallPolicy {
  /** Idempotent: a call whose response was lost is repeated. Default false. */
  readonly repeatable?: boolean
  /** Waits out a short rate limit; `endless`: any. Default true. */
  readonly patient?: boolean | 'endless'
  /** Further wait of an endless one, milliseconds: calls that somebody waits for go first. Default 0. */
  readonly yieldMs?: number
}

/** For reads. */
export const REPEATABLE: CallPolicy = { repeatable: true }
/** For reads that somebody waits for: fails at once on a rate limit. */
export const REPEATABLE_NOW: CallPolicy = { repeatable: true, patient: false }

/** The bot token of one workspace. */
export interface Credentials {
  token(): Promise<string>
  /** Slack refused this token. True: there is another one now, and the call is repeated. */
  renewed(refused: string): Promise<boolean>
}

/** A token that never changes. */
export const fixed = (botToken: string): Credentials => ({ token: async () => botToken, renewed: async () => false })

export type ApiOptions = Pick<
  SlackOptions,
  'apiUrl' | 'timeoutMs' | 'maxRateLimitWaitMs' | 'onRateWait' | 'assertAlive'
>

export interface Api {
  /** @throws {AdapterError} */
  call<T>(method: string, run: (web: WebClient) => Promise<T>, policy?: CallPolicy): Promise<T>
  /** Ends all waits for a retry; resolves when no call is running, or after `ms`. */
  settle(ms: number): Promise<void>
}

const DEFAULT_TIMEOUT_MS = 15_000
const MAX_RETRIES = 2
/** A late deletion does no harm, and neither does the end of a stream. */
const SHOWING = /^(?:chat\.(?:post|update|startStream|append)|files\.)/
const SECRETS = /\b(?:xox[a-z]|xapp)-[\w-]+|ticket=[^\s&"']+/g

const ORDER = createCallOrder(CONNECTIONS)
/** The check whether this process may still show something holds a connection for this long. */
const ALIVE_MS = 100

/**
 * A new object for each client: the SDK writes into it. The SDK's retries are off, since it repeats posts whose
 * response was lost; its waiting on 429 is off, since it pauses all calls of the client. No `headers`: the SDK would
 * put the token into the shared object.
 */
export function toClientOptions(options: ApiOptions, logger: SdkLogger) {
  return {
    slackApiUrl: `${(options.apiUrl ?? 'https://slack.com/api').replace(/\/+$/, '')}/`,
    retryConfig: { retries: 0 },
    timeout: options.timeoutMs ?? DEFAULT_TIMEOUT_MS,
    rejectRateLimitedCalls: true,
    logger,
  } satisfies WebClientOptions
}

type Tried<T> = { readonly result: T } | { readonly failure: unknown; readonly token: string }

/**
 * Single attempts, in the order of all calls. A client for each token: none ever has the token of another workspace.
 * Token and store are waited for outside of the order: a renewal is a call itself, and others need the connection.
 */
function createAttempts(options: ApiOptions, logger: SdkLogger, credentials: Credentials, order: CallOrder) {
  let current: { readonly token: string; readonly web: WebClient } | undefined

  function clientOf(token: string): WebClient {
    if (current?.token !== token) current = { token, web: new TextClient(token, toClientOptions(options, logger)) }
    return current.web
  }

  return async <T>(method: string, run: (web: WebClient) => Promise<T>): Promise<Tried<T>> => {
    const assertAlive = SHOWING.test(method) ? options.assertAlive : undefined
    /** Undefined: nothing was sent, since it is not known at once whether this process still may. */
    async function attempt(token: string): Promise<Tried<T> | undefined> {
      const isAlive = assertAlive?.().then(() => true) ?? true
      if (isAlive !== true && (await waitAtMost(ALIVE_MS, isAlive)) !== true) return undefined
      try {
        return { result: await run(clientOf(token)) }
      } catch (failure) {
        return { failure, token }
      }
    }

    for (;;) {
      await assertAlive?.()
      const token = await credentials.token()
      const tried = await order.run(method, credentials, () => attempt(token))
      if (tried !== undefined) return tried
    }
  }
}

// oxlint-disable-next-line max-lines-per-function -- a factory: it only returns methods
export function createApi(options: ApiOptions, logger: SdkLogger, credentials: Credentials, order = ORDER): Api {
  const attemptOnce = createAttempts(options, logger, credentials, order)
  const maxWaitMs = options.maxRateLimitWaitMs ?? 60_000
  const underWay = new Set<Promise<unknown>>()
  /** Methods that this Slack does not have, with its answer. */
  const missing = new Map<string, AdapterError>()
  const halt = new AbortController()

  /** Milliseconds until the next attempt; undefined: no further attempt. */
  function waitBeforeRetry(
    error: AdapterError,
    policy: CallPolicy,
    attempt: number,
    waitedMs: number,
  ): number | undefined {
    if (error.code === 'rate-limited') {
      const waitMs = error.retryAfterMs ?? maxWaitMs
      if (policy.patient === 'endless') return waitMs + (policy.yieldMs ?? 0)
      return policy.patient !== false && waitedMs + waitMs <= maxWaitMs ? waitMs : undefined
    }
    const isTransient = error.code === 'network' || (error.code === 'ambiguous' && policy.repeatable === true)
    return isTransient && attempt < MAX_RETRIES ? 200 * 4 ** attempt : undefined
  }

  async function retried<T>(method: string, run: (web: WebClient) => Promise<T>, policy: CallPolicy): Promise<T> {
    let waitedMs = 0
    let isRenewed = false
    const known = missing.get(method)
    if (known !== undefined) throw known
    for (let attempt = 0; ;) {
      const tried = await attemptOnce(method, run)
      if ('result' in tried) return tried.result
      const { failure, token } = tried
      const error = toAdapterError(failure, method, policy.repeatable !== true)
      if (isMissing(error, method)) missing.set(method, error)
      if (error.code === 'unauthorized' && !isRenewed && (await credentials.renewed(token))) {
        isRenewed = true
        continue
      }
      const waitMs = waitBeforeRetry(error, policy, attempt, waitedMs)
      if (waitMs === undefined || halt.signal.aborted) throw error
      if (error.code === 'rate-limited') {
        waitedMs += waitMs
        options.onRateWait?.(waitMs)
      } else attempt += 1
      await sleep(waitMs, undefined, { signal: halt.signal }).catch(() => {
        throw error
      })
    }
  }

  return {
    async call(method, run, policy = {}) {
      const call = retried(method, run, policy)
      underWay.add(call)
      try {
        return await call
      } finally {
        underWay.delete(call)
      }
    },
    async settle(ms) {
      halt.abort()
      await waitAtMost(ms, Promise.allSettled(underWay))
    },
  }
}

const toLine = (parts: readonly unknown[]) =>
  parts
    .map((part) => (part instanceof Error ? part.message : typeof part === 'string' ? part : ''))
    .join(' ')
    .replaceAll(SECRETS, '[redacted]')
    .trim()

/** The SDK's logger, one level lower, without credentials. `debug` lines hold people's messages: dropped. */
export function createSdkLogger(log: Log): SdkLogger {
  return {
    debug: () => {},
    info: (...parts: unknown[]) => log.debug({}, toLine(parts)),
    warn: (...parts: unknown[]) => log.info({}, toLine(parts)),
    error: (...parts: unknown[]) => log.warn({}, toLine(parts)),
    setLevel: () => {},
    // The SDK builds debug lines only below this level.
    getLevel: () => LogLevel.INFO,
    setName: () => {},
  }
}
