import type { Hono } from 'hono'
import { z } from 'zod'
import type { Author } from '#bridge/port/author.ts'
import { conversationOf, messageKey, PERSON_ID, toMessage } from '../inbound.ts'
import { announceChat, toPage } from '../outbound.ts'
import {
  authorOf,
  clientId,
  displayName,
  found,
  invalid,
  languageOf,
  messageText,
  parseBody,
  type RouteServices,
  threadId,
  timeZoneOf,
} from './requests.ts'
import { RequestFailure } from '../responses.ts'
import type { WebChannel, WebPost } from '#adapters/web/protocol.ts'
import type { StoredMessage } from '../store/messages.ts'

const newPost = z.object({
  id: clientId,
  text: messageText,
  name: displayName,
  thread: threadId,
  files: z.array(clientId).max(50).optional(),
})
const change = z.object({ text: messageText })
const pin = z.object({ id: clientId, name: displayName })
const press = z.object({
  id: clientId,
  action: z.string(),
  value: z.string(),
  text: messageText.optional(),
  name: displayName,
})

/** Messages: post, edit, delete, 📌, press a button. Responds when the bridge has stored the event. */
export function addMessageRoutes(app: Hono, parts: RouteServices): void {
  addWritingRoutes(app, parts)
  addReactionRoutes(app, parts)
}

const NO_CHANNEL = 'This channel does not exist.'

const channelIn = async (store: RouteServices['store'], id: string) => found(await store.channels.get(id), NO_CHANNEL)

function addWritingRoutes(app: Hono, parts: RouteServices): void {
  const { store, hub, streamingTexts, delivery } = parts
  const theirs = async (id: string) => {
    const message = await store.messages.get(id)
    return found(message?.ours ? undefined : message, 'This message does not exist.')
  }
  const announce = async (id: string) => {
    const message = toPage(await theirs(id), streamingTexts)
    hub.publish({ type: 'message', message })
    return message
  }

  app.post('/api/web/channels/:channel/messages', async (context) => {
    const channel = await channelIn(store, context.req.param('channel'))
    if (channel.archived) {
      throw new RequestFailure(409, 'archived', 'This channel is archived. Restore it to write in it again.')
    }
    const body = await parseBody(context, newPost)
    const stored = await storePost(parts, channel, {
      ...body,
      language: languageOf(context),
      timeZone: timeZoneOf(context),
    })
    // The channel was removed meanwhile: its removal did not see this message.
    if (!(await store.channels.get(channel.id))) {
      await store.messages.remove(stored.id)
      throw new RequestFailure(404, 'not-found', NO_CHANNEL)
    }
    await announce(stored.id)
    if (channel.direct) await store.channels.useChat(channel.id)
    await announceChat(parts, channel.id)
    await delivery.deliverMessage(stored)
    return context.json(await announce(stored.id), 201)
  })

  app.patch('/api/web/messages/:id', async (context) => {
    const message = await theirs(context.req.param('id'))
    const channel = await channelIn(store, message.channel)
    const { text } = await parseBody(context, change)
    await delivery.deliver({
      kind: 'edit',
      key: `${messageKey(channel.id, message.id)}:edit:${message.rev}`,
      message: toMessage(channel, { ...message, text }, await store.channels.list()),
    })
    await store.messages.change(message.id, { text, streaming: false, edited: true })
    await announceChat(parts, channel.id)
    return context.json(await announce(message.id))
  })

  app.delete('/api/web/messages/:id', async (context) => {
    const message = await store.messages.get(context.req.param('id'))
    if (!message || message.ours) return context.body(null, 204)
    const channel = await channelIn(store, message.channel)
    await delivery.deleteMessage(channel, message)
    hub.publish({ type: 'removed', channel: channel.id, id: message.id })
    await announceChat(parts, channel.id)
    return context.body(null, 204)
  })
}

/** 📌 and buttons, on messages of people and ours. */
function addReactionRoutes(app: Hono, { store, delivery, hub, streamingTexts }: RouteServices): void {
  const announce = async (id: string) => {
    const message = await store.messages.get(id)
    if (message) hub.publish({ type: 'message', message: toPage(message, streamingTexts) })
  }
  app.post('/api/web/messages/:id/pin', async (context) => {
    const message = found(await store.messages.get(context.req.param('id')), 'This message is not there any more.')
    const { id, name } = await parseBody(context, pin)
    await delivery.deliver({
      kind: 'pin',
      key: `web:pin:${id}`,
      conversation: conversationOf(await channelIn(store, message.channel), message),
      author: authorOf(context, name),
      messageId: message.id,
    })
    return context.body(null, 204)
  })

  app.post('/api/web/messages/:id/actions', async (context) => {
    const message = found(await store.messages.get(context.req.param('id')), 'This message is not there any more.')
    const { id, action, value, text, name } = await parseBody(context, press)
    const buttons = [...message.actions, ...message.receipt.flatMap(({ actions = [] }) => actions)]
    const button = buttons.find((known) => known.id === action && known.value === value)
    if (!button) {
      throw new RequestFailure(409, 'button-gone', 'This button is not there any more.')
    }
    // A text is required if the button has a dialog, and forbidden otherwise.
    if ((button.prompt === undefined) !== (text === undefined)) throw invalid()
    await delivery.deliver({
      kind: 'action',
      key: `web:action:${id}`,
      conversation: conversationOf(await channelIn(store, message.channel), message),
      author: authorOf(context, name),
      messageId: message.id,
      action: { id: action, value, text },
    })
    if (button.group !== undefined) {
      await store.messages.press(message.id, { action, value })
      await announce(message.id)
    }
    return context.body(null, 204)
  })
}

/** Stores a posted message once: the same id returns the stored message. */
async function storePost(
  { store, clock }: RouteServices,
  channel: WebChannel,
  post: WebPost & Pick<Author, 'language' | 'timeZone'>,
): Promise<StoredMessage> {
  const known = await store.messages.get(post.id)
  if (known) {
    if (known.ours || known.channel !== channel.id) throw taken()
    return known
  }
  const files = post.files ?? []
  if (post.text.trim() === '' && files.length === 0) {
    throw new RequestFailure(400, 'empty', 'Write something, drop a file or record a voice message first.')
  }
  for (const id of files)
    if (!(await store.uploads.get(id)))
      throw new RequestFailure(409, 'upload-missing', 'A file of this message did not arrive whole. Add it again.')
  const root = post.thread === undefined ? undefined : await store.messages.get(post.thread)
  await store.messages.insert(
    {
      id: post.id,
      channel: channel.id,
      thread: rootOf(root, channel, post.thread),
      ours: false,
      authorId: PERSON_ID,
      authorName: post.name || 'You',
      language: post.language,
      kind: 'message',
      text: post.text,
      body: { timeZone: post.timeZone },
      accepted: false,
      sentAt: clock(),
    },
    files,
  )
  const stored = await store.messages.get(post.id)
  if (!stored) throw new Error('A message is not there right after it was stored.')
  return stored
}

/** Root of a thread: a reply to a reply belongs to the same thread. */
function rootOf(
  target: StoredMessage | undefined,
  channel: WebChannel,
  thread: string | undefined,
): string | undefined {
  if (channel.direct || thread === undefined) return undefined
  // The root may be deleted while its thread continues.
  if (!target) return thread
  if (target.channel !== channel.id) throw taken()
  return target.thread ?? target.id
}

function taken(): RequestFailure {
  return new RequestFailure(409, 'id-taken', 'This message belongs to another channel. Reload the page.')
}
