import type { Handler, Context } from 'hono'
import { HTTPException } from 'hono/http-exception'
import type { Engine } from '../engine/engine.ts'
import type { Trace } from '../engine/trace.ts'
import type { EngineLog } from '../engine/types.ts'
import type { KeyRow } from '../engine/storage/catalog.ts'
import type { KeySlots } from './key-slots.ts'

/** Parts that every route needs. */
export interface ServerParts {
  readonly engine: Engine
  readonly log: EngineLog
  readonly slots: KeySlots
  /** Requests become steps of the trace that their `traceparent` names. */
  readonly trace?: Trace
  /** Longest pause within the body of a request before it is refused; default 30 s. */
  readonly bodyIdleMs?: number
  /** Figures of whoever runs the server, in the text format of Prometheus: `/metrics` gives them, too. */
  readonly moreFigures?: () => Promise<string>
  /** Memory and uptime of the process are told here; default: where no other source gives more figures. */
  readonly tellsProcess?: boolean
  /** Origins whose pages may ask from a browser; default none. `*`: all. */
  readonly corsOrigins?: readonly string[]
  /** Whether the list of models holds `<model>:<owner>/<name>` for each collection of the key's owner. Default false. */
  readonly collectionsAsModels?: boolean
  /** Longest wait of an index trigger for the end of its pass; then 504. Default 45 s. */
  readonly passAnswerMs?: number
}

/** Set by the middleware before a route. */
export interface Environment {
  Variables: {
    requestId: string
    /** Pattern of the path, once the request is answered. */
    route: string
    /** The owner of the key; set by `requireKey`. */
    key: KeyRow
    /** The form in which the key came. */
    credential: CredentialForm
    /** As in `ServerParts`, with its default. */
    bodyIdleMs: number
  }
}

export type CredentialForm = 'raw' | 'bearer'

/**
 * Answers every other method of a path with 405 and the allowed ones; OPTIONS with these alone. Register it after the
 * path's own routes, and before routes that would take its last segment for a name.
 */
export function onlyMethods(...methods: readonly string[]): Handler<Environment> {
  // HEAD is answered by the route of GET.
  const allowed = methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
  return (c) => {
    c.header('allow', allowed.join(', '))
    if (c.req.method === 'OPTIONS') return c.body(null, 204)
    throw new HTTPException(405, {
      message: `${c.req.method} is nothing that ${c.req.path} takes: use ${methods.join(' or ')}.`,
    })
  }
}

/** A path parameter; the router matched it, so it is there. */
export function filePart(c: Context): string {
  return c.req.param('file') ?? ''
}

/** Name or full id of the collection, also where the slash of an id was not encoded. */
export function collectionPart(c: Context): string {
  const owner = c.req.param('owner')
  const name = c.req.param('name') ?? ''
  return owner === undefined ? name : `${owner}/${name}`
}
