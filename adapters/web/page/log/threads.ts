import type { WebMessage, WebStatus } from '../../protocol.ts'
import type { Pending } from '../chat/state.ts'

/** A first message and all that was said under it. */
export interface Thread {
  /** Id of the root, also when the root itself is not there (any more). */
  readonly id: string
  readonly root?: WebMessage
  readonly replies: readonly WebMessage[]
  readonly pending: readonly Pending[]
  readonly status?: string
}

/** Groups the messages of a channel, oldest root first. In a direct conversation every message is its own root. */
export function toThreads(
  messages: readonly WebMessage[],
  pending: readonly Pending[],
  statuses: readonly WebStatus[],
): readonly Thread[] {
  const known = new Set(messages.map(({ id }) => id))
  const waiting = pending.filter(({ id }) => !known.has(id))
  const groups = new Map<string, { root?: WebMessage; replies: WebMessage[]; pending: Pending[] }>()
  const groupOf = (id: string) => {
    const group = groups.get(id) ?? { replies: [], pending: [] }
    groups.set(id, group)
    return group
  }
  for (const message of messages) {
    if (message.thread === undefined) groupOf(message.id).root = message
    else groupOf(message.thread).replies.push(message)
  }
  for (const message of waiting) groupOf(message.thread ?? message.id).pending.push(message)
  return [...groups].map(([id, group]) => {
    const status = statuses.find(({ thread }) => thread === id)?.text
    return { id, ...group, ...(status && { status }) }
  })
}
