import type { Adapter } from '#bridge/port/adapter.ts'
import type { AdapterErrorCode } from '#bridge/port/errors.ts'
import type { ConversationRef, MessageRef } from '#bridge/port/message.ts'
import { type Fields, list, text, toFields } from '#adapters/shared/json.ts'
import { hasCode } from '#adapters/shared/session.ts'
import { type Api, type CallPolicy, REPEATABLE, REPEATABLE_NOW } from '../api.ts'
import { notePage, type ReadPace } from '../calls/read-pace.ts'
import { type Identity, METADATA_TYPE } from '../config.ts'

/** Messages of a page; Slack takes up to 1,000. */
export const PAGE_SIZE = 200

export const tsOf = (wire: Fields): string => text(wire, 'ts') ?? ''

/** The messages of a thread, oldest first, page by page. */
export async function* threadPages(
  api: Api,
  { channel, thread }: ConversationRef,
  range: { readonly oldest?: string; readonly latest?: string },
  policy: CallPolicy,
  pace?: ReadPace,
): AsyncGenerator<Fields[]> {
  if (thread === undefined) return
  let cursor: string | undefined
  do {
    const args = { channel, ts: thread, limit: PAGE_SIZE, include_all_metadata: true, cursor, ...range }
    const answer = await api.call('conversations.replies', (web) => web.conversations.replies(args), policy)
    const messages = (answer.messages ?? []).map(toFields)
    cursor = answer.response_metadata?.next_cursor
    if (pace !== undefined) notePage(pace, messages.length, cursor)
    yield messages
  } while (cursor !== undefined && cursor !== '')
}

/** The newest messages of a channel outside of its threads: a send of a moment ago is among them. */
async function* newestIn(api: Api, channel: string, oldest: string | undefined): AsyncGenerator<Fields[]> {
  const args = { channel, oldest, limit: PAGE_SIZE, include_all_metadata: true }
  const answer = await api.call('conversations.history', (web) => web.conversations.history(args), REPEATABLE)
  yield (answer.messages ?? []).map(toFields)
}

/** Collects all pages; an error with one of these codes ends them. */
export async function collectPages(
  pages: AsyncIterable<Fields[]>,
  ends: readonly AdapterErrorCode[],
): Promise<Fields[]> {
  const found: Fields[] = []
  try {
    for await (const page of pages) found.push(...page)
  } catch (error) {
    if (!hasCode(error, ...ends)) throw error
  }
  return found
}

const sendIdIn = (wire: Fields): string | undefined => {
  const metadata = toFields(wire['metadata'])
  return text(metadata, 'event_type') === METADATA_TYPE
    ? text(toFields(metadata['event_payload']), 'send_id')
    : undefined
}

const isFile = (wire: Fields): boolean => list(wire, 'files').length > 0

/** The direct message with a person: its channel. */
export async function openDirect(api: Api, user: string): Promise<string | undefined> {
  const opened = await api.call('conversations.open', (web) => web.conversations.open({ users: user }), REPEATABLE)
  return opened.channel?.id
}

/** Searches our own messages in Slack. */
export interface SentMessages {
  readonly find: NonNullable<Adapter['find']>
  /** The message with this send id. */
  findSend(conversation: ConversationRef, sendId: string): Promise<MessageRef | undefined>
  /** Whether a thread has more than its first message. */
  hasReplies(conversation: ConversationRef): Promise<boolean>
  readonly isOurs: (wire: Fields) => boolean
}

const toRef = (conversation: ConversationRef, wire: Fields | undefined): MessageRef | undefined =>
  wire && { conversation, id: tsOf(wire) }

export function createSentMessages(api: Api, identity: () => Identity): SentMessages {
  const isOurs = (wire: Fields) => text(wire, 'bot_id') === identity().botId || text(wire, 'user') === identity().userId

  /** The conversation under its own id: the id of a person may name the direct message with them. */
  async function placeOf(conversation: ConversationRef): Promise<ConversationRef> {
    const { channel } = conversation
    return /^[UW]/.test(channel)
      ? { ...conversation, channel: (await openDirect(api, channel)) ?? channel }
      : conversation
  }

  /** A deleted thread has no message from us, and neither has a channel without us. */
  async function ours(conversation: ConversationRef, oldest?: string): Promise<Fields[]> {
    const isInThread = conversation.thread !== undefined
    const pages = isInThread
      ? threadPages(api, conversation, { oldest }, REPEATABLE)
      : newestIn(api, conversation.channel, oldest)
    return (await collectPages(pages, isInThread ? ['not-found'] : ['not-found', 'forbidden'])).filter(isOurs)
  }

  return {
    isOurs,
    async findSend(where, sendId) {
      const conversation = await placeOf(where)
      const messages = await ours(conversation)
      return toRef(
        conversation,
        messages.find((wire) => sendIdIn(wire) === sendId),
      )
    },
    async find(where, { sendId, after, known }) {
      const conversation = await placeOf(where)
      // A command is not a message: its answer has no message before it.
      const oldest = /^\d+\.\d+$/.test(after) ? after : undefined
      // Slack returns the root of a thread regardless of the range.
      const later = (await ours(conversation, oldest)).filter((wire) => tsOf(wire) > (oldest ?? ''))
      const isOrphan = (wire: Fields) => sendIdIn(wire) === undefined && !known.includes(tsOf(wire)) && !isFile(wire)
      // A stream, which is always in a thread, has no metadata until it ends: an unknown message is the one that was
      // begun. Files have none either: Slack tells late, or never, which message shows one.
      const found =
        later.find((wire) => sendIdIn(wire) === sendId) ??
        (conversation.thread === undefined ? undefined : later.find(isOrphan))
      return toRef(conversation, found)
    },
    async hasReplies({ channel, thread }) {
      if (thread === undefined) return false
      try {
        const answer = await api.call(
          'conversations.replies',
          (web) => web.conversations.replies({ channel, ts: thread, limit: 2 }),
          REPEATABLE_NOW,
        )
        return (answer.messages ?? []).length > 1
      } catch {
        // The caller then posts into the channel, where a message is certainly visible.
        return false
      }
    },
  }
}
