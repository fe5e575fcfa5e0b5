import type { Adapter } from '../../../src/bridge/port/adapter.ts'
import type { AdapterErrorCode } from '../../../src/bridge/port/errors.ts'
import { AdapterError } from '../../../src/bridge/port/errors.ts'
import type { ConversationRef, Message, MessageRef } from '../../../src/bridge/port/message.ts'
import type { Api } from '../api.ts'
import { metadataType } from '../config.ts'
import { list, text, toFields } from '../../shared/json.ts'
import type { Fields } from '../../shared/json.ts'
import type { Identity } from '../identity.ts'
import type { InboundReader } from '../in/events.ts'
import { stripGuards } from './markup.ts'
import { ownText } from './buttons.ts'

/** Looking into a thread: what was said, and which of our sends is there. */
export type Threads = Required<Pick<Adapter, 'find' | 'history' | 'permalink' | 'read'>> & {
  /** The message that carries this send id. */
  findSend(conversation: ConversationRef, sendId: string): Promise<MessageRef | undefined>
  /** Whether there is more than its first message. */
  hasReplies(conversation: ConversationRef): Promise<boolean>
}

type Range = { readonly oldest?: string; readonly latest?: string }

const pageSize = 200

const tsOf = (wire: Fields): string => text(wire, 'ts') ?? ''

const toRef = (conversation: ConversationRef, wire: Fields | undefined): MessageRef | undefined =>
  wire === undefined ? undefined : { conversation, id: tsOf(wire) }

const sendIdIn = (wire: Fields): string | undefined => {
  const metadata = toFields(wire['metadata'])
  return text(metadata, 'event_type') === metadataType
    ? text(toFields(metadata['event_payload']), 'send_id')
    : undefined
}

/** Of a message of ours: its markdown where Slack gives it back, else the text beside it, which is cut. */
function ownMarkdown(wire: Fields): string {
  const blocks = list(wire, 'blocks').filter((block) => text(block, 'type') === 'markdown')
  const markdown = blocks.map((block) => text(block, 'text') ?? '').join('\n\n')
  return markdown === '' ? ownText(wire) : stripGuards(markdown)
}

interface ThreadParts {
  readonly api: Api
  readonly reader: () => InboundReader
  readonly identity: () => Identity
}

/** Everything up to an error of these codes, which say that there is nothing more to be had. */
async function gather(source: AsyncIterable<Fields[]>, ends: readonly AdapterErrorCode[]): Promise<Fields[]> {
  const told: Fields[] = []
  try {
    for await (const page of source) told.push(...page)
  } catch (error) {
    if (!(error instanceof AdapterError) || !ends.includes(error.code)) throw error
  }
  return told
}

export function createThreads({ api, reader, identity }: ThreadParts): Threads {
  /** The messages of a thread, oldest first, page by page to its end: the newest come last. */
  async function* pages(
    conversation: ConversationRef,
    range: Range,
    patient: boolean,
  ): AsyncGenerator<Fields[]> {
    const { channel, thread } = conversation
    if (thread === undefined) return
    const fixed = { channel, ts: thread, limit: pageSize, include_all_metadata: true, ...range }
    let cursor: string | undefined
    do {
      const args = cursor === undefined ? fixed : { ...fixed, cursor }
      const answer = await api.call('conversations.replies', (web) => web.conversations.replies(args), {
        repeatable: true,
        patient,
      })
      yield (answer.messages ?? []).map(toFields)
      cursor = answer.response_metadata?.next_cursor
    } while (cursor !== undefined && cursor !== '')
  }

  const isOurs = (wire: Fields) =>
    text(wire, 'bot_id') === identity().botId || text(wire, 'user') === identity().userId

  /** In a thread that was deleted there is nothing of ours. */
  async function ours(conversation: ConversationRef, range: Range): Promise<Fields[]> {
    return (await gather(pages(conversation, range, true), ['not-found'])).filter(isOurs)
  }

  async function findSend(conversation: ConversationRef, sendId: string): Promise<MessageRef | undefined> {
    const messages = await ours(conversation, {})
    return toRef(
      conversation,
      messages.find((wire) => sendIdIn(wire) === sendId),
    )
  }

  async function find(
    conversation: ConversationRef,
    { sendId, after, known }: Parameters<Threads['find']>[1],
  ): Promise<MessageRef | undefined> {
    // A thread's first message is told whatever the range.
    const later = (await ours(conversation, { oldest: after })).filter((wire) => tsOf(wire) > after)
    // A stream carries no metadata until it ends: an unknown one of ours is what this send began.
    const found =
      later.find((wire) => sendIdIn(wire) === sendId) ??
      later.find((wire) => sendIdIn(wire) === undefined && !known.includes(tsOf(wire)))
    return toRef(conversation, found)
  }

  async function history(conversation: ConversationRef, before: string): Promise<readonly Message[]> {
    // Apps sold outside the Marketplace may ask once a minute: no answer waits for that.
    const told = await gather(pages(conversation, { latest: before }, false), ['not-found', 'rate-limited'])
    const others = told.filter(
      (wire) => !isOurs(wire) && tsOf(wire) < before && text(wire, 'subtype') !== 'tombstone',
    )
    return Promise.all(others.map(async (wire) => reader().toMessage(wire, conversation)))
  }

  async function permalink(ref: MessageRef): Promise<string | undefined> {
    try {
      const answer = await api.call(
        'chat.getPermalink',
        (web) => web.chat.getPermalink({ channel: ref.conversation.channel, message_ts: ref.id }),
        { repeatable: true },
      )
      return answer.permalink
    } catch (error) {
      if (error instanceof AdapterError && error.code === 'not-found') return undefined
      throw error
    }
  }

  async function hasReplies({ channel, thread }: ConversationRef): Promise<boolean> {
    if (thread === undefined) return false
    try {
      const answer = await api.call(
        'conversations.replies',
        (web) => web.conversations.replies({ channel, ts: thread, limit: 2 }),
        { repeatable: true, patient: false },
      )
      return (answer.messages ?? []).length > 1
    } catch {
      // Where it can't be told, the channel is the place where it surely shows.
      return false
    }
  }

  async function read({ conversation, id }: MessageRef): Promise<Message | undefined> {
    const args = { channel: conversation.channel, ts: id, latest: id, inclusive: true, limit: 1 }
    try {
      const answer = await api.call('conversations.replies', (web) => web.conversations.replies(args), {
        repeatable: true,
      })
      const wire = (answer.messages ?? []).map(toFields).find((one) => tsOf(one) === id)
      if (wire === undefined || text(wire, 'subtype') === 'tombstone') return undefined
      const thread = text(wire, 'thread_ts') ?? id
      const message = await reader().toMessage(wire, { ...conversation, thread })
      return isOurs(wire) ? { ...message, text: ownMarkdown(wire) } : message
    } catch (error) {
      if (error instanceof AdapterError && ['not-found', 'forbidden'].includes(error.code)) return undefined
      throw error
    }
  }

  return { find, history, permalink, read, findSend, hasReplies }
}
