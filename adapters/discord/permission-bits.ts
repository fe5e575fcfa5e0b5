import {
  type APIChannel,
  type APIGuild,
  type APIGuildMember,
  OverwriteType,
  PermissionFlagsBits as bits,
} from 'discord.js'

/** What is needed to tell what somebody may do, as REST gives it at this moment. */
export type RawGuild = Pick<APIGuild, 'id' | 'owner_id' | 'roles'>
export type RawMember = Pick<APIGuildMember, 'roles'> & {
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
  readonly name?: string | null
  readonly permission_overwrites?: readonly Overwrite[]
  readonly recipients?: readonly { readonly id: string }[]
}

const ofRole = ({ type }: Overwrite) => type === OverwriteType.Role

const everything = ~0n
/** All that is left to somebody in a time-out. */
const timedOut = bits.ViewChannel | bits.ReadMessageHistory

/**
 * Discord's own computation: roles, then overwrites of everyone, of the roles together, of the person. `person`
 * undefined: somebody who has no role at all.
 * https://discord.com/developers/docs/topics/permissions#permission-hierarchy
 */
export function permissionsIn(
  guild: RawGuild,
  channel: RawChannel,
  person?: { readonly id: string; readonly member: RawMember },
): bigint {
  if (person !== undefined && person.id === guild.owner_id) return everything
  const held = new Set([guild.id, ...(person?.member.roles ?? [])])
  let allowed = 0n
  for (const role of guild.roles) if (held.has(role.id)) allowed |= BigInt(role.permissions)
  if ((allowed & bits.Administrator) !== 0n) return everything
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
  if (typeof until === 'string' && Date.parse(until) > Date.now()) allowed &= timedOut
  return (allowed & bits.ViewChannel) === 0n ? 0n : allowed
}

export const may = (permissions: bigint, ...wanted: readonly bigint[]): boolean =>
  wanted.every((bit) => (permissions & bit) === bit)
