import {
  type APIChannel,
  type APIGuild,
  type APIGuildMember,
  ChannelType,
  OverwriteType,
  PermissionFlagsBits as bits,
  Routes,
} from 'discord.js'
import type { Adapter } from '../../src/bridge/port/adapter.ts'
import type { ConversationRef } from '../../src/bridge/port/message.ts'
import type { Log } from '../../src/bridge/port/platform.ts'
import { hasCode, isConfirmed } from '../shared/session.ts'
import type { Rest } from './rest.ts'

/** The current guild as REST returns it. */
type RawGuild = Pick<APIGuild, 'id' | 'owner_id' | 'roles'>
export type RawMember = Pick<APIGuildMember, 'roles'> & { readonly communication_disabled_until?: string | null }
interface Overwrite {
  readonly id: string
  readonly type: OverwriteType
  readonly allow: string
  readonly deny: string
}
export type RawChannel = Pick<APIChannel, 'id' | 'type'> & {
  readonly guild_id?: string
  readonly parent_id?: string | null
  readonly name?: string | null
  readonly permission_overwrites?: readonly Overwrite[]
  readonly recipients?: readonly { readonly id: string }[]
}

const ofRole = ({ type }: Overwrite) => type === OverwriteType.Role

const ALL = ~0n
/** The only permissions of a member in a time-out. */
const IN_TIMEOUT = bits.ViewChannel | bits.ReadMessageHistory

/**
 * Discord's own computation: roles, then overwrites of everyone, of the roles together, of the person. `person`
 * undefined: somebody without any role. https://discord.com/developers/docs/topics/permissions#permission-hierarchy
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
  return (allowed & bits.ViewChannel) === 0n ? 0n : allowed
}

const may = (permissions: bigint, ...wanted: readonly bigint[]): boolean =>
  wanted.every((bit) => (permissions & bit) === bit)

/** Membership, administrators and names of channels. */
export type Permissions = Required<Pick<Adapter, 'isMember' | 'isAdmin' | 'about'>>

/** Members who may manage threads see private ones without joining. */
const SEES_PRIVATE_THREADS = bits.ManageThreads

const channelOf = (rest: Rest, id: string) => rest.get<RawChannel>(Routes.channel(id))
const guildOf = (rest: Rest, id: string) => rest.get<RawGuild>(Routes.guild(id))

async function memberOf(rest: Rest, guild: string, person: string) {
  return { id: person, member: await rest.get<RawMember>(Routes.guildMember(guild, person)) }
}

/** A private thread is a channel of its own, but its permissions are those of its parent channel. */
async function lookAt(rest: Rest, channel: string) {
  const found = await channelOf(rest, channel)
  const parent = found.type === ChannelType.PrivateThread ? found.parent_id : undefined
  return typeof parent === 'string'
    ? { outer: await channelOf(rest, parent), inner: found }
    : { outer: found, inner: undefined }
}

async function permissionsOf(rest: Rest, me: string, { workspace, channel }: ConversationRef, person: string) {
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

async function maySeeThread(rest: Rest, { thread, channel }: ConversationRef, person: string, permissions: bigint) {
  const { outer, inner } = await lookAt(rest, channel)
  const found = thread === undefined || thread === inner?.id ? inner : await channelOf(rest, thread)
  if (found === undefined) return true
  if (found.parent_id !== outer.id) return false
  if (found.type !== ChannelType.PrivateThread || may(permissions, SEES_PRIVATE_THREADS)) return true
  await rest.get(Routes.threadMembers(found.id, person))
  return true
}

/**
 * Requested by REST each time, never from discord.js's cache: without the members intent the cache misses people who
 * just left or lost a role.
 */
export function createPermissions(options: {
  readonly rest: Rest
  readonly log: Log
  readonly me: () => string
}): Permissions {
  const { rest, log, me } = options
  const isRecipient = async ({ channel }: ConversationRef, person: string) =>
    (await channelOf(rest, channel)).recipients?.some(({ id }) => id === person) ?? false

  // Not in the guild, not in the thread, or no such channel.
  const confirm = (question: string, ask: () => Promise<boolean>) =>
    isConfirmed(log, question, ask, ['not-found', 'forbidden'])

  return {
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
        const permissions = await permissionsOf(rest, me(), conversation, person)
        return may(permissions, bits.ManageChannels) && maySeeThread(rest, conversation, person, permissions)
      }),
    async about(conversation) {
      const { workspace, channel, thread, direct } = conversation
      try {
        const { outer, inner: own } = await lookAt(rest, channel)
        if (direct || outer.guild_id !== workspace) {
          return direct ? { name: outer.name ?? '@me', isPublic: false } : undefined
        }
        const [guild, inner] = await Promise.all([
          guildOf(rest, workspace),
          own ?? (thread === undefined ? undefined : channelOf(rest, thread)),
        ])
        const everybody = may(permissionsIn(guild, outer), bits.ViewChannel, bits.ReadMessageHistory)
        return {
          name: own?.name ?? outer.name ?? channel,
          isPublic: everybody && inner?.type !== ChannelType.PrivateThread,
        }
      } catch (error) {
        if (hasCode(error, 'not-found', 'forbidden')) return undefined
        throw error
      }
    },
  }
}
