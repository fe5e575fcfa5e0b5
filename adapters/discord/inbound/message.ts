import { type APIMessage, type APIUser, MessageFlags, MessageReferenceType, MessageType } from 'discord.js'
import { plainName } from '#lib/unicode.ts'
import type { Author } from '#bridge/port/author.ts'
import type { ConversationRef, Message, NamedConversation } from '#bridge/port/message.ts'
import { toAttachment } from './attachment.ts'
import { rawAttachmentsOf, snapshotsOf } from './forward.ts'
import { pollWords, programWords } from './program-text.ts'

/** A message from gateway or REST; the gateway adds the member. */
export type RawMessage = APIMessage & {
  readonly guild_id?: string
  readonly member?: { readonly nick?: string | null }
}

/** Types of messages that people write; the others are Discord's own. */
const WRITTEN_TYPES: readonly MessageType[] = [MessageType.Default, MessageType.Reply]

/** False for other bots, webhooks and Discord's own notices (joins, pins, thread titles). */
export function isFromPerson(raw: RawMessage): boolean {
  // Partial payloads come without an author.
  const author = raw.author as APIUser | undefined
  if (author === undefined || author.bot === true || author.system === true) return false
  return (raw.webhook_id ?? undefined) === undefined && WRITTEN_TYPES.includes(raw.type)
}

/** Another bot, or a webhook. */
export const isFromProgram = (raw: RawMessage, me: string): boolean =>
  (raw.author as APIUser | undefined) !== undefined &&
  raw.author.id !== me &&
  isProgram(raw) &&
  WRITTEN_TYPES.includes(raw.type)

/** The application, whose id is mostly that of its bot, but not that of its webhook. */
const programOf = (raw: RawMessage): Pick<Author, 'programIds'> =>
  isProgram(raw) ? { programIds: raw.application_id === undefined ? [] : [raw.application_id] } : {}

export function toAuthor(user: APIUser, nick?: string | null): Author {
  return { id: user.id, name: plainName(nick ?? '') || shownName(user) }
}

const shownName = ({ global_name: shown, username }: Pick<APIUser, 'username' | 'global_name'>) =>
  plainName(shown ?? '') || username

export function toMessage(
  raw: RawMessage,
  conversation: ConversationRef,
  names: Names,
  channels: readonly NamedConversation[] = [],
): Message {
  const channelName = (id: string) =>
    channels.find((each) => (each.conversation.thread ?? each.conversation.channel) === id)?.name ??
    names.channelName(id)
  const named = { ...names, channelName }
  const read = readMentions(
    raw.content ?? '',
    { mentions: raw.mentions ?? [], everyone: raw.mention_everyone ?? false },
    named,
  )
  const attachments = attachmentsOf(raw)
  const forwarded = raw.message_reference?.type === MessageReferenceType.Forward
  const replyTo = forwarded ? undefined : raw.message_reference?.message_id
  return {
    id: raw.id,
    conversation,
    author: { ...toAuthor(raw.author, raw.member?.nick), ...programOf(raw) },
    text: textOf(raw, read.text, named),
    addressed: conversation.direct || read.addressed,
    mentionsOthers: read.mentionsOthers,
    ...(replyTo === undefined ? {} : { replyTo }),
    attachments,
    isAmongPeople: (!conversation.direct && attachments.some(({ kind }) => kind === 'voice')) || undefined,
    channels: channels.length === 0 ? undefined : channels,
    mentions: read.people.length === 0 ? undefined : read.people,
    sentAt: new Date(raw.timestamp).toISOString(),
  }
}

const isProgram = ({ author, webhook_id: webhook }: RawMessage): boolean =>
  author.bot === true || typeof webhook === 'string'

