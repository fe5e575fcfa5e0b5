import { ChannelType, PermissionFlagsBits as bits, Routes } from 'discord.js'
import type { Adapter } from '../../src/bridge/port/adapter.ts'
import { AdapterError } from '../../src/bridge/port/errors.ts'
import type { ConversationRef } from '../../src/bridge/port/message.ts'
import type { Log } from '../../src/bridge/port/platform.ts'
import type { Calls } from './rest.ts'
import { may, permissionsIn, type RawChannel, type RawGuild, type RawMember } from './permission-bits.ts'

/** Who may read a channel, who administers it, what it is called. */
export type Rooms = Required<Pick<Adapter, 'isMember' | 'isAdmin' | 'about'>>

/** One who may manage threads sees private ones without being in them. */
const inPrivateThreads = bits.ManageThreads

/**
 * Asked of Discord's REST each time and never of discord.js's cache: without the members intent the cache hears nothing of
 * somebody who left or lost a role a minute ago.
 */
export function createRooms(options: {
  readonly calls: Calls
  readonly log: Log
  readonly me: () => string
}): Rooms {
  const { calls, log, me } = options
  const channelOf = (id: string) => calls.get<RawChannel>(Routes.channel(id))
  const guildOf = (id: string) => calls.get<RawGuild>(Routes.guild(id))

  async function memberOf(guild: string, person: string) {
    return { id: person, member: await calls.get<RawMember>(Routes.guildMember(guild, person)) }
  }

  /** A private thread is a channel of its own, but what may be done in it is set where it was opened. */
  async function lookAt(channel: string) {
    const found = await channelOf(channel)
    const parent = found.type === ChannelType.PrivateThread ? found.parent_id : undefined
    return typeof parent === 'string'
      ? { room: await channelOf(parent), inner: found }
      : { room: found, inner: undefined }
  }

  async function permissionsOf({ workspace, channel }: ConversationRef, person: string) {
    const [guild, { room }, ours, theirs] = await Promise.all([
      guildOf(workspace),
      lookAt(channel),
      memberOf(workspace, me()),
      memberOf(workspace, person),
    ])
    const inGuild = room.guild_id === workspace
    // Of a channel that is closed to us nothing is handed out.
    const open = inGuild && may(permissionsIn(guild, room, ours), bits.ViewChannel)
    return open ? permissionsIn(guild, room, theirs) : 0n
  }

  async function maySeeThread({ thread, channel }: ConversationRef, person: string, permissions: bigint) {
    const { room, inner } = await lookAt(channel)
    const found = thread === undefined || thread === inner?.id ? inner : await channelOf(thread)
    if (found === undefined) return true
    if (found.parent_id !== room.id) return false
    if (found.type !== ChannelType.PrivateThread || may(permissions, inPrivateThreads)) return true
    await calls.get(Routes.threadMembers(found.id, person))
    return true
  }

  const isRecipient = async ({ channel }: ConversationRef, person: string) =>
    (await channelOf(channel)).recipients?.some(({ id }) => id === person) ?? false

  /** What can't be told counts as no. */
  async function certainly(what: string, ask: () => Promise<boolean>): Promise<boolean> {
    try {
      return await ask()
    } catch (error) {
      // Not in the guild, not in the thread, or no such channel.
      const unknown = error instanceof AdapterError && ['not-found', 'forbidden'].includes(error.code)
      if (!unknown) log.warn({ err: error }, `${what} could not be told; taken as no`)
      return false
    }
  }

  return {
    isMember: (conversation, person) =>
      certainly('Whether somebody may read a Discord channel', async () => {
        if (conversation.direct) return isRecipient(conversation, person)
        const permissions = await permissionsOf(conversation, person)
        const reads = may(permissions, bits.ViewChannel, bits.ReadMessageHistory)
        return reads && maySeeThread(conversation, person, permissions)
      }),
    isAdmin: (conversation, person) =>
      certainly('Whether somebody administers a Discord channel', async () => {
        if (conversation.direct) return isRecipient(conversation, person)
        const permissions = await permissionsOf(conversation, person)
        return may(permissions, bits.ManageChannels) && maySeeThread(conversation, person, permissions)
      }),
    async about(conversation) {
      const { workspace, channel, thread, direct } = conversation
      try {
        const { room, inner: own } = await lookAt(channel)
        if (direct || room.guild_id !== workspace) {
          return direct ? { name: room.name ?? '@me', isPublic: false } : undefined
        }
        const [guild, inner] = await Promise.all([
          guildOf(workspace),
          own ?? (thread === undefined ? undefined : channelOf(thread)),
        ])
        const everybody = may(permissionsIn(guild, room), bits.ViewChannel, bits.ReadMessageHistory)
        return {
          name: own?.name ?? room.name ?? channel,
          isPublic: everybody && inner?.type !== ChannelType.PrivateThread,
        }
      } catch (error) {
        if (error instanceof AdapterError && ['not-found', 'forbidden'].includes(error.code)) return undefined
        throw error
      }
    },
  }
}
