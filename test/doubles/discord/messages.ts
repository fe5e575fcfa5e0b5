import { intents, type Gateway } from './gateway.ts'
import { channelPayload, type Json, type Payloads } from './payloads.ts'
import { refuseChange, refuseNew, refuseReply } from './restrictions.ts'
import {
  channelTypes,
  type DoubleChannel,
  type DoubleFile,
  type DoubleMessage,
  type DoubleReference,
  type DoubleRow,
  type DoubleUser,
} from './types.ts'
import { checkMessage, invalidForm, refuse, type RouteAnswer, textOf } from './validate.ts'
import type { World } from './world.ts'

/** A mention that would make devices ring on a live server. */
export interface Ping {
  readonly messageId: string
  readonly target: string
}

export type NewMessage = Pick<DoubleMessage, 'channelId' | 'author' | 'content'> &
  Partial<DoubleMessage> & { readonly at?: number }

export interface Messages {
  readonly pings: readonly Ping[]
  /** Creates a message that the bot asks for over REST. */
  create(
    channel: DoubleChannel,
    body: Json,
    files: readonly DoubleFile[],
    only?: string,
    /** Token of the interaction that it answers. */
    ofInteraction?: string,
  ): RouteAnswer
  edit(message: DoubleMessage, body: Json): RouteAnswer
  remove(message: DoubleMessage): void
  /** Adds a message of somebody else. */
  add(message: NewMessage): DoubleMessage
  readonly tellAgain: (message: DoubleMessage) => void
  /** Tells of a message that changed. */
  changed(message: DoubleMessage): void
  /** Fills in who is mentioned by the text. */
  readonly readMentions: (text: string) => Pick<DoubleMessage, 'mentions' | 'mentionRoles' | 'mentionEveryone'>
}

export interface MessagesOptions {
  readonly world: World
  readonly gateway: Pick<Gateway, 'dispatch'>
  readonly payloads: Payloads
  /** "The past few minutes" in which an enforced nonce is remembered. */
  readonly nonceWindowMs: number
}

