/** Why a call to a chat service failed. */
export type AdapterErrorCode =
  /** Token missing, wrong or revoked. */
  | 'unauthorized'
  /** The token lacks a scope or permission. */
  | 'forbidden'
  | 'not-found'
  | 'rate-limited'
  /** The text is over the service's limit. */
  | 'too-long'
  /** The service ended a streamed message. */
  | 'stream-closed'
  /** The person pressed stop. */
  | 'stopped'
  /** The request may or may not have been carried out: never repeat it blindly. */
  | 'ambiguous'
  /** Refused for its content: repeating it is useless. */
  | 'invalid'
  /** The service was not reached: certainly not carried out. */
  | 'network'

/** The error of every adapter. `message` is a sentence with a remedy, without secrets. */
export class AdapterError extends Error {
  override readonly name = 'AdapterError'
  readonly code: AdapterErrorCode
  readonly retryAfterMs?: number

  constructor(
    code: AdapterErrorCode,
    message: string,
    options: { readonly cause?: unknown; readonly retryAfterMs?: number } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.code = code
    if (options.retryAfterMs !== undefined) this.retryAfterMs = options.retryAfterMs
  }
}
