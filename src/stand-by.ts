import type { Adapter } from './bridge/port/adapter.ts'
import { AdapterError } from './bridge/port/errors.ts'
import type { Log } from './bridge/port/platform.ts'
import type { Sharing } from './bridge/port/store.ts'

const TRY_AGAIN_MS = 1000
/** Between two tries to connect, while the service is out of reach. */
const RECONNECT_MS = 5000

/**
 * A service that takes one connection at a time: of the processes with this role one connects; the others stand by, leave
 * its jobs to that one, and take its place when it ends.
 */
export function standingBy(
  adapter: Adapter,
  role: string,
  sharing: Pick<Sharing, 'leads' | 'standBy'>,
  log: Log,
): Adapter {
  let timer: NodeJS.Timeout | undefined
  let isStopped = false
  let isWaiting = false
  return {
    ...adapter,
    isConnected: () => (isWaiting ? 'standby' : (adapter.isConnected?.() ?? true)),
    async start(...doors) {
      if (await sharing.leads(role)) return adapter.start(...doors)
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
        } catch (error) {
          if (isStopped) return
          if (error instanceof AdapterError && error.code === 'network') {
            log.warn({ err: error }, 'The connection of the other process could not be taken over; it is tried again')
            return tryAfter(RECONNECT_MS)
          }
          log.error(
            { err: error },
            'The connection of the other process could not be taken over: check the token of this service, then restart',
          )
        }
      }
      tryAfter(TRY_AGAIN_MS)
    },
    async stop() {
      isStopped = true
      clearTimeout(timer)
      await adapter.stop()
    },
  }
}
