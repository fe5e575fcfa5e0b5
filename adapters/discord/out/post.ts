import { type APIMessage, MessageFlags, type RawFile, Routes } from 'discord.js'
import type { SentFile } from '../../../src/bridge/port/adapter.ts'
import { AdapterError } from '../../../src/bridge/port/errors.ts'
import type { ConversationRef, MessageRef, Outgoing, ReceiptState } from '../../../src/bridge/port/message.ts'
import { createLru } from '../../../src/lib/lru.ts'
import { toRows } from './buttons.ts'
import type { Calls } from '../rest.ts'
import { targetOf } from '../channels.ts'
import { type DiscordTimes, messageLimits } from '../config.ts'
import { createEdits } from './edit-queue.ts'
import { createFollowUps } from './overflow.ts'
import { allowOnly, mentionLine, notified } from './allowed-mentions.ts'
import { compose } from './references.ts'
import type { Whispers } from './ephemeral.ts'

export interface Outbound {
  post(conversation: ConversationRef, outgoing: Outgoing): Promise<MessageRef>
  /** With a file to download. */
  upload(conversation: ConversationRef, file: SentFile, outgoing: Outgoing): Promise<MessageRef>
  edit(ref: MessageRef, outgoing: Outgoing): Promise<void>
  remove(ref: MessageRef): Promise<void>
  readonly removedByUs: (messageId: string) => boolean
  settled(): Promise<void>
}

/** What we write calls nobody but who is told of it, and no link in it makes a preview. On edits too: they count anew. */
function bodyOf(outgoing: Outgoing) {
  const users = notified(outgoing)
  const { content, following, called } = compose(outgoing, mentionLine(users))
  return {
    following,
    /** The people found no room: they are called by a message of its own. */
    uncalled: called ? [] : users,
    body: {
      flags: MessageFlags.SuppressEmbeds,
      content,
      components: toRows(outgoing.actions),
      allowed_mentions: allowOnly(called ? users : []),
    },
  }
}

export function createOutbound(options: {
  readonly calls: Calls
  readonly me: () => string
  readonly times: Pick<DiscordTimes, 'editPace' | 'editWindow'>
  readonly posted: (conversation: ConversationRef) => void
  readonly whispers: Whispers
}): Outbound {
  const { calls, me, posted, whispers } = options
  const removed = createLru<true>(1000)
  /** Discord knows the nonce of what everybody sees; of what one person sees we have to know it. */
  const whispered = createLru<string>(1000)

  /** Already gone is as good. */
  async function removeMessage(channel: string, message: string): Promise<void> {
    removed.set(message, true)
    try {
      await calls.delete(Routes.channelMessage(channel, message))
    } catch (error) {
      if (!(error instanceof AdapterError) || error.code !== 'not-found') throw error
    }
  }

  const followUps = createFollowUps({ calls, me, remove: removeMessage })
  const edits = createEdits({
    paceMs: options.times.editPace,
    windowMs: options.times.editWindow,
    send: async (channel, message, body) => {
      await calls.patch(Routes.channelMessage(channel, message), body)
    },
  })

  /** Undefined where this person can't be told something alone. */
  async function whisper(conversation: ConversationRef, outgoing: Outgoing): Promise<string | undefined> {
    const { privateTo, sendId } = outgoing
    if (privateTo === undefined || conversation.direct) return undefined
    const known = whispered.get(sendId)
    if (known !== undefined) return known
    const { body, following } = bodyOf(outgoing)
    if (following.length > 0) return undefined
    const id = await whispers.show(targetOf(conversation), privateTo, body)
    if (id !== undefined) whispered.set(sendId, id)
    return id
  }

  const send = (channel: string, body: object, outgoing: Outgoing, files?: readonly RawFile[]) => {
    const { replyTo } = outgoing
    const message = {
      ...body,
      nonce: nonceOf(outgoing),
      // The same send again gives the same message: a lost answer to this request can be repeated safely.
      enforce_nonce: true,
      ...(replyTo === undefined
        ? {}
        : // By default Discord refuses the reply when the question was deleted meanwhile.
          { message_reference: { message_id: replyTo, fail_if_not_exists: false } }),
    }
    return calls.post<APIMessage>(
      Routes.channelMessages(channel),
      message,
      files === undefined ? {} : { files },
    )
  }

  async function show(
    conversation: ConversationRef,
    outgoing: Outgoing,
    files?: readonly RawFile[],
  ): Promise<MessageRef> {
    const channel = targetOf(conversation)
    const { body, following, uncalled } = bodyOf(outgoing)
    const { components, ...words } = body
    const { id } = await send(channel, components.length === 0 ? words : body, outgoing, files)
    posted(conversation)
    followUps.begin(id)
    await followUps.show(channel, id, following, uncalled)
    return { conversation, id }
  }

  return {
    async post(conversation, outgoing) {
      nonceOf(outgoing)
      const alone = await whisper(conversation, outgoing)
      return alone === undefined ? show(conversation, outgoing) : { conversation, id: alone }
    },
    async upload(conversation, { name, mimeType, bytes }, outgoing) {
      const data = Buffer.from(await bytes.arrayBuffer())
      return show(conversation, outgoing, [{ name: fileName(name), data, contentType: mimeType }])
    },
    async edit(ref, outgoing) {
      const channel = targetOf(ref.conversation)
      const { body, following, uncalled } = bodyOf(outgoing)
      const { flags: _flags, ...words } = body
      if (await whispers.edit(ref.id, words)) return
      await edits.push(channel, ref.id, body, isFinal(outgoing))
      await followUps.show(channel, ref.id, following, uncalled)
    },
    async remove(ref) {
      const channel = targetOf(ref.conversation)
      if (await whispers.remove(ref.id)) return
      await followUps.show(channel, ref.id, [])
      await removeMessage(channel, ref.id)
    },
    removedByUs: (messageId) => removed.has(messageId),
    settled: () => edits.settled(),
  }
}

const over: readonly ReceiptState[] = ['ready', 'failed', 'removed']

/** Whether more is to come: an answer still being written has neither references nor buttons, a receipt files under way. */
function isFinal({ kind, references, actions, receipt }: Outgoing): boolean {
  if (kind === 'receipt' && receipt !== undefined) return receipt.every(({ state }) => over.includes(state))
  return kind !== 'answer' || references !== undefined || actions !== undefined
}

/** A name without a way: Discord makes of other letters what it likes. */
const fileName = (name: string) => name.replaceAll(/[\p{Cc}/\\]/gu, '_').slice(-200) || 'file'

function nonceOf({ sendId }: Outgoing): string {
  if (sendId.length <= messageLimits.nonce) return sendId
  throw new AdapterError(
    'invalid',
    `The send id "${sendId}" is longer than the 25 characters of a Discord nonce.`,
  )
}
