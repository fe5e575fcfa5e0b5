import type { Engine } from '../engine/engine.ts'
import type { EngineLog } from '../engine/ports.ts'
import type { KeyRow } from '../engine/catalog/catalog.ts'

/** What every route is made from. */
export interface ServerParts {
  readonly engine: Engine
  readonly log: EngineLog
  /** How long the body of a request may stand still before it is refused; default 30 s. */
  readonly bodyIdleMs?: number
  /** So long the trigger of an index pass waits for its end before it answers 504; default 45 s. */
  readonly passAnswerMs?: number
}

/** What the steps before a route leave for it. */
export interface Environment {
  Variables: {
    requestId: string
    /** Whose request it is; set by `requireKey`. */
    key: KeyRow
    /** The form in which the key came. */
    credential: CredentialForm
    /** As in `ServerParts`, with its default. */
    bodyIdleMs: number
  }
}

export type CredentialForm = 'raw' | 'bearer'
