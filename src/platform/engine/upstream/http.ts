import type { Readable } from 'node:stream'
import { Agent, type Dispatcher } from 'undici'
import type { FormData } from 'undici'
import { unpack } from '../../../lib/read-limited.ts'
import { parseErrorBody, readStreamError, type WireError } from '../../wire/errors.ts'
import { JSON_LIST_BOUNDS, jsonExcess } from '../../wire/limits.ts'
import { parseRetryAfter } from '../../wire/rate-limit.ts'
import { EngineError } from '../errors.ts'

/** An OpenAI-compatible model server: Ollama, vLLM, a hosted one. */
export interface UpstreamOptions {
  /** Ends in `/v1` with most servers. */
  readonly baseUrl: string
  readonly apiKey?: string
  readonly chatModel?: string
  readonly embeddingModel?: string
  /** Words that the model expects before a question and before a passage, such as `query:` and `passage:`. */
  readonly embeddingPrefixes?: { readonly question?: string; readonly passage?: string }
  readonly transcriptionModel?: string
  /** Milliseconds; defaults 10 s to connect, 5 min to the first byte, 2 min between two. */
  readonly timeouts?: { readonly connectMs?: number; readonly firstByteMs?: number; readonly idleMs?: number }
}

export interface UpstreamCall {
  readonly method: 'GET' | 'POST'
  /** Below the base URL. */
  readonly path: string
  readonly json?: object
  readonly form?: FormData
  readonly signal?: AbortSignal
}

export interface UpstreamResponse extends Pick<Dispatcher.ResponseData, 'statusCode' | 'headers'> {
  /** Not packed. */
  readonly body: Readable & Partial<Pick<Dispatcher.ResponseData['body'], 'dump'>>
}

/** Vectors of a batch are the largest answer. */
const MAX_BODY_BYTES = 64 * 1024 * 1024

export interface UpstreamHttp {
  /**
   * Sends the request, a second time where the connection broke before an answer; resolves with a 2xx response.
   *
   * @throws {EngineError} for every other outcome
   */
  send(call: UpstreamCall): Promise<UpstreamResponse>
  close(): Promise<void>
}

const codeOf = (error: unknown): string => {
  if (!(error instanceof Error)) return ''
  return 'code' in error && typeof error.code === 'string' ? error.code : codeOf(error.cause)
}

const isBroken = (error: unknown) => ['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE'].includes(codeOf(error))

/** A connection failure as a sentence with a remedy. */
export function toCallError(error: unknown, signal: AbortSignal | undefined): EngineError {
  if (error instanceof EngineError) return error
  if (signal?.aborted === true) return new EngineError('aborted', 'The request was stopped.', { cause: error })
  const code = codeOf(error)
  if (code === 'UND_ERR_HEADERS_TIMEOUT' || code === 'UND_ERR_BODY_TIMEOUT') {
    const sentence = 'The model server did not answer in time: try again, or look at the server at UPSTREAM_BASE_URL.'
    return new EngineError('upstream-timeout', sentence, { cause: error })
  }
  if (isBroken(error)) {
    return new EngineError('upstream', 'The model server broke the connection off: try again.', { cause: error })
  }
  const sentence = 'The model server cannot be reached: check that it runs and that UPSTREAM_BASE_URL is right.'
  return new EngineError('upstream', sentence, { cause: error })
}

/** A status that is not 2xx. Refusals of the caller's own request keep the server's words. */
async function toStatusError(response: UpstreamResponse): Promise<EngineError> {
  const { statusCode } = response
  const said = parseErrorBody((await readBody(response, undefined).catch(() => '')).slice(0, 100_000))
  const words = said.message === '' ? `status ${statusCode}` : said.message
  const reason = said.code === undefined ? {} : { reason: said.code }
  if (statusCode === 401 || statusCode === 403) {
    return new EngineError('upstream', 'The model server refused the key of this platform: check UPSTREAM_API_KEY.')
  }
  if (statusCode === 404) {
    return new EngineError('not-found', `The model server says: ${words}`, { reason: 'model_not_found' })
  }
  if (statusCode === 429) {
    const header = response.headers['retry-after']
    const retryAfterMs = parseRetryAfter(Array.isArray(header) ? header[0] : header, Date.now())
    return new EngineError('rate-limited', `The model server is at its limit: ${words}`, { ...reason, retryAfterMs })
  }
  if (statusCode >= 400 && statusCode < 500) {
    return new EngineError('invalid', `The model server says: ${words}`, { ...reason, status: statusCode })
  }
  return new EngineError('upstream', `The model server failed: ${words}`, {
    ...reason,
    ...(statusCode === 503 ? { status: 503 } : {}),
  })
}

