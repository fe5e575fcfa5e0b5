import { overviewOf } from '#bridge/port/forms.ts'
import type { Inbound } from '#bridge/port/message.ts'
import { type Fields, list, text, toFields } from '#adapters/shared/json.ts'
import { hasCode, waitAtMost } from '#adapters/shared/session.ts'
import { REPEATABLE_NOW } from '../api.ts'
import { LOOKUP_MS } from '../config.ts'
import { packDetails, referenceOf } from '../outbound/work-objects.ts'
import { channelsOf } from './attachment.ts'
import { programMarkup } from './block-text.ts'
import { filesIn } from './forward.ts'
import { homeOf, type MessageReader, type MessageReaderParts } from './message.ts'
import { writerOf } from './writer.ts'

/** Undefined: not relevant for the bridge. */
type Reading = Promise<Inbound | undefined>

/** Converts Slack events to events of the bridge. */
export interface EventReader {
  readonly message: (event: unknown) => Reading
  readonly mention: (event: unknown) => Reading
  readonly stopped: (event: unknown) => Reading
  readonly fileDeleted: (event: unknown) => Reading
  /** A file was taken out of a channel. */
  readonly fileUnshared: (event: unknown) => Reading
  readonly reaction: (event: unknown) => Reading
  readonly home: (event: unknown) => Reading
  /** Somebody looks at another channel while the agent tab is open. */
  readonly context: (event: unknown) => Reading
  /** A message has addresses of one of our domains. */
  readonly links: (event: unknown) => Reading
  /** Somebody opened the card of a link. */
  readonly details: (event: unknown) => Reading
  /** A channel was shared with another company, or is not any more. */
  readonly sharing: (event: unknown) => Reading
  /** A channel was archived or deleted, or we were taken out of it. */
  readonly closed: (event: unknown) => Reading
}

export interface EventParts extends MessageReaderParts {
  readonly messages: MessageReader
}

/** Subtypes of messages of people and programs; the others are joins, renames and pins. */
const SPOKEN_SUBTYPES = new Set([undefined, 'file_share', 'thread_broadcast', 'bot_message'])
/** Said in a channel by Slack when it becomes public or private. */
const CONVERSIONS = new Set(['channel_convert_to_public', 'channel_convert_to_private'])
const PUSHPIN = 'pushpin'

/** The same event has the same key, however often Slack sends it. */
export const keyOf = (team: string, channel: string, ...parts: readonly string[]): string =>
  ['slack', team, channel, ...parts].join(':')

const fileIds = (wire: Fields): string[] => filesIn(wire).flatMap((file) => text(file, 'id') ?? [])

/** Most messages of programs neither have files nor mention us: they are not read any further. */
const mayConcern = (wire: Fields, ownId: string): boolean =>
  filesIn(wire).length > 0 || programMarkup(wire).includes(`<@${ownId}`)

export function createEventReader(parts: EventParts): EventReader {
  return {
    async message(raw) {
      const event = toFields(raw)
      const subtype = text(event, 'subtype')
      if (subtype !== undefined && CONVERSIONS.has(subtype)) return readChannelChange(parts, event)
      if (subtype === 'message_changed') return readChange(parts, event)
      if (subtype === 'message_deleted')
        return readDeletion(parts, event, text(event, 'deleted_ts'), toFields(event['previous_message']))
      return readMessage(parts, event, event)
    },
    async mention(raw) {
      const event = toFields(raw)
      // An edit that adds the mention is told as both `message_changed` and `app_mention`: the two have one key.
      const inbound = await readMessage(parts, event, event, text(toFields(event['edited']), 'ts'))
      // It may lack the files: the `message` event of the same key is complete.
      return inbound?.kind === 'message' ? { ...inbound, provisional: true } : inbound
    },
    async fileDeleted(raw) {
      // Slack sends the file's id, but not always its channel.
      const attachmentId = text(toFields(raw), 'file_id')
      if (attachmentId === undefined) return undefined
      const workspace = parts.identity.team
      const key = keyOf(workspace, 'file', attachmentId, 'deleted')
      return { kind: 'file-gone', key, adapter: 'slack', workspace, attachmentId }
    },
    async stopped(raw) {
      const event = toFields(raw)
      const channel = text(event, 'channel')
      const thread = text(event, 'thread_ts')
      if (channel === undefined || thread === undefined || text(event, 'user') === undefined) return undefined
      const key = keyOf(parts.identity.team, channel, thread, 'stop', text(event, 'event_ts') ?? '')
      const conversation = parts.messages.conversationOf(channel, thread)
      return { kind: 'stop', key, conversation, author: await parts.messages.authorOf(event) }
    },
    home: (raw) => readOverview(parts, toFields(raw), 'home'),
    async context(raw) {
      const event = toFields(raw)
      const [channel] = list(toFields(event['context']), 'entities').flatMap((one) => channelOfEntity(one) ?? [])
      const overview = channel === undefined ? undefined : await readOverview(parts, event, 'context')
      return overview && { ...overview, beside: parts.messages.conversationOf(channel ?? '', '') }
    },
    reaction: (raw) => readReaction(parts, toFields(raw)),
    links: (raw) => readLinks(parts, toFields(raw)),
    details: (raw) => readDetails(parts, toFields(raw)),
    fileUnshared: (raw) => readUnsharing(parts, toFields(raw)),
    sharing: async (raw) => readChannelChange(parts, toFields(raw)),
    closed: async (raw) => readClosing(parts, toFields(raw)),
  }
}

