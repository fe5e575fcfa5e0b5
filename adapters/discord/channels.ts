import { ChannelType, type Client, Routes } from 'discord.js'
import type { ConversationRef } from '../../src/bridge/message.ts'
import type { Log } from '../../src/bridge/ports.ts'
import { createBounded } from './bounded.ts'
import type { Calls } from './calls.ts'

const direct = '@me'
const threadTypes: readonly number[] = [
  ChannelType.PublicThread,
  ChannelType.PrivateThread,
  ChannelType.AnnouncementThread,
]

interface Place {
  readonly guildId?: string
  /** With a thread: the channel it belongs to. */
  readonly parentId?: string
}

export interface Channels {
  /** A thread becomes channel and thread; posting to it goes to the thread. */
  conversation(channelId: string, hint?: { readonly guildId: string | undefined }): Promise<ConversationRef>
  readonly channelName: (id: string) => string | undefined
  role(id: string, workspace: string): { readonly name: string; readonly ours: boolean } | undefined
}

/** Where a channel id belongs: from what discord.js keeps, else asked once. */
export function createChannels(client: Client, calls: Calls, log: Log): Channels {
  const asked = createBounded<Place>(1000)

  const cached = (id: string): Place | undefined => {
    const channel = client.channels.cache.get(id)
    if (channel === undefined || channel.isDMBased()) return undefined
    const place = { guildId: channel.guildId }
    return channel.isThread() && channel.parentId !== null ? { ...place, parentId: channel.parentId } : place
  }

  async function ask(id: string): Promise<Place> {
    const known = asked.get(id)
    if (known !== undefined) return known
    const found = await calls.get<{ type: number; guild_id?: string; parent_id?: string | null }>(
      Routes.channel(id),
    )
    const thread = threadTypes.includes(found.type)
    const place: Place = {
      ...(found.guild_id === undefined ? {} : { guildId: found.guild_id }),
      ...(thread && typeof found.parent_id === 'string' ? { parentId: found.parent_id } : {}),
    }
    asked.set(id, place)
    return place
  }

  return {
    async conversation(channelId, hint) {
      if (hint !== undefined && hint.guildId === undefined) return directConversation(channelId)
      let place = cached(channelId)
      try {
        place ??= await ask(channelId)
      } catch (error) {
        if (hint?.guildId === undefined) throw error
        log.warn({ err: error, channel: channelId }, 'A Discord channel could not be looked up')
        place = { guildId: hint.guildId }
      }
      if (place.guildId === undefined) return directConversation(channelId)
      const thread = place.parentId === undefined ? {} : { thread: channelId }
      const channel = place.parentId ?? channelId
      return { adapter: 'discord', workspace: place.guildId, channel, ...thread, direct: false }
    },
    channelName: (id) => {
      const channel = client.channels.cache.get(id)
      return channel === undefined || channel.isDMBased() ? undefined : channel.name
    },
    role(id, workspace) {
      const role = client.guilds.cache.get(workspace)?.roles.cache.get(id)
      return role === undefined ? undefined : { name: role.name, ours: role.tags?.botId === client.user?.id }
    },
  }
}

const directConversation = (channel: string): ConversationRef => ({
  adapter: 'discord',
  workspace: direct,
  channel,
  direct: true,
})

/** The Discord channel to which a post in this conversation goes. */
export const targetOf = (conversation: ConversationRef): string => conversation.thread ?? conversation.channel

/** Address of a message, for people. */
export const linkOf = (conversation: ConversationRef, messageId: string): string =>
  `https://discord.com/channels/${conversation.workspace}/${targetOf(conversation)}/${messageId}`
