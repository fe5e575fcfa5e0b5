import type { Adapter, Recall, Receive, Suggest } from '../port/adapter.ts'
import { isTransientFailure } from '../port/errors.ts'
import type { Log } from '../port/platform.ts'
import { RETRY_MS } from './retry-policy.ts'

/**
 * Connects an adapter; resolves with whether it is connected now. An unreachable or busy service is retried in the
 * background; refused credentials reject.
 */
export async function connect(
  parts: {
    readonly receive: Receive
    readonly suggest: Suggest
    readonly recall: Recall
    readonly log: Log
    readonly signal: AbortSignal
    readonly connections: { readonly add: (name: string) => void }
  },
  adapter: Adapter,
  attempt = 0,
): Promise<boolean> {
  const { receive, suggest, recall, log, signal } = parts
  try {
    await adapter.start(receive, suggest, recall)
    parts.connections.add(adapter.name)
    if (attempt > 0) log.info({ adapter: adapter.name }, 'Chat service is connected again')
    return true
  } catch (error) {
    if (signal.aborted) return false
    if (!isTransientFailure(error)) throw error
    const wait = Math.max(RETRY_MS[Math.min(attempt, RETRY_MS.length - 1)] ?? 1000, error.retryAfterMs ?? 0)
    log.error(
      { err: error, adapter: adapter.name, retryInMs: wait },
      'Chat service cannot be reached, or refuses calls for now; it is tried again',
    )
    const timer = setTimeout(() => {
      connect(parts, adapter, attempt + 1).catch((late: unknown) =>
        log.error(
          { err: late, adapter: adapter.name },
          'Chat service refused the connection: check its token, then restart',
        ),
      )
    }, wait)
    signal.addEventListener('abort', () => clearTimeout(timer), { once: true })
    return false
  }
}
