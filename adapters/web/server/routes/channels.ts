import type { Hono } from 'hono'
import { z } from 'zod'
import { conversationOf } from '../inbound.ts'
import { toPage } from '../outbound.ts'
import type { WebHistory } from '../../protocol.ts'
import {
  authorOf,
  clientId,
  displayName,
  found,
  invalid,
  jsonLimit,
  parseBody,
  type RouteServices,
  threadId,
} from './requests.ts'
import { RequestFailure } from '../responses.ts'

const PAGE_THREADS = 50

const newChannel = z.object({ name: z.string() })
const stopping = z.object({ id: clientId, thread: threadId, name: displayName })

/** Channels: create one, read it, stop an answer in it. */
export function addChannelRoutes(app: Hono, { store, hub, streamingTexts, delivery }: RouteServices): void {
  const channelOf = (id: string) => found(store.channels.get(id), 'This channel does not exist.')

  app.post('/api/web/channels', jsonLimit, async (context) => {
    const { name } = await parseBody(context, newChannel)
    const channel = store.channels.create(channelName(name))
    if (!channel) throw new RequestFailure(409, 'name-taken', 'There is a channel of this name already.')
    hub.publish({ type: 'channel', channel })
    return context.json(channel, 201)
  })

  app.get('/api/web/channels/:channel/messages', (context) => {
    const channel = channelOf(context.req.param('channel'))
    const before = Number(context.req.query('before') ?? Number.MAX_SAFE_INTEGER)
    if (!Number.isSafeInteger(before)) throw invalid()
    const { messages, more } = store.messages.page(channel.id, before, PAGE_THREADS)
    const oldest = messages.find((message) => message.thread === undefined)
    const history: WebHistory = {
      messages: messages.map((message) => toPage(message, streamingTexts)),
      before: more && oldest ? oldest.seq : null,
    }
    context.header('cache-control', 'no-store')
    return context.json(history)
  })

  app.post('/api/web/channels/:channel/stop', jsonLimit, async (context) => {
    const channel = channelOf(context.req.param('channel'))
    const { id, thread, name } = await parseBody(context, stopping)
    await delivery.deliver({
      kind: 'stop',
      key: `web:stop:${id}`,
      conversation: conversationOf(channel, { id, thread }),
      author: authorOf(context, name),
    })
    return context.body(null, 204)
  })
}

/** Lower case, no `#`, spaces as hyphens, as in other chats. */
function channelName(name: string): string {
  const plain = name.trim().replace(/^#+/, '').toLowerCase().replaceAll(/\s+/g, '-')
  if (!/^[\p{L}\p{N}][\p{L}\p{N}\p{M}._-]{0,59}$/u.test(plain)) {
    throw new RequestFailure(
      400,
      'bad-name',
      'A channel name has letters, digits, dots and hyphens, at most 60 of them.',
    )
  }
  return plain
}
