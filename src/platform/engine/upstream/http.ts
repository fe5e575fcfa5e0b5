import type { Readable } from 'node:stream'
import { Agent, type Dispatcher } from 'undici'
import type { FormData } from 'undici'
import { unpack } from '#lib/read-limited.ts'
import { parseErrorBody, readStreamError, type WireError } from '#platform/wire/errors.ts'
import { JSON_LIST_BOUNDS, jsonExcess } from '#platform/wire/limits.ts'
import { readWait } from '#platform/wire/rate-limit.ts'
import { EngineError } from '../errors.ts'
import type { EngineLog } from '../types.ts'
import { type Address, otherAddresses, pathOf, readAddress } from './address.ts'

/** An OpenAI-compatible model server: Ollama, vLLM, a hosted one. */
export interface UpstreamOptions {
  /** Ends in `/v1` with most servers. A path of a call at its end is dropped, a query goes with each request. */
  readonly baseUrl: string
  /** Tokens that its chat model reads at once. Default: the server is asked. */
  readonly contextTokens?: number | undefined
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
  /** Below the root of the server in its place: calls that are not of OpenAI's interface. Default: false. */
  readonly isAtRoot?: boolean
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
  /**
   * Looks for the interface at other paths of the server, where the one that is set has none, and goes on there.
   *
   * @returns whether it was found
   */
  find(): Promise<boolean>
  /** The address in use, as it should be set. */
  address(): string
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

/** Answers of a server that has no such path: those about a model or a deployment name it. */
const NO_PATH = /not found|no route|unknown|unexpected endpoint|method not allowed|cannot (?:get|post)|invalid url/i
const NO_MODEL = /model|deployment|engine/i

const WRONG_PLACE = 'The model server has nothing at this address: check UPSTREAM_BASE_URL, which usually ends in /v1.'

function isWrongPlace(statusCode: number, { message, code = '' }: WireError): boolean {
  if (statusCode === 405) return true
  return statusCode === 404 && !NO_MODEL.test(`${message} ${code}`) && (message === '' || NO_PATH.test(message))
}

/** A status that is not 2xx. Refusals of the caller's own request keep the server's words. */
async function toStatusError(response: UpstreamResponse): Promise<EngineError> {
  const { statusCode } = response
  const body = (await readBody(response, undefined).catch(() => '')).slice(0, 100_000)
  const said = parseErrorBody(body)
  const words = said.message === '' ? `status ${statusCode}` : said.message
  const reason = said.code === undefined ? {} : { reason: said.code }
  if (statusCode === 401 || statusCode === 403) {
    return new EngineError('upstream', 'The model server refused our key: check UPSTREAM_API_KEY.')
  }
  if (isWrongPlace(statusCode, said)) return new EngineError('not-found', WRONG_PLACE, { reason: WRONG_ADDRESS })
  if (statusCode === 404) {
    return new EngineError('not-found', `The model server says: ${words}`, { reason: 'model_not_found' })
  }
  if (statusCode === 429) {
    const retryAfterMs = readWait((name) => [response.headers[name]].flat()[0], body, Date.now())
    return new EngineError('rate-limited', `The model server is at its limit: ${words}`, { ...reason, retryAfterMs })
  }
  if (statusCode >= 400 && statusCode < 500) {
    const more = { ...reason, status: statusCode, refusal: said }
    return new EngineError('invalid', `The model server says: ${words}`, more)
  }
  return new EngineError('upstream', `The model server failed: ${words}`, {
    ...reason,
    refusal: said,
    ...(statusCode === 503 ? { status: 503 } : {}),
  })
}

const WRONG_ADDRESS = 'wrong_address'

/** Whether the address has no such interface. */
const isWrongAddress = (error: unknown): boolean => error instanceof EngineError && error.reason === WRONG_ADDRESS

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
  return new EngineError('upstream', `The model server failed: ${words}`, { ...reason, refusal: error })
}

/** How long a search for the address that found nothing counts. */
const FIND_REST_MS = 60_000
const FIND_MS = 3_000

