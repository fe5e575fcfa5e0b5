import { allWords, matchWhole } from '#lexicon/match.ts'
import { ChannelType, type Client, Routes } from 'discord.js'
import { plainName } from '#lib/unicode.ts'
import type { Adapter } from '#bridge/port/adapter.ts'
import { AdapterError } from '#bridge/port/errors.ts'
import type { ConversationRef, NamedConversation } from '#bridge/port/message.ts'
import type { Log } from '#bridge/port/platform.ts'
import { createLru } from '#lib/lru.ts'
import { waitAtMost } from '#adapters/shared/session.ts'
import type { Rest } from './rest.ts'

const DIRECT = '@me'
const THREAD_TYPES: readonly number[] = [ChannelType.PublicThread, ChannelType.AnnouncementThread]

/** Most channels that one message may name. */
const MAX_NAMED = 8
/** How long a message waits for the name of a channel, milliseconds. */
const LOOKUP_MS = 2000

interface ChannelFacts {
  readonly name?: string
  readonly guildId?: string
  /** With a thread: the channel it belongs to. */
  readonly parentId?: string
  /** A private thread: not all who read the channel are in it. */
  readonly isPrivateThread?: boolean
}

export interface Channels {
  /**
   * A thread becomes channel and thread, and posts go to the thread. A private thread is a channel of its own: its
   * files are not for all readers of the channel around it.
   */
  conversation(channelId: string, hint?: { readonly guildId: string | undefined }): Promise<ConversationRef>
  readonly channelName: (id: string) => string | undefined
  /** Channels that a text names, each once, in order, except inaccessible ones. */
  named(content: string): Promise<NamedConversation[]>
  /** Whether the channel is no place for questions: stages, and posts of media channels. */
  isIgnored(id: string): boolean
  /** Title and tags of a forum post; undefined: the channel is not a forum post. */
  post(id: string): { readonly title: string; readonly tags: readonly string[] } | undefined
  /** Gives a forum post the tag that means "solved", if its forum has one, or takes it back. There are no other marks. */
  readonly mark: NonNullable<Adapter['mark']>
  /** Opens the direct conversation with this person. */
  directWith(person: string): Promise<ConversationRef>
  role(id: string, workspace: string): { readonly name: string; readonly ours: boolean } | undefined
}

interface RawChannel {
  readonly type: ChannelType
  readonly guild_id?: string
  readonly parent_id?: string | null
  readonly name?: string | null
}

const toPlace = ({ type, name, guild_id: guildId, parent_id: parentId }: RawChannel): ChannelFacts => ({
  name: name ?? undefined,
  guildId,
  parentId: (THREAD_TYPES.includes(type) && parentId) || undefined,
  isPrivateThread: type === ChannelType.PrivateThread,
})

/** From the cache of discord.js. */
function cachedPlace(client: Client, id: string): ChannelFacts | undefined {
  const channel = client.channels.cache.get(id)
  if (channel === undefined || channel.isDMBased()) return undefined
  const place = { guildId: channel.guildId, name: channel.name }
  if (!channel.isThread()) return place
  if (channel.type === ChannelType.PrivateThread) return { ...place, isPrivateThread: true }
  return { ...place, parentId: channel.parentId ?? undefined }
}

/** Tags of a post that Discord takes. */
const MAX_TAGS = 5
/** Names of the tag for answered posts. */
const SOLVED = matchWhole(allWords('documents', 'solved'))

function forumPost(client: Client, id: string) {
  const post = client.channels.cache.get(id)
  const forum = post?.isThread() === true ? post.parent : undefined
  return post?.isThread() === true && forum?.type === ChannelType.GuildForum ? { post, forum } : undefined
}