export function createMessages({ world, gateway, payloads, nonceWindowMs }: MessagesOptions): Messages {
  const pings: Ping[] = []
  const intentOf = (channelId: string) =>
    world.channel(channelId).type === channelTypes.direct ? intents.directMessages : intents.guildMessages
  /** A bot hears nothing of a server in which it is not. */
  const dispatch = (event: string, channelId: string, payload: () => Json) => {
    const { guildId } = world.channel(channelId)
    if (guildId === undefined || world.crowd.has(guildId)) gateway.dispatch(event, payload(), intentOf(channelId))
  }
  const changed = (message: DoubleMessage) =>
    dispatch('MESSAGE_UPDATE', message.channelId, () => payloads.dispatched(message))

  const readMentions: Messages['readMentions'] = (text) => {
    const ids = [...text.matchAll(/<@!?(\d+)>/g)].map(([, id]) => id ?? '')
    const users = [...new Set(ids)].map((id) => world.userById(id))
    return {
      mentions: users.filter((user): user is DoubleUser => user !== undefined),
      mentionRoles: [...text.matchAll(/<@&(\d+)>/g)].map(([, id]) => id ?? ''),
      mentionEveryone: /@(everyone|here)\b/.test(text),
    }
  }

  const tellAgain = (message: DoubleMessage) => {
    const nonce = message.nonce === undefined ? {} : { nonce: message.nonce }
    dispatch('MESSAGE_CREATE', message.channelId, () => ({ ...payloads.dispatched(message), ...nonce }))
  }

  const add: Messages['add'] = ({ at, ...given }) => {
    const id = given.id ?? world.nextId(at)
    const message: DoubleMessage = {
      id,
      timestamp: new Date(at ?? Date.now()).toISOString(),
      editedTimestamp: null,
      type: 0,
      flags: 0,
      files: [],
      components: [],
      reactions: new Map(),
      webhook: false,
      ...readMentions(given.content),
      ...given,
    }
    for (const file of message.files) world.files.set(file.id, file)
    const channel = world.channel(message.channelId)
    channel.messages.set(id, message)
    if (channel.archived === true && channel.locked !== true) {
      channel.archived = false
      gateway.dispatch('THREAD_UPDATE', channelPayload(world, channel), intents.guilds)
    }
    // A message to one person is not an event.
    if (message.only === undefined) tellAgain(message)
    return message
  }

  /** AutoMod works in servers, on new messages and on edits (discord-api-docs#5128). */
  const moderate = (channel: DoubleChannel, body: Json) =>
    channel.type !== channelTypes.direct && world.blockedWords?.test(textOf(body['content'])) === true
      ? refuse(400, 200_000, 'Message was blocked by automatic moderation')
      : undefined

  const nonces = new Map<unknown, DoubleMessage>()
  const findByNonce = (channel: DoubleChannel, body: Json) => {
    if (body['enforce_nonce'] !== true || body['nonce'] === undefined) return undefined
    const twin = nonces.get(nonceKey(channel, body))
    if (twin === undefined || !channel.messages.has(twin.id)) return undefined
    return Date.parse(twin.timestamp) >= Date.now() - nonceWindowMs ? twin : undefined
  }

  const create: Messages['create'] = (channel, body, files, only, ofInteraction) => {
    const refusal = checkMessage(body, files.length, false) ?? moderate(channel, body)
    if (refusal !== undefined) return refusal
    const twin = findByNonce(channel, body)
    if (twin !== undefined) return { status: 200, body: { ...payloads.message(twin), nonce: twin.nonce } }
    const closed = ofInteraction === undefined ? refuseNew(channel, world) : refuseReply(channel, world, only)
    if (closed !== undefined) return closed
    const reference = readReference(channel, body)
    if (reference === 'unknown') {
      return invalidForm('message_reference', 'REPLIES_UNKNOWN_MESSAGE', 'Unknown message')
    }
    const message = add({
      channelId: channel.id,
      author: world.bot,
      content: textOf(body['content']).trim(),
      type: reference === undefined ? 0 : 19,
      flags: Number(body['flags'] ?? 0),
      files,
      components: (body['components'] ?? []) as DoubleRow[],
      ...(reference === undefined ? {} : { reference }),
      ...(only === undefined ? {} : { only }),
      ...(ofInteraction === undefined ? {} : { ofInteraction }),
      ...(body['nonce'] === undefined ? {} : { nonce: body['nonce'] as string | number }),
    })
    channel.freeAt = Date.now() + (channel.slowModeMs ?? 0)
    if (message.nonce !== undefined) nonces.set(nonceKey(channel, body), message)
    recordPings(message, body['allowed_mentions'])
    return { status: 200, body: { ...payloads.message(message), nonce: message.nonce } }
  }

  const edit: Messages['edit'] = (message, body) => {
    if (message.author.id !== world.bot.id) {
      return refuse(403, 50005, 'Cannot edit a message authored by another user')
    }
    const channel = world.channel(message.channelId)
    const closed = message.only === undefined ? refuseChange(channel, world) : undefined
    const refusal = closed ?? checkMessage(body, message.files.length, true) ?? moderate(channel, body)
    if (refusal !== undefined) return refusal
    if (typeof body['content'] === 'string') message.content = body['content'].trim()
    if (Array.isArray(body['components'])) message.components = body['components'] as DoubleRow[]
    if (typeof body['flags'] === 'number') message.flags |= body['flags']
    message.editedTimestamp = new Date().toISOString()
    recordPings(message, body['allowed_mentions'])
    if (message.only === undefined) changed(message)
    return { status: 200, body: payloads.message(message) }
  }

  /** `allowed_mentions` left out means that everything rings (message.mdx). */
  const recordPings = (message: DoubleMessage, allowed: unknown) => {
    const rules = (allowed ?? { parse: ['users', 'roles', 'everyone'] }) as {
      parse?: string[]
      users?: string[]
      replied_user?: boolean
    }
    const { mentions, mentionRoles, mentionEveryone } = readMentions(message.content)
    const ring = (target: string) => pings.push({ messageId: message.id, target })
    if (mentionEveryone && rules.parse?.includes('everyone')) ring('@everyone')
    if (rules.parse?.includes('roles')) mentionRoles.forEach(ring)
    for (const { id } of mentions) if (rules.parse?.includes('users') || rules.users?.includes(id)) ring(id)
    const asked = message.reference && world.message(message.reference.message_id)?.author
    if (asked !== undefined && (allowed === undefined || rules.replied_user === true)) ring(asked.id)
  }

  return {
    pings,
    create,
    edit,
    add,
    readMentions,
    changed,
    tellAgain,
    remove(message) {
      const channel = world.channel(message.channelId)
      channel.messages.delete(message.id)
      const guild = channel.type === channelTypes.direct ? {} : { guild_id: world.guildId }
      dispatch('MESSAGE_DELETE', channel.id, () => ({ id: message.id, channel_id: channel.id, ...guild }))
    },
  }
}

function readReference(channel: DoubleChannel, body: Json): DoubleReference | undefined | 'unknown' {
  const wanted = body['message_reference'] as { message_id?: string; fail_if_not_exists?: boolean } | undefined | null
  if (wanted === undefined || wanted === null) return undefined
  if (channel.messages.has(wanted.message_id ?? '')) {
    return { message_id: wanted.message_id ?? '', channel_id: channel.id }
  }
  return wanted.fail_if_not_exists === false ? undefined : 'unknown'
}

const nonceKey = (channel: DoubleChannel, body: Json) => `${channel.id}:${JSON.stringify(body['nonce'])}`
