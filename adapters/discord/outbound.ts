import { type APIMessage, MessageFlags, Routes } from 'discord.js'
import { AdapterError } from '../../src/bridge/errors.ts'
import type { ConversationRef, MessageRef, Outgoing, ReceiptState } from '../../src/bridge/message.ts'
import { createBounded } from './bounded.ts'
import { toRows } from './buttons.ts'
import type { Calls } from './calls.ts'
import { targetOf } from './channels.ts'
import { type DiscordTimes, messageLimits } from './config.ts'
import { createEdits } from './edits.ts'
import { createFollowUps } from './follow-ups.ts'
import { compose } from './references.ts'

/** What we write: nobody is called by it, and no link in it makes a preview. On edits too: they count anew. */
const quiet = {
  allowed_mentions: { parse: [], replied_user: false },
  flags: MessageFlags.SuppressEmbeds,
} as const

export interface Outbound {
  post(conversation: ConversationRef, outgoing: Outgoing): Promise<MessageRef>
  edit(ref: MessageRef, outgoing: Outgoing): Promise<void>
  remove(ref: MessageRef): Promise<void>
  readonly removedByUs: (messageId: string) => boolean
  settled(): Promise<void>
}

export function createOutbound(options: {
  readonly calls: Calls
  readonly me: () => string
  readonly times: Pick<DiscordTimes, 'editPace' | 'editWindow'>
  readonly posted: (conversation: ConversationRef) => void
}): Outbound {
  const { calls, me, posted } = options
  const removed = createBounded<true>(1000)

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

  return {
    async post(conversation, outgoing) {
      const channel = targetOf(conversation)
      const { content, following } = compose(outgoing)
      const components = toRows(outgoing.actions)
      const { id } = await calls.post<APIMessage>(Routes.channelMessages(channel), {
        ...quiet,
        content,
        nonce: nonceOf(outgoing),
        // The same send again gives the same message: a lost answer to this request can be repeated safely.
        enforce_nonce: true,
        ...(components.length === 0 ? {} : { components }),
        ...(outgoing.replyTo === undefined
          ? {}
          : // By default Discord refuses the reply when the question was deleted meanwhile.
            { message_reference: { message_id: outgoing.replyTo, fail_if_not_exists: false } }),
      })
      posted(conversation)
      followUps.begin(id)
      await followUps.show(channel, id, following)
      return { conversation, id }
    },
    async edit(ref, outgoing) {
      const channel = targetOf(ref.conversation)
      const { content, following } = compose(outgoing)
      const body = { ...quiet, content, components: toRows(outgoing.actions) }
      await edits.push(channel, ref.id, body, isFinal(outgoing))
      await followUps.show(channel, ref.id, following)
    },
    async remove(ref) {
      const channel = targetOf(ref.conversation)
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

function nonceOf({ sendId }: Outgoing): string {
  if (sendId.length <= messageLimits.nonce) return sendId
  throw new AdapterError(
    'invalid',
    `The send id "${sendId}" is longer than the 25 characters of a Discord nonce.`,
  )
}
