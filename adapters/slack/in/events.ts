import { setTimeout as sleep } from 'node:timers/promises'
import type {
  Author,
  Attachment,
  ConversationRef,
  Inbound,
  Message,
  NamedConversation,
} from '../../../src/bridge/port/message.ts'
import type { Api } from '../api.ts'
import { isGone, isStub, toAttachment } from './attachment.ts'
import { lookupMs } from '../config.ts'
import type { Directory } from '../directory.ts'
import { list, text, toFields } from '../../shared/json.ts'
import type { Fields } from '../../shared/json.ts'
import type { Identity } from '../identity.ts'
import { mentionedChannels, mentionedIds, mentionsOthers, toMarkdown } from '../out/markup.ts'
import { createPinReader } from './reactions.ts'
import type { PinReader } from './reactions.ts'
import { createPressReader } from './interactions.ts'
import type { PressReader } from './interactions.ts'
import type { Rooms } from '../permissions.ts'

/** From what Slack tells to what the bridge understands; undefined for what is none of its business. */
export interface InboundReader extends PressReader, PinReader {
  readonly message: (event: unknown) => Promise<Inbound | undefined>
  readonly mention: (event: unknown) => Promise<Inbound | undefined>
  readonly stopped: (event: unknown) => Promise<Inbound | undefined>
  /** Of whatever message; Slack tells the file's id, and not always where it stood. */
  readonly fileDeleted: (event: unknown) => Promise<Inbound | undefined>
  /** A message as `conversations.replies` gives it. */
  toMessage(wire: Fields, conversation: ConversationRef): Promise<Message>
}

/** Everything else is housekeeping: joins, renames, pins, and what apps write. */
const spoken = new Set([undefined, 'file_share', 'thread_broadcast'])
const namesLookedUp = 8
/** Reminders and notices of Slack itself; not marked as a bot's. */
const slackbot = 'USLACKBOT'

const toIso = (ts: string) => new Date(Math.floor(Number(ts) * 1000)).toISOString()

const fileIds = (wire: Fields): string[] =>
  list(wire, 'files')
    .filter((file) => !isGone(file))
    .flatMap((file) => text(file, 'id') ?? [])

/** Messages that were passed on: they come beside the text, each with its author. Previews of links do not count. */
function sharedIn(wire: Fields, ownId: string): string[] {
  const shared = list(wire, 'attachments').filter((attachment) => attachment['is_share'] === true)
  return shared.flatMap((attachment) => {
    const said = toMarkdown(text(attachment, 'text') ?? '', ownId, new Map())
    if (said === '') return []
    const author = text(attachment, 'author_name')
    return [`${author === undefined ? '' : `${author}: `}${said}`.replace(/^/gm, '> ')]
  })
}

export interface InboundParts {
  readonly identity: Identity
  readonly api: Api
  readonly directory: Directory
  readonly rooms: Rooms
}

