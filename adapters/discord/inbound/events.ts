import { createHash } from 'node:crypto'
import { type APIUser, Routes } from 'discord.js'
import type { HandledMessage } from '#bridge/port/adapter.ts'
import type { Author } from '#bridge/port/author.ts'
import type { ConversationRef, Inbound, Message } from '#bridge/port/message.ts'
import { createLru } from '#lib/lru.ts'
import type { Channels } from '../channels.ts'
import type { DiscordTimes } from '../config.ts'
import { type Rest, timeOf } from '../rest.ts'
import { markKey, type ReadMarks } from './catch-up.ts'
import { rawAttachmentsOf, snapshotsOf } from './forward.ts'
import { linkedIn } from './linked.ts'
import { isFromPerson, isFromProgram, type Names, type RawMessage, toAuthor, toMessage } from './message.ts'
import { showsChanges, toldOf } from './visible-part.ts'

/** MESSAGE_DELETE. */
export interface RawDeletion {
  readonly id: string
  readonly channel_id: string
  readonly guild_id?: string
}

/** MESSAGE_REACTION_ADD, as far as it is needed here. */
export interface RawReaction {
  readonly user_id: string
  readonly channel_id: string
  readonly message_id: string
  readonly guild_id?: string
  /** In guilds only. */
  readonly member?: { readonly user: APIUser; readonly nick?: string | null }
  readonly emoji: { readonly id?: string | null; readonly name?: string | null }
}

/** Converts Discord events to events of the bridge, and delivers them. */
export interface EventHandlers {
  /** `live` has the guild of a live event; for a message read later, its channel tells the guild. */
  message(raw: RawMessage, live: { readonly guildId: string | undefined } | undefined): Promise<void>
  edit(raw: RawMessage): Promise<void>
  /** A message that was handled before, as it is now: delivers its changes since then. */
  changed(raw: RawMessage, before: HandledMessage): Promise<void>
  deletion(raw: RawDeletion): Promise<void>
  reaction(raw: RawReaction): Promise<void>
}

export interface EventParts {
  readonly rest: Rest
  readonly channels: Channels
  readonly me: () => string
  readonly readsAll: () => boolean
  readonly marks: ReadMarks
  readonly names: (workspace: string) => Names
  readonly times: Pick<DiscordTimes, 'catchUpAgeMs'>
  /** Called for our own messages from the gateway. */
  readonly rememberOwn: (raw: RawMessage) => void
  /** True for a message that we removed ourselves: its deletion is ignored. */
  readonly removedByUs: (messageId: string) => boolean
  /** Resolves when the bridge has stored it. */
  readonly deliver: (inbound: Inbound) => Promise<void>
}

export const PIN = '📌'
/** Custom emoji have an id, and any name. */
export const isPin = ({ emoji }: Pick<RawReaction, 'emoji'>): boolean =>
  (emoji.id ?? null) === null && emoji.name === PIN

const MISSED_EDIT_MS = 24 * 3_600_000

const keyOf = (channelId: string, messageId: string) => `discord:${channelId}:${messageId}`

export function createEventHandlers(parts: EventParts): EventHandlers {
  const { channels, deliver } = parts
  const edits = createEditReader(parts)

  async function message(raw: RawMessage, live: { readonly guildId: string | undefined } | undefined) {
    if (raw.author?.id === parts.me()) parts.rememberOwn(raw)
    const conversation = await channels.conversation(raw.channel_id, live)
    const mark = markKey(raw.channel_id, conversation.direct)
    try {
      const read = channels.isIgnored(raw.channel_id) ? undefined : await readHeard(parts, raw, conversation)
      if (read !== undefined) {
        edits.remember(raw)
        const due = live === undefined ? agedMessage(read, parts.times.catchUpAgeMs) : read
        const key = keyOf(raw.channel_id, raw.id)
        await deliver({ kind: 'message', key, message: due })
      }
    } catch (error) {
      parts.marks.freeze(mark)
      throw error
    }
    parts.marks.advance(mark, raw.id)
  }

  async function deletion({ id, channel_id: channelId, guild_id: guildId }: RawDeletion) {
    if (parts.removedByUs(id)) return
    const conversation = await channels.conversation(channelId, { guildId })
    await deliver({ kind: 'delete', key: `${keyOf(channelId, id)}:delete`, conversation, messageId: id })
  }

  async function reaction(raw: RawReaction) {
    if (raw.user_id === parts.me()) return
    const author = await reactionAuthor(parts.rest, raw)
    if (author === undefined) return
    const conversation = await channels.conversation(raw.channel_id, { guildId: raw.guild_id })
    // Reactions have no id: the same person's mark on the same message is one event.
    const key = `${keyOf(raw.channel_id, raw.message_id)}:pin:${raw.user_id}`
    await deliver({ kind: 'pin', key, conversation, author, messageId: raw.message_id })
  }

  return { message, edit: edits.read, changed: edits.compare, deletion, reaction }
}

