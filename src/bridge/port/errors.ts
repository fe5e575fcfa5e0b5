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
  /** Refused by the moderation rules of the place, for words in it: nothing of it is shown. */
  | 'blocked'
  /** Nothing may be written there now: somebody closed or locked the place. */
  | 'closed'
  /** The service was not reached: certainly not carried out. */
  | 'network'

/**
 * Why a file of a chat service can't be downloaded. `busy`: rate limit. `silent`: no data in time. `elsewhere`: on a host
 * that is not allowed. `hidden`: by the workspace's plan. `untold`: the service does not describe the file.
 */
export interface FileTrouble {
  readonly kind: 'gone' | 'no-scope' | 'busy' | 'silent' | 'elsewhere' | 'not-shared' | 'hidden' | 'untold' | 'refused'
  readonly service: string
  /** The host where the file lies, or the HTTP status. */
  readonly detail?: string
}

/** Why a file is refused: a sentence in English, and the same for other languages. */
export interface FileRefusal {
  readonly message: string
  readonly trouble?: FileTrouble
}

/** The error of every adapter. `message` is a sentence with a remedy, without secrets. */
export class AdapterError extends Error {
  override readonly name = 'AdapterError'
  readonly code: AdapterErrorCode
  readonly retryAfterMs?: number
  readonly trouble?: FileTrouble

  constructor(
    code: AdapterErrorCode,
    message: string,
    options: { readonly cause?: unknown; readonly retryAfterMs?: number; readonly trouble?: FileTrouble } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.code = code
    if (options.trouble !== undefined) this.trouble = options.trouble
    if (options.retryAfterMs !== undefined) this.retryAfterMs = options.retryAfterMs
  }
}

/** Bytes are over a limit. */
export class TooLargeError extends Error {
  override readonly name = 'TooLargeError'
}

/** Whether bytes are over a limit, or a text or buffer of them over that of Node. */
export const isTooLarge = (error: unknown): boolean =>
  error instanceof TooLargeError ||
  (error instanceof Error &&
    'code' in error &&
    ['ERR_STRING_TOO_LONG', 'ERR_BUFFER_TOO_LARGE', 'ERR_FS_FILE_TOO_LARGE'].includes(String(error.code)))

/** The database of the store stayed out of reach: the same job may succeed later. */
export class StoreUnavailableError extends Error {
  override readonly name = 'StoreUnavailableError'
}

/** Why a model answered without an answer. */
export type NoAnswerKind =
  /** It declined, in its own words. */
  | 'declined'
  /** It called a tool that it was not given. */
  | 'tool-call'
  /** A filter stopped it before its first word. */
  | 'filtered'

/** The model answered, and gave no answer. */
export class NoAnswerError extends Error {
  override readonly name = 'NoAnswerError'
  readonly kind: NoAnswerKind
  /** The model's own words, or the name of the tool. */
  readonly said: string

  constructor(kind: NoAnswerKind, said: string) {
    super(`The model gave no answer (${kind})`)
    this.kind = kind
    this.said = said
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
