import type { WebFailure } from '../protocol.ts'

/**
 * Content security policy: nothing inline, nothing remote, no framing.
 *
 * @param formAction where forms may lead
 */
export const policyOf = (formAction: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    "media-src 'self' blob:",
    "connect-src 'self'",
    `form-action ${formAction}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ')
const PAGE_POLICY = policyOf("'self'")

/** Content security policy for dropped files, which are never executed. */
export const FILE_POLICY = "default-src 'none'; sandbox; frame-ancestors 'none'"

/** Adds the security headers that a response lacks. */
export function secure(response: Response): Response {
  const { headers } = response
  const defaults = {
    'content-security-policy': PAGE_POLICY,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': 'microphone=(self), camera=(), geolocation=()',
    'x-frame-options': 'DENY',
  }
  for (const [name, value] of Object.entries(defaults)) {
    if (!headers.has(name)) headers.set(name, value)
  }
  return response
}

/** A refused request, with a sentence for the person at the browser. */
export class RequestFailure extends Error {
  override readonly name = 'RequestFailure'
  readonly status: 400 | 401 | 403 | 404 | 408 | 409 | 411 | 413 | 421 | 429 | 503
  readonly code: string
  readonly retryAfterS?: number

  constructor(status: RequestFailure['status'], code: string, message: string, retryAfterS?: number) {
    super(message)
    this.status = status
    this.code = code
    if (retryAfterS !== undefined) this.retryAfterS = retryAfterS
  }
}

/** Builds every error response. */
export function toFailureResponse(failure: RequestFailure): Response {
  const body: WebFailure = { error: { code: failure.code, message: failure.message } }
  const headers = new Headers({ 'cache-control': 'no-store' })
  if (failure.retryAfterS !== undefined) headers.set('retry-after', String(failure.retryAfterS))
  return Response.json(body, { status: failure.status, headers })
}