/** @param log is told once where the interface is, if it is not where it was set. */
// oxlint-disable-next-line max-lines-per-function -- a factory: it only returns methods
export function createUpstreamHttp(options: UpstreamOptions, log?: Pick<EngineLog, 'warn'>): UpstreamHttp {
  const agent = new Agent({
    connect: { timeout: options.timeouts?.connectMs ?? 10_000 },
    headersTimeout: options.timeouts?.firstByteMs ?? 300_000,
    bodyTimeout: options.timeouts?.idleMs ?? 120_000,
  })
  let address = readAddress(options.baseUrl)
  if (new URL(options.baseUrl).pathname.replace(/\/+$/, '') !== address.prefix) tellAddress(address)
  const { apiKey } = options

  function tellAddress(right: Address): void {
    log?.warn({ address: right.href }, `Set UPSTREAM_BASE_URL=${right.href}: the model server answers there`)
  }

  async function ask(call: UpstreamCall, at: Address = address): Promise<UpstreamResponse> {
    const { method, path, json, form, signal, isAtRoot } = call
    const credential = at.hasKeyHeader ? { 'api-key': apiKey } : { authorization: `Bearer ${apiKey}` }
    const { statusCode, headers, body } = await agent.request({
      origin: at.origin,
      path: isAtRoot === true ? `${at.prefix.replace(/\/v1$/, '')}${path}` : pathOf(at, path, modelOf(call)),
      method,
      headers: {
        ...(apiKey === undefined ? {} : credential),
        ...(json === undefined ? {} : { 'content-type': 'application/json' }),
      },
      body: form ?? (json === undefined ? undefined : JSON.stringify(json)),
      signal,
    })
    // Gateways compress bodies without being asked.
    const packed = [headers['content-encoding']].flat()[0]
    return { statusCode, headers, body: packed === undefined ? body : unpack(body, packed) }
  }

  /** Whether models are listed there; a refused key tells of them, too. */
  async function answersAt(other: Address): Promise<boolean> {
    const signal = AbortSignal.timeout(FIND_MS)
    try {
      const response = await ask({ method: 'GET', path: '/models', signal }, other)
      if (response.statusCode === 401) return readObject(response, signal).then(() => true, isInBodyError)
      return response.statusCode === 200 && 'data' in (await readObject(response, signal))
    } catch {
      return false
    }
  }

  let finding: Promise<boolean> | undefined
  async function find(): Promise<boolean> {
    const others = otherAddresses(address)
    const answers = await Promise.all(others.map(answersAt))
    const found = others[answers.indexOf(true)]
    if (found === undefined) {
      setTimeout(() => (finding = undefined), FIND_REST_MS).unref()
      return false
    }
    address = found
    finding = undefined
    tellAddress(found)
    return true
  }

  async function send(call: UpstreamCall, isAgain = false): Promise<UpstreamResponse> {
    const { signal } = call
    const from = address
    try {
      // A server may close a kept connection just as it is used again: a question changes nothing and is asked anew.
      const response = await ask(call).catch((error: unknown) => {
        if (!isBroken(error) || signal?.aborted === true) throw error
        return ask(call)
      })
      if (response.statusCode >= 200 && response.statusCode < 300) return response
      throw await toStatusError(response)
    } catch (error) {
      const known = toCallError(error, signal)
      if (isAgain || call.isAtRoot === true || !isWrongAddress(known)) throw known
      const isElsewhere = from !== address || (await (finding ??= find()))
      if (isElsewhere) return send(call, true)
      throw known
    }
  }

  return {
    send: (call) => send(call),
    find: () => (finding ??= find()),
    address: () => address.href,
    close: () => agent.destroy(),
  }
}

/** The answer of a server that wants a key is an error in its own form. */
const isInBodyError = (error: unknown) => error instanceof EngineError && !/JSON|nothing at all/.test(error.message)

/** The model that a call is about. */
export function modelOf({ json, form }: UpstreamCall): string | undefined {
  const model = json !== undefined && 'model' in json ? json.model : form?.get('model')
  return typeof model === 'string' ? model : undefined
}
