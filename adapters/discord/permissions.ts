import {
  type APIChannel,
  type APIGuild,
  type APIGuildMember,
  ChannelType,
  GuildMemberFlags,
  OverwriteType,
  PermissionFlagsBits as bits,
  Routes,
} from 'discord.js'
import { plainName } from '#lib/unicode.ts'
import type { Adapter, People, Roles } from '#bridge/port/adapter.ts'
import type { PersonKind } from '#bridge/port/author.ts'
import type { ConversationRef } from '#bridge/port/message.ts'
import type { Log } from '#bridge/port/platform.ts'
import { createLru } from '#lib/lru.ts'
import { hasCode, isConfirmed } from '#adapters/shared/session.ts'
import type { Rest } from './rest.ts'

/** The current guild as REST returns it. */
type RawGuild = Pick<APIGuild, 'id' | 'owner_id' | 'roles'>
export type RawMember = Pick<APIGuildMember, 'roles'> &
  Partial<Pick<APIGuildMember, 'user' | 'flags' | 'pending'>> & {
    readonly communication_disabled_until?: string | null
  }
interface Overwrite {
  readonly id: string
  readonly type: OverwriteType
  readonly allow: string
  readonly deny: string
}
export type RawChannel = Pick<APIChannel, 'id' | 'type'> & {
  readonly guild_id?: string
  readonly parent_id?: string | null
  readonly nsfw?: boolean
  readonly name?: string | null
  readonly permission_overwrites?: readonly Overwrite[]
  readonly recipients?: readonly { readonly id: string }[]
}

const ofRole = ({ type }: Overwrite) => type === OverwriteType.Role

const ALL = ~0n
const VOICE: ReadonlySet<ChannelType> = new Set([ChannelType.GuildVoice, ChannelType.GuildStageVoice])
/** The only permissions of a member in a time-out. */
const IN_TIMEOUT = bits.ViewChannel | bits.ReadMessageHistory

/**
 * Discord's own computation: roles, then overwrites of everyone, of the roles together, of the person. `person`
 * undefined: somebody without any role. https://discord.com/developers/docs/topics/permissions#permission-hierarchy, #implicit-permissions
 */
export function permissionsIn(
  guild: RawGuild,
  channel: RawChannel,
  person?: { readonly id: string; readonly member: RawMember },
): bigint {
  if (person !== undefined && person.id === guild.owner_id) return ALL
  const held = new Set([guild.id, ...(person?.member.roles ?? [])])
  let allowed = 0n
  for (const role of guild.roles) if (held.has(role.id)) allowed |= BigInt(role.permissions)
  if ((allowed & bits.Administrator) !== 0n) return ALL
  const overwrites = channel.permission_overwrites ?? []
  const apply = (fits: (overwrite: Overwrite) => boolean) => {
    const those = overwrites.filter(fits)
    for (const { deny } of those) allowed &= ~BigInt(deny)
    for (const { allow } of those) allowed |= BigInt(allow)
  }
  apply((one) => ofRole(one) && one.id === guild.id)
  apply((one) => ofRole(one) && one.id !== guild.id && held.has(one.id))
  apply((one) => !ofRole(one) && one.id === person?.id)
  const until = person?.member.communication_disabled_until
  if (typeof until === 'string' && Date.parse(until) > Date.now()) allowed &= IN_TIMEOUT
  if ((allowed & bits.ViewChannel) === 0n) return 0n
  // A voice channel that somebody may not join shows them that it is there, and nothing of its chat.
  return VOICE.has(channel.type) && (allowed & bits.Connect) === 0n ? bits.ViewChannel : allowed
}

const may = (permissions: bigint, ...wanted: readonly bigint[]): boolean =>
  wanted.every((bit) => (permissions & bit) === bit)

/** Membership, administrators, kinds of people and names of channels. */
export interface Permissions extends Pick<Adapter, 'isMember' | 'isAdmin' | 'describeChannel'>, Pick<People, 'kindOf'> {
  readonly roles: Roles
}

/** Each event asks for the kind of its person, which may be a minute old; these are younger. */
const GUILD_CACHE_MS = 5_000
const KIND_CACHE_MS = 10_000
const MAX_CACHED = 5_000
/** Invited to one voice channel for a while; or the rules of the server are not accepted yet. */
const isGuest = ({ flags, pending }: RawMember) => ((flags ?? 0) & GuildMemberFlags.IsGuest) !== 0 || pending === true

