/** Why the engine refused or failed. The server turns each into one status. */
export type EngineErrorCode =
  /** Wrong in itself: a name, a body, a parameter. */
  | 'invalid'
  /** The key is unknown, expired or revoked. */
  | 'unauthorized'
  /** Somebody else's. */
  | 'forbidden'
  | 'not-found'
  /** It exists already, or a pass is running. */
  | 'conflict'
  | 'too-large'
  /** A format that is not taken. */
  | 'unsupported'
  /** An index pass runs and did not end in time. */
  | 'locked'
  | 'rate-limited'
  /** Needs a model server that is not configured. */
  | 'not-configured'
  /** The model server could not be reached, failed, or answered with nothing. */
  | 'upstream'
  | 'upstream-timeout'
  /** The caller left. */
  | 'aborted'
  /** The engine is closing. */
  | 'closed'
  /** The database is out of reach. */
  | 'unavailable'

/** The one error of the engine. `message` is a sentence with a remedy and holds no secret. */
export class EngineError extends Error {
  override readonly name = 'EngineError'
  readonly code: EngineErrorCode
  /** When it is worth trying again. */
  readonly retryAfterMs?: number
  /** Status that the model server gave, where it is fit to be handed on. */
  readonly status?: number
  /** Machine-readable reason in OpenAI's words: `model_not_found` … */
  readonly reason?: string
  /** Facts of the sentence, for programs. */
  readonly fields?: Readonly<Record<string, string | number>>

  constructor(
    code: EngineErrorCode,
    message: string,
    options: {
      readonly cause?: unknown
      readonly retryAfterMs?: number
      readonly status?: number
      readonly reason?: string
      readonly fields?: Readonly<Record<string, string | number>>
    } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.code = code
    if (options.retryAfterMs !== undefined) this.retryAfterMs = options.retryAfterMs
    if (options.status !== undefined) this.status = options.status
    if (options.reason !== undefined) this.reason = options.reason
    if (options.fields !== undefined) this.fields = options.fields
  }
}

/** The sentence of any thrown thing. */
export function errorText(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
