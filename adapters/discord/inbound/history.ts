import { type APIMessage, MessageReferenceType, MessageType, Routes } from 'discord.js'
import type { Adapter } from '#bridge/port/adapter.ts'
import type { ConversationRef, Message } from '#bridge/port/message.ts'
import { createLru } from '#lib/lru.ts'
import { deepFreeze, hasCode } from '#adapters/shared/session.ts'
import { targetOf } from '../channels.ts'
import type { Rest } from '../rest.ts'
import { isFromPerson } from './message.ts'

const MAX_THREAD = 50
const MAX_CHAIN = 20
const SEARCH_PAGES = 5
const PAGE_SIZE = 100

export type History = Pick<Adapter, 'find' | 'history' | 'read'> & {
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
    async history(conversation, before, since) {
      const { channel, thread } = conversation
      const raws =
        thread === undefined
          ? await replyChain(rest, channel, before)
          : await threadMessages(rest, { channel, thread }, { before, withOurs: since === undefined, me: me() })
      return raws.map((raw) => deepFreeze(toMessage(raw, conversation)))
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

/** Our reply to a message, or our message without a reference. */
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

const idAfter = (id: string): string => (/^\d+$/.test(id) ? String(BigInt(id) + 1n) : id)

/**
 * Words of people in a thread before a message. Messages of programs are read where the thread began with one, or
 * somebody replied to one.
 */
async function threadMessages(
  rest: Rest,
  { channel, thread }: { readonly channel: string; readonly thread: string },
  { before, withOurs, me }: { readonly before: string; readonly withOurs: boolean; readonly me: string },
): Promise<APIMessage[]> {
  // With the message itself, which names the message it replies to.
  const [page, root] = await Promise.all([
    rest.messages(thread, { before: idAfter(before), limit: String(MAX_THREAD) }),
    fetchMessage(rest, channel, thread),
  ])
  const answered = new Set(page.flatMap((raw) => (isFromPerson(raw) ? (raw.message_reference?.message_id ?? []) : [])))
  const asking = page.find(({ id }) => id === before)
  const found = page.filter(
    (raw) =>
      raw.id !== before &&
      // A thread started from a message has its id; the thread itself contains only a pointer to it.
      raw.type !== MessageType.ThreadStarterMessage &&
      (raw.author.id === me ? withOurs : isFromPerson(raw) || answered.has(raw.id)),
  )
  const replied = asking?.referenced_message
  const isOlder = replied?.channel_id === thread && page.every(({ id }) => id !== replied.id)
  const later = isOlder && replied.author.id !== me ? [replied, ...found] : found
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
    const reference = answered?.message_reference
    // A forward refers to a message of any channel.
    next = reference?.type === MessageReferenceType.Forward ? undefined : reference?.message_id
  }
  return up.filter(({ id }) => id !== from).toReversed()
}
