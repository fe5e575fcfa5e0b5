import type { Hono } from 'hono'
import { plainName } from '#lib/unicode.ts'
import { z } from 'zod'
import { conversationOf, MAX_NAME_CHARS } from '../inbound.ts'
import { toPage } from '../outbound.ts'
import type { WebHistory } from '#adapters/web/protocol.ts'
import { authorOf, clientId, displayName, found, invalid, parseBody, type RouteServices, threadId } from './requests.ts'
import { RequestFailure } from '../responses.ts'
import { isPlace } from '../store/history-page.ts'

const PAGE_THREADS = 50

const newChannel = z.object({ name: z.string() })
const change = z.object({ name: z.string().optional(), archived: z.boolean().optional() })
const stopping = z.object({ id: clientId, thread: threadId, name: displayName })

/** Channels and chats: create, change, delete and read one, stop an answer in it. */
export function addChannelRoutes(app: Hono, parts: RouteServices): void {
  const { store, hub, streamingTexts, delivery } = parts
  const channelOf = async (id: string) => found(await store.channels.get(id), 'This channel does not exist.')

  app.post('/api/web/channels', async (context) => {
    const { name } = await parseBody(context, newChannel)
    const channel = await store.channels.create(channelName(name))
    if (!channel) throw nameTaken()
    hub.publish({ type: 'channel', channel })
    return context.json(channel, 201)
  })
  app.post('/api/web/chats', async (context) => {
    const channel = await store.channels.newChat()
    hub.publish({ type: 'channel', channel })
    return context.json(channel, 201)
  })
  addChannelChanges(app, parts)

  app.get('/api/web/channels/:channel/messages', async (context) => {
    const channel = await channelOf(context.req.param('channel'))
    const before = context.req.query('before')
    if (before !== undefined && !isPlace(before)) throw invalid()
    const { messages, before: next } = await store.messages.page(channel.id, before, PAGE_THREADS)
    const history: WebHistory = {
      messages: messages.map((message) => toPage(message, streamingTexts)),
      before: next ?? null,
    }
    context.header('cache-control', 'no-store')
    return context.json(history)
  })

  app.post('/api/web/channels/:channel/stop', async (context) => {
    const channel = await channelOf(context.req.param('channel'))
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

/** Rename, archive, restore, delete. */
function addChannelChanges(app: Hono, { store, hub, delivery }: RouteServices): void {
  const own = async (id: string) => found(await store.channels.get(id), 'This channel does not exist.')

  app.patch('/api/web/channels/:channel', async (context) => {
    const { id, direct } = await own(context.req.param('channel'))
    const { name, archived } = await parseBody(context, change)
    if (direct && archived !== undefined) throw invalid()
    if (name !== undefined && !(await store.channels.rename(id, channelName(name)))) throw nameTaken()
    if (archived !== undefined) await store.channels.archive(id, archived)
    const channel = await own(id)
    hub.publish({ type: 'channel', channel })
    return context.json(channel)
  })

  app.delete('/api/web/channels/:channel', async (context) => {
    const channel = await own(context.req.param('channel'))
    await delivery.deleteChannel(channel)
    hub.publish({ type: 'channel-gone', channel: channel.id })
    if (channel.direct) hub.publish({ type: 'channel', channel: await store.channels.newChat() })
    return context.body(null, 204)
  })
}

const nameTaken = () => new RequestFailure(409, 'name-taken', 'There is a channel of this name already.')

/** Any text on one line, without the `#` before it. */
function channelName(name: string): string {
  const plain = plainName(name.normalize('NFC')).replace(/^[#\s]+/, '')
  const length = Array.from(plain).length
  if (length >= 1 && length <= MAX_NAME_CHARS && plain.isWellFormed()) return plain
  throw new RequestFailure(400, 'bad-name', `A name has 1 to ${MAX_NAME_CHARS} characters.`)
}
