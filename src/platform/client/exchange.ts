import type { UploadFile } from '#bridge/port/platform.ts'
import { Agent, FormData } from 'undici'
import { unpack } from '#lib/read-limited.ts'
import { parseErrorBody } from '../wire/errors.ts'
import { CREDENTIAL_HEADER } from '../wire/profile.ts'
import { parseRetryAfter, RETRY_AFTER_HEADER } from '../wire/rate-limit.ts'
import type { Deadline, TimeLimits } from './deadline.ts'
import { errorOfStatus, PlatformError, sentence, type Remedies, requestError } from './errors.ts'
import { rateLimitError, type RateLimiter } from './rate-limit.ts'
import { type Answered, createLocal, type LocalPlatform } from './local.ts'
import { createReply, type Reply } from './reply.ts'

declare const credentialForm: unique symbol

/** The key in its two forms; each type fits one header builder only, so the compiler refuses a mix-up. */
export type BearerKey = string & { readonly [credentialForm]: 'bearer' }
export type RawKey = string & { readonly [credentialForm]: 'raw' }

/** The header that carries a key. Made only here. */
export type CredentialHeader = Readonly<Record<typeof CREDENTIAL_HEADER, string>> & {
  readonly [credentialForm]: 'header'
}

/** For chat, models, voice, documents. */
export function bearerHeader(key: BearerKey): CredentialHeader {
  return { [CREDENTIAL_HEADER]: `Bearer ${key}` } as CredentialHeader
}

/** For collection management, and for collection chat as the interface has it. */
export function rawHeader(key: RawKey): CredentialHeader {
  return { [CREDENTIAL_HEADER]: String(key) } as CredentialHeader
}

/** Both forms of a key as it was issued. @throws {PlatformError} `invalid` for a key that no header can carry. */
export function createKeys(apiKey: string): { readonly bearer: BearerKey; readonly raw: RawKey } {
  const fault =
    apiKey === ''
      ? 'is empty'
      : /^bearer\s/i.test(apiKey)
        ? 'starts with "Bearer"'
        : /[^\x21-\x7e]/.test(apiKey)
          ? 'holds a space, a line break or a character outside ASCII'
          : undefined
  if (fault !== undefined) {
    throw new PlatformError('invalid', `PLATFORM_API_KEY ${fault}. Give the key alone, as it was issued.`)
  }
  return { bearer: apiKey as BearerKey, raw: apiKey as RawKey }
}

/** Removes the key from text of the platform, should a server echo it. */
export function createRedaction(apiKey: string): (text: string) => string {
  return (text) => text.replaceAll(apiKey, '[key]')
}

/** One request. `doing` completes "… while <doing>" in every error. */
export interface Request {
  readonly doing: string
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Below the base URL. */
  readonly path: string
  readonly credential: CredentialHeader
  readonly headers?: Readonly<Record<string, string | undefined>>
  /** Undefined fields are left out. */
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>
  readonly body?: string | FormData
  /** Default `TimeLimits.firstByteMs`. */
  readonly firstByteMs?: number
  /** Time for sending the body, on top of the limits. Default 0. */
  readonly allowanceMs?: number
  /** Statuses that are no error. Default 200–299. */
  readonly accept?: (status: number) => boolean
  /** Better advice than the usual one, where this call knows it. */
  readonly remedies?: Remedies
}

export interface ExchangeSettings {
  readonly baseUrl: string
  readonly limits: TimeLimits
  readonly limiter: RateLimiter
  readonly maxConnections: number | null
  readonly redact: (text: string) => string
  readonly now: () => number
  readonly traceparent?: () => string | undefined
  readonly local?: LocalPlatform | undefined
}

/** One request and its answer, once, over a pool of connections of its own. */
export interface Exchange {
  /** @throws {PlatformError} for everything but an accepted status; the deadline runs on then. */
  attempt(request: Request, deadline: Deadline): Promise<Reply>
  close(): Promise<void>
}

const MAX_ERROR_BYTES = 65_536
const isSuccess = (status: number) => status >= 200 && status < 300

