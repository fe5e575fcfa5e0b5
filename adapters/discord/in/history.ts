import { type APIMessage, MessageType, Routes } from 'discord.js'
import type { Adapter } from '../../../src/bridge/port/adapter.ts'
import type { ConversationRef, Message } from '../../../src/bridge/port/message.ts'
import { createLru } from '../../../src/lib/lru.ts'
import { deepFreeze, hasCode } from '../../shared/session.ts'
import { targetOf } from '../channels.ts'
import type { Rest } from '../rest.ts'
import { isFromPerson } from './message.ts'

const MAX_THREAD = 50
const MAX_CHAIN = 20
const SEARCH_PAGES = 5
const PAGE_SIZE = 100

export type History = Required<Pick<Adapter, 'find' | 'history' | 'read'>> & {
  /** Remembers our own messages from the gateway by nonce. */
  readonly rememberOwn: (raw: APIMessage) => void
}

interface HistoryParts {
  readonly rest: Rest
  readonly me: () => string
  readonly toMessage: (raw: APIMessage, conversation: ConversationRef) => Message
}

export function createHistory({ rest, me, toMessage }: HistoryParts): History {
  const byNonce = createLru<string>(2000)
  return {
    rememberOwn: ({ nonce, id }) => {
      if (nonce !== undefined) byNonce.set(String(nonce), id)
    },
    async find(conversation, send) {
      const id = byNonce.get(send.sendId) ?? (await findReply(rest, targetOf(conversation), { ...send, me: me() }))
      return id === undefined ? undefined : { conversation, id }
    },
    async read({ conversation, id }) {
      const raw = await fetchMessage(rest, targetOf(conversation), id)
      return raw && deepFreeze(toMessage(raw, conversation))
    },
    async history(conversation, before) {
      const { channel, thread } = conversation
      const raws =
        thread === undefined
          ? await replyChain(rest, channel, before)
          : await threadMessages(rest, channel, thread, before)
      return raws
        .filter((raw) => isFromPerson(raw) || raw.author.id === me())
        .map((raw) => deepFreeze(toMessage(raw, conversation)))
    },
  }
}

/** Undefined: deleted or inaccessible. */
async function fetchMessage(rest: Rest, channel: string, id: string): Promise<APIMessage | undefined> {
  try {
    return await rest.get<APIMessage>(Routes.channelMessage(channel, id))
  } catch (error) {
    if (hasCode(error, 'not-found', 'forbidden')) return undefined
    throw error
  }
}

/** Our reply to a message, or a message of ours without a reference. */
async function findReply(
  rest: Rest,
  channel: string,
  { after, known, me }: { readonly after: string; readonly known: readonly string[]; readonly me: string },
): Promise<string | undefined> {
  let orphan: string | undefined
  let cursor = after
  for (let turn = 0; turn < SEARCH_PAGES; turn += 1) {
    const found = await rest.messages(channel, { after: cursor, limit: String(PAGE_SIZE) })
    const ours = found.filter(({ id, author }) => author.id === me && !known.includes(id))
    // Each answer is a reply to its message; without a reference only if that message was deleted.
    const answer = ours.find((raw) => raw.message_reference?.message_id === after)
    if (answer !== undefined) return answer.id
    orphan ??= ours.find((raw) => raw.message_reference === undefined)?.id
    if (found.length < PAGE_SIZE) break
    cursor = found.at(-1)?.id ?? cursor
  }
  return orphan
}

async function threadMessages(rest: Rest, channel: string, thread: string, before: string): Promise<APIMessage[]> {
  const messages = await rest.messages(thread, { before, limit: String(MAX_THREAD) })
  // A thread started from a message has its id; the thread itself contains only a pointer to it.
  const root = await fetchMessage(rest, channel, thread)
  const later = messages.filter(({ type }) => type !== MessageType.ThreadStarterMessage)
  return root === undefined ? later : [root, ...later]
}

/** Follows the chain of replies upwards; each request returns a message with the one it replies to. */
async function replyChain(rest: Rest, channel: string, from: string): Promise<APIMessage[]> {
  const up: APIMessage[] = []
  let next: string | undefined = from
  while (next !== undefined && up.length < MAX_CHAIN) {
    const message: APIMessage | undefined = await fetchMessage(rest, channel, next)
    if (message === undefined) break
    const answered: APIMessage | null | undefined = message.referenced_message
    up.push(message, ...(answered ? [answered] : []))
    next = answered?.message_reference?.message_id
  }
  return up.filter(({ id }) => id !== from).toReversed()
}
