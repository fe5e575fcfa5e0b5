import type { ConversationRef } from '../../../src/bridge/port/message.ts'
import type { WebStatus } from '../protocol.ts'

/** "thinking …" lines, one a conversation; the newest one counts. */
export interface Statuses {
  show(conversation: ConversationRef, text: string, signal: AbortSignal): void
  clear(conversation: ConversationRef): void
  list(): readonly WebStatus[]
}

export function createStatuses(publish: (status: WebStatus) => void): Statuses {
  const shown = new Map<string, WebStatus>()
  const clear = (conversation: ConversationRef) => {
    if (shown.delete(keyOf(conversation))) publish({ ...place(conversation), text: null })
  }
  return {
    show(conversation, text, signal) {
      if (signal.aborted) return
      const status = { ...place(conversation), text }
      shown.set(keyOf(conversation), status)
      publish(status)
      // A later status of the same conversation must outlive the end of this one.
      const end = () => shown.get(keyOf(conversation)) === status && clear(conversation)
      signal.addEventListener('abort', end, { once: true })
    },
    clear,
    list: () => [...shown.values()],
  }
}

function keyOf({ channel, thread }: ConversationRef): string {
  return `${channel}/${thread ?? ''}`
}

function place({ channel, thread }: ConversationRef): Pick<WebStatus, 'channel' | 'thread'> {
  return { channel, ...(thread !== undefined && { thread }) }
}
