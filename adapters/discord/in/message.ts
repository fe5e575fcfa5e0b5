import { type APIMessage, type APIUser, MessageFlags, MessageReferenceType, MessageType } from 'discord.js'
import type { Author, ConversationRef, Message, NamedConversation } from '../../../src/bridge/port/message.ts'
import { toAttachment } from './attachment.ts'
import { type Names, readMentions } from './mentions.ts'

/** A message as gateway and REST give it; the gateway adds the member. */
export type RawMessage = APIMessage & {
  readonly guild_id?: string
  readonly member?: { readonly nick?: string | null }
}

/** Messages that people write; every other type is told by Discord itself. */
const written: readonly MessageType[] = [MessageType.Default, MessageType.Reply]

/** False for other bots, webhooks, and what Discord says itself (joins, pins, thread titles). */
export function isFromPerson(raw: RawMessage): boolean {
  // Partial payloads come without an author.
  const author = raw.author as APIUser | undefined
  if (author === undefined || author.bot === true || author.system === true) return false
  return raw.webhook_id === undefined && written.includes(raw.type)
}

export function toAuthor(user: APIUser, nick?: string | null): Author {
  return { id: user.id, name: nick ?? user.global_name ?? user.username }
}

export function toMessage(
  raw: RawMessage,
  conversation: ConversationRef,
  names: Names,
  channels: readonly NamedConversation[] = [],
): Message {
  const channelName = (id: string) =>
    channels.find((each) => (each.conversation.thread ?? each.conversation.channel) === id)?.name ??
    names.channelName(id)
  const heard = readMentions(
    raw.content ?? '',
    { mentions: raw.mentions ?? [], everyone: raw.mention_everyone ?? false },
    { ...names, channelName },
  )
  const forwarded = raw.message_reference?.type === MessageReferenceType.Forward
  const replyTo = forwarded ? undefined : raw.message_reference?.message_id
  return {
    id: raw.id,
    conversation,
    author: toAuthor(raw.author, raw.member?.nick),
    text: heard.text,
    addressed: conversation.direct || heard.addressed,
    mentionsOthers: heard.mentionsOthers,
    ...(replyTo === undefined ? {} : { replyTo }),
    attachments: attachmentsOf(raw),
    ...(channels.length === 0 ? {} : { channels }),
    ...(heard.people.length === 0 ? {} : { mentions: heard.people }),
    sentAt: new Date(raw.timestamp).toISOString(),
  }
}

/** A forwarded message carries its files in a snapshot; forwarding a file into a channel is a drop like any other. */
export function rawAttachmentsOf(raw: RawMessage) {
  const snapshots = raw.message_snapshots ?? []
  return [...(raw.attachments ?? []), ...snapshots.flatMap(({ message }) => message.attachments ?? [])]
}

function attachmentsOf(raw: RawMessage) {
  const voice = ((raw.flags ?? 0) & MessageFlags.IsVoiceMessage) !== 0
  return rawAttachmentsOf(raw).map((file) =>
    toAttachment(file, {
      channel: raw.channel_id,
      message: raw.id,
      voice: voice && (file.waveform !== undefined || file.duration_secs !== undefined),
    }),
  )
}

/** Deeply frozen: what the bridge gets is data, and stays what it was. */
export function frozen<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value
  for (const inner of Object.values(value)) frozen(inner)
  return Object.freeze(value)
}
