import { channelKey, type ConversationRef, type Inbound, type Message } from '../port/message.ts'
import type { Store } from '../port/store.ts'

/** Key of one message in the store: the same for the message, its edit and its delete. */
export function messageKey(conversation: ConversationRef, messageId: string): string {
  return `${channelKey(conversation)}/${messageId}`
}

/** Where an event took place. A file is deleted in no channel in particular. */
export function conversationOf(inbound: Inbound): ConversationRef {
  if (inbound.kind === 'file-gone') {
    const { adapter, workspace } = inbound
    return { adapter, workspace, channel: '', direct: false }
  }
  return inbound.kind === 'message' || inbound.kind === 'edit'
    ? inbound.message.conversation
    : inbound.conversation
}

/** Lane of a conversation as the service knows it: a thread, a direct conversation, or the channel itself. */
export function conversationQueue(conversation: ConversationRef): string {
  const channel = channelKey(conversation)
  return conversation.thread === undefined ? `${channel}/` : `${channel}/${conversation.thread}`
}

/** Lane of what happens in a conversation beside its questions: presses, pins … hinder each other only. */
export const eventQueue = (conversation: ConversationRef, kind: Inbound['kind']): string =>
  `${conversationQueue(conversation)}!${kind}`

/**
 * The queue in which a message is handled: one queue is one conversation, strictly in order. Where a service has no thread
 * around a question, its replies follow it, and an unrelated question beside it is a queue of its own, so that nobody
 * waits for a stranger's answer.
 */
export async function queueOf(
  message: Message,
  store: Pick<Store, 'inbox' | 'outbox' | 'history'>,
): Promise<string> {
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

/** Something was taken away: what we have of it is to go, and nobody is spoken to. */
export const isDeletion = (
  inbound: Inbound,
): inbound is Extract<Inbound, { kind: 'delete' | 'files-left' | 'file-gone' }> =>
  inbound.kind === 'delete' || inbound.kind === 'files-left' || inbound.kind === 'file-gone'
