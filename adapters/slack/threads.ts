import type { Adapter } from '../../src/bridge/adapter.ts'
import { AdapterError } from '../../src/bridge/errors.ts'
import type { ConversationRef, Message, MessageRef } from '../../src/bridge/message.ts'
import type { Api } from './api.ts'
import { metadataType } from './config.ts'
import { text, toFields } from './fields.ts'
import type { Fields } from './fields.ts'
import type { Identity, InboundReader } from './inbound.ts'

/** Looking into a thread: what was said, and which of our sends is there. */
export type Threads = Required<Pick<Adapter, 'find' | 'history' | 'permalink'>> & {
  /** The message that carries this send id. */
  findSend(conversation: ConversationRef, sendId: string): Promise<MessageRef | undefined>
}

const pageSize = 200
const mostPages = 5

const sendIdIn = (wire: Fields): string | undefined => {
  const metadata = toFields(wire['metadata'])
  return text(metadata, 'event_type') === metadataType
    ? text(toFields(metadata['event_payload']), 'send_id')
    : undefined
}

interface ThreadParts {
  readonly api: Api
  readonly reader: () => InboundReader
  readonly identity: () => Identity
}

export function createThreads({ api, reader, identity }: ThreadParts): Threads {
  /** The messages of a thread, oldest first. */
  async function read(
    conversation: ConversationRef,
    range: { readonly oldest?: string; readonly latest?: string },
  ): Promise<Fields[]> {
    const root = conversation.thread
    if (root === undefined) return []
    const messages: Fields[] = []
    let cursor: string | undefined
    for (let page = 0; page < mostPages; page += 1) {
      const at = cursor === undefined ? {} : { cursor }
      const answer = await api.call(
        'conversations.replies',
        (web) =>
          web.conversations.replies({
            channel: conversation.channel,
            ts: root,
            limit: pageSize,
            include_all_metadata: true,
            ...range,
            ...at,
          }),
        { repeatable: true },
      )
      messages.push(...(answer.messages ?? []).map(toFields))
      cursor = answer.response_metadata?.next_cursor
      if (cursor === undefined || cursor === '') break
    }
    return messages
  }

  const isOurs = (wire: Fields) =>
    text(wire, 'bot_id') === identity().botId || text(wire, 'user') === identity().userId

  async function findSend(conversation: ConversationRef, sendId: string): Promise<MessageRef | undefined> {
    const messages = await read(conversation, {})
    const id = text(messages.find((wire) => isOurs(wire) && sendIdIn(wire) === sendId) ?? {}, 'ts')
    return id === undefined ? undefined : { conversation, id }
  }

  async function find(
    conversation: ConversationRef,
    wanted: Parameters<Threads['find']>[1],
  ): Promise<MessageRef | undefined> {
    const messages = await read(conversation, { oldest: wanted.after })
    // A thread's first message is told whatever the range.
    const ours = messages.filter((wire) => isOurs(wire) && (text(wire, 'ts') ?? '') > wanted.after)
    // A stream carries no metadata until it ends: an unknown one of ours is what this send began.
    const found =
      ours.find((wire) => sendIdIn(wire) === wanted.sendId) ??
      ours.find((wire) => sendIdIn(wire) === undefined && !wanted.known.includes(text(wire, 'ts') ?? ''))
    const id = text(found ?? {}, 'ts')
    return id === undefined ? undefined : { conversation, id }
  }

  async function history(conversation: ConversationRef, before: string): Promise<readonly Message[]> {
    const messages = await read(conversation, { latest: before })
    const others = messages.filter(
      (wire) => !isOurs(wire) && (text(wire, 'ts') ?? '') < before && text(wire, 'subtype') !== 'tombstone',
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

  return { find, history, permalink, findSend }
}
