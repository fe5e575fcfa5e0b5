import type { Adapter, Recall, Receive, Suggest } from '../port/adapter.ts'
import { isTransientFailure } from '../port/errors.ts'
import { createLinePace, pauseBefore } from '../port/outage.ts'
import type { Log } from '../port/platform.ts'

interface ConnectParts {
  readonly receive: Receive
  readonly suggest: Suggest
  readonly recall: Recall
  readonly log: Log
  readonly signal: AbortSignal
  readonly connections: { readonly add: (name: string) => void }
  /** Wait after the first failure, milliseconds: 1,000. */
  readonly retryMs?: number
  /** The others wait for this service at most this long. Default 10 s. */
  readonly startMs?: number
}

const START_MS = 10_000

/**
 * Connects an adapter; resolves with whether it is connected now. A service that is unreachable, busy or slow is connected
 * in the background; refused credentials reject.
 */
export async function connect(parts: ConnectParts, adapter: Adapter): Promise<boolean> {
  const { log, signal, connections } = parts
  const { name } = adapter
  const lines = createLinePace()
  const since = performance.now()
  let failures = 0
  let isConnected = false

  /** Wait until the next try, milliseconds; undefined: it is connected, or stopped. */
  async function attempt(): Promise<number | undefined> {
    try {
      await adapter.start(parts.receive, parts.suggest, parts.recall)
      isConnected = true
      connections.add(name)
      if (failures > 0)
        log.info(
          { adapter: name, failures, awayMs: Math.round(performance.now() - since) },
          'Chat service is connected again',
        )
      return undefined
    } catch (error) {
      if (signal.aborted) return undefined
      if (!isTransientFailure(error)) throw error
      failures += 1
      const waitMs = Math.max(pauseBefore(failures, parts.retryMs), error.retryAfterMs ?? 0)
      if (lines.isDue())
        log.error(
          { err: error, adapter: name, failures, retryInMs: Math.round(waitMs) },
          'Chat service cannot be reached, or refuses calls for now; it is tried again',
        )
      return waitMs
    }
  }

  async function keepTrying(first: Promise<number | undefined>): Promise<void> {
    for (let waitMs = await first; waitMs !== undefined; waitMs = await attempt()) {
      await pause(waitMs, signal)
      if (signal.aborted) return
    }
  }

  const first = attempt()
  const begun = new AbortController()
  const isLate = pause(parts.startMs ?? START_MS, AbortSignal.any([signal, begun.signal])).then(() => 'late' as const)
  const outcome = await Promise.race([first, isLate]).finally(() => begun.abort())
  if (outcome === undefined) return isConnected
  if (outcome === 'late' && !signal.aborted && lines.isDue())
    log.warn({ adapter: name }, 'Chat service does not answer yet; the others go on without it')
  keepTrying(first).catch((error: unknown) =>
    log.error({ err: error, adapter: name }, 'Chat service refused the connection: check its token, then restart'),
  )
  return false
}

const pause = (ms: number, signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, ms)
    const end = () => {
      clearTimeout(timer)
      resolve()
    }
    signal.addEventListener('abort', end, { once: true })
  })

/** State of each chat service's connection; unknown before `begin`. */
export function followConnections(adapters: readonly Adapter[]) {
  const started = new Set<string>()
  let hasBegun = false
  return {
    add: (name: string) => void started.add(name),
    begin: () => (hasBegun = true),
    now: () =>
      hasBegun ? new Map(adapters.map((each) => [each.name, started.has(each.name) && each.isConnected()])) : undefined,
  }
}
