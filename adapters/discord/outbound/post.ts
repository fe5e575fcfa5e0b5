import { type APIMessage, MessageFlags, type RawFile, Routes } from 'discord.js'
import type { Adapter } from '#bridge/port/adapter.ts'
import { AdapterError } from '#bridge/port/errors.ts'
import type { ConversationRef, MessageRef, Outgoing, ReceiptState } from '#bridge/port/message.ts'
import type { Sharing } from '#bridge/port/store.ts'
import { createLru } from '#lib/lru.ts'
import { stableId } from '#lib/stable-id.ts'
import { toUploadName } from '#adapters/shared/outgoing.ts'
import { hasCode } from '#adapters/shared/session.ts'
import { targetOf } from '../channels.ts'
import { type DiscordTimes, MESSAGE_LIMITS } from '../config.ts'
import type { Rest } from '../rest.ts'
import { createEditQueue, createEditTurns } from './edit-queue.ts'
import type { Ephemeral } from './ephemeral.ts'
import { allowOnly, bodyOf } from './message-body.ts'
import type { Replies } from './replies.ts'

export type Posting = Required<Pick<Adapter, 'post' | 'upload' | 'edit' | 'remove'>> & {
  readonly removedByUs: (messageId: string) => boolean
  settled(): Promise<void>
}

interface PostingParts {
  readonly rest: Rest
  readonly me: () => string
  readonly times: Pick<DiscordTimes, 'editPaceMs' | 'editWindowMs'>
  readonly pacer?: Sharing['pacer']
  /** Called when our message is visible in this conversation. */
  readonly posted: (conversation: ConversationRef) => void
  readonly ephemeral: Ephemeral
  readonly replies: Replies
  /** Opens the direct conversation with this person. */
  readonly directWith: (person: string) => Promise<ConversationRef>
}

const FINISHED: readonly ReceiptState[] = ['ready', 'failed', 'removed']

