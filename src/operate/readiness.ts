import type { ConnectionState } from '#bridge/port/adapter.ts'
import type { QueueDepth } from '#bridge/port/store.ts'

/** Parts whose state makes the readiness. */
export interface ReadinessParts {
  readonly version: string
  /** Chat services, and whether each is connected; undefined while Footbridge starts. */
  connections(): ReadonlyMap<string, ConnectionState> | undefined
  /** Chat services that pass on only what is addressed to Footbridge. Default: none. */
  onlyAddressed?(): readonly string[]
  /** Faults although all is connected, as sentences. Default: nothing. */
  warnings?(): readonly string[]
  isDraining(): boolean
  /** @throws when the store cannot be read */
  depth(): Promise<QueueDepth>
  /** A sentence while the store has no room. */
  trouble(): Promise<string | undefined>
  /** @throws a `PlatformError` when the platform does not answer */
  readonly heartbeat: (signal: AbortSignal) => Promise<void>
  /** Default `Date.now`. */
  readonly clock?: () => number
}

const STATES: Readonly<Record<string, string>> = { true: 'connected', false: 'away', standby: 'standby' }
/** A look at the platform holds for this long: load balancers ask each second. */
const PLATFORM_MS = 10_000
const HEARTBEAT_MS = 2_000

/**
 * The answer to `GET /readyz`. 503 while a chat service is not connected, the store cannot be read or is full, or the process
 * starts or drains, with the reason as a sentence. A platform that is away is told but is no 503: events are still
 * stored, and taking every process out of a load balancer would lose them.
 */
export function createReadiness(parts: ReadinessParts): () => Promise<Response> {
  const clock = parts.clock ?? Date.now
  const platformState = createPlatformState(parts, clock)
  return async () => {
    const [depth, trouble, platform] = await Promise.all([
      parts.depth().catch(() => undefined),
      parts.trouble(),
      platformState(),
    ])
    const connections = parts.connections()
    const away = [...(connections ?? [])].filter(([, state]) => state === false).map(([name]) => name)
    const reason = whyNot({
      isStarting: connections === undefined,
      isDraining: parts.isDraining(),
      depth,
      trouble,
      away,
    })
    const body = {
      status: reason === undefined ? 'ready' : 'not ready',
      reason,
      version: parts.version,
      connections: Object.fromEntries([...(connections ?? [])].map(([name, state]) => [name, STATES[String(state)]])),
      warnings: orNone(parts.warnings?.() ?? []),
      limited: limitedBy(parts.onlyAddressed?.() ?? []),
      store: depth === undefined ? 'unreadable' : trouble === undefined ? 'ok' : 'full',
      platform,
      queue: depth && {
        waiting: depth.waiting,
        running: depth.running,
        dead: depth.dead,
        oldestSeconds: depth.oldestAt === undefined ? 0 : Math.max(0, Math.round((clock() - depth.oldestAt) / 1000)),
      },
    }
    const status = reason === undefined ? 200 : 503
    return Response.json(body, { status, headers: { 'cache-control': 'no-store' } })
  }
}

const orNone = (sentences: readonly string[]) => (sentences.length === 0 ? undefined : sentences)

const limitedBy = (names: readonly string[]) =>
  orNone(names.map((name) => `${name}: receives only messages addressed to Footbridge; the log says why`))

function whyNot(state: {
  readonly isStarting: boolean
  readonly isDraining: boolean
  readonly depth: QueueDepth | undefined
  readonly trouble: string | undefined
  readonly away: readonly string[]
}): string | undefined {
  if (state.isDraining) return 'Footbridge is stopping: running answers end, and no new work begins.'
  if (state.isStarting) return 'Footbridge is starting.'
  if (state.depth === undefined) return 'The store cannot be read: check the disk or the database.'
  if (state.trouble !== undefined) return state.trouble
  if (state.away.length === 0) return undefined
  return `Not connected: ${state.away.join(', ')}. Each is tried again until it answers; the log says why.`
}

/** `ok`, or the code of the failure; one look at a time, and none while the last one holds. */
function createPlatformState({ heartbeat }: ReadinessParts, clock: () => number): () => Promise<string> {
  let state = 'not asked yet'
  let askedAt = -Infinity
  let asking: Promise<string> | undefined
  const ask = async () => {
    try {
      await heartbeat(AbortSignal.timeout(HEARTBEAT_MS))
      state = 'ok'
    } catch (error) {
      state = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'unreachable'
      if (state === 'aborted') state = 'timeout'
    }
    askedAt = clock()
    asking = undefined
    return state
  }
  return async () => (clock() - askedAt < PLATFORM_MS ? state : (asking ??= ask()))
}