/** Forums and other places that are no text channels, from the cache of discord.js. */
const createForums = (client: () => Client, rest: Rest): Pick<Channels, 'isIgnored' | 'post' | 'mark'> => ({
  isIgnored(id) {
    const channel = client().channels.cache.get(id)
    const parent = channel?.isThread() === true ? channel.parent : channel
    return parent?.type === ChannelType.GuildMedia || channel?.type === ChannelType.GuildStageVoice
  },
  post(id) {
    const found = forumPost(client(), id)
    if (found === undefined) return undefined
    const { post, forum } = found
    const tags = forum.availableTags.filter((tag) => post.appliedTags.includes(tag.id))
    return { title: post.name, tags: tags.map(({ name }) => name) }
  },
  async mark({ conversation: { thread } }, mark, isSet) {
    const found = thread === undefined || mark !== 'solved' ? undefined : forumPost(client(), thread)
    const solved = found?.forum.availableTags.find(({ name }) => SOLVED.test(name))
    if (found === undefined || solved === undefined || found.post.appliedTags.includes(solved.id) === isSet) return
    const others = found.post.appliedTags.filter((tag) => tag !== solved.id)
    const tags = isSet ? [solved.id, ...others].slice(0, MAX_TAGS) : others
    await rest.patch(Routes.channel(found.post.id), { applied_tags: tags })
  },
})

/** Resolves channel ids from discord.js's cache, else by one request. */
// oxlint-disable-next-line max-lines-per-function -- a factory: it only returns methods
export function createChannels(client: () => Client, rest: Rest, log: Log): Channels {
  const known = createLru<ChannelFacts>(1000)
  const directs = createLru<string>(1000)

  async function ask(id: string): Promise<ChannelFacts> {
    const before = known.get(id)
    if (before !== undefined) return before
    const place = toPlace(await rest.get<RawChannel>(Routes.channel(id)))
    known.set(id, place)
    return place
  }

  async function named(id: string): Promise<NamedConversation[]> {
    try {
      const { name = id, guildId } = cachedPlace(client(), id) ?? (await ask(id))
      return guildId === undefined ? [] : [{ name, conversation: await conversation(id) }]
    } catch (error) {
      if (error instanceof AdapterError) return []
      throw error
    }
  }

  async function conversation(
    channelId: string,
    hint?: { readonly guildId: string | undefined },
  ): Promise<ConversationRef> {
    if (hint !== undefined && hint.guildId === undefined) return directConversation(channelId)
    let place = cachedPlace(client(), channelId)
    try {
      place ??= await ask(channelId)
    } catch (error) {
      if (hint?.guildId === undefined) throw error
      log.warn(
        { err: error, channel: channelId },
        'Discord did not describe a channel: check that Footbridge may see it',
      )
      place = { guildId: hint.guildId }
    }
    if (place.guildId === undefined) return directConversation(channelId)
    const thread = place.parentId === undefined && place.isPrivateThread !== true ? {} : { thread: channelId }
    const channel = place.parentId ?? channelId
    return { adapter: 'discord', workspace: place.guildId, channel, ...thread, direct: false }
  }

  return {
    conversation,
    async named(content) {
      const ids = new Set([...content.matchAll(/<#(\d+)>/g)].map(([, id]) => id ?? ''))
      const asked = [...ids].slice(0, MAX_NAMED).map((id) => waitAtMost(LOOKUP_MS, named(id)))
      return (await Promise.all(asked)).flatMap((found) => found ?? [])
    },
    ...createForums(client, rest),
    async directWith(person) {
      const body = { recipient_id: person }
      const id = directs.get(person) ?? (await rest.post<{ readonly id: string }>(Routes.userChannels(), body)).id
      directs.set(person, id)
      return directConversation(id)
    },
    channelName: (id) => {
      const channel = client().channels.cache.get(id)
      return channel === undefined || channel.isDMBased() ? undefined : plainName(channel.name)
    },
    role(id, workspace) {
      const role = client().guilds.cache.get(workspace)?.roles.cache.get(id)
      return role === undefined ? undefined : { name: role.name, ours: role.tags?.botId === client().user?.id }
    },
  }
}

const directConversation = (channel: string): ConversationRef => ({
  adapter: 'discord',
  workspace: DIRECT,
  channel,
  direct: true,
})

/** The Discord channel to which a post in this conversation goes. */
export const targetOf = (conversation: ConversationRef): string => conversation.thread ?? conversation.channel

/** Permalink of a message. */
export const linkOf = (conversation: ConversationRef, messageId: string): string =>
  `https://discord.com/channels/${conversation.workspace}/${targetOf(conversation)}/${messageId}`
