import { type APIMessage, MessageType, Routes } from 'discord.js'
import { AdapterError } from '../../../src/bridge/port/errors.ts'
import type { ConversationRef, Message, MessageRef } from '../../../src/bridge/port/message.ts'
import { createLru } from '../../../src/lib/lru.ts'
import type { Calls } from '../rest.ts'
import { targetOf } from '../channels.ts'
import { isNewer } from './read-marks.ts'
import { frozen, isFromPerson, type RawMessage } from './message.ts'

const threadLength = 50
const chainLength = 20
const searchPages = 5
const pageSize = 100

export interface History {
  /** Our own messages as the gateway tells of them. */
  readonly sawOwn: (raw: RawMessage) => void
  find(
    conversation: ConversationRef,
    send: { readonly sendId: string; readonly after: string; readonly known: readonly string[] },
  ): Promise<MessageRef | undefined>
  before(conversation: ConversationRef, messageId: string): Promise<readonly Message[]>
  one(ref: MessageRef): Promise<Message | undefined>
}

export function createHistory(options: {
  readonly calls: Calls
  readonly me: () => string
  readonly read: (raw: RawMessage, conversation: ConversationRef) => Message
}): History {
  const { calls, me, read } = options
  const byNonce = createLru<string>(2000)

  const page = async (channel: string, query: Readonly<Record<string, string>>) => {
    const found = await calls.get<RawMessage[]>(Routes.channelMessages(channel), { query })
    return found.toSorted((a, b) => (isNewer(a.id, b.id) ? 1 : -1))
  }
  const one = async (channel: string, id: string): Promise<RawMessage | undefined> => {
    try {
      return await calls.get<RawMessage>(Routes.channelMessage(channel, id))
    } catch (error) {
      if (error instanceof AdapterError && ['not-found', 'forbidden'].includes(error.code)) return undefined
      throw error
    }
  }
  const toMessages = (raws: readonly RawMessage[], conversation: ConversationRef) =>
    raws
      .filter((raw) => isFromPerson(raw) || raw.author.id === me())
      .map((raw) => frozen(read(raw, conversation)))

  async function thread(conversation: ConversationRef, id: string, before: string): Promise<RawMessage[]> {
    const said = await page(id, { before, limit: String(threadLength) })
    // A thread that grew out of a message bears its id; the thread itself holds only a pointer to it.
    const root = await one(conversation.channel, id)
    return [
      ...(root === undefined ? [] : [root]),
      ...said.filter(({ type }) => type !== MessageType.ThreadStarterMessage),
    ]
  }

  /** Up the chain of replies; each request brings a message together with the one it answers. */
  async function chain(channel: string, from: string): Promise<RawMessage[]> {
    const up: RawMessage[] = []
    let next: string | undefined = from
    while (next !== undefined && up.length < chainLength) {
      const message: RawMessage | undefined = await one(channel, next)
      if (message === undefined) break
      const answered: APIMessage | null | undefined = message.referenced_message
      up.push(message, ...(answered ? [answered] : []))
      next = answered?.message_reference?.message_id
    }
    return up.filter(({ id }) => id !== from).toReversed()
  }

  return {
    sawOwn: ({ nonce, id }) => {
      if (nonce !== undefined) byNonce.set(String(nonce), id)
    },
    async find(conversation, { sendId, after, known }) {
      const seen = byNonce.get(sendId)
      if (seen !== undefined) return { conversation, id: seen }
      const channel = targetOf(conversation)
      let orphan: string | undefined
      let cursor = after
      for (let turn = 0; turn < searchPages; turn += 1) {
        const found = await page(channel, { after: cursor, limit: String(pageSize) })
        const ours = found.filter(({ id, author }) => author.id === me() && !known.includes(id))
        // All we write in answer to a message is a reply to it; without a relation only if that message was deleted.
        const answer = ours.find((raw) => raw.message_reference?.message_id === after)
        if (answer !== undefined) return { conversation, id: answer.id }
        orphan ??= ours.find((raw) => raw.message_reference === undefined)?.id
        if (found.length < pageSize) break
        cursor = found.at(-1)?.id ?? cursor
      }
      return orphan === undefined ? undefined : { conversation, id: orphan }
    },
    async one({ conversation, id }) {
      const raw = await one(targetOf(conversation), id)
      return raw && frozen(read(raw, conversation))
    },
    async before(conversation, messageId) {
      const raws =
        conversation.thread === undefined
          ? await chain(conversation.channel, messageId)
          : await thread(conversation, conversation.thread, messageId)
      return toMessages(raws, conversation)
    },
  }
}
