import type { Context, MiddlewareHandler } from 'hono'
import { HTTPException } from 'hono/http-exception'
import type { z } from 'zod'
import { EngineError } from '../../engine/errors.ts'
import { LIMITS } from '../../wire/limits.ts'
import type { Environment } from '../routing.ts'
import { ValidationError } from './errors.ts'

/** Boundaries and headers of a multipart body. */
const MULTIPART_BYTES = 64 * 1024
/** Of a body with a file in it. */
export const MAX_UPLOAD_BYTES = LIMITS.fileBytes + MULTIPART_BYTES
/** Images of a chat come inside its JSON. */
const MAX_JSON_BYTES = 50 * 1024 * 1024
/** Brackets in brackets; a schema of a tool has a dozen. Deeper, and writing it out again would overflow the stack. */
const MAX_JSON_DEPTH = 200

function tooLarge(maxBytes: number): HTTPException {
  const megabytes = Math.floor(maxBytes / 1024 / 1024)
  return new HTTPException(413, { message: `The request is larger than ${megabytes} MB: send less at once.` })
}

/** Refuses by the length that is announced, before a byte of it is read. */
const limit =
  (maxBytes: number): MiddlewareHandler<Environment> =>
  async (c, next) => {
    if (Number(c.req.header('content-length') ?? 0) > maxBytes) throw tooLarge(maxBytes)
    await next()
  }

export const limitUpload = limit(MAX_UPLOAD_BYTES)
export const limitJson = limit(MAX_JSON_BYTES)

/** Enough for a body where none is asked for. */
const MAX_STRAY_BYTES = 1024 * 1024

/**
 * For changes that take no body: waits for the end of the request. One that turns out to be broken in its body is
 * refused as a whole, and must not have been carried out.
 */
export const awaitEnd: MiddlewareHandler<Environment> = async (c, next) => {
  await receive(c, MAX_STRAY_BYTES, async (body) => {
    for await (const _ of body);
  })
  await next()
}

/**
 * A body that comes to its end: no more than `maxBytes`, and never silent for longer than `bodyIdleMs` while it is
 * waited for. `read` takes it as it comes; nothing is kept of it here.
 *
 * @throws {HTTPException} 408, 413; {EngineError} `invalid` when it was cut off
 */
export async function receive<Result>(
  c: Context<Environment>,
  maxBytes: number,
  read: (body: ReadableStream<Uint8Array<ArrayBuffer>>) => Promise<Result>,
): Promise<Result> {
  const reader = c.req.raw.body?.getReader()
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
          failure =
            error instanceof HTTPException
              ? error
              : new EngineError('invalid', 'The body was cut off: send it again.', { cause: error })
          controller.error(failure)
        }
      },
    },
    { highWaterMark: 0 },
  )
  try {
    return await read(body)
  } catch (error) {
    // The rest of it is not waited for.
    if (!isAtEnd) c.header('connection', 'close')
    throw failure ?? error
  }
}

/** @throws {HTTPException} 408 */
async function inTime<Result>(result: Promise<Result> | undefined, idleMs: number) {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => {
    const seconds = Math.ceil(idleMs / 1000)
    const message = `Nothing of the body came for ${seconds} second${seconds === 1 ? '' : 's'}: send it again.`
    late.reject(new HTTPException(408, { message }))
  }, idleMs)
  try {
    return await Promise.race([result, late.promise])
  } finally {
    clearTimeout(timer)
  }
}

function isTooDeep(json: string): boolean {
  let depth = 0
  for (let at = 0; at < json.length; at += 1) {
    const mark = json[at]
    if (mark === '"') {
      do at = json.indexOf('"', at + 1)
      while (at > 0 && isEscaped(json, at))
      if (at < 0) return false
    } else if (mark === '[' || mark === '{') {
      depth += 1
      if (depth > MAX_JSON_DEPTH) return true
    } else if (mark === ']' || mark === '}') depth -= 1
  }
  return false
}

/** An odd number of backslashes before it. */
function isEscaped(json: string, at: number): boolean {
  let from = at
  while (json[from - 1] === '\\') from -= 1
  return (at - from) % 2 === 1
}

/** @throws {EngineError} `invalid`; {ValidationError} */
export async function readJson<Schema extends z.ZodType>(
  c: Context<Environment>,
  schema: Schema,
): Promise<z.infer<Schema>> {
  const text = await receive(c, MAX_JSON_BYTES, (body) => new Response(body).text())
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch (error) {
    throw new EngineError('invalid', 'The body is no JSON.', { cause: error })
  }
  if (isTooDeep(text)) {
    throw new EngineError('invalid', `The body is nested deeper than ${MAX_JSON_DEPTH} levels.`)
  }
  const parsed = schema.safeParse(json)
  if (!parsed.success) throw new ValidationError(parsed.error.issues, 'body')
  return parsed.data
}

/** @throws {ValidationError} */
export function check<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  place: 'body' | 'query',
): z.infer<Schema> {
  const parsed = schema.safeParse(value)
  if (!parsed.success) throw new ValidationError(parsed.error.issues, place)
  return parsed.data
}