// oxlint-disable-next-line max-lines-per-function -- a factory: it only returns methods
export function createPosting(parts: PostingParts): Posting {
  const { rest, me, ephemeral, times, replies, pacer } = parts
  const removed = createLru<true>(1000)
  /** Messages in place of answers that were too late for their interaction. */
  const moved = createLru<MessageRef>(1000)
  const showOnce = createEphemeralSender(ephemeral)

  async function removeMessage(channel: string, message: string): Promise<void> {
    removed.set(message, true)
    try {
      await rest.delete(Routes.channelMessage(channel, message))
    } catch (error) {
      if (!hasCode(error, 'not-found')) throw error
    }
  }

  const overflow = createOverflow({ rest, me, remove: removeMessage })
  const edits = createEditQueue({
    paceMs: times.editPaceMs,
    windowMs: times.editWindowMs,
    turn: pacer && createEditTurns(pacer, times.editWindowMs),
    send: async (channel, message, body) => {
      await rest.patch(Routes.channelMessage(channel, message), body)
    },
  })

  async function show(conversation: ConversationRef, outgoing: Outgoing, files?: RawFile[]) {
    const channel = targetOf(conversation)
    const { body, following, unmentioned } = bodyOf(outgoing)
    const { components, ...words } = body
    const { id } = await send(rest, channel, components.length === 0 ? words : body, outgoing, files)
    parts.posted(conversation)
    overflow.begin(id)
    await overflow.show(channel, id, following, unmentioned)
    return { conversation, id }
  }

  /** Sends a private answer as a direct message, when Discord accepts no more answers to the interaction. */
  async function showDirectly(conversation: ConversationRef, outgoing: Outgoing, files?: RawFile[]) {
    const { privateTo, replyTo: _replyTo, ...words } = outgoing
    const isOpen = privateTo === undefined || conversation.direct
    return show(isOpen ? conversation : await parts.directWith(privateTo), words, files)
  }

  /** A message for one person alone reaches them as a direct message where nothing may be written. */
  async function showOpenly(conversation: ConversationRef, outgoing: Outgoing, files?: RawFile[]) {
    try {
      return await show(conversation, outgoing, files)
    } catch (error) {
      if (outgoing.privateTo === undefined || !hasCode(error, 'closed')) throw error
      return showDirectly(conversation, outgoing, files)
    }
  }

  async function editMessage(ref: MessageRef, outgoing: Outgoing) {
    const channel = targetOf(ref.conversation)
    const { body, following, unmentioned } = bodyOf(outgoing)
    await edits.push(channel, ref.id, body, isFinal(outgoing))
    await overflow.show(channel, ref.id, following, unmentioned)
  }

  /** The message that took the place of the answer is edited: sent again, Discord would take it for a repetition. */
  async function editDirectly(ref: MessageRef, outgoing: Outgoing) {
    const there = moved.get(ref.id) ?? (ref.conversation.direct ? ref : undefined)
    try {
      if (there !== undefined) return await editMessage(there, outgoing)
    } catch (error) {
      if (!hasCode(error, 'not-found')) throw error
    }
    moved.set(ref.id, await showDirectly(ref.conversation, outgoing))
  }

  async function reply(conversation: ConversationRef, outgoing: Outgoing, files?: RawFile[]) {
    nonceOf(outgoing)
    const replied = await replies.post(conversation, outgoing, files)
    if (replied === 'late') {
      const ref = await showDirectly(conversation, outgoing, files)
      moved.set(ref.id, ref)
      return ref
    }
    return replied ?? (await showOnce(conversation, outgoing)) ?? showOpenly(conversation, outgoing, files)
  }

  return {
    post: (conversation, outgoing) => reply(conversation, outgoing),
    async upload(conversation, { name, mimeType, bytes }, outgoing) {
      const data = Buffer.from(await bytes.arrayBuffer())
      const files = [{ name: toUploadName(name), data, contentType: mimeType }]
      return outgoing.ticket === undefined ? show(conversation, outgoing, files) : reply(conversation, outgoing, files)
    },
    async edit(ref, outgoing) {
      const edited = await replies.edit(ref, outgoing)
      if (edited === 'late') return editDirectly(ref, outgoing)
      if (edited) return
      const { flags: _flags, ...words } = bodyOf(outgoing).body
      if (!(await ephemeral.edit(ref.id, words))) await editMessage(ref, outgoing)
    },
    async remove(ref) {
      const channel = targetOf(ref.conversation)
      if (await ephemeral.remove(ref.id)) return
      await overflow.show(channel, ref.id, [])
      await removeMessage(channel, ref.id)
    },
    removedByUs: (messageId) => removed.has(messageId),
    settled: () => edits.settled(),
  }
}

/** Shows a send to one person, once; undefined if this person can't be shown ephemeral messages. */
function createEphemeralSender(ephemeral: Ephemeral) {
  /** Discord honours the nonce of public messages only. */
  const sent = createLru<string>(1000)
  return async (conversation: ConversationRef, outgoing: Outgoing): Promise<MessageRef | undefined> => {
    const { privateTo, sendId } = outgoing
    if (privateTo === undefined || conversation.direct) return undefined
    const known = sent.get(sendId)
    if (known !== undefined) return { conversation, id: known }
    const { body, following } = bodyOf(outgoing)
    if (following.length > 0) return undefined
    const id = await ephemeral.show(targetOf(conversation), privateTo, body)
    if (id === undefined) return undefined
    sent.set(sendId, id)
    return { conversation, id }
  }
}

function send(rest: Rest, channel: string, body: object, outgoing: Outgoing, files?: readonly RawFile[]) {
  const { replyTo } = outgoing
  const message = {
    ...body,
    nonce: nonceOf(outgoing),
    // The same nonce returns the same message, so a request with a lost response can be repeated.
    enforce_nonce: true,
    // Discord refuses by default a reply to a deleted message.
    message_reference: replyTo === undefined ? undefined : { message_id: replyTo, fail_if_not_exists: false },
  }
  return rest.post<APIMessage>(Routes.channelMessages(channel), message, { files })
}

