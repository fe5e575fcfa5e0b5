import type { PlatformFailure } from './platform.ts'

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

export function isPlatformFailure(error: unknown): error is PlatformFailure {
  return error instanceof Error && error.name === 'PlatformError' && 'code' in error
}

/** Whether the same request may succeed later. */
export function isTransientPlatformError(error: unknown): error is PlatformFailure {
  return isPlatformFailure(error) && PASSING.has(error.code)
}

const PASSING: ReadonlySet<string> = new Set(['unreachable', 'timeout', 'locked', 'cut', 'empty', 'rate-limited'])

/** Whether the chat service failed temporarily, so that the same job may be retried. */
export function isTransientFailure(error: unknown): error is AdapterError {
  return error instanceof AdapterError && ['network', 'rate-limited', 'ambiguous'].includes(error.code)
}
