/** The methods about channels: their properties and members. Lists come in pages. */
import type { Method } from './chat.ts'
import { LIMITS } from './limits.ts'
import { flag } from './reads.ts'
import { Refusal, str, type Channel, type ChannelKind, type Json } from './types.ts'
import type { Workspace } from './workspace.ts'

const typeOf: Readonly<Record<ChannelKind, string>> = {
  channel: 'public_channel',
  private: 'private_channel',
  im: 'im',
  mpim: 'mpim',
}

function paged(name: 'members' | 'channels', all: readonly unknown[], args: Json): Json {
  const limit = Number(args['limit'] ?? 100)
  if (!Number.isInteger(limit) || limit < 1 || limit > LIMITS[`${name} on a page`]) throw new Refusal('invalid_limit')
  const from = args['cursor'] === undefined ? 0 : Number(str(args['cursor'])?.replace('after:', ''))
  if (!Number.isInteger(from)) throw new Refusal('invalid_cursor')
  const more = from + limit < all.length
  return {
    [name]: all.slice(from, from + limit),
    response_metadata: { next_cursor: more ? `after:${from + limit}` : '' },
  }
}

/** A channel that the app may not know of does not exist for it. */
function known(workspace: Workspace, id: unknown): Channel {
  const channel = workspace.channel(id)
  if (channel.kind !== 'channel' && !channel.joined) throw new Refusal('channel_not_found')
  return channel
}

const describe = (channel: Channel): Json => ({
  id: channel.id,
  ...(channel.kind === 'im' ? { user: [...channel.members][0] ?? '' } : { name: channel.name }),
  is_im: channel.kind === 'im',
  is_mpim: channel.kind === 'mpim',
  is_private: channel.kind !== 'channel',
  ...(channel.kind === 'im' ? {} : { is_ext_shared: channel.shared ?? false, is_archived: channel.archived ?? false }),
  ...(channel.kind === 'im' ? {} : { is_member: channel.joined }),
  ...(channel.creator === undefined ? {} : { creator: channel.creator }),
})

export const roomMethods: Readonly<Record<string, Method>> = {
  'conversations.info': (args, { workspace }) => ({ channel: describe(known(workspace, args['channel'])) }),
  'conversations.members': (args, { workspace }) => {
    const channel = known(workspace, args['channel'])
    return paged('members', [...channel.members, ...(channel.joined ? [workspace.botUserId] : [])], args)
  },
  'conversations.open': (args, { workspace }) => {
    const user = str(args['users']) ?? ''
    const found = [...workspace.channels.values()].find((channel) => channel.kind === 'im' && channel.members.has(user))
    const channel = found ?? workspace.addChannel({ kind: 'im' })
    channel.members.add(user)
    return { channel: { id: channel.id } }
  },
  /** Workspaces that the installation of an organization is for. */
  'auth.teams.list': (_, { workspace }) => ({
    teams: [{ id: workspace.teamId.startsWith('E') ? 'T0ORG' : workspace.teamId, name: 'Home' }],
  }),
  /** Without a person: where the app is. Private channels only where it is too; nobody from another workspace. */
  'users.conversations': (args, { workspace }) => {
    const user = workspace.users.get(str(args['user']) ?? '')
    const isOwn = args['user'] === undefined
    if (!isOwn && user?.teamId !== workspace.teamId) throw new Refusal('user_not_found')
    if (workspace.teamId.startsWith('E') && args['team_id'] !== 'T0ORG') throw new Refusal('missing_argument')
    const types = (str(args['types']) ?? 'public_channel').split(',')
    if (types.some((type) => !Object.values(typeOf).includes(type))) throw new Refusal('invalid_types')
    const theirs = [...workspace.channels.values()].filter(
      (channel) =>
        types.includes(typeOf[channel.kind]) &&
        (user === undefined ? channel.joined : channel.members.has(user.id)) &&
        !(flag(args['exclude_archived']) && channel.archived === true) &&
        (channel.kind === 'channel' || channel.joined),
    )
    return paged('channels', theirs.map(describe), args)
  },
}
