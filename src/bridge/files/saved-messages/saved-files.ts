import { channelKey, conversationQueue, messageKey, type ConversationRef } from '../../port/message.ts'
import type { FileRecord } from '../../port/records.ts'
import type { Store } from '../../port/store.ts'

/** Attachment id of a saved message, which goes when the message is deleted. A saved thread stays. */
export const ofMessageKey = (conversation: ConversationRef, messageId: string): string =>
  `message:${messageKey(conversation, messageId)}`

/** Attachment id of saved replies to an unanswered question. */
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

/** Files that were made of this message and are not removed; earlier versions first. */
export async function savedFrom(
  store: Pick<Store, 'channels' | 'files'>,
  conversation: ConversationRef,
  messageId: string,
): Promise<readonly FileRecord[]> {
  const files: FileRecord[] = []
  for (const collection of await collectionsOf(store, conversation))
    files.push(...(await store.files.ofCollection(collection)).toReversed())
  return files.filter(
    (file) =>
      (file.messageId === messageId || file.alsoFrom?.includes(messageId) === true) &&
      file.channel === channelKey(conversation) &&
      file.state !== 'removed' &&
      /^(?:message|answer|memo):/.test(file.attachmentId),
  )
}

/** The queue in which a deletion is handled: that of the message's job, or of files saved from it. Undefined: there is neither. */
export async function queueOfDeletion(
  store: Pick<Store, 'channels' | 'files' | 'inbox'>,
  { conversation, messageId }: { readonly conversation: ConversationRef; readonly messageId: string },
): Promise<string | undefined> {
  const known = await store.inbox.ofMessage(messageKey(conversation, messageId))
  if (known !== undefined) return known.queue
  const kept = await savedFrom(store, conversation, messageId)
  return kept.length > 0 ? conversationQueue(conversation) : undefined
}
