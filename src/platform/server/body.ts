import type { Context } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { HTTPException } from 'hono/http-exception'
import type { z } from 'zod'
import { EngineError } from '../engine/errors.ts'
import { limits } from '../wire/limits.ts'
import { ValidationError } from './errors.ts'

/** Boundaries and headers of a multipart body. */
const multipartRoom = 64 * 1024
/** Images of a chat come inside its JSON. */
const jsonBytes = 50 * 1024 * 1024

const limit = (maxSize: number) =>
  bodyLimit({
    maxSize,
    onError: () => {
      throw new HTTPException(413)
    },
  })

export const limitUpload = limit(limits.fileBytes + multipartRoom)
export const limitJson = limit(jsonBytes)

/** @throws {EngineError} `invalid`; {ValidationError} */
export async function readJson<Schema extends z.ZodType>(
  c: Context,
  schema: Schema,
): Promise<z.infer<Schema>> {
  const text = await c.req.text()
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch (error) {
    throw new EngineError('invalid', 'The body is no JSON.', { cause: error })
  }
  const parsed = schema.safeParse(json)
  if (!parsed.success) throw new ValidationError(parsed.error.issues, 'body')
  return parsed.data
}

export interface ReceivedForm {
  readonly file: File
  /** Text fields; of a repeated one the last. */
  readonly fields: Readonly<Record<string, string>>
}

/** A multipart body with one file in `part`. @throws {EngineError} `invalid` */
export async function readForm(c: Context, part: string): Promise<ReceivedForm> {
  const type = c.req.header('content-type') ?? ''
  if (!/^multipart\/form-data\b/i.test(type)) {
    throw new EngineError('invalid', `Send the file as multipart/form-data in the part "${part}".`)
  }
  let form: FormData
  try {
    form = await c.req.raw.formData()
  } catch (error) {
    if (error instanceof HTTPException || (error instanceof Error && error.name === 'BodyLimitError')) {
      throw new HTTPException(413)
    }
    throw new EngineError('invalid', 'The multipart body is broken or was cut off: send it again.', {
      cause: error,
    })
  }
  const file = form.get(part)
  if (!(file instanceof File)) {
    throw new EngineError('invalid', `The part "${part}" with the file is missing.`, {
      reason: 'missing_file',
    })
  }
  const fields: Record<string, string> = {}
  for (const [name, value] of form) if (typeof value === 'string') fields[name] = value
  return { file, fields }
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