/**
 * The whole body.
 *
 * @throws {EngineError} `upstream` when it breaks off or is too large
 */
export async function readBody(response: UpstreamResponse, signal: AbortSignal | undefined): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  let sizeBytes = 0
  try {
    for await (const bytes of response.body as AsyncIterable<Uint8Array>) {
      sizeBytes += bytes.byteLength
      if (sizeBytes > MAX_BODY_BYTES) {
        const sentence = `The model server sent an answer of more than ${MAX_BODY_BYTES / 1024 / 1024} MB.`
        throw new EngineError('upstream', sentence)
      }
      text += decoder.decode(bytes, { stream: true })
    }
  } catch (error) {
    throw toCallError(error, signal)
  }
  return text + decoder.decode()
}

/**
 * The answer as a JSON object.
 *
 * @throws {EngineError} `upstream` when it is empty, no object, broken off, or an error under a good status
 */
export async function readObject(response: UpstreamResponse, signal: AbortSignal | undefined): Promise<object> {
  const text = await readBody(response, signal)
  if (text.trim() === '') {
    throw new EngineError('upstream', 'The model server answered with nothing at all: ask again.', {
      reason: 'empty_answer',
    })
  }
  const excess = jsonExcess(text, JSON_LIST_BOUNDS)
  if (excess !== undefined) {
    throw new EngineError('upstream', `The model server sent an answer that ${excess}.`)
  }
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch {
    // Reported below, with JSON that is not an object.
  }
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new EngineError('upstream', 'The model server sent an answer that is not a JSON object.')
  }
  const failure = readStreamError(body)
  if (failure === undefined) return body
  throw toInBodyError(failure)
}

/** A failure that came under a good status, whole or as an event of a stream. */
export function toInBodyError(error: WireError): EngineError {
  const words = error.message === '' ? 'no reason given' : error.message
  const reason = error.code === undefined ? {} : { reason: error.code }
  return new EngineError('upstream', `The model server failed: ${words}`, reason)
}

export function createUpstreamHttp(options: UpstreamOptions): UpstreamHttp {
  const agent = new Agent({
    connect: { timeout: options.timeouts?.connectMs ?? 10_000 },
    headersTimeout: options.timeouts?.firstByteMs ?? 300_000,
    bodyTimeout: options.timeouts?.idleMs ?? 120_000,
  })
  const base = new URL(options.baseUrl)
  const prefix = base.pathname.replace(/\/+$/, '')
  const credential = options.apiKey === undefined ? {} : { authorization: `Bearer ${options.apiKey}` }
  async function ask({ method, path, json, form, signal }: UpstreamCall): Promise<UpstreamResponse> {
    const { statusCode, headers, body } = await agent.request({
      origin: base.origin,
      path: `${prefix}${path}`,
      method,
      headers: { ...credential, ...(json === undefined ? {} : { 'content-type': 'application/json' }) },
      body: form ?? (json === undefined ? undefined : JSON.stringify(json)),
      signal,
    })
    // Gateways pack what nobody asked them to pack.
    const packed = [headers['content-encoding']].flat()[0]
    return { statusCode, headers, body: packed === undefined ? body : unpack(body, packed) }
  }
  return {
    async send(call) {
      const { signal } = call
      try {
        // A server may close a kept connection just as it is used again: a question changes nothing and is asked anew.
        const response = await ask(call).catch((error: unknown) => {
          if (!isBroken(error) || signal?.aborted === true) throw error
          return ask(call)
        })
        if (response.statusCode >= 200 && response.statusCode < 300) return response
        throw await toStatusError(response)
      } catch (error) {
        throw toCallError(error, signal)
      }
    },
    close: () => agent.destroy(),
  }
}
