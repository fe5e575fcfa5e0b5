import type { Engine } from '../engine/engine.ts'
import type { EngineLog } from '../engine/ports.ts'
import type { KeyRow } from '../engine/catalog/catalog.ts'

/** What every route is made from. */
export interface ServerParts {
  readonly engine: Engine
  readonly log: EngineLog
}

/** What the steps before a route leave for it. */
export interface Environment {
  Variables: {
    requestId: string
    /** Whose request it is; set by `requireKey`. */
    key: KeyRow
    /** The form in which the key came. */
    credential: CredentialForm
  }
}

export type CredentialForm = 'raw' | 'bearer'
