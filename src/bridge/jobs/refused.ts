import type { Receive } from '../port/adapter.ts'
import type { Inbound } from '../port/message.ts'
import type { Log } from '../port/platform.ts'
import type { Store } from '../port/store.ts'
import type { StorageNotices } from './storage-notices.ts'

/** More refused events than this are left to the chat services, which send them again or are read back. */
const MAX_REFUSED = 2000

/**
 * Events that could not be stored for want of room are refused, so that the service sends them again, and kept: most
 * services give up after some minutes, and Discord at once. The same event that comes twice is known by its key.
 */
export function createRefused(
  { store, notices, log }: { readonly store: Pick<Store, 'room'>; readonly notices: StorageNotices; readonly log: Log },
  receive: Receive,
): Receive {
  const refused = new Map<string, Inbound>()
  let taking: Promise<void> | undefined
  let isFull = false
  const tell = (inbound: Inbound) => {
    if (inbound.kind === 'message' && inbound.message.addressed) notices.show(inbound)
  }

  async function take(inbound: Inbound): Promise<void> {
    try {
      await receive(inbound)
    } catch (error) {
      const known = store.room.failed(error)
      if (known !== error && refused.size < MAX_REFUSED) refused.set(inbound.key, inbound)
      throw known
    }
    if (refused.size > 0) refused.delete(inbound.key)
  }

  /** In the order in which they came; the first that is refused again ends it. */
  async function takeAgain(): Promise<void> {
    const count = refused.size
    for (const inbound of refused.values()) await take(inbound)
    if (count > 0) log.info({ events: count }, 'Events that were refused while the disk was full are stored now')
  }

  store.room.watch((trouble) => {
    isFull = trouble !== undefined
    if (trouble !== undefined) {
      // Room for a moment ended their notices.
      refused.forEach(tell)
      return log.error({ reason: trouble }, 'Nothing can be stored')
    }
    log.info({}, 'The disk has room again: everything goes on')
    notices.endAll()
    taking ??= takeAgain()
      .catch(() => undefined)
      .finally(() => (taking = undefined))
  })

  return async (inbound) => {
    // An event that just fits has a job that waits for room.
    if (isFull) tell(inbound)
    try {
      await take(inbound)
    } catch (error) {
      if (refused.has(inbound.key)) tell(inbound)
      throw error
    }
  }
}
