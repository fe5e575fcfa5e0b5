import { createHash } from 'node:crypto'
import type { APIInteraction } from 'discord.js'
import type { ConversationRef, Message } from '../../../src/bridge/port/message.ts'
import { createLru } from '../../../src/lib/lru.ts'
import { markKey, timeOf } from './catch-up.ts'
import type { DiscordTimes } from '../config.ts'
import type { ReadMarks } from './read-marks.ts'
import type { Names } from './mentions.ts'
import { isFromPerson, rawAttachmentsOf, type RawMessage, toMessage } from './message.ts'
import { createPins, type Reaction } from './reactions.ts'
import { createPresses, type PressOptions } from './interactions.ts'

export interface Deleted {
  readonly id: string
  readonly channel_id: string
  readonly guild_id?: string
}

/** One event each, from Discord's shape to the bridge's, and handed over. */
export interface Inbox {
  /** `live` holds the guild for live events; a message read again is placed by its channel. */
  message(raw: RawMessage, live: { readonly guildId: string | undefined } | undefined): Promise<void>
  edit(raw: RawMessage, guildId: string | undefined): Promise<void>
  remove(gone: Deleted): Promise<void>
  press(raw: APIInteraction): Promise<void>
  react(raw: Reaction): Promise<void>
}

export interface InboxOptions extends PressOptions {
  readonly me: () => string
  readonly marks: ReadMarks
  readonly names: (workspace: string) => Names
  readonly times: Pick<DiscordTimes, 'catchUpAge'>
  /** Our own messages as the gateway tells of them: by nonce they are found again. */
  readonly sawOwn: (raw: RawMessage) => void
  /** True for a message that we removed ourselves: that is no news. */
  readonly removedByUs: (messageId: string) => boolean
}

export function createInbox(options: InboxOptions): Inbox {
  const { channels, marks, hand, times } = options
  const texts = createLru<string>(5000)
  const files = createLru<string>(5000)

  const read = async (raw: RawMessage, conversation: ConversationRef) =>
    toMessage(
      raw,
      conversation,
      options.names(conversation.workspace),
      await channels.named(raw.content ?? ''),
    )

  async function message(raw: RawMessage, live: { readonly guildId: string | undefined } | undefined) {
    if (raw.author?.id === options.me()) options.sawOwn(raw)
    const conversation = await channels.conversation(raw.channel_id, live)
    const key = markKey(raw.channel_id, conversation.direct)
    try {
      if (isFromPerson(raw)) {
        texts.set(raw.id, digest(raw.content))
        files.set(raw.id, idsOf(raw).join())
        const said = await read(raw, conversation)
        const due = live === undefined ? aged(said, times.catchUpAge) : said
        const handed = { kind: 'message', key: keyOf(raw.channel_id, raw.id) } as const
        if (due !== undefined) await hand({ ...handed, message: due })
      }
    } catch (error) {
      marks.hold(key)
      throw error
    }
    marks.advance(key, raw.id)
  }

  async function edit(raw: RawMessage, guildId: string | undefined) {
    await reword(raw, guildId)
    await detach(raw, guildId)
  }

  /** The author may take files out of a message. Of one from before our start it is not known what it had: the bridge knows. */
  async function detach(raw: RawMessage, guildId: string | undefined) {
    // A forwarded message is what it was; and what an update leaves out, it does not tell of.
    const tells = raw.attachments !== undefined && raw.message_snapshots === undefined
    if (!tells || !isFromPerson(raw)) return
    const left = idsOf(raw)
    if (files.get(raw.id) === left.join()) return
    files.set(raw.id, left.join())
    const conversation = await channels.conversation(raw.channel_id, { guildId })
    const key = `${keyOf(raw.channel_id, raw.id)}:files:${left.join()}`
    await hand({ kind: 'files-left', key, conversation, messageId: raw.id, left })
  }

  /** Discord sends MESSAGE_UPDATE also for link previews and pins: only changed words are an edit. */
  async function reword(raw: RawMessage, guildId: string | undefined) {
    const editedAt = raw.edited_timestamp
    if (raw.content === undefined || editedAt === null || editedAt === undefined || !isFromPerson(raw)) return
    // A pin or a preview of a message that was edited long ago tells that old edit again.
    if (Date.now() - Date.parse(editedAt) > times.catchUpAge) return
    if (texts.get(raw.id) === digest(raw.content)) return
    texts.set(raw.id, digest(raw.content))
    const conversation = await channels.conversation(raw.channel_id, { guildId })
    const said = await read(raw, conversation)
    const key = `${keyOf(raw.channel_id, raw.id)}:edit:${editedAt}`
    await hand({ kind: 'edit', key, message: said })
  }

  async function remove({ id, channel_id: channelId, guild_id: guildId }: Deleted) {
    if (options.removedByUs(id)) return
    const conversation = await channels.conversation(channelId, { guildId })
    await hand({ kind: 'delete', key: `${keyOf(channelId, id)}:delete`, conversation, messageId: id })
  }

  return { message, edit, remove, react: createPins(options), press: createPresses(options) }
}

/** Enough to see that words changed, without keeping them. */
const digest = (text: string) => createHash('sha256').update(text).digest('base64')

const idsOf = (raw: RawMessage) => rawAttachmentsOf(raw).map(({ id }) => id)

const keyOf = (channelId: string, messageId: string) => `discord:${channelId}:${messageId}`

/** A question from long ago is not answered out of the blue; files are taken whenever they were dropped. */
function aged(message: Message, ageMs: number): Message | undefined {
  if (Date.now() - timeOf(message.id) <= ageMs) return message
  const attachments = message.attachments.filter(({ kind }) => kind !== 'voice')
  if (attachments.length === 0) return undefined
  const { replyTo: _replyTo, ...rest } = message
  return { ...rest, text: '', addressed: false, mentionsOthers: false, attachments }
}
