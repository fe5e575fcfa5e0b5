import type { HandledMessage, Recall } from '../port/adapter.ts'
import { channelKey } from '../port/message.ts'
import type { Inbox } from '../port/store.ts'

/** Threads share the channel's key: so many jobs are looked through for each wanted message. */
const LOOKED_THROUGH = 5

/** Tells an adapter which messages were handled, so that it finds what changed while it was away. */
export const createRecall =
  (inbox: Pick<Inbox, 'newestOf'>): Recall =>
  async (conversation, limit) => {
    const found = new Map<string, HandledMessage>()
    for (const { inbound } of await inbox.newestOf(channelKey(conversation), limit * LOOKED_THROUGH)) {
      if (inbound.kind !== 'message' && inbound.kind !== 'edit') continue
      const { id, text, attachments, conversation: place } = inbound.message
      // The newest job comes first: after an edit, that is its text. Its files are those of the original message.
      if (place.thread !== conversation.thread || found.size >= limit) continue
      const known = found.get(id)
      const files = attachments.map((attachment) => attachment.id)
      found.set(id, {
        id,
        text: known?.text ?? text,
        attachments: files.length > 0 ? files : (known?.attachments ?? []),
      })
    }
    return [...found.values()]
  }
