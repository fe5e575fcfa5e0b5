import {
  channelKey,
  conversationQueue,
  messageKey,
  type ConversationRef,
  type Inbound,
  type InboundOf,
  type Message,
} from '../port/message.ts'
import type { Store } from '../port/store.ts'

/** Queue of the presses of a conversation, its pins …: they wait for others of their kind, not for its questions. */
export const eventQueue = (conversation: ConversationRef, kind: Inbound['kind']): string =>
  `${conversationQueue(conversation)}!${kind}`

/**
 * The queue in which a message is handled: one queue is one conversation, strictly in order. Where a service has no thread
 * around a question, its replies follow it, and an unrelated question beside it is a queue of its own, so that nobody
 * waits for a stranger's answer.
 */
export async function queueOf(message: Message, store: Pick<Store, 'inbox' | 'outbox' | 'history'>): Promise<string> {
  const { conversation, replyTo } = message
  if (conversation.thread !== undefined) return conversationQueue(conversation)
  if (replyTo !== undefined) {
    const said = await store.history.queueOf(channelKey(conversation), replyTo)
    if (said !== undefined) return said
    // An answer that is seen already but not yet remembered: its send is on record.
    const sent = await store.outbox.byMessage(conversation, replyTo)
    const job = sent && (await store.inbox.job(sent.jobId))
    if (job !== undefined) return job.queue
  }
  if (conversation.direct) return conversationQueue(conversation)
  return messageKey(conversation, message.id)
}

/** Messages or files were deleted: what came of them is to go, and nobody is spoken to. */
export const isDeletion = (inbound: Inbound): inbound is InboundOf<'delete' | 'files-left' | 'file-gone'> =>
  inbound.kind === 'delete' || inbound.kind === 'files-left' || inbound.kind === 'file-gone'
