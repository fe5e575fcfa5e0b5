import { z } from 'zod'
import { RATE_LIMIT_WINDOWS } from './rate-limit.ts'
import { guess } from './names.ts'

/** An error body of any shape. `message` is empty when the body has none. */
export interface WireError {
  readonly message: string
  readonly type?: string
  readonly code?: string
  /** The field of the request that it is about. */
  readonly param?: string
}

/** `{ detail }`: management and the rate-limit probe. Guess (A). */
export const detailErrorBody = z.object({ detail: z.string() }).meta(guess('A'))

/** 422 of a body or query that does not fit. Guess (D). */
export const validationErrorBody = z
  .object({
    detail: z.array(z.object({ loc: z.array(z.union([z.string(), z.number()])), msg: z.string(), type: z.string() })),
  })
  .meta(guess('D'))

/** Chat, models, voice, documents: as OpenAI has it, so that its SDKs read the message. Guess (B). */
export const openAiErrorBody = z
  .object({
    error: z.object({
      message: z.string(),
      type: z.string(),
      code: z.string().nullable(),
      param: z.string().nullable().optional(),
    }),
  })
  .meta(guess('B'))

/** 429, in the same form; the fields tell programs the content of the sentence. Their names are a guess (U). */
export const rateLimitErrorBody = z
  .object({
    error: openAiErrorBody.shape.error.extend({
      window: z.enum(RATE_LIMIT_WINDOWS),
      limit: z.int(),
      reset_seconds: z.int(),
      resets_at: z.iso.datetime(),
    }),
  })
  .meta(guess('U'))

/** The gateway in front: 429 and 401. Guess (D). */
export const gatewayErrorBody = z.object({ message: z.string() }).meta(guess('D'))

/** Answer of the GET probe on the chat path, with status 400. Guess (A). */
export const PROBE_ANSWER = { detail: 'Service or model not specified' } as const

const MAX_MESSAGE_CHARACTERS = 500

const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== ''
    ? value.trim()
    : typeof value === 'number'
      ? String(value)
      : undefined

const record = (value: unknown): Readonly<Record<string, unknown>> | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, unknown>>)
    : undefined

function wireError(message: string, from: Readonly<Record<string, unknown>> = {}): WireError {
  const type = text(from['type'])
  const code = text(from['code'])
  const param = text(from['param'])
  return {
    message: message.length > MAX_MESSAGE_CHARACTERS ? `${message.slice(0, MAX_MESSAGE_CHARACTERS - 1)}…` : message,
    type,
    code,
    ...(param === undefined ? {} : { param }),
  }
}

function validationMessage(details: readonly unknown[]): string {
  return details
    .flatMap((detail) => {
      const one = record(detail)
      const message = text(one?.['msg']) ?? text(one?.['message']) ?? text(detail)
      if (message === undefined) return []
      const place = Array.isArray(one?.['loc']) ? one['loc'].map(String).join('.') : ''
      return [place === '' ? message : `${place}: ${message}`]
    })
    .join('; ')
}

/** Errors within an error: real ones have two. */
const MAX_DEPTH = 8

/** Reads an error out of decoded JSON of any shape; undefined when none of its fields carries a message. */
export function readErrorJson(json: unknown, depth = 0): WireError | undefined {
  const plain = text(json)
  if (plain !== undefined) return wireError(plain)
  if (depth > MAX_DEPTH) return undefined
  if (Array.isArray(json)) return readErrorJson(json[0], depth + 1)
  const body = record(json)
  if (body === undefined) return undefined
  const inner = INNER.map((key) => record(body[key])).find((value) => value !== undefined)
  const [first] = Array.isArray(body['errors']) ? (body['errors'] as readonly unknown[]) : []
  const found = readErrorJson(inner ?? first, depth + 1)
  if (found !== undefined) return found
  if (Array.isArray(body['detail'])) return wireError(validationMessage(body['detail']), body)
  const message = MESSAGES.map((key) => text(body[key])).find((value) => value !== undefined)
  const cause = causeOf(body)
  if (message === undefined && cause === '') return undefined
  return wireError([message, cause].filter((part) => part !== undefined && part !== '').join(': '), body)
}

/** Objects that hold an error: FastAPI, Apigee, MiniMax, Cloudflare and OpenAI. */
const INNER = ['error', 'detail', 'message', 'errors', 'fault', 'base_resp', 'reason']
/** Names of the sentence; the later ones only where there is no earlier one. */
const MESSAGES = (
  'message detail error msg Message error_msg error_message errorMessage status_msg faultstring error_description ' +
  'reason title'
).split(' ')

