import { randomUUID } from 'node:crypto'
import { stableId } from '#lib/stable-id.ts'
import type { Adapter } from '../port/adapter.ts'
import { conversationOf, type Inbound, type MessageRef } from '../port/message.ts'
import type { Log } from '../port/platform.ts'
import { textsFor } from '../texts/texts.ts'
import { replyTarget } from './reply-target.ts'

/** A full disk stops everybody at once: this many people are told. */
const MAX_NOTICES = 20

/** Tells those who wait that nothing can be stored now. The store knows nothing of these messages: it is full. */
export interface StorageNotices {
  show(inbound: Inbound): void
  /** The work on this event goes on. */
  end(key: string): void
  endAll(): void
}

export function createStorageNotices(adapterOf: (name: string) => Adapter | undefined, log: Log): StorageNotices {
  const shown = new Map<string, Promise<(() => Promise<void>) | undefined>>()

  async function post(inbound: Inbound): Promise<(() => Promise<void>) | undefined> {
    const asked = replyTarget(inbound)
    const conversation = conversationOf(inbound)
    const adapter = adapterOf(conversation.adapter)
    if (asked === undefined || adapter === undefined) return undefined
    const { failures } = textsFor(asked.author.language)
    // A service may treat the id of a removed notice as a repeat.
    const sendId = stableId(22, inbound.key, randomUUID())
    const content = { kind: 'error', text: failures.noRoom, actions: [] } as const
    const ref: MessageRef = await adapter.post(asked.conversation, { ...content, sendId, replyTo: asked.id })
    return async () => adapter.remove(ref)
  }

  function end(key: string): void {
    const notice = shown.get(key)
    shown.delete(key)
    void notice
      ?.then((remove) => remove?.())
      .catch((error: unknown) => log.debug({ err: error, key }, 'The notice of a full disk could not be removed'))
  }

  return {
    show(inbound) {
      if (shown.has(inbound.key) || shown.size >= MAX_NOTICES) return
      const posted = post(inbound).catch((error: unknown) => {
        log.debug({ err: error, key: inbound.key }, 'The notice of a full disk could not be shown')
        // The same event, sent again, tries it again.
        if (shown.get(inbound.key) === posted) shown.delete(inbound.key)
        return undefined
      })
      shown.set(inbound.key, posted)
    },
    end,
    endAll: () => [...shown.keys()].forEach(end),
  }
}
