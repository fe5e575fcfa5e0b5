import type { Attachment, ConversationRef, Message, NamedConversation } from '#bridge/port/message.ts'
import type { WebChannel } from '../protocol.ts'
import { foldName, withoutMention } from './store/names.ts'
import type { StoredMessage } from './store/messages.ts'

export const ADAPTER = 'web'
export const WORKSPACE = 'local'
/** The person at the browser: one password, or none on loopback, is one account. */
export const PERSON_ID = 'person'
/** Characters of a channel's name. */
export const MAX_NAME_CHARS = 80
export const OWN_ID = 'footbridge'
export const OWN_NAME = 'Footbridge'

const OTHER_MENTION = /(?<![\w@./])@(?!footbridge(?![\w-]))\p{L}[\p{L}\p{N}._-]*/iu

/** Removes `@footbridge` and tells whether it, or somebody else, was mentioned. */
function parseMentions(text: string): { text: string; addressed: boolean; mentionsOthers: boolean } {
  const rest = withoutMention(text)
  return { text: rest.trim(), addressed: rest.length !== text.length, mentionsOthers: OTHER_MENTION.test(rest) }
}

/** The direct conversation, whose files all chats ask; and the id of its first chat, which has no thread. */
export const DIRECT = 'direct'

/**
 * The conversation of a message. In a channel each root message has its own thread, which keeps answer, receipts and
 * follow-ups together. A chat is a thread of the direct conversation.
 */
export function conversationOf(channel: WebChannel, message: { id: string; thread?: string }): ConversationRef {
  const place = { adapter: ADAPTER, workspace: WORKSPACE, direct: channel.direct }
  if (!channel.direct) return { ...place, channel: channel.id, thread: message.thread ?? message.id }
  return channel.id === DIRECT ? { ...place, channel: DIRECT } : { ...place, channel: DIRECT, thread: channel.id }
}

/** The chat or channel, and the thread, in which the page shows a conversation. */
export const placeOnPage = ({ channel, direct, thread }: Omit<ConversationRef, 'adapter' | 'workspace'>) =>
  direct ? { channel: thread ?? channel, thread: undefined } : { channel, thread }

const CHANNEL_SIGN = /(?<![\p{L}\p{N}_/#&])#/gu
/** More signs than this in one text name no further channel. */
const MAX_SIGNS = 100

/** Channels that the text names, each once, in order. A name may hold anything, so the longest that fits counts. */
function namedChannels(text: string, channels: readonly WebChannel[]): NamedConversation[] {
  const longestFirst = channels.filter(({ direct }) => !direct).toSorted((a, b) => b.name.length - a.name.length)
  const named = [...text.matchAll(CHANNEL_SIGN)].slice(0, MAX_SIGNS).flatMap(({ index }) => {
    const rest = foldName(text.slice(index + 1, index + 1 + MAX_NAME_CHARS * 2))
    const fits = ({ name }: WebChannel) =>
      rest.startsWith(foldName(name)) && !/^[\p{L}\p{N}]/u.test(rest.slice(foldName(name).length))
    return longestFirst.find(fits) ?? []
  })
  return [...new Set(named)].map(({ id, name }) => ({
    name,
    conversation: { adapter: ADAPTER, workspace: WORKSPACE, channel: id, direct: false },
  }))
}

/** @param all channels of the page, to find those that the text names */
export function toMessage(channel: WebChannel, stored: StoredMessage, all: readonly WebChannel[] = []): Message {
  const channels = namedChannels(stored.text, all)
  const { text, addressed, mentionsOthers } = stored.ours
    ? { text: stored.text, addressed: false, mentionsOthers: false }
    : parseMentions(stored.text)
  const { language, timeZone } = stored
  return {
    id: stored.id,
    conversation: conversationOf(channel, stored),
    author: { id: stored.authorId, name: stored.author, language, timeZone },
    text,
    // The page is one person's: its messages are meant for Footbridge, unless they address somebody else.
    addressed: !stored.ours && (addressed || channel.direct || !mentionsOthers),
    byPlace: stored.ours || addressed || channel.direct || mentionsOthers ? undefined : true,
    mentionsOthers,
    replyTo: stored.replyTo,
    attachments: stored.attachments.map((file): Attachment => ({ ...file, locator: file.id })),
    channels: channels.length > 0 ? channels : undefined,
    sentAt: stored.sentAt,
  }
}

/** Deduplication key of a posted message. */
export function messageKey(channel: string, id: string): string {
  return `${ADAPTER}:${channel}:${id}`
}