/** The words of the provider that OpenRouter asked: its own say only that there was an error. */
function causeOf(body: Readonly<Record<string, unknown>>): string {
  const raw = text(record(body['metadata'])?.['raw'])
  return raw === undefined ? '' : parseErrorBody(raw).message
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'", nbsp: ' ' }

/** A body may be megabytes of open tags: a pattern that begins at `<` never reads beyond the next one. */
const TAG = /<[^<>]*>/g
const CODE_EDGE = /<(\/)?(script|style)\b[^<>]*>/gi

/** Removes scripts and styles; one that does not end takes the rest. */
function withoutCode(html: string): string {
  const kept: string[] = []
  let from = 0
  let inside: string | undefined
  for (const { 0: tag, 1: slash, 2: name = '', index } of html.matchAll(CODE_EDGE)) {
    const isEnd = slash !== undefined
    if (inside === undefined) {
      kept.push(html.slice(from, index))
      if (!isEnd) inside = name.toLowerCase()
    } else if (isEnd && name.toLowerCase() === inside) inside = undefined
    from = index + tag.length
  }
  return [...kept, inside === undefined ? html.slice(from) : ''].join(' ')
}

const withoutMarkup = (html: string) =>
  withoutCode(html)
    .replace(TAG, ' ')
    .replace(/&(amp|lt|gt|quot|#39|nbsp);/g, (_, name: string) => ENTITIES[name] ?? ' ')
    .replace(/\s+/g, ' ')
    .trim()

/** Content of the first element of this name. */
function innerOf(html: string, name: string): string | undefined {
  const begin = new RegExp(`<${name}\\b[^<>]*>`, 'i').exec(html)
  if (begin === null) return undefined
  const behind = html.slice(begin.index + begin[0].length)
  const end = behind.search(new RegExp(`</${name}\\s*>`, 'i'))
  return end === -1 ? undefined : behind.slice(0, end)
}

function htmlText(html: string): string {
  for (const name of ['title', 'h1']) {
    const found = withoutMarkup(innerOf(html, name) ?? '')
    if (found !== '') return found
  }
  return withoutMarkup(html)
}

/**
 * Understands the body of any error response: JSON of every known shape, plain text (also when it is served as HTML),
 * an HTML page of a gateway, nothing at all. Never throws.
 */
export function parseErrorBody(body: string): WireError {
  const trimmed = body.replace(/^\uFEFF/, '').trim()
  if (trimmed === '') return { message: '' }
  if (/^[[{"]/.test(trimmed)) {
    try {
      return readErrorJson(JSON.parse(trimmed)) ?? wireError('')
    } catch {
      return wireError(trimmed)
    }
  }
  return wireError(/<[a-z!/][^<>]*>/i.test(trimmed) ? htmlText(trimmed) : trimmed)
}

/** Codes that gateways write where nothing failed. */
const NO_CODES = new Set(['0', '200', 'ok', 'success', 'null', 'none'])

function tellsError(error: Readonly<Record<string, unknown>>): boolean {
  const { message, code, type } = readErrorJson(error) ?? wireError('', error)
  return message !== '' || [code, type].some((word) => word !== undefined && !NO_CODES.has(word.toLowerCase()))
}

/** Whether a body without choices is an error: it has a message, and a code or a field that only errors have. */
function isBareError(body: Readonly<Record<string, unknown>>): boolean {
  if ('choices' in body && body['choices'] !== null) return false
  const isTold = body['success'] === false || body['error'] === true || body['status'] === 'error'
  const codes = [body['code'], body['error_code'], record(body['base_resp'])?.['status_code']].map(text)
  const isCoded = codes.some((code) => code !== undefined && !NO_CODES.has(code.toLowerCase()))
  const isNamed = 'detail' in body || 'error_msg' in body || Array.isArray(body['errors'])
  return (isTold || isCoded || isNamed) && (readErrorJson(body)?.message ?? '') !== ''
}

/** The error that ended a choice (OpenRouter). */
function choiceError(body: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> | undefined {
  const choices = Array.isArray(body['choices']) ? (body['choices'] as readonly unknown[]) : []
  const failed = choices.map(record).find((choice) => choice?.['finish_reason'] === 'error')
  const error = record(failed?.['error'])
  return error !== undefined && tellsError(error) ? error : undefined
}

/**
 * An error that arrives as an event inside a 200 stream: `{object:"error",message,…}`, `{type:"error",status,message}`,
 * `{error:{…}}`, or with a code and a sentence alone. Guess (A). Undefined for an ordinary event.
 */
export function readStreamError(json: unknown): (WireError & { readonly status?: number }) | undefined {
  const body = record(json)
  if (body === undefined) return undefined
  const { error } = body
  const inner = record(error) ?? choiceError(body)
  // Some servers send choices with the error, others an empty error with each choice.
  const isBare = !Array.isArray(body['choices'])
  const hasError = inner === undefined ? typeof error === 'string' && error !== '' : isBare || tellsError(inner)
  if (body['object'] !== 'error' && body['type'] !== 'error' && !hasError && !isBareError(body)) return undefined
  const found = readErrorJson(inner ?? json) ?? readErrorJson(json) ?? { message: '' }
  const status = [body['status'], body['code'], inner?.['status'], inner?.['code']]
    .map(Number)
    .find((value) => Number.isInteger(value) && value >= 400 && value <= 599)
  return status === undefined ? found : { ...found, status }
}
