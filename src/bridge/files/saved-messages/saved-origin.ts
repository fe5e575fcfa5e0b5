import { conversationQueue, messageKey, channelKey, type ConversationRef } from '../../port/message.ts'
import type { FileRecord } from '../../port/records.ts'
import type { Store } from '../../port/store.ts'

/** What is kept of one message: it goes with the message. A thread is more than its first message, and stays. */
export const ofMessageKey = (conversation: ConversationRef, messageId: string): string =>
  `message:${messageKey(conversation, messageId)}`
export const ofAnswerKey = (answerId: string): string => `answer:${answerId}`

/** The channel's own collection, and the one that it uses by a link. */
export async function collectionsOf(
  { channels }: Pick<Store, 'channels'>,
  conversation: ConversationRef,
): Promise<readonly string[]> {
  const own = await channels.get(channelKey(conversation))
  const linked = own?.linkedTo === undefined ? undefined : await channels.get(own.linkedTo)
  return [own, linked].flatMap((record) => (record === undefined ? [] : [record.collection]))
}

/** The files that were made of what stands in this message, and are there; earlier versions first. */
export async function filedFrom(
  store: Pick<Store, 'channels' | 'files'>,
  conversation: ConversationRef,
  messageId: string,
): Promise<readonly FileRecord[]> {
  const entries: FileRecord[] = []
  for (const collection of await collectionsOf(store, conversation))
    entries.push(...(await store.files.ofCollection(collection)).toReversed())
  return entries.filter(
    (entry) =>
      (entry.messageId === messageId || entry.alsoFrom?.includes(messageId) === true) &&
      entry.channel === channelKey(conversation) &&
      entry.state !== 'removed' &&
      /^(?:message|answer|memo):/.test(entry.attachmentId),
  )
}

/** The queue in which a deletion is followed: that of the message's own job, or of what was kept of it. Undefined: neither. */
export async function queueOfDeletion(
  store: Pick<Store, 'channels' | 'files' | 'inbox'>,
  { conversation, messageId }: { readonly conversation: ConversationRef; readonly messageId: string },
): Promise<string | undefined> {
  const known = await store.inbox.ofMessage(messageKey(conversation, messageId))
  if (known !== undefined) return known.queue
  const kept = await filedFrom(store, conversation, messageId)
  return kept.length > 0 ? conversationQueue(conversation) : undefined
}