/**
 * Whether this is the final state: an unfinished answer has no references, and no buttons but those of a text that
 * grows; an unfinished receipt has files in progress.
 */
function isFinal({ kind, references, actions, receipt, isGrowing }: Outgoing): boolean {
  if (isGrowing === true) return false
  if (kind === 'receipt' && receipt !== undefined) return receipt.every(({ state }) => FINISHED.includes(state))
  return kind !== 'answer' || references !== undefined || actions !== undefined
}

function nonceOf({ sendId }: Outgoing): string {
  if (sendId.length <= MESSAGE_LIMITS.nonce) return sendId
  throw new AdapterError('invalid', `The send id "${sendId}" is longer than the 25 characters of a Discord nonce.`)
}

interface Part {
  readonly id: string
  readonly content: string
}

/**
 * Messages with the parts that did not fit into another one. Each is a reply to it, so that they are found after a
 * restart without being stored.
 */
export interface Overflow {
  /** Registers a new message, which has none yet. */
  begin(message: string): void
  /**
   * Posts, edits and removes, so that exactly these follow the message. @param users the people whom new ones mention.
   */
  show(channel: string, message: string, contents: readonly string[], users?: readonly string[]): Promise<void>
}

/**
 * Tells parts of an answer from our other replies to it (a question to people, a recording). Texts have `-# ` escaped.
 */
const isPart = ({ content, attachments, components }: APIMessage) =>
  (content.startsWith('-# ') || MENTIONS_ALONE.test(content)) &&
  attachments.length === 0 &&
  (components ?? []).length === 0
const MENTIONS_ALONE = /^<@\d+>(?: <@\d+>)*$/

function createOverflow(options: {
  readonly rest: Rest
  readonly me: () => string
  readonly remove: (channel: string, message: string) => Promise<void>
}): Overflow {
  const { rest, me, remove } = options
  const known = createLru<readonly Part[]>(500)

  async function partsOf(channel: string, message: string): Promise<readonly Part[]> {
    const remembered = known.get(message)
    if (remembered !== undefined) return remembered
    return (await rest.messages(channel, { after: message, limit: '50' }))
      .filter((raw) => raw.author.id === me() && raw.message_reference?.message_id === message && isPart(raw))
      .map(({ id, content }) => ({ id, content }))
  }

  async function add(
    channel: string,
    message: string,
    content: string,
    place: number,
    users: readonly string[],
  ): Promise<Part> {
    const { id } = await rest.post<APIMessage>(Routes.channelMessages(channel), {
      content,
      nonce: stableId(MESSAGE_LIMITS.nonce, message, `${place}`, content),
      enforce_nonce: true,
      flags: MessageFlags.SuppressEmbeds | (users.length === 0 ? MessageFlags.SuppressNotifications : 0),
      allowed_mentions: allowOnly(users),
      message_reference: { message_id: message, fail_if_not_exists: false },
    })
    return { id, content }
  }

  return {
    begin: (message) => known.set(message, []),
    async show(channel, message, contents, users = []) {
      const before = await partsOf(channel, message)
      const now: Part[] = []
      for (const [place, content] of contents.entries()) {
        const there = before[place]
        if (there === undefined) now.push(await add(channel, message, content, place, users))
        else {
          const route = Routes.channelMessage(channel, there.id)
          if (there.content !== content) await rest.patch(route, { content, allowed_mentions: { parse: [] } })
          now.push({ id: there.id, content })
        }
        known.set(message, [...now, ...before.slice(now.length)])
      }
      for (const { id } of before.slice(contents.length)) await remove(channel, id)
      known.set(message, now)
    },
  }
}
