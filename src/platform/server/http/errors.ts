import type { Context } from 'hono'
import { HTTPException } from 'hono/http-exception'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type { z } from 'zod'
import { EngineError, type EngineErrorCode, toRoomError } from '#platform/engine/errors.ts'
import { RETRY_AFTER_HEADER } from '#platform/wire/rate-limit.ts'
import type { Environment } from '../routing.ts'

/** Status of each refusal, and the type under which OpenAI's libraries know it. */
const OUTCOMES: Readonly<Record<EngineErrorCode, { readonly status: number; readonly type: string }>> = {
  invalid: { status: 400, type: 'invalid_request_error' },
  unauthorized: { status: 401, type: 'authentication_error' },
  forbidden: { status: 403, type: 'permission_error' },
  'not-found': { status: 404, type: 'not_found_error' },
  conflict: { status: 409, type: 'conflict_error' },
  'too-large': { status: 413, type: 'invalid_request_error' },
  'too-long': { status: 400, type: 'invalid_request_error' },
  unsupported: { status: 415, type: 'invalid_request_error' },
  locked: { status: 423, type: 'conflict_error' },
  'rate-limited': { status: 429, type: 'rate_limit_error' },
  'not-configured': { status: 501, type: 'not_configured_error' },
  upstream: { status: 502, type: 'upstream_error' },
  'upstream-timeout': { status: 504, type: 'upstream_error' },
  aborted: { status: 499, type: 'aborted_error' },
  closed: { status: 503, type: 'server_error' },
  unavailable: { status: 503, type: 'server_error' },
  'no-room': { status: 507, type: 'server_error' },
  'no-resources': { status: 503, type: 'server_error' },
}

/** A body or query that does not fit the contract. */
export class ValidationError extends Error {
  override readonly name = 'ValidationError'
  readonly issues: readonly z.core.$ZodIssue[]
  readonly place: 'body' | 'query'

  constructor(issues: readonly z.core.$ZodIssue[], place: 'body' | 'query') {
    const first = issues[0]
    const where = [place, ...(first?.path.map(String) ?? [])].join('.')
    super(`The request does not fit: ${where}: ${(first?.message ?? 'not valid').replace(/\.$/, '')}.`)
    this.issues = issues
    this.place = place
  }
}

export interface ErrorBody {
  readonly error: {
    readonly message: string
    readonly type: string
    readonly code: string | null
    readonly param: null
    /** Facts of the sentence as fields, such as window and reset of a rate limit. */
    readonly [field: string]: string | number | null
  }
  /** The same sentence for clients of the management API; a list of faults where a body did not fit. */
  readonly detail: string | readonly object[]
}

interface Failure {
  readonly status: number
  readonly body: ErrorBody
  readonly retryAfterMs?: number
}

export const toErrorBody = (message: string, type: string, code: string | null): ErrorBody => ({
  error: { message, type, code, param: null },
  detail: message,
})

const DATABASE_AWAY = 'The database cannot be reached now: try again in a few seconds.'

/** Status and body for anything thrown. An unexpected error shows nothing internal. */
export function toFailure(thrown: unknown): Failure {
  const error = toRoomError(thrown)
  if (error instanceof EngineError) {
    const { status, type } = OUTCOMES[error.code]
    // The address of the database and its error go to the log only.
    const sentence = error.code === 'unavailable' ? DATABASE_AWAY : error.message
    const body = toErrorBody(sentence, type, error.reason ?? error.code.replaceAll('-', '_'))
    return {
      status: error.status ?? status,
      body: { ...body, error: { ...body.error, ...error.fields } },
      retryAfterMs: error.retryAfterMs,
    }
  }
  if (error instanceof ValidationError) {
    const detail = error.issues.map(({ path, message, code }) => ({
      loc: [error.place, ...path.map((part) => (typeof part === 'number' ? part : String(part)))],
      msg: message,
      type: code,
    }))
    return { status: 422, body: { ...toErrorBody(error.message, 'invalid_request_error', 'validation'), detail } }
  }
  if (error instanceof HTTPException) {
    const sentence = error.message === '' ? 'The request cannot be read.' : error.message
    return { status: error.status, body: toErrorBody(sentence, 'invalid_request_error', null) }
  }
  return { status: 500, body: toErrorBody('Something went wrong inside; the log says more.', 'server_error', null) }
}

/** The only place that answers with an error; the log line of the request gives the reason. */
export function answerError(c: Context<Environment>, error: unknown): Response {
  const failure = toFailure(error)
  if (failure.retryAfterMs !== undefined) {
    c.header(RETRY_AFTER_HEADER, String(Math.max(1, Math.ceil(failure.retryAfterMs / 1000))))
  }
  if (failure.status === 401) c.header('www-authenticate', 'Bearer')
  return c.json(failure.body, failure.status as ContentfulStatusCode)
}
