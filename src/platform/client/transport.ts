import { Agent, type Dispatcher, type FormData } from 'undici'
import { parseErrorBody } from '../wire/errors.ts'
import { parseRetryAfter, retryAfterHeader } from '../wire/rate-limit.ts'
import type { CredentialHeader } from './credentials.ts'
import { createDeadline, type Deadline } from './deadline.ts'
import { errorOfStatus, PlatformError, sentence } from './errors.ts'
import { requestError } from './network-error.ts'
import { pause, rateLimitError, type RateLimiter } from './rate-limiter.ts'
import { createReply, type Reply } from './reply.ts'
import { retryDelayMs, type RetryRule } from './retry.ts'
import type { TimeLimits } from './time-limits.ts'

/** One request. `doing` completes "… while <doing>" in every error. */
export interface Call {
  readonly doing: string
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Below the base URL. */
  readonly path: string
  readonly credential: CredentialHeader
  readonly retry: RetryRule
  readonly headers?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
  readonly body?: string | FormData
  /** Default `TimeLimits.firstByteMs`. */
  readonly firstByteMs?: number
  /** Time for sending the body, on top of the limits. Default 0. */
  readonly allowanceMs?: number
  /** Statuses that are no error. Default 200–299. */
  readonly accept?: (status: number) => boolean
  /** Goes out although the quota is known to be used up. */
  readonly whenLimited?: boolean
  readonly signal?: AbortSignal | undefined
}

export interface TransportSettings {
  readonly baseUrl: string
  readonly limits: TimeLimits
  readonly limiter: RateLimiter
  readonly maxRateWaitMs: number
  readonly maxConnections: number
  readonly onRateWait: (wait: { readonly window: string; readonly waitMs: number }) => void
  readonly redact: (text: string) => string
  readonly now: () => number
}

export interface Transport {
  /** @throws {PlatformError} */
  send(call: Call): Promise<Reply>
  close(): Promise<void>
}

const longestErrorBody = 65_536
const most429s = 3
const isSuccess = (status: number) => status >= 200 && status < 300

export function createTransport(settings: TransportSettings): Transport {
  const { limits, limiter, now } = settings
  const base = new URL(settings.baseUrl)
  const agent = new Agent({
    connections: settings.maxConnections,
    connect: { timeout: limits.connectMs },
    // The deadline of a call bounds these; two clocks on one wait would tell two stories.
    headersTimeout: 0,
    bodyTimeout: 0,
    allowH2: false,
  })

  const options = (call: Call, deadline: Deadline): Dispatcher.RequestOptions => ({
    origin: base.origin,
    path: base.pathname + call.path,
    method: call.method,
    headers: { accept: 'application/json', 'user-agent': 'footbridge', ...call.headers, ...call.credential },
    signal: deadline.signal,
    ...(call.query === undefined ? {} : { query: call.query }),
    ...(call.body === undefined ? {} : { body: call.body }),
  })

  const attempt = async (call: Call, deadline: Deadline): Promise<Reply> => {
    const firstByteMs = (call.firstByteMs ?? limits.firstByteMs) + (call.allowanceMs ?? 0)
    const response = await deadline
      .within(firstByteMs, () => agent.request(options(call, deadline)))
      .catch((error: unknown) => {
        throw outstanding(call, deadline.failure() ?? requestError(error, call.doing))
      })
    const accepted = (call.accept ?? isSuccess)(response.statusCode)
    const reply = createReply(response, {
      doing: call.doing,
      deadline,
      betweenBytesMs: limits.betweenBytesMs,
      // After a refusal the call may go on with another try, under the same deadline.
      onEnd: accepted ? () => deadline.release() : () => {},
    })
    if (accepted) {
      limiter.observe(reply.status, reply.header, '')
      return reply
    }
    if (reply.status >= 300 && reply.status < 400) {
      reply.discard()
      throw redirected(call.doing, reply)
    }
    throw await toRefusal(call, reply)
  }

  const toRefusal = async (call: Call, reply: Reply): Promise<PlatformError> => {
    const body = await reply.text(longestErrorBody, 'truncate').catch((error: unknown) => {
      if (error instanceof PlatformError && error.code === 'aborted') throw error
      return ''
    })
    const said = parseErrorBody(settings.redact(body))
    const block = limiter.observe(reply.status, reply.header, said.message)
    if (block !== undefined) return rateLimitError(block, now(), reply.status)
    const error = errorOfStatus(reply.status, call.doing, said)
    const retryAfterMs = parseRetryAfter(reply.header(retryAfterHeader), now())
    if (retryAfterMs === undefined) return error
    return new PlatformError(error.code, error.message, { status: reply.status, retryAfterMs })
  }

  /** Waits until the key may be used again, if that is soon. Returns how long it waited. */
  const passRateLimit = async (deadline: Deadline, waitedMs: number, refused?: PlatformError) => {
    const block = limiter.blocked()
    if (block === undefined) return 0
    const waitMs = Math.max(block.resetAt - now(), 50)
    if (waitedMs + waitMs > settings.maxRateWaitMs) throw refused ?? rateLimitError(block, now())
    settings.onRateWait({ window: block.window, waitMs })
    await pause(waitMs, deadline.signal)
    return waitMs
  }

  const run = async (call: Call, deadline: Deadline): Promise<Reply> => {
    let waitedMs = 0
    let refused: PlatformError | undefined
    let refusals = 0
    for (let tries = 0; ;) {
      if (call.whenLimited !== true) waitedMs += await passRateLimit(deadline, waitedMs, refused)
      try {
        return await attempt(call, deadline)
      } catch (error) {
        if (!(error instanceof PlatformError) || deadline.failure() !== undefined) throw error
        refused = error.code === 'rate-limited' ? error : undefined
        if (refused !== undefined && (refusals += 1) < most429s) continue
        const delayMs = retryDelayMs(error, { rule: call.retry, tries, maxWaitMs: settings.maxRateWaitMs })
        if (delayMs === undefined) throw error
        tries += 1
        await pause(delayMs, deadline.signal)
      }
    }
  }

  return {
    async send(call) {
      const totalMs = limits.totalMs + (call.allowanceMs ?? 0)
      const deadline = createDeadline({ doing: call.doing, totalMs, signal: call.signal })
      try {
        return await run(call, deadline)
      } catch (error) {
        deadline.release()
        throw deadline.failure() === undefined ? requestError(error, call.doing) : outstanding(call, error)
      }
    },
    close: () => agent.destroy(),
  }
}

/** A call that changes something and got no answer may have been carried out. */
function outstanding(call: Call, error: unknown): PlatformError {
  const failure = requestError(error, call.doing)
  if (call.method === 'GET' || failure.maybeDone || failure.code !== 'timeout') return failure
  return new PlatformError(failure.code, failure.message, { maybeDone: true, cause: failure.cause })
}

function redirected(doing: string, reply: Reply): PlatformError {
  const location = reply.header('location') ?? ''
  const target = URL.canParse(location) ? new URL(location).origin : 'another path'
  const what = `The platform sent us to ${target} (status ${reply.status}) while ${doing}; redirects are refused, so that the key goes nowhere else`
  const remedy = 'Set PLATFORM_BASE_URL to the final address.'
  return new PlatformError('unreachable', sentence('unreachable', what, remedy), { status: reply.status })
}