/** Asks over a pool of connections, or a platform in this process. */
function createAsk(settings: ExchangeSettings) {
  const base = new URL(settings.baseUrl)
  const agent = new Agent({
    connections: settings.maxConnections,
    connect: { timeout: settings.limits.connectMs },
    // The deadline of the call bounds these waits; undici's timers are off.
    headersTimeout: 0,
    bodyTimeout: 0,
    allowH2: false,
  })

  const options = (request: Request, deadline: Deadline) => ({
    origin: base.origin,
    path: base.pathname + request.path,
    method: request.method,
    headers: {
      accept: 'application/json',
      'user-agent': 'footbridge',
      traceparent: settings.traceparent?.(),
      ...request.headers,
      ...request.credential,
    },
    signal: deadline.signal,
    query: Object.fromEntries(Object.entries(request.query ?? {}).filter(([, value]) => value !== undefined)),
    body: request.body,
  })

  const local = settings.local && createLocal(settings.local)
  /** A form is read from a connection: undici's is no form of Node. */
  async function ask(request: Request, deadline: Deadline): Promise<Answered> {
    const asked = options(request, deadline)
    const { body } = request
    if (local === undefined || body instanceof FormData) {
      const { statusCode, headers, body: content } = await agent.request(asked)
      const header = (name: string) => [headers[name]].flat()[0]
      const packed = header('content-encoding')
      return { statusCode, body: packed === undefined ? content : unpack(content, packed), header }
    }
    const url = new URL(asked.path, base)
    for (const [name, value] of Object.entries(asked.query)) url.searchParams.append(name, String(value))
    return local.ask({ ...asked, url, body, signal: deadline.signal })
  }

  const close = () => {
    local?.close()
    return agent.destroy()
  }
  return { ask, close }
}

export function createExchange(settings: ExchangeSettings): Exchange {
  const { limits, limiter } = settings
  const { ask, close } = createAsk(settings)
  return {
    async attempt(request, deadline) {
      const firstByteMs = (request.firstByteMs ?? limits.firstByteMs) + (request.allowanceMs ?? 0)
      const response = await deadline
        .within(firstByteMs, () => ask(request, deadline))
        .catch((error: unknown) => {
          throw deadline.failure() ?? requestError(error, request.doing)
        })
      const accepted = (request.accept ?? isSuccess)(response.statusCode)
      const reply = createReply(response, {
        doing: request.doing,
        deadline,
        betweenBytesMs: limits.betweenBytesMs,
        // After a refusal the call may go on with another try, under the same deadline.
        onEnd: accepted ? () => deadline.release() : () => {},
      })
      if (accepted) {
        limiter.observe(reply.status, reply.header, '')
        return reply
      }
      if (reply.status < 300 || reply.status >= 400) throw await toRefusal(request, reply, settings)
      reply.discard()
      throw redirected(request.doing, reply)
    },
    close,
  }
}

/** The error for a status that the call does not accept. */
async function toRefusal(
  { doing, remedies }: Request,
  reply: Reply,
  { limiter, now, redact }: ExchangeSettings,
): Promise<PlatformError> {
  const body = await reply.text(MAX_ERROR_BYTES, 'truncate').catch((error: unknown) => {
    if (error instanceof PlatformError && error.code === 'aborted') throw error
    return ''
  })
  const said = parseErrorBody(redact(body))
  const block = limiter.observe(reply.status, reply.header, said.message)
  if (block !== undefined) return rateLimitError(block, now(), reply.status)
  const retryAfterMs = parseRetryAfter(reply.header(RETRY_AFTER_HEADER), now())
  return errorOfStatus({ status: reply.status, said, retryAfterMs }, doing, remedies)
}

function redirected(doing: string, reply: Reply): PlatformError {
  const location = reply.header('location') ?? ''
  const target = URL.canParse(location) ? new URL(location).origin : 'another path'
  const what = `The platform sent us to ${target} (status ${reply.status}) while ${doing}; redirects are refused, so that the key goes nowhere else`
  const remedy = 'Set PLATFORM_BASE_URL to the final address.'
  return new PlatformError('unreachable', sentence('unreachable', what, remedy), { status: reply.status })
}

/** A multipart body with one file and further text fields; undici takes only its own FormData. */
export function createForm(
  part: string,
  file: UploadFile,
  fields: Readonly<Record<string, string | undefined>> = {},
): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) if (value !== undefined) form.append(name, value)
  form.append(part, new File([file.bytes], file.name, { type: file.mimeType }))
  return form
}
