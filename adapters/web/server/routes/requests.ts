import type { Context } from 'hono'
import { z } from 'zod'
import type { Author } from '../../../../src/bridge/port/message.ts'
import { RequestFailure } from '../failure.ts'
import { PERSON_ID } from '../inbound.ts'
import { limitBody } from './body-limit.ts'

const MAX_BODY_BYTES = 2 * 1024 * 1024

/** Ids that the browser makes, so that a repeated request is known as one. */
export const clientId = z.string().regex(/^[A-Za-z0-9_-]{8,64}$/)
export const messageText = z.string().max(200_000)
export const threadId = z.string().max(80).optional()
export const displayName = z.string().trim().max(60).optional()

export const jsonLimit = limitBody(
  MAX_BODY_BYTES,
  () => new RequestFailure(413, 'too-large', 'This message is too long. Drop it as a file instead.'),
)

export async function parseBody<T>(context: Context, schema: z.ZodType<T>): Promise<T> {
  // Only a same-origin page can send this type without a preflight that nobody answers.
  if (!context.req.header('content-type')?.startsWith('application/json')) throw invalid()
  const body: unknown = await context.req.json().catch(() => undefined)
  const parsed = schema.safeParse(body)
  if (!parsed.success) throw invalid()
  return parsed.data
}

export function invalid(): RequestFailure {
  return new RequestFailure(
    400,
    'invalid',
    'This request is not in a form that Footbridge knows. Reload the page.',
  )
}

export function found<T>(value: T | undefined, message: string): T {
  if (value === undefined) throw new RequestFailure(404, 'not-found', message)
  return value
}

export function authorOf(context: Context, name: string | undefined): Author {
  const language = languageOf(context)
  return { id: PERSON_ID, name: name || 'You', ...(language !== undefined && { language }) }
}

/** First language of the browser, where it says one that is well formed. */
export function languageOf(context: Context): string | undefined {
  const first = context.req.header('accept-language')?.split(/[,;]/, 1)[0]?.trim()
  return first && /^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$/.test(first) ? first : undefined
}
