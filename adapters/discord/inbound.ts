import { createHash } from 'node:crypto'
import { type APIInteraction, InteractionType, Routes } from 'discord.js'
import type { Inbound, Message } from '../../src/bridge/message.ts'
import { createBounded } from './bounded.ts'
import { readCustomId } from './buttons.ts'
import type { Calls } from './calls.ts'
import { markKey, timeOf } from './catch-up.ts'
import type { Channels } from './channels.ts'
import type { DiscordTimes } from './config.ts'
import type { ReadMarks } from './cursors.ts'
import type { Names } from './mentions.ts'
import { isFromPerson, type RawMessage, toAuthor, toMessage } from './message.ts'

const acknowledgeUpdate = 6

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
}

export interface InboxOptions {
  readonly me: () => string
  readonly calls: Calls
  readonly channels: Channels
  readonly marks: ReadMarks
  /** Resolves when the bridge has stored it. */
  readonly hand: (inbound: Inbound) => Promise<void>
  readonly names: (workspace: string) => Names
  readonly times: Pick<DiscordTimes, 'catchUpAge'>
  /** Our own messages as the gateway tells of them: by nonce they are found again. */
  readonly sawOwn: (raw: RawMessage) => void
  /** True for a message that we removed ourselves: that is no news. */
  readonly removedByUs: (messageId: string) => boolean
}

export function createInbox(options: InboxOptions): Inbox {
  const { calls, channels, marks, hand, times } = options
  const texts = createBounded<string>(5000)

  async function message(raw: RawMessage, live: { readonly guildId: string | undefined } | undefined) {
    if (raw.author?.id === options.me()) options.sawOwn(raw)
    const conversation = await channels.conversation(raw.channel_id, live)
    const key = markKey(raw.channel_id, conversation.direct)
    try {
      if (isFromPerson(raw)) {
        texts.set(raw.id, digest(raw.content))
        const said = toMessage(raw, conversation, options.names(conversation.workspace))
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

  /** Discord sends MESSAGE_UPDATE also for link previews and pins: only changed words are an edit. */
  async function edit(raw: RawMessage, guildId: string | undefined) {
    const editedAt = raw.edited_timestamp
    if (raw.content === undefined || editedAt === null || editedAt === undefined || !isFromPerson(raw)) return
    // A pin or a preview of a message that was edited long ago tells that old edit again.
    if (Date.now() - Date.parse(editedAt) > times.catchUpAge) return
    if (texts.get(raw.id) === digest(raw.content)) return
    texts.set(raw.id, digest(raw.content))
    const conversation = await channels.conversation(raw.channel_id, { guildId })
    const said = toMessage(raw, conversation, options.names(conversation.workspace))
    const key = `${keyOf(raw.channel_id, raw.id)}:edit:${editedAt}`
    await hand({ kind: 'edit', key, message: said })
  }

  async function remove({ id, channel_id: channelId, guild_id: guildId }: Deleted) {
    if (options.removedByUs(id)) return
    const conversation = await channels.conversation(channelId, { guildId })
    await hand({ kind: 'delete', key: `${keyOf(channelId, id)}:delete`, conversation, messageId: id })
  }

  /** A press that is not acknowledged within 3 s shows as failed: exactly right when it could not be stored. */
  async function press(raw: APIInteraction) {
    if (raw.type !== InteractionType.MessageComponent) return
    const action = readCustomId(raw.data.custom_id)
    const user = raw.member?.user ?? raw.user
    if (action === undefined || user === undefined) return
    const conversation = await channels.conversation(raw.channel.id, { guildId: raw.guild_id })
    const author = { ...toAuthor(user, raw.member?.nick), language: raw.locale }
    const key = `discord:interaction:${raw.id}`
    await hand({ kind: 'action', key, conversation, author, messageId: raw.message.id, action })
    const callback = Routes.interactionCallback(raw.id, raw.token)
    await calls.post(callback, { type: acknowledgeUpdate }, { auth: false, retry: false })
  }

  return { message, edit, remove, press }
}

/** Enough to see that words changed, without keeping them. */
const digest = (text: string) => createHash('sha256').update(text).digest('base64')

const keyOf = (channelId: string, messageId: string) => `discord:${channelId}:${messageId}`

/** A question from long ago is not answered out of the blue; files are taken whenever they were dropped. */
function aged(message: Message, ageMs: number): Message | undefined {
  if (Date.now() - timeOf(message.id) <= ageMs) return message
  const attachments = message.attachments.filter(({ kind }) => kind !== 'voice')
  if (attachments.length === 0) return undefined
  const { replyTo: _replyTo, ...rest } = message
  return { ...rest, text: '', addressed: false, mentionsOthers: false, attachments }
}
