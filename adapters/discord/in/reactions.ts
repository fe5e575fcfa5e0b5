import { type APIUser, Routes } from 'discord.js'
import type { Author, Inbound } from '../../../src/bridge/port/message.ts'
import type { Calls } from '../rest.ts'
import type { Channels } from '../channels.ts'
import { toAuthor } from './message.ts'

/** MESSAGE_REACTION_ADD, as far as it is needed here. */
export interface Reaction {
  readonly user_id: string
  readonly channel_id: string
  readonly message_id: string
  readonly guild_id?: string
  /** In guilds only. */
  readonly member?: { readonly user: APIUser; readonly nick?: string | null }
  readonly emoji: { readonly id: string | null; readonly name: string | null }
}

/** Custom emoji have an id, and any name. */
export const isPin = ({ emoji }: Reaction): boolean => emoji.id === null && emoji.name === '📌'

interface PinOptions {
  readonly me: () => string
  readonly calls: Calls
  readonly channels: Channels
  readonly hand: (inbound: Inbound) => Promise<void>
}

/** Somebody marked a message with 📌. */
export function createPins({ me, calls, channels, hand }: PinOptions) {
  /** Undefined: another program. In direct messages the event has nothing but the id. */
  async function authorOf({ user_id: id, member }: Reaction): Promise<Author | undefined> {
    const user = member?.user ?? (await calls.get<APIUser>(Routes.user(id)).catch(() => undefined))
    if (user?.bot === true) return undefined
    return user === undefined ? { id, name: id } : toAuthor(user, member?.nick)
  }

  return async function react(raw: Reaction): Promise<void> {
    if (raw.user_id === me()) return
    const author = await authorOf(raw)
    if (author === undefined) return
    const conversation = await channels.conversation(raw.channel_id, { guildId: raw.guild_id })
    // Discord gives a reaction no id: the same person's mark on the same message is one mark.
    const key = `discord:${raw.channel_id}:${raw.message_id}:pin:${raw.user_id}`
    await hand({ kind: 'pin', key, conversation, author, messageId: raw.message_id })
  }
}
