import type { Adapter } from '../../port/adapter.ts'
import type { Progress } from '../collection/index-pass.ts'
import { isOver } from '../file-records.ts'
import type { Clock } from '../../port/platform.ts'
import { createSender } from '../../delivery/outbox-sender.ts'
import type { LedgerEntry, Store } from '../../port/store.ts'
import { textsFor } from '../../texts/texts.ts'
import { receiptButtons } from './buttons.ts'
import { receiptText, toItem } from './text.ts'

/** The receipt of one drop, drawn from the ledger as it is at that moment. */
export interface Drawing {
  /** It is to be shown although nothing stands there yet. */
  begin(explain: boolean): void
  /** Resolves with whether every file is at its end. One call at a time. */
  draw(): Promise<boolean>
  /** Least time between two edits, milliseconds; undefined where nothing can be edited. */
  paceMs(): Promise<number | undefined>
}

/** Where the receipt stands among the sends of a job. */
export const RECEIPT_SLOT = 'receipt'

export function createDrawing(
  jobId: string,
  options: {
    readonly store: Store
    readonly adapterOf: (name: string) => Adapter | undefined
    readonly clock: Clock
    readonly progressOf: (entryId: string) => Progress | undefined
  },
): Drawing {
  const { store, adapterOf, clock } = options
  let hasBegun = false
  let explains = false
  let shown = ''

  /** Undefined: the drop is not on record, or its chat service is not connected any more. */
  async function load() {
    const entries = await store.ledger.ofJob(jobId)
    const [first] = entries
    const conversation = first?.conversation
    const adapter = conversation && adapterOf(conversation.adapter)
    if (first === undefined || conversation === undefined || adapter === undefined) return undefined
    const replyTo = first.messageId
    const sender = createSender({ jobId, adapter, conversation, replyTo, outbox: store.outbox, clock })
    return { entries, adapter, sender, texts: textsFor(first.language) }
  }

  function compose(
    entries: readonly LedgerEntry[],
    { adapter, texts }: NonNullable<Awaited<ReturnType<typeof load>>>,
    explain: boolean,
  ) {
    const now = clock()
    const items = entries.map((entry) =>
      toItem(entry, { texts, now, progress: options.progressOf(entry.id) }),
    )
    const actions = receiptButtons(entries, texts, explain)
    return {
      kind: 'receipt',
      text: receiptText(items, { texts, explain, limits: adapter.limits }),
      receipt: items,
      ...(actions.length > 0 ? { actions } : {}),
    } as const
  }

  return {
    begin(explain) {
      hasBegun = true
      explains = explain
    },
    async draw() {
      const sight = await load()
      if (sight === undefined) return true
      const { entries, adapter, sender, texts } = sight
      const isAllOver = entries.every(isOver)
      const rows = (await sender.rows()).filter(({ slot }) => slot.startsWith(RECEIPT_SLOT))
      if (rows.length === 0 && !hasBegun) return isAllOver
      const explain = explains || rows.some(({ text }) => text.includes(texts.explainDrop))
      const content = compose(entries, sight, explain)
      const look = JSON.stringify([content.text, content.actions])
      // Where nothing can be edited, what has changed is a message of its own.
      const isNew = adapter.edit === undefined && rows.some(({ ref }) => ref !== undefined)
      const slot = isNew ? `${RECEIPT_SLOT}.${rows.length}` : RECEIPT_SLOT
      if (look !== shown && !(isNew && rows.at(-1)?.text === content.text)) await sender.show(slot, content)
      shown = look
      if (isAllOver) await sender.close(slot, content.text)
      return isAllOver
    },
    async paceMs() {
      const adapter = (await load())?.adapter
      return adapter?.edit && adapter.limits.editIntervalMs
    },
  }
}
