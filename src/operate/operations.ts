import { createHash, timingSafeEqual } from 'node:crypto'
import type { Bridge } from '#bridge/bridge.ts'
import type { Inbox, Room } from '#bridge/port/store.ts'
import { createFigures } from './figures.ts'
import { createReadiness } from './readiness.ts'
import type { Tracing } from './tracing.ts'
import { createWatch, type Watch } from './watch.ts'

export interface Operations {
  readonly watch: Watch
  /** Figures of the bridge in the text format of Prometheus. */
  readonly print: () => Promise<string>
  /** `GET /readyz`. */
  readonly ready: () => Promise<Response>
}

/** Figures and readiness of a running bridge, for its operator. */
export function createOperations(parts: {
  readonly version: string
  readonly store: { readonly inbox: Pick<Inbox, 'depth'>; readonly room: Pick<Room, 'trouble'> }
  /** Undefined while Footbridge starts. */
  readonly bridge: () => Pick<Bridge, 'connections' | 'onlyAddressed' | 'isDraining'> | undefined
  /** Faults although all is connected, as sentences. */
  readonly warnings: () => readonly string[]
  readonly heartbeat: (signal: AbortSignal) => Promise<void>
  readonly tracing?: Tracing
}): Operations {
  const { store, bridge } = parts
  const depth = () => store.inbox.depth()
  const figures = createFigures({ depth, connections: () => bridge()?.connections() ?? new Map() })
  const ready = createReadiness({
    version: parts.version,
    connections: () => bridge()?.connections(),
    onlyAddressed: () => bridge()?.onlyAddressed() ?? [],
    warnings: parts.warnings,
    isDraining: () => bridge()?.isDraining() ?? false,
    depth,
    trouble: () => store.room.trouble(),
    heartbeat: parts.heartbeat,
  })
  return { watch: createWatch({ figures, tracing: parts.tracing }), print: figures.print, ready }
}

const FIGURES_TYPE = 'text/plain; version=0.0.4; charset=utf-8'

const digest = (text: string) => createHash('sha256').update(text).digest()

/**
 * `GET /metrics` with a hosted platform: for callers with the key that Footbridge itself uses. The embedded platform
 * has the route, and answers for both.
 */
export async function answerFigures(request: Request, key: string, print: () => Promise<string>): Promise<Response> {
  const given = request.headers.get('authorization')?.replace(/^Bearer\s+/i, '') ?? ''
  if (key === '' || !timingSafeEqual(digest(given.trim()), digest(key)))
    return new Response('Figures are for the operator: send PLATFORM_API_KEY in the Authorization header.\n', {
      status: 401,
    })
  return new Response(await print(), { headers: { 'content-type': FIGURES_TYPE } })
}
