import { channelKey, conversationQueue, messageKey } from '../port/keys.ts'
import type { ConversationRef, Inbound, InboundOf, Message } from '../port/message.ts'
import type { Store } from '../port/store.ts'

/** Queue of one kind of event (presses, pins …) of a conversation, independent of its questions. */
export const eventQueue = (conversation: ConversationRef, kind: Inbound['kind']): string =>
  `${conversationQueue(conversation)}!${kind}`

/** Whether the message begins a conversation: it has no earlier question to us. False for an edit of it. */
export const beginsConversation = ({ id, conversation: { direct, thread = id }, replyTo }: Message): boolean =>
  !direct && thread === id && replyTo === undefined

/**
 * The queue key of a message: one queue is one conversation, strictly in order. In a service without threads, replies
 * to a question share its queue, and an unrelated question gets its own, so that nobody waits for a stranger's answer.
 */
export async function queueOf(message: Message, store: Pick<Store, 'inbox' | 'outbox' | 'history'>): Promise<string> {
  const { conversation, replyTo } = message
  if (conversation.thread === message.id) return conversationQueue(conversation)
  if (conversation.thread !== undefined) {
    // A thread under an answer that somebody shared goes on with that answer.
    const root = await store.history.queueOf(channelKey(conversation), conversation.thread)
    return root ?? conversationQueue(conversation)
  }
  if (replyTo !== undefined) {
    const said = await store.history.queueOf(channelKey(conversation), replyTo)
    if (said !== undefined) return said
    // An answer that is shown but not yet in the history: its send has an outbox row.
    const sent = await store.outbox.byMessage(conversation, replyTo)
    const job = sent && (await store.inbox.job(sent.jobId))
    if (job !== undefined) return job.queue
  }
  if (conversation.direct) return conversationQueue(conversation)
  return messageKey(conversation, message.id)
}

/** Presses wait in queues with this ending, one after the other. */
export const PRESSES = '!action'

/** The queue of a message that waited for a press: the message that the press posted tells its conversation. */
export const queueAfterPress = async (
  store: Parameters<typeof queueOf>[1],
  queue: string,
  message: Message,
): Promise<string> => (queue.endsWith(PRESSES) ? queueOf(message, store) : queue)

/**
 * The queue of a command. A shared question is a question like others; private ones are a conversation of that person,
 * so that nobody's history has them.
 */
export function queueOfCommand({ conversation, author, messageId, command }: InboundOf<'command'>): string {
  // Files take minutes: other commands do not wait for them.
  if (command.name === 'add') return messageKey(conversation, messageId)
  if (command.name !== 'ask') return eventQueue(conversation, 'command')
  if (conversation.direct || (command.shared === true && conversation.thread !== undefined))
    return conversationQueue(conversation)
  return command.shared === true
    ? messageKey(conversation, messageId)
    : `${eventQueue(conversation, 'command')}/${author.id}`
}

/** Whether messages or files were deleted: everything made from them is removed, without a reply. */
export const isDeletion = (
  inbound: Inbound,
): inbound is InboundOf<'delete' | 'files-left' | 'file-gone' | 'channel-gone' | 'workspace-gone'> =>
  ['delete', 'files-left', 'file-gone', 'channel-gone', 'workspace-gone'].includes(inbound.kind)
