import type { Adapter } from '#bridge/port/adapter.ts'
import { AdapterError } from '#bridge/port/errors.ts'
import { createLinePace } from '#bridge/port/outage.ts'
import type { Log } from '#bridge/port/platform.ts'
import type { Sharing } from '#bridge/port/store.ts'

const TRY_AGAIN_MS = 1000
/** The place of a connected process is looked after so often. */
const LOOK_MS = 1000
/** A lock that is free is not given for a moment after a loss of the database. */
const MAX_MISSES = 5
/** Between two tries to connect, while the service is out of reach. */
const RECONNECT_MS = 5000
/** After any other failure: a service that counts logins is not asked at once. */
const AFTER_FAILURE_MS = 60_000
/** Failures that stay until somebody changes the settings. */
const NEEDS_A_PERSON: ReadonlySet<string> = new Set(['unauthorized', 'forbidden', 'invalid'])

interface Told {
  readonly log: Log
  /** Another process is connected in place of this one, which must end. */
  readonly onLost?: (error: Error) => void
}

/** After a short loss of the database, another process may be connected: two would take the session from each other. */
function watchPlace(leads: () => Promise<boolean>, { log, onLost }: Told) {
  let isStopped = false
  function lose(): void {
    const error = new Error(
      'Another process has taken over the connection of this one: this process ends, start it again.',
    )
    log.error({ err: error }, error.message)
    onLost?.(error)
  }
  function watch(misses = 0): void {
    setTimeout(async () => {
      const isOurs = isStopped || (await leads().catch(() => true))
      if (isStopped) return
      if (!isOurs && misses === MAX_MISSES) return lose()
      watch(isOurs ? 0 : misses + 1)
    }, LOOK_MS).unref()
  }
  return { watch: () => watch(), stop: () => void (isStopped = true) }
}

/**
 * A service that takes one connection at a time: of the processes with this role one connects; the others stand by, leave
 * its jobs to that one, and take its place when it ends.
 */
export function standingBy(
  adapter: Adapter,
  role: string,
  sharing: Pick<Sharing, 'leads' | 'standBy'>,
  told: Told,
): Adapter {
  const { log } = told
  const lines = createLinePace()
  let timer: NodeJS.Timeout | undefined
  let isStopped = false
  let isWaiting = false

  const place = watchPlace(() => sharing.leads(role), told)

  return {
    ...adapter,
    isConnected: () => (isWaiting ? 'standby' : adapter.isConnected()),
    async start(...doors) {
      if (await sharing.leads(role)) {
        await adapter.start(...doors)
        return place.watch()
      }
      isWaiting = true
      sharing.standBy(adapter.name, true)
      log.info({}, 'Another process is connected; this one stands by')
      const tryAfter = (ms: number) => {
        timer = setTimeout(() => void takeOver(), ms)
      }
      const takeOver = async (): Promise<void> => {
        const leads = await sharing.leads(role).catch(() => false)
        if (isStopped) return
        if (!leads) return tryAfter(TRY_AGAIN_MS)
        isWaiting = false
        try {
          await adapter.start(...doors)
          sharing.standBy(adapter.name, false)
          place.watch()
        } catch (error) {
          if (isStopped) return
          const { code, retryAfterMs = 0 } = error instanceof AdapterError ? error : {}
          if (code !== undefined && NEEDS_A_PERSON.has(code))
            return log.error(
              { err: error },
              'The connection of the other process could not be taken over: check the token of this service, then restart',
            )
          const isAway = code === 'network'
          const level = isAway ? 'warn' : 'error'
          if (!isAway || lines.isDue())
            log[level]({ err: error }, 'The connection of the other process could not be taken over; it is tried again')
          tryAfter(Math.max(retryAfterMs, isAway ? RECONNECT_MS : AFTER_FAILURE_MS))
        }
      }
      tryAfter(TRY_AGAIN_MS)
    },
    async stop() {
      isStopped = true
      clearTimeout(timer)
      place.stop()
      await adapter.stop()
    },
  }
}
