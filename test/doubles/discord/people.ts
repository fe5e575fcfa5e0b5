import { intents, type Gateway } from './gateway.ts'
import type { Messages } from './messages.ts'
import { memberPayload } from './payloads.ts'
import { channelTypes, type DoubleChannel, type DoubleFile, type DoubleMessage } from './types.ts'
import type { World } from './world.ts'

export interface SaidFile {
  readonly name: string
  readonly bytes: Uint8Array | string
  readonly mimeType?: string
}

export interface Said {
  /** Channel or thread id; left out: the first channel. */
  readonly channel?: string
  /** Default: a new one. */
  readonly id?: string
  /** Display name; `ana` unless told. */
  readonly user?: string
  readonly text?: string
  /** Puts the mention of Footbridge before the text. */
  readonly mention?: boolean
  /** In a direct message instead of a channel. */
  readonly direct?: boolean
  /** Id of the message that this one answers; its author is pinged, as Discord does by default. */
  readonly replyTo?: string
  /** False: the person has switched that ping off. */
  readonly pings?: boolean
  readonly files?: readonly SaidFile[]
  /** A voice message, recorded in Discord: it cannot have a text. */
  readonly voice?: { readonly bytes: Uint8Array; readonly seconds: number }
  /** When it was written, milliseconds since the epoch. */
  readonly at?: number
  readonly bot?: boolean
  readonly webhook?: boolean
  /** Discord's message type; 0 or 19 unless told. */
  readonly type?: number
  /** Merged over the payload, for shapes that Discord seldom sends. */
  readonly extra?: Readonly<Record<string, unknown>>
}

const voiceMessage = 1 << 13

interface PeopleOptions {
  readonly world: World
  readonly gateway: Pick<Gateway, 'dispatch'>
  readonly messages: Messages
  readonly defaultChannel: () => string
}

/** Acts of people in Discord. */
export function createPeople({ world, gateway, messages, defaultChannel }: PeopleOptions) {
  const host = (channelId: string, file: SaidFile & { readonly seconds?: number }): DoubleFile => {
    const bytes = typeof file.bytes === 'string' ? new TextEncoder().encode(file.bytes) : file.bytes
    const hosted: DoubleFile = {
      id: world.nextId(),
      channelId,
      name: file.name,
      contentType: file.mimeType ?? 'application/octet-stream',
      bytes,
      ...(file.seconds === undefined ? {} : { durationSecs: file.seconds }),
    }
    world.files.set(hosted.id, hosted)
    return hosted
  }

  const say = (said: Said): DoubleMessage => {
    const author = world.user(said.user ?? 'ana', { bot: said.bot ?? false })
    const channel: DoubleChannel =
      said.direct === true ? world.directChannel(author) : world.channel(said.channel ?? defaultChannel())
    const content = `${said.mention === true ? `<@${world.bot.id}> ` : ''}${said.text ?? ''}`
    const files = (said.files ?? []).map((file) => host(channel.id, file))
    if (said.voice !== undefined) {
      const { bytes, seconds } = said.voice
      files.push(host(channel.id, { name: 'voice-message.ogg', mimeType: 'audio/ogg', bytes, seconds }))
    }
    const mentioned = messages.readMentions(content)
    const answered = said.replyTo === undefined ? undefined : world.message(said.replyTo)
    const pinged = answered === undefined || said.pings === false ? [] : [answered.author]
    return messages.add({
      channelId: channel.id,
      author,
      content,
      files,
      flags: said.voice === undefined ? 0 : voiceMessage,
      type: said.type ?? (said.replyTo === undefined ? 0 : 19),
      webhook: said.webhook ?? false,
      mentions: [...mentioned.mentions, ...pinged],
      ...(said.replyTo === undefined ? {} : { reference: { message_id: said.replyTo, channel_id: channel.id } }),
      ...(said.id === undefined ? {} : { id: said.id }),
      ...(said.extra === undefined ? {} : { extra: said.extra }),
      ...(said.at === undefined ? {} : { at: said.at }),
    })
  }

  return {
    say,
    host,
    /** An edit by its author. */
    edit: (messageId: string, text: string) => {
      const message = existing(messageId)
      message.content = text
      Object.assign(message, messages.readMentions(text))
      message.editedTimestamp = new Date().toISOString()
      messages.changed(message)
    },
    /** Its author takes a file out by an edit; the words stay. */
    detach: (messageId: string, fileName: string) => {
      const message = existing(messageId)
      message.files = message.files.filter(({ name }) => name !== fileName)
      message.editedTimestamp = new Date().toISOString()
      messages.changed(message)
    },
    /** MESSAGE_UPDATE without an edit: Discord sends it when a link preview or a pin is added. */
    touch: (messageId: string) => messages.changed(existing(messageId)),
    /** Puts an emoji under a message. `hasId` false: the emoji has a name alone, as other servers of this interface send it. */
    react: (messageId: string, userName = 'ana', emoji = '📌', hasId = true) => {
      const message = existing(messageId)
      const direct = world.channel(message.channelId).type === channelTypes.direct
      const user = world.user(userName)
      const all = message.reactions?.get(emoji) ?? new Set()
      message.reactions?.set(emoji, all.add(user.id))
      const where = direct ? {} : { guild_id: world.guildId, member: memberPayload(world, user) }
      const payload = {
        user_id: user.id,
        channel_id: message.channelId,
        message_id: message.id,
        message_author_id: message.author.id,
        emoji: hasId ? { id: null, name: emoji } : { name: emoji },
        burst: false,
        type: 0,
        ...where,
      }
      const intent = direct ? intents.directReactions : intents.guildReactions
      gateway.dispatch('MESSAGE_REACTION_ADD', payload, intent)
    },
    /** The gateway tells of this message once more. */
    tellAgain: (messageId: string) => messages.tellAgain(existing(messageId)),
    remove: (messageId: string) => messages.remove(existing(messageId)),
    removeMany: (messageIds: readonly string[]) => {
      const channelId = existing(messageIds[0] ?? '').channelId
      for (const id of messageIds) world.channel(channelId).messages.delete(id)
      const payload = { ids: messageIds, channel_id: channelId, guild_id: world.guildId }
      gateway.dispatch('MESSAGE_DELETE_BULK', payload, intents.guildMessages)
    },
  }

  function existing(id: string): DoubleMessage {
    const message = world.message(id)
    if (message === undefined) throw new Error(`The double has no message ${id}.`)
    return message
  }
}
