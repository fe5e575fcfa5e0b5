import type { FileHost } from './file-host.ts'
import { channelTypes, isThread, type DoubleChannel, type DoubleMessage, type DoubleUser } from './types.ts'
import { MADE_AT, messagesOf, type World } from './world.ts'

export type Json = Record<string, unknown>

export function channelPayload(world: World, channel: DoubleChannel): Json {
  const last = messagesOf(channel).at(-1)?.id ?? null
  const shared = { id: channel.id, type: channel.type, last_message_id: last }
  if (channel.type === channelTypes.direct) return { ...shared, recipients: [channel.recipient] }
  const inGuild = {
    ...shared,
    guild_id: channel.guildId ?? world.guildId,
    name: channel.name,
    parent_id: channel.parentId ?? null,
  }
  if (!isThread(channel.type)) {
    const tags = Object.entries(channel.tags ?? {}).map(([id, name]) => ({ id, name, moderated: false }))
    const forum = channel.type === channelTypes.forum ? { available_tags: tags } : {}
    return {
      ...inGuild,
      position: 0,
      permission_overwrites: channel.overwrites,
      nsfw: channel.nsfw ?? false,
      topic: null,
      ...forum,
    }
  }
  return {
    ...inGuild,
    owner_id: world.bot.id,
    message_count: channel.messages.size,
    member_count: 1,
    rate_limit_per_user: Math.ceil((channel.slowModeMs ?? 0) / 1000),
    applied_tags: channel.appliedTags ?? [],
    thread_metadata: {
      archived: channel.archived ?? false,
      auto_archive_duration: 1440,
      archive_timestamp: MADE_AT,
      locked: channel.locked ?? false,
    },
  }
}

const rolesPayload = (world: World): Json[] =>
  world.roles.map(({ id, name, permissions, bot }) => ({
    id,
    name,
    color: 0,
    hoist: false,
    position: 0,
    permissions,
    managed: bot !== undefined,
    mentionable: true,
    flags: 0,
    ...(bot === undefined ? {} : { tags: { bot_id: bot } }),
  }))

export function memberPayload(world: World, user: DoubleUser): Json | undefined {
  const member = world.members.get(user.id)
  if (member === undefined) return undefined
  return {
    user,
    roles: member.roles,
    joined_at: MADE_AT,
    nick: null,
    deaf: false,
    mute: false,
    flags: 0,
    pending: member.pending ?? false,
    communication_disabled_until: member.timedOutUntil ?? null,
  }
}

/** A channel of a further guild in which nobody has said anything. */
const crowdChannel = (guild: string, id: string, position: number): Json => ({
  id,
  type: channelTypes.text,
  guild_id: guild,
  name: `channel-${id.slice(-4)}`,
  parent_id: null,
  position,
  permission_overwrites: [],
  nsfw: false,
  topic: null,
  last_message_id: id,
})

export function guildPayload(world: World, guild: string = world.guildId): Json {
  const crowd = world.crowd.get(guild)
  const all = crowd === undefined ? [...world.channels.values()] : []
  return {
    id: guild,
    name: world.guildName,
    owner_id: world.owner.id,
    member_count: world.members.size,
    large: false,
    unavailable: false,
    joined_at: world.joinedAt,
    preferred_locale: 'en-US',
    // The role of everybody has the id of its guild.
    roles: rolesPayload(world).map((role) => (role['id'] === world.guildId ? { ...role, id: guild } : role)),
    members: [{ user: world.bot, roles: [world.botRoleId], joined_at: MADE_AT, flags: 0 }],
    channels:
      crowd?.map((id, position) => {
        const used = world.channels.get(id)
        return used === undefined ? crowdChannel(guild, id, position) : channelPayload(world, used)
      }) ??
      all
        .filter(({ type, guildId }) => type !== channelTypes.direct && !isThread(type) && guildId === undefined)
        .map((channel) => channelPayload(world, channel)),
    threads: all
      .filter(({ type, archived }) => isThread(type) && archived !== true)
      .map((channel) => channelPayload(world, channel)),
    emojis: [],
    features: [],
    presences: [],
    voice_states: [],
  }
}

export interface Payloads {
  message(message: DoubleMessage, options?: { readonly nested?: boolean }): Json
  /** As the gateway sends it: with guild, member and channel type. */
  dispatched(message: DoubleMessage): Json
}

/** Attachment addresses are signed anew each time a message is shown, as Discord does. */
export function createPayloads(world: World, host: FileHost): Payloads {
  const message: Payloads['message'] = (stored, options = {}) => {
    const reference = stored.reference
    const nested = options.nested === true
    const target = reference === undefined || nested ? undefined : world.message(reference.message_id)
    return {
      id: stored.id,
      channel_id: stored.channelId,
      author: stored.author,
      content: stored.content,
      timestamp: stored.timestamp,
      edited_timestamp: stored.editedTimestamp,
      tts: false,
      mention_everyone: stored.mentionEveryone,
      mentions: stored.mentions,
      mention_roles: stored.mentionRoles,
      attachments: stored.files.map((file) => host.payload(file)),
      embeds: [],
      pinned: false,
      type: stored.type,
      flags: stored.flags,
      components: stored.components,
      ...(stored.reactions === undefined || stored.reactions.size === 0
        ? {}
        : {
            reactions: [...stored.reactions].map(([name, users]) => ({ emoji: { id: null, name }, count: users.size })),
          }),
      ...(stored.webhook ? { webhook_id: stored.author.id } : {}),
      ...(reference === undefined ? {} : { message_reference: reference }),
      ...(reference === undefined || nested
        ? {}
        : { referenced_message: target === undefined ? null : message(target, { nested: true }) }),
      ...stored.extra,
    }
  }
  const dispatched: Payloads['dispatched'] = (stored) => {
    const { type } = world.channel(stored.channelId)
    const payload = { ...message(stored), channel_type: type }
    if (type === channelTypes.direct) return payload
    return {
      ...payload,
      guild_id: world.channel(stored.channelId).guildId ?? world.guildId,
      member: { roles: [], joined_at: MADE_AT, nick: null, deaf: false, mute: false, flags: 0 },
    }
  }
  return { message, dispatched }
}
