import { createHash } from 'node:crypto'
import type { Adapter } from '../port/adapter.ts'
import { AdapterError } from '../port/errors.ts'
import type { ConversationRef, MessageRef, Outgoing } from '../port/message.ts'
import type { Clock } from '../port/platform.ts'
import type { Outbox, OutboxRow } from '../port/store.ts'

/** The content of a send; its id comes from job and slot. */
export type Content = Omit<Outgoing, 'sendId' | 'replyTo'>

/** How the sends answer a command or a press: by its ticket, and to whom alone. */
export type Invocation = Pick<Outgoing, 'ticket' | 'privateTo'>

/**
 * Visible sends of one job, each at most once. A row is on disk before the request is sent; after a crash it tells
 * whether to edit, to search for the message, or to send.
 */
export interface Sender {
  readonly conversation: ConversationRef
  rows(): Promise<readonly OutboxRow[]>
  /** The stable id of the send in this slot. */
  outgoing(slot: string, content: Content): Outgoing
  /** Posts the message of this slot, or edits it if it exists. */
  show(slot: string, content: Content): Promise<MessageRef>
  /** Searches for the message of a send that a crash cut off; deletes the row if there is none. */
  locate(slot: string): Promise<void>
  /** Registers the slot and lets `send` do the request (a native stream). */
  open<Sent extends { readonly ref: MessageRef }>(
    slot: string,
    content: Content,
    send: (outgoing: Outgoing) => Promise<Sent>,
  ): Promise<Sent>
  /** Marks the slot as showing its final text. */
  close(slot: string, text: string): Promise<void>
  remove(slot: string): Promise<void>
}

function sendIdOf(jobId: string, slot: string): string {
  return createHash('sha256').update(`${jobId}\n${slot}`).digest('base64url').slice(0, 22)
}

// oxlint-disable-next-line max-lines-per-function -- a factory: it only returns methods
export function createSender(options: {
  readonly jobId: string
  readonly adapter: Adapter
  readonly conversation: ConversationRef
  readonly replyTo: string
  readonly outbox: Outbox
  readonly clock: Clock
  readonly invocation?: Invocation
}): Sender {
  const { jobId, adapter, conversation, replyTo, outbox, clock, invocation } = options
  const rowOf = async (slot: string) => (await outbox.ofJob(jobId)).find((row) => row.slot === slot)
  const outgoing = (slot: string, content: Content): Outgoing => ({
    ...invocation,
    ...content,
    sendId: sendIdOf(jobId, slot),
    replyTo,
  })

  const find = async (sendId: string) =>
    adapter.find?.(conversation, {
      sendId,
      after: replyTo,
      known: await outbox.known(conversation),
      ticket: invocation?.ticket,
    })

  async function attempt<Sent extends { readonly ref: MessageRef }>(
    message: Outgoing,
    send: (outgoing: Outgoing) => Promise<Sent>,
  ): Promise<Sent | { readonly ref: MessageRef }> {
    try {
      return await send(message)
    } catch (error) {
      if (!(error instanceof AdapterError)) throw error
      if (error.code !== 'ambiguous') {
        await outbox.drop(message.sendId)
        throw error
      }
      const ref = await find(message.sendId)
      if (ref !== undefined) return { ref }
      throw error
    }
  }

  async function first(slot: string, content: Content): Promise<MessageRef> {
    const message = outgoing(slot, content)
    await outbox.open({ sendId: message.sendId, jobId, slot, conversation, text: content.text }, clock())
    const { ref } = await attempt(message, async (it) => ({ ref: await adapter.post(conversation, it) }))
    await outbox.sent(message.sendId, ref, content.text, clock())
    return ref
  }

  return {
    conversation,
    rows: () => outbox.ofJob(jobId),
    outgoing,
    async show(slot, content) {
      const row = await rowOf(slot)
      // A row left in `sending` by a crash: search for its message before sending again.
      const ref = row?.ref ?? (row === undefined ? undefined : await find(row.sendId))
      if (row === undefined || ref === undefined) return first(slot, content)
      await adapter.edit?.(ref, outgoing(slot, content))
      await outbox.sent(row.sendId, ref, content.text, clock())
      return ref
    },
    async locate(slot) {
      const row = await rowOf(slot)
      if (row === undefined || row.ref !== undefined) return
      const ref = await find(row.sendId)
      if (ref === undefined) await outbox.drop(row.sendId)
      else await outbox.sent(row.sendId, ref, row.text, clock())
    },
    async open(slot, content, send) {
      const message = outgoing(slot, content)
      await outbox.open({ sendId: message.sendId, jobId, slot, conversation, text: content.text }, clock())
      try {
        const sent = await send(message)
        await outbox.sent(message.sendId, sent.ref, content.text, clock())
        return sent
      } catch (error) {
        if (error instanceof AdapterError && error.code !== 'ambiguous') await outbox.drop(message.sendId)
        throw error
      }
    },
    async close(slot, text) {
      await outbox.close(sendIdOf(jobId, slot), text, clock())
    },
    async remove(slot) {
      const row = await rowOf(slot)
      if (row === undefined) return
      if (row.ref !== undefined) await adapter.remove?.(row.ref)
      await outbox.drop(row.sendId)
    },
  }
}