/** Undefined: Discord said it, or a program that neither mentions us nor has files. */
async function readHeard(parts: EventParts, raw: RawMessage, conversation: ConversationRef) {
  if (isFromPerson(raw)) {
    const told = toldOf(parts, raw, conversation)
    if (told === undefined) return undefined
    const whole = await readMessage(parts, told.raw, conversation)
    return told.isWithheld === true ? { ...whole, isWithheld: true as const } : whole
  }
  if (!isFromProgram(raw, parts.me())) return undefined
  const hasFiles = rawAttachmentsOf(raw).length > 0
  if (!hasFiles && !(raw.content ?? '').includes('<@')) return undefined
  const message = await readMessage(parts, raw, conversation)
  return hasFiles || message.addressed ? message : undefined
}

async function readMessage(
  { names, channels }: EventParts,
  raw: RawMessage,
  conversation: ConversationRef,
): Promise<Message> {
  const content = raw.content ?? ''
  const [named, linked] = await Promise.all([channels.named(content), linkedIn(content, channels)])
  const read = toMessage(raw, conversation, names(conversation.workspace), named)
  const message = linked.length === 0 ? read : { ...read, linked }
  // The first message of a forum post has the id of the post, whose title is mostly the question.
  const post = raw.id === raw.channel_id ? channels.post(raw.id) : undefined
  if (post === undefined) return message
  const tags = post.tags.length === 0 ? '' : ` (${post.tags.join(', ')})`
  return { ...message, text: [`${post.title}${tags}`, message.text].filter((part) => part !== '').join('\n\n') }
}

/** Detects changed text and removed files among the many reasons for a MESSAGE_UPDATE. */
function createEditReader(parts: EventParts) {
  const { channels, deliver, times } = parts
  /** Text digests and file ids, by message. */
  const texts = createLru<string>(5000)
  const files = createLru<string>(5000)

  async function readWords(raw: RawMessage): Promise<void> {
    const editedAt = raw.edited_timestamp
    if (raw.content === undefined || editedAt === null || editedAt === undefined || !isFromPerson(raw)) return
    if (!showsChanges(parts, raw)) return
    // A pin or preview of a message repeats its old edit.
    if (Date.now() - Date.parse(editedAt) > times.catchUpAgeMs) return
    if (texts.get(raw.id) === digest(raw.content)) return
    texts.set(raw.id, digest(raw.content))
    const conversation = await channels.conversation(raw.channel_id, { guildId: raw.guild_id })
    const message = await readMessage(parts, raw, conversation)
    const key = `${keyOf(raw.channel_id, raw.id)}:edit:${editedAt}`
    await deliver({ kind: 'edit', key, message })
  }

  /** The author may remove files from a message. For a message from before our start, the bridge knows its files. */
  async function readFiles(raw: RawMessage): Promise<void> {
    // A forwarded message cannot change; and an update may omit the files. Some servers send an empty list of snapshots.
    if (raw.attachments === undefined || snapshotsOf(raw).length > 0 || !showsChanges(parts, raw)) return
    if (!isFromPerson(raw) && !isFromProgram(raw, parts.me())) return
    const left = fileIdsOf(raw)
    if (files.get(raw.id) === left.join()) return
    files.set(raw.id, left.join())
    const conversation = await channels.conversation(raw.channel_id, { guildId: raw.guild_id })
    const key = `${keyOf(raw.channel_id, raw.id)}:files:${left.join()}`
    await deliver({ kind: 'files-left', key, conversation, messageId: raw.id, left })
  }

  return {
    remember(raw: RawMessage): void {
      texts.set(raw.id, digest(raw.content))
      files.set(raw.id, fileIdsOf(raw).join())
    },
    read: async (raw: RawMessage): Promise<void> => {
      await readWords(raw)
      await readFiles(raw)
    },
    /** An edit of a day ago is answered: nothing was connected then. */
    compare: async (raw: RawMessage, before: HandledMessage): Promise<void> => {
      const editedAt = raw.edited_timestamp
      if (typeof editedAt !== 'string' || Date.now() - Date.parse(editedAt) > MISSED_EDIT_MS) return
      if (!showsChanges(parts, raw)) return
      if (isFromPerson(raw)) {
        const conversation = await channels.conversation(raw.channel_id, { guildId: raw.guild_id })
        const message = await readMessage(parts, raw, conversation)
        const key = `${keyOf(raw.channel_id, raw.id)}:edit:${editedAt}`
        if (message.text !== before.text) await deliver({ kind: 'edit', key, message })
      }
      if (fileIdsOf(raw).join() !== before.attachments.join()) await readFiles(raw)
    },
  }
}

/** Detects a change of the text without storing it. */
const digest = (text: string) => createHash('sha256').update(text).digest('base64')

const fileIdsOf = (raw: RawMessage) => rawAttachmentsOf(raw).map(({ id }) => id)

/** Too old for an answer; files are taken at any age. */
const agedMessage = (message: Message, maxAgeMs: number): Message =>
  Date.now() - timeOf(message.id) <= maxAgeMs ? message : { ...message, missed: true }

/** Undefined: another program. In direct messages the event has nothing but the id. */
async function reactionAuthor(rest: Rest, { user_id: id, member }: RawReaction): Promise<Author | undefined> {
  const user = member?.user ?? (await rest.get<APIUser>(Routes.user(id)).catch(() => undefined))
  if (user?.bot === true) return undefined
  return user === undefined ? { id, name: id } : toAuthor(user, member?.nick)
}
