import type { Handler, Context } from 'hono'
import { HTTPException } from 'hono/http-exception'
import type { Engine } from '../engine/engine.ts'
import type { EngineLog } from '../engine/types.ts'
import type { KeyRow } from '../engine/storage/catalog.ts'

/** Parts from which every route is made. */
export interface ServerParts {
  readonly engine: Engine
  readonly log: EngineLog
  /** How long the body of a request may stand still before it is refused; default 30 s. */
  readonly bodyIdleMs?: number
  /** So long the trigger of an index pass waits for its end before it answers 504; default 45 s. */
  readonly passAnswerMs?: number
}

/** Set by the middleware before a route. */
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

/**
 * Answers every other method of a path: 405, with those that there are; OPTIONS asks for just that. It stands after the
 * path's own routes, and before those that would take its last part for a name.
 */
export function onlyMethods(...methods: readonly string[]): Handler<Environment> {
  // A GET without its body is answered by the same route.
  const allowed = methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
  return (c) => {
    c.header('allow', allowed.join(', '))
    if (c.req.method === 'OPTIONS') return c.body(null, 204)
    throw new HTTPException(405, {
      message: `${c.req.method} is nothing that ${c.req.path} takes: use ${methods.join(' or ')}.`,
    })
  }
}

/** A named part of the path; the router only comes here when it is there. */
export function filePart(c: Context): string {
  return c.req.param('file') ?? ''
}

/** Name or full id of the collection, also where the slash of an id was not encoded. */
export function collectionPart(c: Context): string {
  const owner = c.req.param('owner')
  const name = c.req.param('name') ?? ''
  return owner === undefined ? name : `${owner}/${name}`
}
