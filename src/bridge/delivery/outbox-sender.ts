import { stableId } from '#lib/stable-id.ts'
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
  /** Slots that are in use, from memory where they were read before. */
  slots(): Promise<readonly string[]>
  /** The stable id of the send in this slot. */
  outgoing(slot: string, content: Content): Outgoing
  /** Posts the message of this slot, or edits it if it exists. */
  show(slot: string, content: Content): Promise<MessageRef>
  /** Searches for the message of a send that a crash cut off; deletes the row if it finds no message. */
  locate(slot: string): Promise<void>
  /** Registers the slot ahead of its send, in the background: the send does not wait for the disk then. Does nothing once the send has begun. */
  prepare(slot: string): void
  /**
   * Gives up slots that were prepared and not used. A row that stays costs one search for a message that was never
   * posted.
   */
  discard(): Promise<void>
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

/** The id of each slot, made once: every edit of a growing answer names it. */
function createSendIds(jobId: string): (slot: string) => string {
  const known = new Map<string, string>()
  return (slot) => {
    const id = known.get(slot) ?? stableId(22, jobId, slot)
    known.set(slot, id)
    return id
  }
}

type KnownRow = Pick<OutboxRow, 'sendId' | 'text' | 'ref'>

/** The rows of a job, read once: while it runs, nobody else sends in its slots. */
// oxlint-disable-next-line max-lines-per-function -- a factory: it only returns methods
function createJobRows(outbox: Outbox, jobId: string, clock: Clock) {
  const known = new Map<string, KnownRow | undefined>()
  /** Rows on their way to the disk whose send has not begun. */
  const prepared = new Map<string, { readonly stored: Promise<unknown>; readonly at: number }>()
  /** Slots whose send has begun. */
  const begun = new Set<string>()
  let discarding: Promise<void> = Promise.resolve()
  let isRead = false
  const read = async () => {
    const rows = (await outbox.ofJob(jobId)).filter(({ slot }) => !prepared.has(slot))
    // Rows that were sent or dropped meanwhile are newer.
    for (const row of rows) if (!known.has(row.slot)) known.set(row.slot, row)
    isRead = true
    return rows
  }
  return {
    read,
    async slots() {
      if (!isRead) await read()
      return [...known].flatMap(([slot, row]) => (row === undefined ? [] : [slot]))
    },
    async of(slot: string) {
      if (!known.has(slot) && !isRead) await read()
      return known.get(slot)
    },
    prepare(slot: string, row: Pick<OutboxRow, 'sendId' | 'conversation'>) {
      if (begun.has(slot)) return
      const at = clock()
      const stored = outbox.open({ ...row, jobId, slot, text: '' }, at)
      stored.catch(() => prepared.delete(slot))
      prepared.set(slot, { stored, at })
    },
    async open(slot: string, row: Pick<OutboxRow, 'sendId' | 'conversation' | 'text'>) {
      begun.add(slot)
      // From here on `discard` leaves it alone.
      const stored = prepared.get(slot)?.stored
      prepared.delete(slot)
      await discarding
      await (stored ?? outbox.open({ ...row, jobId, slot }, clock()))
      known.set(slot, row)
    },
    discard(sendIdOfSlot: (slot: string) => string): Promise<void> {
      const unused = [...prepared]
      prepared.clear()
      discarding = (async () => {
        await discarding
        for (const [slot, { stored, at }] of unused) {
          await stored
          await outbox.dropUnsent(sendIdOfSlot(slot), at)
        }
      })().catch(() => undefined)
      return discarding
    },
    async sent(slot: string, sendId: string, ref: MessageRef, text: string) {
      known.set(slot, { sendId, text, ref })
      await outbox.sent(sendId, ref, text, clock())
    },
    async drop(slot: string, sendId: string) {
      known.set(slot, undefined)
      await outbox.drop(sendId)
    },
  }
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
  const rows = createJobRows(outbox, jobId, clock)
  const sendIdOf = createSendIds(jobId)
  const outgoing = (slot: string, content: Content): Outgoing => ({
    ...invocation,
    ...content,
    sendId: sendIdOf(slot),
    replyTo,
  })

  const find = async (slot: string, sendId = sendIdOf(slot)) =>
    adapter.find(conversation, {
      sendId,
      isAnswer: slot.startsWith('answer.'),
      after: replyTo,
      known: await outbox.known(conversation),
      ticket: invocation?.ticket,
    })

  /** Registers the slot and does the request; one that certainly failed leaves no row. */
  async function open<Sent extends { readonly ref: MessageRef }>(
    slot: string,
    content: Content,
    send: (outgoing: Outgoing) => Promise<Sent>,
  ): Promise<Sent> {
    const { text } = content
    const message = outgoing(slot, content)
    const { sendId } = message
    await rows.open(slot, { sendId, conversation, text })
    try {
      const done = await send(message)
      await rows.sent(slot, sendId, done.ref, text)
      return done
    } catch (error) {
      if (error instanceof AdapterError && error.code !== 'ambiguous') await rows.drop(slot, sendId)
      throw error
    }
  }

  async function post(slot: string, message: Outgoing): Promise<{ readonly ref: MessageRef }> {
    try {
      return { ref: await adapter.post(conversation, message) }
    } catch (error) {
      if (!(error instanceof AdapterError) || error.code !== 'ambiguous') throw error
      const ref = await find(slot).catch((failure: unknown) => {
        // A failed search does not say that nothing was sent: the row stays for the next try.
        throw failure instanceof AdapterError ? error : failure
      })
      if (ref === undefined) throw error
      return { ref }
    }
  }

  return {
    conversation,
    rows: () => rows.read(),
    slots: () => rows.slots(),
    outgoing,
    prepare: (slot) => rows.prepare(slot, { sendId: sendIdOf(slot), conversation }),
    discard: () => rows.discard(sendIdOf),
    open,
    async show(slot, content) {
      const row = await rows.of(slot)
      // A row left in `sending` by a crash: search for its message before sending again.
      const ref = row?.ref ?? (row === undefined ? undefined : await find(slot, row.sendId))
      if (row === undefined || ref === undefined)
        return (await open(slot, content, (message) => post(slot, message))).ref
      await adapter.edit?.(ref, outgoing(slot, content))
      await rows.sent(slot, row.sendId, ref, content.text)
      return ref
    },
    async locate(slot) {
      const row = await rows.of(slot)
      if (row === undefined || row.ref !== undefined) return
      const ref = await find(slot, row.sendId)
      await (ref === undefined ? rows.drop(slot, row.sendId) : rows.sent(slot, row.sendId, ref, row.text))
    },
    async close(slot, text) {
      await outbox.close(sendIdOf(slot), text, clock())
    },
    async remove(slot) {
      const row = await rows.of(slot)
      if (row === undefined) return
      if (row.ref !== undefined) await adapter.remove(row.ref)
      await rows.drop(slot, row.sendId)
    },
  }
}

/** Shows a message that is complete, and closes its row. */
export async function showWhole(
  sender: Pick<Sender, 'show' | 'close'>,
  slot: string,
  content: Content,
): Promise<MessageRef> {
  const shown = await sender.show(slot, content)
  await sender.close(slot, content.text)
  return shown
}