/** The words of a message, those of a program and of a poll too, and after them the quoted words of a forwarded message. */
function textOf(raw: RawMessage, said: string, names: Names): string {
  const quoted = snapshotsOf(raw).flatMap((snapshot) => {
    const mentioned = { mentions: snapshot.mentions ?? [], everyone: false }
    const { text } = readMentions(snapshot.content ?? '', mentioned, names)
    const words = [text, programWords(snapshot)].filter((part) => part !== '').join('\n')
    return words === '' ? [] : [words.replace(/^/gm, '> ')]
  })
  // Messages of programs may have their words in embeds alone.
  const own = isProgram(raw) && raw.author.id !== names.me ? [said, programWords(raw)] : [said]
  return [...own, pollWords(raw), ...quoted].filter((part) => part !== '').join('\n\n')
}

function attachmentsOf(raw: RawMessage) {
  const voice = [raw, ...snapshotsOf(raw)].some(({ flags }) => ((flags ?? 0) & MessageFlags.IsVoiceMessage) !== 0)
  return rawAttachmentsOf(raw).map((file) =>
    toAttachment(file, {
      channel: raw.channel_id,
      message: raw.id,
      voice: voice && (file.waveform !== undefined || file.duration_secs !== undefined),
    }),
  )
}

export interface Names {
  readonly me: string
  readonly channelName: (id: string) => string | undefined
  readonly role: (id: string) => { readonly name: string; readonly ours: boolean } | undefined
}

interface MessageText {
  readonly text: string
  readonly addressed: boolean
  readonly mentionsOthers: boolean
  /** Mentioned people, except Footbridge. */
  readonly people: readonly { readonly id: string; readonly name: string }[]
}

type Mentioned = Pick<APIUser, 'id' | 'username' | 'global_name'>

/** Placeholder for our own mention until it is removed; a private-use character. */
const OWN_MENTION = '\uE000'

const CODE = /<@!?(\d+)>|<@&(\d+)>|<#(\d+)>|<a?:(\w+):\d+>|<\/([^:<>]{1,120}):\d+>|<t:(-?\d+)(?::\w)?>/g

/**
 * Reads Discord's mention codes. The codes in the text decide, not the `mentions` list: that also names the author of
 * the message replied to. A reply ping or @everyone addresses nobody.
 */
export function readMentions(
  content: string,
  message: { readonly mentions: readonly Mentioned[]; readonly everyone: boolean },
  names: Names,
): MessageText {
  const listed = new Map(message.mentions.map((user) => [user.id, user]))
  const people = new Map<string, string>()
  let addressed = false
  let mentionsOthers = message.everyone
  const text = content.replaceAll(
    CODE,
    (code, user?: string, role?: string, channel?: string, emoji?: string, command?: string, time?: string) => {
      if (user !== undefined) {
        const known = listed.get(user)
        // Not in the list: the mention is inside a code span or names nobody.
        if (known === undefined) return code
        if (user === names.me) addressed = true
        else {
          mentionsOthers = true
          people.set(user, shownName(known))
        }
        return user === names.me ? OWN_MENTION : `@${shownName(known)}`
      }
      if (role !== undefined) {
        const known = names.role(role)
        if (known?.ours === true) addressed = true
        else mentionsOthers = true
        return known?.ours === true ? OWN_MENTION : `@${known?.name ?? 'role'}`
      }
      if (channel !== undefined) return `#${names.channelName(channel) ?? 'channel'}`
      if (emoji !== undefined) return `:${emoji}:`
      if (command !== undefined) return `/${command}`
      return time === undefined ? code : readTime(Number(time), code)
    },
  )
  return {
    text: withoutOwnMention(text),
    addressed,
    mentionsOthers,
    people: Array.from(people, ([id, name]) => ({ id, name })),
  }
}

function withoutOwnMention(text: string): string {
  return text
    .replace(/^\s*\uE000[ \t]*[,:;]?/, '')
    .replaceAll(/(?<![ \t])[ \t]*\uE000(?=[ \t]*(?:[,.;:!?]|$))/gm, '')
    .replaceAll(/(?<![ \t])[ \t]*\uE000[ \t]*/g, ' ')
    .trim()
}

function readTime(seconds: number, code: string): string {
  const date = new Date(seconds * 1000)
  return Number.isNaN(date.getTime()) ? code : `${date.toISOString().slice(0, 16).replace('T', ' ')} UTC`
}
