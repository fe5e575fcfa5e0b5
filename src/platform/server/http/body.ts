import type { Context, MiddlewareHandler } from 'hono'
import { HTTPException } from 'hono/http-exception'
import type { z } from 'zod'
import { EngineError } from '#platform/engine/errors.ts'
import { BodyError, createBodyPool, release } from '#lib/read-limited.ts'
import { bodyOf } from '#lib/request-body.ts'
import { jsonExcess, LIMITS } from '#platform/wire/limits.ts'
import { localContent } from '#platform/wire/local-request.ts'
import type { Environment } from '../routing.ts'
import { ValidationError } from './errors.ts'

const MEGABYTE = 1024 * 1024
/** A file, with the boundaries and headers of a multipart body. */
export const MAX_UPLOAD_BYTES = LIMITS.fileBytes + 64 * 1024
const MAX_JSON_BYTES = MEGABYTE
/** A batch of embeddings has up to 2,048 texts. */
export const MAX_BATCH_BYTES = 8 * MEGABYTE
/** A chat may carry pictures or sound in its JSON; everything else in it has the usual limit. */
const MAX_CHAT_BYTES = 32 * MEGABYTE
/** Media in a chat request: a `data:` address, or base64 in a field `data`. */
const EMBEDDED_DATA = /"data:[^"\\]*"|"data"\s*:\s*"[^"\\]*"/g
/** Up to this announced length a body is read as a whole: a third of the cost of its stream. */
const MAX_WHOLE_BYTES = 64 * 1024
/** Most faults of one body that the answer lists. */
const MAX_ISSUES = 20
/** Limit of a body where the route needs none. */
const MAX_STRAY_BYTES = MEGABYTE

function tooLarge(maxBytes: number): HTTPException {
  const megabytes = Math.floor(maxBytes / MEGABYTE)
  return new HTTPException(413, { message: `The request is larger than ${megabytes} MB: send less at once.` })
}

/** For changes without a body: waits for the end of the request, so that a broken request changes nothing. */
export const awaitEnd: MiddlewareHandler<Environment> = async (c, next) => {
  await receive(c, MAX_STRAY_BYTES, async (body) => {
    for await (const _ of body);
  })
  await next()
}

/**
 * A request body of at most `maxBytes`, with no pause longer than `bodyIdleMs`. `read` consumes it as it arrives; it is
 * not buffered here.
 *
 * @throws {HTTPException} 408, 413; {EngineError} `invalid` when it was cut off
 */
export async function receive<Result>(
  c: Context<Environment>,
  maxBytes: number,
  read: (body: ReadableStream<Uint8Array<ArrayBuffer>>) => Promise<Result>,
): Promise<Result> {
  // A larger announced length is refused before a byte is read.
  if (Number(c.req.header('content-length') ?? 0) > maxBytes) throw tooLarge(maxBytes)
  const reader = openBody(c.req.raw)?.getReader()
  const idleMs = c.get('bodyIdleMs')
  let sizeBytes = 0
  let failure: Error | undefined
  let isAtEnd = false
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      async pull(controller) {
        try {
          const { done, value } = (await inTime(reader?.read(), idleMs)) ?? { done: true }
          if (done || value === undefined) {
            isAtEnd = true
            controller.close()
            return
          }
          sizeBytes += value.byteLength
          if (sizeBytes > maxBytes) throw tooLarge(maxBytes)
          controller.enqueue(value)
        } catch (error) {
          failure = error instanceof HTTPException ? error : cutOff(error)
          controller.error(failure)
        }
      },
    },
    { highWaterMark: 0 },
  )
  try {
    return await read(body)
  } catch (error) {
    // The rest of the body is not read.
    if (!isAtEnd) c.header('connection', 'close')
    throw failure ?? error
  }
}

const encoder = new TextEncoder()

/** Bytes that came over a connection, or those of a text of this process. */
function openBody(request: Request): ReadableStream<Uint8Array<ArrayBuffer>> | null {
  const text = localContent(request)?.text
  if (text === undefined) return bodyOf(request)
  return new ReadableStream({
    start(controller) {
      controller.enqueue(encoder.encode(text))
      controller.close()
    },
  })
}