export function createInboundReader({ identity, api, directory, rooms }: InboundParts): InboundReader {
  const { team, userId } = identity

  const keyOf = (channel: string, ...parts: readonly string[]) => ['slack', team, channel, ...parts].join(':')

  const conversationOf = (channel: string, thread: string, type?: string): ConversationRef => ({
    adapter: 'slack',
    workspace: team,
    channel,
    thread,
    direct: type === undefined ? channel.startsWith('D') : type === 'im',
  })

  /** Apps carry a `bot_id`, also where they write in a person's name. */
  const isPerson = (wire: Fields) =>
    text(wire, 'bot_id') === undefined &&
    wire['bot_profile'] === undefined &&
    text(wire, 'user') !== undefined &&
    text(wire, 'user') !== userId &&
    text(wire, 'user') !== slackbot

  async function authorOf(wire: Fields): Promise<Author> {
    const id = text(wire, 'user') ?? text(wire, 'bot_id') ?? ''
    if (text(wire, 'user') === undefined)
      return { id, name: text(wire, 'username') ?? text(toFields(wire['bot_profile']), 'name') ?? id }
    const person = await directory.find(id, lookupMs)
    return {
      id,
      name: person?.name ?? id,
      ...(person?.language === undefined ? {} : { language: person.language }),
    }
  }

  async function namesIn(raw: string): Promise<Map<string, string>> {
    const ids = [...new Set(mentionedIds(raw))].filter((id) => id !== userId).slice(0, namesLookedUp)
    const people = await Promise.all(ids.map(async (id) => [id, await directory.find(id, lookupMs)] as const))
    return new Map(
      people.flatMap(([id, person]) => (person === undefined ? [] : [[id, person.name] as const])),
    )
  }

  /** Channels that a message names. A channel of which we may not know the name goes by its id. */
  async function channelsIn(raw: string): Promise<NamedConversation[]> {
    const channels = mentionedChannels(raw).slice(0, namesLookedUp)
    return Promise.all(
      channels.map(async ({ id, name }) => ({
        name: name === '' ? ((await rooms.nameOf(id, lookupMs)) ?? id) : name,
        conversation: { adapter: 'slack', workspace: team, channel: id, direct: false },
      })),
    )
  }

  /** The description of a file of which the event told only the id. */
  async function described(file: Fields): Promise<Fields> {
    if (!isStub(file)) return file
    const look = api.call('files.info', (web) => web.files.info({ file: text(file, 'id') ?? '' }), {
      repeatable: true,
      patient: false,
    })
    const answer = await Promise.race([
      look.catch(() => undefined),
      sleep(lookupMs, undefined, { ref: false }),
    ])
    return answer === undefined ? file : toFields(answer.file)
  }

  async function attachmentsOf(wire: Fields, channel: string): Promise<Attachment[]> {
    const files = await Promise.all(
      list(wire, 'files')
        .filter((file) => !isGone(file))
        .map(described),
    )
    return files.map((file) => toAttachment(file, channel))
  }

  async function toMessage(wire: Fields, conversation: ConversationRef): Promise<Message> {
    const raw = text(wire, 'text') ?? ''
    const ts = text(wire, 'ts') ?? ''
    const [author, people, channels, attachments] = await Promise.all([
      authorOf(wire),
      namesIn(raw),
      channelsIn(raw),
      attachmentsOf(wire, conversation.channel),
    ])
    const names = new Map([
      ...people,
      ...channels.map(({ name, conversation: { channel } }) => [channel, name] as const),
    ])
    const mentions = Array.from(people, ([id, name]) => ({ id, name }))
    return {
      id: ts,
      conversation,
      author,
      text: [toMarkdown(raw, userId, names), ...sharedIn(wire, userId)].join('\n\n').trim(),
      addressed: conversation.direct || mentionedIds(raw).includes(userId),
      mentionsOthers: mentionsOthers(raw, userId),
      attachments,
      ...(channels.length === 0 ? {} : { channels }),
      ...(mentions.length === 0 ? {} : { mentions }),
      sentAt: toIso(ts),
    }
  }

  /**
   * The team that a streamed answer is addressed to. The SDK takes the team of the installation, which is wrong for a
   * guest from a shared channel; `team` is missing on `file_share` messages.
   */
  function noteTeam(wire: Fields) {
    const user = text(wire, 'user')
    const theirs = text(wire, 'user_team') ?? text(wire, 'source_team') ?? text(wire, 'team')
    if (user !== undefined && theirs !== undefined) directory.rememberTeam(user, theirs)
  }

  async function said(
    event: Fields,
    wire: Fields,
    kind: 'message' | 'edit',
    suffix: readonly string[],
  ): Promise<Inbound | undefined> {
    const channel = text(event, 'channel')
    const ts = text(wire, 'ts')
    if (channel === undefined || ts === undefined || !isPerson(wire) || !spoken.has(text(wire, 'subtype')))
      return undefined
    noteTeam(wire)
    const conversation = conversationOf(channel, text(wire, 'thread_ts') ?? ts, text(event, 'channel_type'))
    return { kind, key: keyOf(channel, ts, ...suffix), message: await toMessage(wire, conversation) }
  }

  function deleted(event: Fields, ts: string | undefined, before: Fields): Inbound | undefined {
    const channel = text(event, 'channel')
    if (channel === undefined || ts === undefined) return undefined
    if (text(before, 'user') !== undefined && !isPerson(before)) return undefined
    if (text(before, 'bot_id') !== undefined) return undefined
    const conversation = conversationOf(channel, text(before, 'thread_ts') ?? ts, text(event, 'channel_type'))
    return { kind: 'delete', key: keyOf(channel, ts, 'delete'), conversation, messageId: ts }
  }

  /** What a message still has, where it had more: a file that was deleted leaves a tombstone, or nothing. */
  function detached(event: Fields, after: Fields, before: Fields): Inbound | undefined {
    const channel = text(event, 'channel')
    const ts = text(after, 'ts')
    const left = fileIds(after)
    const isLess = fileIds(before).some((id) => !left.includes(id))
    if (channel === undefined || ts === undefined || !isLess || !isPerson(after)) return undefined
    const thread = text(after, 'thread_ts') ?? ts
    const conversation = conversationOf(channel, thread, text(event, 'channel_type'))
    return {
      kind: 'files-left',
      key: keyOf(channel, ts, 'files', ...left),
      conversation,
      messageId: ts,
      left,
    }
  }

  async function changed(event: Fields): Promise<Inbound | undefined> {
    const after = toFields(event['message'])
    const before = toFields(event['previous_message'])
    // The first message of a thread with replies leaves a tombstone when it is deleted.
    if (text(after, 'subtype') === 'tombstone') return deleted(event, text(after, 'ts'), before)
    // Previews and other decoration change a message without its author having changed a word.
    if (text(after, 'text') === text(before, 'text')) return detached(event, after, before)
    const version = text(toFields(after['edited']), 'ts') ?? text(event, 'ts') ?? ''
    return said(event, after, 'edit', ['edit', version])
  }

  return {
    async message(raw) {
      const event = toFields(raw)
      const subtype = text(event, 'subtype')
      if (subtype === 'message_changed') return changed(event)
      if (subtype === 'message_deleted')
        return deleted(event, text(event, 'deleted_ts'), toFields(event['previous_message']))
      return said(event, event, 'message', [])
    },
    async mention(raw) {
      const event = toFields(raw)
      const inbound = await said(event, event, 'message', [])
      // It may come without the files: the `message` event of the same key is the full account.
      return inbound?.kind === 'message' ? { ...inbound, provisional: true } : undefined
    },
    async fileDeleted(raw) {
      const attachmentId = text(toFields(raw), 'file_id')
      if (attachmentId === undefined) return undefined
      const key = keyOf('file', attachmentId, 'deleted')
      return { kind: 'file-gone', key, adapter: 'slack', workspace: team, attachmentId }
    },
    async stopped(raw) {
      const event = toFields(raw)
      const channel = text(event, 'channel')
      const thread = text(event, 'thread_ts')
      const user = text(event, 'user')
      if (channel === undefined || thread === undefined || user === undefined) return undefined
      const key = keyOf(channel, thread, 'stop', text(event, 'event_ts') ?? '')
      return {
        kind: 'stop',
        key,
        conversation: conversationOf(channel, thread),
        author: await authorOf(event),
      }
    },
    ...createPinReader({ api, directory, userId, keyOf, conversationOf, authorOf }),
    ...createPressReader({ api, directory, keyOf, conversationOf, authorOf }),
    toMessage,
  }
}
