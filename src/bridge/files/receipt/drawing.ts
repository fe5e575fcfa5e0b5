import { createSender } from '../../delivery/outbox-sender.ts'
import type { Adapter } from '../../port/adapter.ts'
import type { Clock } from '../../port/platform.ts'
import type { Store } from '../../port/store.ts'
import { textsFor } from '../../texts/texts.ts'
import type { Progress } from '../collection/index-pass.ts'
import { isOver } from '../file-records.ts'
import { receiptButtons, receiptText, toItem } from './content.ts'

/** The receipt of one drop, drawn from the file records as they are at that moment. */
export interface Drawing {
  /** From now on a first message may be posted. */
  begin(explain: boolean): void
  /** Resolves with whether every file is at its end. One call at a time. */
  draw(): Promise<boolean>
  /** Least time between two edits, milliseconds; undefined where nothing can be edited. */
  paceMs(): Promise<number | undefined>
}

export interface DrawingOptions {
  readonly store: Store
  readonly adapterOf: (name: string) => Adapter | undefined
  readonly clock: Clock
}

/** Slot of the receipt among the sends of its job. */
export const RECEIPT_SLOT = 'receipt'

export function createDrawing(
  jobId: string,
  { store, adapterOf, clock }: DrawingOptions,
  progressOf: (entryId: string) => Progress | undefined,
): Drawing {
  let hasBegun = false
  let explains = false
  let shown = ''

  /** Undefined: the drop is not on record, or its chat service is not connected any more. */
  async function load() {
    const entries = await store.files.ofJob(jobId)
    const [first] = entries
    const conversation = first?.conversation
    const adapter = conversation && adapterOf(conversation.adapter)
    if (first === undefined || conversation === undefined || adapter === undefined) return undefined
    const replyTo = first.messageId
    const sender = createSender({ jobId, adapter, conversation, replyTo, outbox: store.outbox, clock })
    return { entries, adapter, sender, texts: textsFor(first.language) }
  }

  return {
    begin(explain) {
      hasBegun = true
      explains = explain
    },
    async draw() {
      const loaded = await load()
      if (loaded === undefined) return true
      const { entries, adapter, sender, texts } = loaded
      const isAllOver = entries.every(isOver)
      const rows = (await sender.rows()).filter(({ slot }) => slot.startsWith(RECEIPT_SLOT))
      if (rows.length === 0 && !hasBegun) return isAllOver
      const explain = explains || rows.some(({ text }) => text.includes(texts.explainDrop))
      const now = clock()
      const receipt = entries.map((entry) => toItem(entry, { texts, now, progress: progressOf(entry.id) }))
      const text = receiptText(receipt, { texts, explain, limits: adapter.limits })
      const buttons = receiptButtons(entries, texts, explain)
      const actions = buttons.length > 0 ? buttons : undefined
      const look = JSON.stringify([text, actions])
      // Where nothing can be edited, each change is a message of its own.
      const isNew = adapter.edit === undefined && rows.some(({ ref }) => ref !== undefined)
      const slot = isNew ? `${RECEIPT_SLOT}.${rows.length}` : RECEIPT_SLOT
      if (look !== shown && !(isNew && rows.at(-1)?.text === text))
        await sender.show(slot, { kind: 'receipt', text, receipt, actions })
      shown = look
      if (isAllOver) await sender.close(slot, text)
      return isAllOver
    },
    async paceMs() {
      const adapter = (await load())?.adapter
      return adapter?.edit && adapter.limits.editIntervalMs
    },
  }
}
