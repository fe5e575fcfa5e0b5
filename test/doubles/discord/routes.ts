import { intents } from './gateway.ts'
import { guildRoutes } from './guild-routes.ts'
import { withoutContent } from './message-content.ts'
import { channelPayload } from './payloads.ts'
import { refuseChange, refuseRemoval } from './restrictions.ts'
import type { Route, RouteContext, RouteRequest } from './route.ts'
import { channelTypes, type DoubleChannel, type DoubleFile, type DoubleMessage } from './types.ts'
import { refuse, type RouteAnswer, textOf } from './validate.ts'
import { compareIds, messagesOf } from './world.ts'

/** Every route of REST v10 that the double knows; any other is 404. */
export const routes: Readonly<Record<string, Route>> = {
  'GET /gateway/bot': (_request, { gatewayUrl, world }) => ({
    status: 200,
    body: {
      url: gatewayUrl(),
      shards: world.shards.recommended,
      session_start_limit: {
        total: 1000,
        remaining: 999,
        reset_after: 86_400_000,
        max_concurrency: world.shards.atOnce,
      },
    },
  }),
  'GET /users/@me': (_request, { world }) => ({ status: 200, body: world.bot }),
  'POST /users/@me/channels': ({ body }, { world }) => {
    const recipient = world.userById(textOf(body['recipient_id']))
    if (recipient === undefined) return refuse(400, 50033, 'Invalid Recipient(s)')
    return { status: 200, body: channelPayload(world, world.directChannel(recipient)) }
  },
  'GET /channels/:channel': inChannel((channel, _request, { world }) => ({
    status: 200,
    body: channelPayload(world, channel),
  })),
  'PATCH /channels/:channel': inChannel((channel, { body }, { world, gateway }) => {
    const refusal = refuseChange(channel, world)
    if (refusal !== undefined) return refusal
    channel.appliedTags = body['applied_tags'] as readonly string[]
    gateway.dispatch('THREAD_UPDATE', channelPayload(world, channel), intents.guilds)
    return { status: 200, body: channelPayload(world, channel) }
  }),
  'GET /channels/:channel/messages': inChannel(listMessages),
  'GET /channels/:channel/messages/:message': inChannel((channel, { params }, context) => {
    if (channel.hidesHistory === true) return refuse(403, 50013, 'Missing Permissions')
    const message = channel.messages.get(params['message'] ?? '')
    return message === undefined ? unknownMessage : { status: 200, body: told(channel, message, context) }
  }),
  'POST /channels/:channel/messages': inChannel((channel, { body, uploads }, { world, messages }) => {
    if (uploads.some(({ bytes }) => bytes.length > 10_485_760)) return refuse(413, 40005, 'Request entity too large')
    const made = uploads.map((upload): DoubleFile => ({ id: world.nextId(), channelId: channel.id, ...upload }))
    return messages.create(channel, body, made)
  }),
  'PATCH /channels/:channel/messages/:message': inChannel((channel, { params, body }, { messages }) => {
    const message = channel.messages.get(params['message'] ?? '')
    return message === undefined ? unknownMessage : messages.edit(message, body)
  }),
  'DELETE /channels/:channel/messages/:message': inChannel((channel, { params }, { world, messages }) => {
    const message = channel.messages.get(params['message'] ?? '')
    const refusal = message === undefined ? unknownMessage : refuseRemoval(channel, world)
    if (message === undefined || refusal !== undefined) return refusal ?? unknownMessage
    messages.remove(message)
    return { status: 204 }
  }),
  'POST /channels/:channel/typing': inChannel(() => ({ status: 204 })),
  'GET /channels/:channel/messages/:message/reactions/:emoji': inChannel((channel, { params }, { world }) => {
    const users = channel.messages.get(params['message'] ?? '')?.reactions?.get(params['emoji'] ?? '')
    return { status: 200, body: [...(users ?? [])].map((id) => world.userById(id)) }
  }),
  'PUT /channels/:channel/messages/:message/reactions/:emoji/@me': inChannel(() => ({ status: 204 })),
  'DELETE /channels/:channel/messages/:message/reactions/:emoji/@me': inChannel(() => ({ status: 204 })),
  'POST /channels/:channel/messages/:message/threads': inChannel(startThread),
  'GET /applications/:application/commands': (_request, { interactions }) => interactions.commands.list(''),
  'PUT /applications/:application/commands': ({ body }, { interactions }) => interactions.commands.put('', body),
  'POST /applications/:application/commands': ({ body }, { interactions }) => interactions.commands.add('', body),
  'POST /applications/:application/guilds/:guild/commands': ({ params, body }, { interactions }) =>
    interactions.commands.add(params['guild'] ?? '', body),
  'GET /applications/:application/guilds/:guild/commands': ({ params }, { interactions }) =>
    interactions.commands.list(params['guild'] ?? ''),
  'PUT /applications/:application/guilds/:guild/commands': ({ params, body }, { interactions }) =>
    interactions.commands.put(params['guild'] ?? '', body),
  ...guildRoutes,
  'POST /interactions/:interaction/:token/callback': ({ params, body }, { interactions }) =>
    interactions.answer(params['token'] ?? '', body),
  'POST /webhooks/:application/:token': ({ params, body }, { interactions }) =>
    interactions.follow(params['token'] ?? '', body),
  'GET /webhooks/:application/:token/messages/:message': ({ params }, { interactions }) =>
    interactions.original(params['token'] ?? ''),
  'PATCH /webhooks/:application/:token/messages/:message': ({ params, body }, { interactions }) =>
    interactions.change(params['token'] ?? '', params['message'] ?? '', body),
  'DELETE /webhooks/:application/:token/messages/:message': ({ params }, { interactions }) =>
    interactions.remove(params['token'] ?? '', params['message'] ?? ''),
}