/** Members who may manage threads see private ones without joining. */
const SEES_PRIVATE_THREADS = bits.ManageThreads

type Reads = Pick<Rest, 'get'>

const channelOf = (rest: Reads, id: string) => rest.get<RawChannel>(Routes.channel(id))
const guildOf = (rest: Reads, id: string) => rest.get<RawGuild>(Routes.guild(id))

async function memberOf(rest: Reads, guild: string, person: string) {
  return { id: person, member: await rest.get<RawMember>(Routes.guildMember(guild, person)) }
}

/** A private thread is a channel of its own, but its permissions are those of its parent channel. */
async function lookAt(rest: Reads, channel: string) {
  const found = await channelOf(rest, channel)
  const parent = found.type === ChannelType.PrivateThread ? found.parent_id : undefined
  return typeof parent === 'string'
    ? { outer: await channelOf(rest, parent), inner: found }
    : { outer: found, inner: undefined }
}

/** Shares one request among callers while it runs and for `keptMs` after its response; a failure is not cached. */
function shareReads(rest: Reads, keptMs = 0): Reads {
  const kept = createLru<{ readonly body: Promise<unknown>; until: number }>(MAX_CACHED)
  return {
    get<Body>(route: `/${string}`) {
      const known = kept.get(route)
      if (known !== undefined && known.until > Date.now()) return known.body as Promise<Body>
      const body = rest.get<Body>(route)
      const entry = { body, until: Infinity }
      const forget = () => void (kept.get(route) === entry && kept.delete(route))
      // Counted from the response: with a rate limit, a request may take longer than `keptMs`.
      const keep = () => void (entry.until = Date.now() + keptMs)
      kept.set(route, entry)
      body.then(keptMs > 0 ? keep : forget, forget)
      return body
    },
  }
}

async function permissionsOf(rest: Reads, me: string, { workspace, channel }: ConversationRef, person: string) {
  const [guild, { outer }, ours, theirs] = await Promise.all([
    guildOf(rest, workspace),
    lookAt(rest, channel),
    memberOf(rest, workspace, me),
    memberOf(rest, workspace, person),
  ])
  const inGuild = outer.guild_id === workspace
  // Only channels that we may view ourselves are disclosed.
  const open = inGuild && may(permissionsIn(guild, outer, ours), bits.ViewChannel)
  return open ? permissionsIn(guild, outer, theirs) : 0n
}

async function maySeeThread(rest: Reads, { thread, channel }: ConversationRef, person: string, permissions: bigint) {
  const { outer, inner } = await lookAt(rest, channel)
  const found = thread === undefined || thread === inner?.id ? inner : await channelOf(rest, thread)
  if (found === undefined) return true
  if (found.parent_id !== outer.id) return false
  if (found.type !== ChannelType.PrivateThread || may(permissions, SEES_PRIVATE_THREADS)) return true
  await rest.get(Routes.threadMembers(found.id, person))
  return true
}

interface PermissionParts {
  readonly rest: Reads
  readonly log: Log
  readonly me: () => string
}

/** The kind of a person in a channel, by roles, overwrites and private threads. */
function createKinds({ rest, log, me }: PermissionParts): Permissions['kindOf'] {
  const recently = shareReads(rest, GUILD_CACHE_MS)
  const kinds = createLru<{ readonly kind: PersonKind | 'stranger'; readonly until: number }>(MAX_CACHED)

  async function askKind(conversation: ConversationRef, person: string): Promise<PersonKind | 'stranger'> {
    try {
      const permissions = await permissionsOf(recently, me(), conversation, person)
      const reads = may(permissions, bits.ViewChannel, bits.ReadMessageHistory)
      if (!reads || !(await maySeeThread(recently, conversation, person, permissions))) return 'stranger'
      const { member } = await memberOf(recently, conversation.workspace, person)
      if (member.user?.bot === true) return 'bot'
      return isGuest(member) ? 'guest' : 'member'
    } catch (error) {
      // Not in the guild, or not in the private thread.
      if (hasCode(error, 'not-found')) return 'stranger'
      throw error
    }
  }

  return async (conversation, person) => {
    // Nobody else can write in a direct conversation.
    if (conversation.direct) return 'member'
    const key = `${conversation.channel}/${conversation.thread ?? ''}/${person}`
    const known = kinds.get(key)
    if (known !== undefined && known.until > Date.now()) return known.kind
    try {
      const kind = await askKind(conversation, person)
      kinds.set(key, { kind, until: Date.now() + KIND_CACHE_MS })
      return kind
    } catch (error) {
      if (!hasCode(error, 'forbidden')) throw error
      log.warn({ err: error }, 'Discord hides who may read a channel: let Footbridge see that channel')
      return undefined
    }
  }
}

