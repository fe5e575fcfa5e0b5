import { channelKey, type ConversationRef, type Inbound, type Message } from './message.ts'
import type { Store } from './store-port.ts'

/** Key of one message in the store: the same for the message, its edit and its delete. */
export function messageKey(conversation: ConversationRef, messageId: string): string {
  return `${channelKey(conversation)}/${messageId}`
}

/** Where an event took place. */
export function conversationOf(inbound: Inbound): ConversationRef {
  return inbound.kind === 'message' || inbound.kind === 'edit'
    ? inbound.message.conversation
    : inbound.conversation
}

/** Lane of a conversation as the service knows it: a thread, a direct conversation, or the channel itself. */
export function conversationLane(conversation: ConversationRef): string {
  const channel = channelKey(conversation)
  return conversation.thread === undefined ? `${channel}/` : `${channel}/${conversation.thread}`
}

/**
 * The lane in which a message is handled: one lane is one conversation, strictly in order. Where a service has no thread
 * around a question, its replies follow it, and an unrelated question beside it is a lane of its own, so that nobody
 * waits for a stranger's answer.
 */
export async function laneOf(
  message: Message,
  store: Pick<Store, 'inbox' | 'outbox' | 'transcripts'>,
): Promise<string> {
  const { conversation, replyTo } = message
  if (conversation.thread !== undefined) return conversationLane(conversation)
  if (replyTo !== undefined) {
    const said = await store.transcripts.laneOf(channelKey(conversation), replyTo)
    if (said !== undefined) return said
    // An answer that is seen already but not yet remembered: its send is on record.
    const sent = await store.outbox.byMessage(conversation, replyTo)
    const job = sent && (await store.inbox.job(sent.jobId))
    if (job !== undefined) return job.lane
  }
  if (conversation.direct) return conversationLane(conversation)
  return messageKey(conversation, message.id)
}
