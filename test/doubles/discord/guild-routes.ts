import { guildPayload, memberPayload } from './payloads.ts'
import type { Route } from './route.ts'
import { isThread } from './types.ts'
import { refuse } from './validate.ts'
import type { World } from './world.ts'

const unknownMember = refuse(404, 10007, 'Unknown Member')

const isGuild = (world: World, id = '') => id === world.guildId || world.crowd.has(id)

/** Who is in the guild and what they may do there. */
export const guildRoutes: Readonly<Record<string, Route>> = {
  'GET /guilds/:guild': ({ params }, { world }) => {
    if (!isGuild(world, params['guild'])) return refuse(404, 10004, 'Unknown Guild')
    // REST tells of a guild without its channels and members.
    const { channels: _channels, threads: _threads, members: _members, ...guild } = guildPayload(world, params['guild'])
    return { status: 200, body: guild }
  },
  'GET /guilds/:guild/members/:user': ({ params }, { world }) => {
    if (!isGuild(world, params['guild'])) return refuse(404, 10004, 'Unknown Guild')
    const user = world.userById(params['user'] ?? '')
    if (user === undefined) return refuse(404, 10013, 'Unknown User')
    const member = memberPayload(world, user)
    return member === undefined ? unknownMember : { status: 200, body: member }
  },
  'GET /applications/@me': (_request, { world }) => ({
    status: 200,
    body: { id: world.bot.id, name: world.bot.username, flags: world.applicationFlags },
  }),
  'GET /users/@me/guilds': (_request, { world }) => ({
    status: 200,
    body: [{ id: world.guildId, name: world.guildName }],
  }),
  'GET /guilds/:guild/channels': ({ params }, { world }) => {
    if (!isGuild(world, params['guild'])) return refuse(404, 10004, 'Unknown Guild')
    return { status: 200, body: guildPayload(world, params['guild'])['channels'] }
  },
  'GET /users/:user': ({ params }, { world }) => {
    const user = world.userById(params['user'] ?? '')
    return user === undefined ? refuse(404, 10013, 'Unknown User') : { status: 200, body: user }
  },
  'GET /channels/:channel/thread-members/:user': ({ params }, { world }) => {
    const thread = world.channels.get(params['channel'] ?? '')
    if (thread === undefined || !isThread(thread.type)) return refuse(404, 10003, 'Unknown Channel')
    const user = params['user'] ?? ''
    if (!thread.threadMembers.has(user)) return unknownMember
    return { status: 200, body: { id: thread.id, user_id: user, flags: 0 } }
  },
}