const createRoles = (
  rest: Reads,
  confirm: (question: string, ask: () => Promise<boolean>) => Promise<boolean>,
): Roles => ({
  async list({ workspace }) {
    try {
      return (await guildOf(rest, workspace)).roles.map(({ id, name }) => ({ id, name: plainName(name) || id }))
    } catch (error) {
      if (hasCode(error, 'not-found', 'forbidden')) return undefined
      throw error
    }
  },
  holds: ({ workspace }, person, wanted) =>
    confirm('Whether a person holds a role', async () => {
      const { member } = await memberOf(rest, workspace, person)
      // The id of the guild is that of @everyone.
      return wanted.some((role) => role === workspace || member.roles.includes(role))
    }),
})

/**
 * Requested by REST each time (kinds of people: seconds old), never from discord.js's cache: without the members
 * intent the cache misses people who just left or lost a role.
 */
export function createPermissions({ rest: separate, log, me }: PermissionParts): Permissions {
  // A job asks who, where and how open it is at once.
  const rest = shareReads(separate)
  const isRecipient = async ({ channel }: ConversationRef, person: string) =>
    (await channelOf(rest, channel)).recipients?.some(({ id }) => id === person) ?? false

  // Not in the guild, not in the thread, or no such channel.
  const confirm = (question: string, ask: () => Promise<boolean>) =>
    isConfirmed(log, question, ask, ['not-found', 'forbidden'])
  /** Whether a role of this person manages the guild. */
  async function managesGuild(workspace: string, person: string): Promise<boolean> {
    const [guild, member] = await Promise.all([guildOf(rest, workspace), memberOf(rest, workspace, person)])
    return may(permissionsIn(guild, { id: '', type: ChannelType.GuildText }, member), bits.ManageGuild)
  }

  return {
    kindOf: createKinds({ rest, log, me }),
    isMember: (conversation, person) =>
      confirm('Whether a person may read a Discord channel', async () => {
        if (conversation.direct) return isRecipient(conversation, person)
        const permissions = await permissionsOf(rest, me(), conversation, person)
        const reads = may(permissions, bits.ViewChannel, bits.ReadMessageHistory)
        return reads && maySeeThread(rest, conversation, person, permissions)
      }),
    isAdmin: (conversation, person) =>
      confirm('Whether a person administers a Discord channel', async () => {
        if (conversation.direct) return isRecipient(conversation, person)
        if (conversation.channel === '') return managesGuild(conversation.workspace, person)
        const permissions = await permissionsOf(rest, me(), conversation, person)
        return may(permissions, bits.ManageChannels) && maySeeThread(rest, conversation, person, permissions)
      }),
    roles: createRoles(rest, confirm),
    async describeChannel(conversation) {
      const { workspace, channel, thread, direct } = conversation
      try {
        if (direct) return { name: (await channelOf(rest, channel)).name ?? '@me', isPublic: false }
        const [guild, { outer, inner: own }] = await Promise.all([guildOf(rest, workspace), lookAt(rest, channel)])
        if (outer.guild_id !== workspace) return undefined
        const inner = own ?? (thread === undefined ? undefined : await channelOf(rest, thread))
        const everybody = may(permissionsIn(guild, outer), bits.ViewChannel, bits.ReadMessageHistory)
        return {
          name: plainName(own?.name ?? outer.name ?? '') || channel,
          // Not everybody may open an age-restricted channel, so it does not count as public.
          isPublic: everybody && outer.nsfw !== true && inner?.type !== ChannelType.PrivateThread,
          isAgeRestricted: outer.nsfw === true,
        }
      } catch (error) {
        if (hasCode(error, 'not-found', 'forbidden')) return undefined
        throw error
      }
    },
  }
}
