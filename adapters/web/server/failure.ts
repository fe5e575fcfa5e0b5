import type { WebFailure } from '../protocol.ts'

/** A request that is refused with a sentence for the person at the browser. */
export class RequestFailure extends Error {
  override readonly name = 'RequestFailure'
  readonly status: 400 | 401 | 403 | 404 | 409 | 411 | 413 | 421 | 429 | 503
  readonly code: string
  readonly retryAfterS?: number

  constructor(status: RequestFailure['status'], code: string, message: string, retryAfterS?: number) {
    super(message)
    this.status = status
    this.code = code
    if (retryAfterS !== undefined) this.retryAfterS = retryAfterS
  }
}

/** The one place that makes an error answer. */
export function toFailureResponse(failure: RequestFailure): Response {
  const body: WebFailure = { error: { code: failure.code, message: failure.message } }
  const headers = new Headers({ 'cache-control': 'no-store' })
  if (failure.retryAfterS !== undefined) headers.set('retry-after', String(failure.retryAfterS))
  return Response.json(body, { status: failure.status, headers })
}
