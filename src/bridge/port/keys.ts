import type { ConversationRef } from './message.ts'

const PLAIN = /^[\w-]*$/
const encode = (part: string) => (PLAIN.test(part) ? part : encodeURIComponent(part))

/** Key of a workspace. */
export const workspaceKey = ({ adapter, workspace }: Pick<ConversationRef, 'adapter' | 'workspace'>): string =>
  `${encode(adapter)}:${encode(workspace)}`

const channelKeys = new WeakMap<ConversationRef, string>()

/** Key of a channel in the store, made once for each object: an answer asks for it two dozen times. */
export function channelKey(conversation: ConversationRef): string {
  const known = channelKeys.get(conversation)
  if (known !== undefined) return known
  const key = `${workspaceKey(conversation)}:${encode(conversation.channel)}`
  channelKeys.set(conversation, key)
  return key
}

/** Key of one message in the store: the same for the message, its edit and its delete. */
export const messageKey = (conversation: ConversationRef, messageId: string): string =>
  `${channelKey(conversation)}/${messageId}`

/** Queue key of a conversation in the service: a thread, a direct conversation, or the channel itself. */
export const conversationQueue = (conversation: ConversationRef): string =>
  `${channelKey(conversation)}/${conversation.thread ?? ''}`