const unknownMessage = refuse(404, 10008, 'Unknown Message')

function inChannel(run: (channel: DoubleChannel, request: RouteRequest, context: RouteContext) => RouteAnswer): Route {
  return (request, context) => {
    const channel = context.world.find(request.params['channel'] ?? '')
    if (channel === undefined) return refuse(404, 10003, 'Unknown Channel')
    if (channel.hidden === true) return refuse(403, 50001, 'Missing Access')
    return run(channel, request, context)
  }
}

/** Newest first, also with `after`: then it is the page that follows that message. */
function listMessages(channel: DoubleChannel, { query }: RouteRequest, context: RouteContext): RouteAnswer {
  if (channel.hidesHistory === true) return { status: 200, body: [] }
  const limit = Number(query.get('limit') ?? 50)
  const [before, after] = [query.get('before'), query.get('after')]
  const all = messagesOf(channel).filter(({ only }) => only === undefined)
  const page =
    after === null
      ? all.filter(({ id }) => before === null || compareIds(id, before) < 0).slice(-limit)
      : all.filter(({ id }) => compareIds(id, after) > 0).slice(0, limit)
  return { status: 200, body: page.toReversed().map((message) => told(channel, message, context)) }
}

const told = ({ type }: DoubleChannel, message: DoubleMessage, { world, payloads }: RouteContext) =>
  type === channelTypes.direct || world.applicationFlags !== 0
    ? payloads.message(message)
    : withoutContent(payloads.message(message), world)

function startThread(
  channel: DoubleChannel,
  { params, body }: RouteRequest,
  { world, gateway }: RouteContext,
): RouteAnswer {
  const id = params['message'] ?? ''
  if (!channel.messages.has(id)) return unknownMessage
  if (world.channels.has(id)) return refuse(400, 160004, 'A thread has already been created for this message')
  const name = textOf(body['name']) || 'thread'
  const thread = world.addChannel({ id, type: channelTypes.thread, name, parentId: channel.id })
  const payload = channelPayload(world, thread)
  gateway.dispatch('THREAD_CREATE', { ...payload, newly_created: true }, intents.guilds)
  return { status: 201, body: payload }
}