async function readOverview({ identity, messages }: EventParts, event: Fields, why: 'home' | 'context') {
  const user = text(event, 'user')
  if (user === undefined || user === identity.userId) return undefined
  return {
    kind: 'overview',
    key: keyOf(identity.team, user, why, text(event, 'event_ts') ?? ''),
    conversation: overviewOf('slack', identity.team, user),
    author: await messages.authorOf({ user }),
  } as const
}

/** Entities come in order of relevance: channels, messages in them, canvases, lists. */
function channelOfEntity(entity: Fields): string | undefined {
  if (text(entity, 'type') === 'slack#/types/channel_id') return text(entity, 'value')
  return text(toFields(entity['value']), 'channel_id')
}

async function readLinks({ identity, messages }: EventParts, event: Fields): Reading {
  const [channel, ts, user] = ['channel', 'message_ts', 'user'].map((name) => text(event, name))
  const urls = list(event, 'links').flatMap((link) => text(link, 'url') ?? [])
  // Before a message is sent, its links come from the composer; elsewhere we are no member.
  const isSeen = text(event, 'source') !== 'composer' && event['is_bot_user_member'] === true
  if (channel === undefined || ts === undefined || user === undefined || urls.length === 0 || !isSeen) return undefined
  return {
    kind: 'links',
    // A card that somebody refreshes is a new event of the same message.
    key: keyOf(identity.team, channel, ts, 'links', text(event, 'event_ts') ?? ''),
    conversation: messages.conversationOf(channel, text(event, 'thread_ts') ?? ts),
    author: await messages.authorOf({ user }),
    messageId: ts,
    urls,
  }
}

/** Opened from a search of Slack, a card has no channel: nobody can say then who may read it. */
async function readDetails({ identity, messages }: EventParts, event: Fields): Reading {
  const [channel, ts, user, url, trigger] = ['channel', 'message_ts', 'user', 'entity_url', 'trigger_id'].map((name) =>
    text(event, name),
  )
  if (user === undefined || url === undefined || trigger === undefined) return undefined
  if (channel === undefined || ts === undefined) return undefined
  const ref = text(toFields(event['external_ref']), 'id')
  return {
    kind: 'details',
    key: keyOf(identity.team, channel, ts, 'details', user, text(event, 'event_ts') ?? ''),
    conversation: messages.conversationOf(channel, text(event, 'thread_ts') ?? ts),
    author: await messages.authorOf({ user }),
    url,
    reference: referenceOf(ref),
    ticket: packDetails({ trigger, url, ref, locale: text(event, 'user_locale') }),
  }
}

function readChannelChange({ identity, messages }: EventParts, event: Fields): Inbound | undefined {
  const channel = text(event, 'channel')
  if (channel === undefined) return undefined
  const key = keyOf(identity.team, channel, 'changed', text(event, 'event_ts') ?? '')
  return { kind: 'channel-changed', key, conversation: messages.conversationOf(channel, '') }
}

/** A file may still be in the channel, in another message of it. @throws {AdapterError} Slack does not tell now. */
async function readUnsharing({ api, identity }: EventParts, event: Fields): Reading {
  const [id, channel] = ['file_id', 'channel_id'].map((name) => text(event, name))
  if (id === undefined || channel === undefined) return undefined
  const look = api.call('files.info', (web) => web.files.info({ file: id }), REPEATABLE_NOW)
  const places = await look.then<readonly string[], readonly string[]>(
    ({ file }) => channelsOf(toFields(file)),
    (error: unknown) => {
      if (hasCode(error, 'not-found')) return []
      throw error
    },
  )
  if (places.includes(channel)) return undefined
  const key = keyOf(identity.team, channel, 'file', id, 'unshared', text(event, 'event_ts') ?? '')
  return { kind: 'file-gone', key, adapter: 'slack', workspace: identity.team, channel, attachmentId: id }
}

function readClosing({ identity, messages }: EventParts, event: Fields): Inbound | undefined {
  const channel = text(event, 'channel')
  const type = text(event, 'type') ?? ''
  if (channel === undefined) return undefined
  const key = keyOf(identity.team, channel, type, text(event, 'event_ts') ?? '')
  const isDeleted = type.endsWith('_deleted') ? true : undefined
  return { kind: 'channel-gone', key, conversation: messages.conversationOf(channel, ''), isDeleted }
}

