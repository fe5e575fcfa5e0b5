import type { Context, MiddlewareHandler } from 'hono'
import { HTTPException } from 'hono/http-exception'
import type { z } from 'zod'
import { EngineError } from '../engine/errors.ts'
import { limits } from '../wire/limits.ts'
import type { Environment } from './environment.ts'
import { ValidationError } from './errors.ts'

/** Boundaries and headers of a multipart body. */
const multipartRoom = 64 * 1024
const uploadBytes = limits.fileBytes + multipartRoom
/** Images of a chat come inside its JSON. */
const jsonBytes = 50 * 1024 * 1024
/** Brackets in brackets; a schema of a tool has a dozen. Deeper, and writing it out again would overflow the stack. */
const jsonDepth = 200

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

export const limitUpload = limit(uploadBytes)
export const limitJson = limit(jsonBytes)

/** Enough for a body where none is asked for. */
const strayBytes = 1024 * 1024

/**
 * For changes that take no body: waits for the end of the request. One that turns out to be broken in its body is
 * refused as a whole, and must not have been carried out.
 */
export const awaitEnd: MiddlewareHandler<Environment> = async (c, next) => {
  await receive(c, strayBytes, (body) => body.arrayBuffer())
  await next()
}

/**
 * A body that comes to its end: no more than `maxBytes`, and never silent for longer than `bodyIdleMs`. `read` takes it
 * as it comes; nothing is kept of it here.
 *
 * @throws {HTTPException} 408, 413; {EngineError} `invalid` when it was cut off
 */
async function receive<Result>(
  c: Context<Environment>,
  maxBytes: number,
  read: (body: Response) => Promise<Result>,
): Promise<Result> {
  const reader = c.req.raw.body?.getReader()
  const idleMs = c.get('bodyIdleMs')
  const idle = Promise.withResolvers<never>()
  idle.promise.catch(() => undefined)
  const timer = setTimeout(() => {
    const seconds = Math.ceil(idleMs / 1000)
    const message = `Nothing of the body came for ${seconds} second${seconds === 1 ? '' : 's'}: send it again.`
    idle.reject(new HTTPException(408, { message }))
  }, idleMs)
  let sizeBytes = 0
  let failure: Error | undefined
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      async pull(controller) {
        try {
          const { done, value } = (await Promise.race([reader?.read(), idle.promise])) ?? { done: true }
          timer.refresh()
          if (done || value === undefined) {
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
    return await read(new Response(body, { headers: { 'content-type': c.req.header('content-type') ?? '' } }))
  } catch (error) {
    if (failure === undefined) throw error
    // The rest of it is not waited for.
    c.header('connection', 'close')
    throw failure
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
      if (depth > jsonDepth) return true
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
  const text = await receive(c, jsonBytes, (body) => body.text())
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch (error) {
    throw new EngineError('invalid', 'The body is no JSON.', { cause: error })
  }
  if (isTooDeep(text)) {
    throw new EngineError('invalid', `The body is nested deeper than ${jsonDepth} levels.`)
  }
  const parsed = schema.safeParse(json)
  if (!parsed.success) throw new ValidationError(parsed.error.issues, 'body')
  return parsed.data
}

export interface ReceivedForm {
  readonly file: File
  /** Text fields; of a repeated one the last. */
  readonly fields: Readonly<Record<string, string>>
  /** All values of the fields whose names end in `[]`. */
  readonly lists: Readonly<Record<string, readonly string[]>>
}

/** A multipart body with one file in `part`. @throws {EngineError} `invalid` */
export async function readForm(c: Context<Environment>, part: string): Promise<ReceivedForm> {
  const type = c.req.header('content-type') ?? ''
  if (!/^multipart\/form-data\b/i.test(type)) {
    throw new EngineError('invalid', `Send the file as multipart/form-data in the part "${part}".`)
  }
  const form = await receive(c, uploadBytes, (body) =>
    body.formData().catch((error: unknown) => {
      throw new EngineError('invalid', 'The multipart body is broken or was cut off: send it again.', {
        cause: error,
      })
    }),
  )
  const [file, ...further] = form.getAll(part)
  if (!(file instanceof File)) {
    throw new EngineError('invalid', `The part "${part}" with the file is missing.`, {
      reason: 'missing_file',
    })
  }
  if (further.length > 0) {
    throw new EngineError('invalid', `The part "${part}" came more than once: send one file a request.`)
  }
  const fields: Record<string, string> = {}
  const lists: Record<string, string[]> = {}
  for (const [name, value] of form) {
    if (typeof value !== 'string') continue
    if (name.endsWith('[]')) (lists[name] ??= []).push(value)
    else fields[name] = value
  }
  return { file, fields, lists }
}

export async function readBytes(file: File): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await file.arrayBuffer())
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