/** Aborts when the caller leaves. */
export const signalOf = (request: Request): AbortSignal => localContent(request)?.signal ?? request.signal

/** @throws {HTTPException} 408 */
async function inTime<Result>(result: Promise<Result> | undefined, idleMs: number) {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => {
    const seconds = Math.ceil(idleMs / 1000)
    const message = `No byte of the body came for ${seconds} second${seconds === 1 ? '' : 's'}: send it again.`
    late.reject(new HTTPException(408, { message }))
  }, idleMs)
  try {
    return await Promise.race([result, late.promise])
  } finally {
    clearTimeout(timer)
  }
}

/** @throws {EngineError} `invalid`, `too-large`; {HTTPException} 408, 413; {ValidationError} */
export async function readJson<Schema extends z.ZodType>(
  c: Context<Environment>,
  schema: Schema,
  maxBytes: number = MAX_JSON_BYTES,
): Promise<z.infer<Schema>> {
  return decode(await receiveText(c, maxBytes), schema)
}

/** As `readJson`, for a chat, which may hold pictures. */
export async function readChat<Schema extends z.ZodType>(
  c: Context<Environment>,
  schema: Schema,
): Promise<z.infer<Schema>> {
  const text = await receiveText(c, MAX_CHAT_BYTES)
  if (text.length > MAX_JSON_BYTES) {
    const embedded = text.matchAll(EMBEDDED_DATA).reduce((sum, [data]) => sum + data.length, 0)
    if (text.length - embedded > MAX_JSON_BYTES) throw tooLarge(MAX_JSON_BYTES)
  }
  return decode(text, schema)
}

/** A short body comes within the time of one pause. */
async function receiveText(c: Context<Environment>, maxBytes: number): Promise<string> {
  const length = Number(c.req.header('content-length') ?? Infinity)
  const local = localContent(c.req.raw)
  if (local !== undefined && length <= maxBytes) return local.text ?? ''
  if (!(length <= Math.min(maxBytes, MAX_WHOLE_BYTES))) return receive(c, maxBytes, readText)
  try {
    const bytes = await inTime(c.req.raw.arrayBuffer(), c.get('bodyIdleMs'))
    return new TextDecoder().decode(bytes)
  } catch (error) {
    c.header('connection', 'close')
    throw error instanceof HTTPException ? error : cutOff(error)
  }
}

const cutOff = (cause: unknown) => new EngineError('invalid', 'The body was cut off: send it again.', { cause })

/** A chat with the largest pictures, and shorter bodies meanwhile. */
const BODIES = createBodyPool({ bodies: 200, bytes: 1.25 * MAX_CHAT_BYTES })

const CROWDED = 'Too many large requests arrive at the moment: send it again in a few seconds.'

async function readText(body: ReadableStream<Uint8Array<ArrayBuffer>>): Promise<string> {
  const bytes = await BODIES.read(body, MAX_CHAT_BYTES).catch((error: unknown) => {
    if (error instanceof BodyError && error.fault === 'crowded') throw new EngineError('no-resources', CROWDED)
    throw error instanceof BodyError ? error.cause : error
  })
  const text = new TextDecoder().decode(bytes)
  release(bytes)
  return text
}

function decode<Schema extends z.ZodType>(text: string, schema: Schema): z.infer<Schema> {
  const excess = jsonExcess(text)
  if (excess?.startsWith('holds')) throw new EngineError('too-large', `The body ${excess}: send less at once.`)
  if (excess !== undefined) throw new EngineError('invalid', `The body ${excess}.`)
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch (error) {
    throw new EngineError('invalid', 'The body is not JSON.', { cause: error })
  }
  return check(schema, json, 'body')
}

/** @throws {ValidationError} */
export function check<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  place: 'body' | 'query',
): z.infer<Schema> {
  const parsed = schema.safeParse(value)
  if (!parsed.success) throw new ValidationError(parsed.error.issues.slice(0, MAX_ISSUES), place)
  return parsed.data
}