/** @param edit version of an edited message */
async function readMessage(parts: EventParts, event: Fields, wire: Fields, edit?: string): Reading {
  const { identity, messages } = parts
  const channel = text(event, 'channel')
  const ts = text(wire, 'ts')
  if (channel === undefined || ts === undefined || !SPOKEN_SUBTYPES.has(text(wire, 'subtype'))) return undefined
  const writer = await writerOf(wire, parts)
  // Many programs show how far they are by edits.
  const isHeard = writer === 'program' ? edit === undefined && mayConcern(wire, identity.userId) : writer === 'person'
  // An app that answers by a person's token would follow up on each of our answers.
  const isUnasked = text(wire, 'bot_id') !== undefined && text(event, 'channel_type') !== 'im'
  if (!isHeard || (isUnasked && !mayConcern(wire, identity.userId))) return undefined
  rememberTeam(parts, wire)
  const thread = text(wire, 'thread_ts') ?? ts
  const conversation = messages.conversationOf(channel, thread, text(event, 'channel_type'))
  const message = await messages.toMessage(wire, conversation, writer)
  return edit === undefined
    ? { kind: 'message', key: keyOf(identity.team, channel, ts), message }
    : { kind: 'edit', key: keyOf(identity.team, channel, ts, 'edit', edit), message }
}

/**
 * A streamed answer needs the asker's team. The SDK uses the team of the installation, which is wrong for a guest of a
 * shared channel.
 */
function rememberTeam({ directory }: EventParts, wire: Fields): void {
  const user = text(wire, 'user')
  const team = homeOf(wire)
  if (user !== undefined && team !== undefined) directory.rememberTeam(user, team)
}

async function readChange(parts: EventParts, event: Fields): Reading {
  const after = toFields(event['message'])
  const before = toFields(event['previous_message'])
  // A deleted root of a thread with replies becomes a tombstone.
  if (text(after, 'subtype') === 'tombstone') return readDeletion(parts, event, text(after, 'ts'), before)
  // Previews change a message while its text stays the same.
  if (text(after, 'text') === text(before, 'text')) return readDetachment(parts, event, after, before)
  const version = text(toFields(after['edited']), 'ts') ?? text(event, 'ts') ?? ''
  return readMessage(parts, event, after, version)
}

async function readDeletion(parts: EventParts, event: Fields, ts: string | undefined, before: Fields): Reading {
  const { identity, messages } = parts
  const channel = text(event, 'channel')
  const isNamed = text(before, 'user') !== undefined || text(before, 'bot_id') !== undefined
  if (channel === undefined || ts === undefined) return undefined
  if (isNamed && (await writerOf(before, parts)) === undefined) return undefined
  const thread = text(before, 'thread_ts') ?? ts
  const conversation = messages.conversationOf(channel, thread, text(event, 'channel_type'))
  return { kind: 'delete', key: keyOf(identity.team, channel, ts, 'delete'), conversation, messageId: ts }
}

/** Reports the remaining files of a message that had more: a deleted file becomes a tombstone or is absent. */
async function readDetachment(parts: EventParts, event: Fields, after: Fields, before: Fields): Reading {
  const { identity, messages } = parts
  const channel = text(event, 'channel')
  const ts = text(after, 'ts')
  const left = fileIds(after)
  const hasLost = fileIds(before).some((id) => !left.includes(id))
  if (channel === undefined || ts === undefined || !hasLost) return undefined
  if ((await writerOf(after, parts)) === undefined) return undefined
  const thread = text(after, 'thread_ts') ?? ts
  const conversation = messages.conversationOf(channel, thread, text(event, 'channel_type'))
  const key = keyOf(identity.team, channel, ts, 'files', ...left)
  return { kind: 'files-left', key, conversation, messageId: ts, left }
}

/** 📌 under a message. */
async function readReaction(parts: EventParts, event: Fields): Reading {
  const { identity, directory, messages } = parts
  const item = toFields(event['item'])
  const channel = text(item, 'channel')
  const ts = text(item, 'ts')
  const user = text(event, 'user')
  if (text(event, 'reaction') !== PUSHPIN || text(item, 'type') !== 'message') return undefined
  if (channel === undefined || ts === undefined || user === undefined) return undefined
  if (user === identity.userId || (await directory.find(user, LOOKUP_MS))?.bot === true) return undefined
  return {
    kind: 'pin',
    key: keyOf(identity.team, channel, ts, 'pin', user, text(event, 'event_ts') ?? ''),
    conversation: messages.conversationOf(channel, await threadOf(parts, channel, ts)),
    author: await messages.authorOf({ user }),
    messageId: ts,
  }
}

/** The reaction event lacks the thread of the message. */
async function threadOf({ api }: EventParts, channel: string, ts: string): Promise<string> {
  const look = api
    .call('conversations.replies', (web) => web.conversations.replies({ channel, ts, limit: 1 }), REPEATABLE_NOW)
    .then((answer) => answer.messages?.find((one) => one.ts === ts)?.thread_ts)
    .catch(() => undefined)
  return (await waitAtMost(LOOKUP_MS, look)) ?? ts
}
