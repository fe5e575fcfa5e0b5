import { storageTrouble } from '#lib/storage-trouble.ts'
import type { WireError } from '../wire/errors.ts'

/** Why the engine refused or failed. The server maps each code to one status. */
export type EngineErrorCode =
  /** The request itself is wrong: a name, a body, a parameter. */
  | 'invalid'
  /** The key is unknown, expired or revoked. */
  | 'unauthorized'
  /** It belongs to another user. */
  | 'forbidden'
  | 'not-found'
  /** It exists already, or a pass is running. */
  | 'conflict'
  | 'too-large'
  /** The prompt is longer than the model reads at once. */
  | 'too-long'
  /** An unsupported format. */
  | 'unsupported'
  /** An index pass runs and did not end in time. */
  | 'locked'
  | 'rate-limited'
  /** It needs a model server, and none is configured. */
  | 'not-configured'
  /** The model server could not be reached, failed, or answered with nothing. */
  | 'upstream'
  | 'upstream-timeout'
  /** The caller closed the connection. */
  | 'aborted'
  /** The engine is closing. */
  | 'closed'
  /** The database is out of reach. */
  | 'unavailable'
  /** The disk is full, or no file can be opened. */
  | 'no-room'
  /** The machine cannot start a process or write a file now; this is no fault of the document. */
  | 'no-resources'

/** The one error of the engine. `message` is a sentence with a remedy and holds no secret. */
export class EngineError extends Error {
  override readonly name = 'EngineError'
  readonly code: EngineErrorCode
  /** Milliseconds after which a retry makes sense. */
  readonly retryAfterMs?: number
  /** Status of the model server, where the caller may see it. */
  readonly status?: number
  /** Machine-readable reason in OpenAI's words: `model_not_found` … */
  readonly reason?: string
  /** Facts of the sentence as fields. */
  readonly fields?: Readonly<Record<string, string | number>>
  /** The model server refused the request, and said this. */
  readonly refusal?: WireError

  constructor(
    code: EngineErrorCode,
    message: string,
    options: {
      readonly cause?: unknown
      readonly retryAfterMs?: number
      readonly status?: number
      readonly reason?: string
      readonly fields?: Readonly<Record<string, string | number>>
      readonly refusal?: WireError
    } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.code = code
    if (options.retryAfterMs !== undefined) this.retryAfterMs = options.retryAfterMs
    if (options.status !== undefined) this.status = options.status
    if (options.reason !== undefined) this.reason = options.reason
    if (options.fields !== undefined) this.fields = options.fields
    if (options.refusal !== undefined) this.refusal = options.refusal
  }
}

const RETRY_AFTER_MS = 5000

/** The error where something could not be stored for want of room; anything else stays as it is. */
export function toRoomError(error: unknown): unknown {
  if (error instanceof EngineError) return error
  const trouble = storageTrouble(error)
  if (trouble === undefined) return error
  const sentence =
    trouble === 'space'
      ? 'The disk of the platform is full: nothing can be stored until there is room again.'
      : 'The platform has no file descriptor left: raise the limit of open files (ulimit -n), and try again in a moment.'
  return new EngineError('no-room', sentence, { cause: error, retryAfterMs: RETRY_AFTER_MS })
}

/** The message of anything thrown. */
export function errorText(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
