import type { HandledMessage, Recall } from '../port/adapter.ts'
import { channelKey } from '../port/keys.ts'
import type { Inbox } from '../port/store.ts'

/** Threads share the channel's key: this many jobs are looked through for each wanted message. */
const JOBS_PER_MESSAGE = 5

/** An adapter that comes back asks for all its channels: most have none, and one query tells which do. */
const CHANNELS_CACHE_MS = 5_000

/** Tells an adapter which messages were handled, so that it finds what changed while it was away. */
export function createRecall(inbox: Pick<Inbox, 'newestOf' | 'channelsOf'>): Recall {
  const asked = new Map<string, { readonly channels: Promise<ReadonlySet<string>>; readonly until: number }>()
  const channelsOf = (adapter: string) => {
    const before = asked.get(adapter)
    if (before !== undefined && before.until > Date.now()) return before.channels
    const channels = inbox.channelsOf(adapter).then((keys) => new Set(keys))
    asked.set(adapter, { channels, until: Date.now() + CHANNELS_CACHE_MS })
    channels.catch(() => asked.delete(adapter))
    return channels
  }
  return async (conversation, limit) => {
    if (!(await channelsOf(conversation.adapter)).has(channelKey(conversation))) return []
    const found = new Map<string, HandledMessage>()
    for (const { inbound } of await inbox.newestOf(channelKey(conversation), limit * JOBS_PER_MESSAGE)) {
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
}
