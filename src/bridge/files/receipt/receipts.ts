import { createPaced } from '../../../lib/paced.ts'
import { createSender } from '../../delivery/outbox-sender.ts'
import type { Adapter } from '../../port/adapter.ts'
import { AdapterError } from '../../port/errors.ts'
import type { Clock, Log } from '../../port/platform.ts'
import type { Store } from '../../port/store.ts'
import { textsFor } from '../../texts/texts.ts'
import type { Progress } from '../collection/index-pass.ts'
import { isOver } from '../file-records.ts'
import { receiptButtons, receiptText, toItem } from './content.ts'

export interface ReceiptsOptions {
  readonly store: Store
  readonly adapterOf: (name: string) => Adapter | undefined
  readonly clock: Clock
  readonly log: Log
  /** Nothing is drawn after it: the process stops. */
  readonly signal: AbortSignal
  /** How often work that lasts is shown again, milliseconds. Default a minute. */
  readonly minuteMs?: number
}

export type Receipts = ReturnType<typeof createReceipts>

/** One message a drop that follows its files to their end: always drawn from the file records, whoever works on them. */
export function createReceipts(options: ReceiptsOptions) {
  const progressOf = new Map<string, Progress>()
  const live = new Map<string, Receipt>()

  function receiptOf(jobId: string): Receipt {
    const known = live.get(jobId)
    if (known !== undefined) return known
    const drawing = createDrawing(jobId, options, progressOf)
    const receipt = createReceipt(drawing, options, () => live.delete(jobId))
    live.set(jobId, receipt)
    return receipt
  }

  return {
    /** From now on this drop has a receipt. `explain`: it says where files go, with the switch that turns collecting off. */
    begin: (jobId: string, explain: boolean) => receiptOf(jobId).begin(explain),
    /** Something has changed: shown soon, at the pace of the chat service. */
    touch: (jobId: string) => receiptOf(jobId).touch(),
    /** Shows the states of this moment. @throws {AdapterError} when they can't be shown. */
    settle: (jobId: string) => receiptOf(jobId).settle(),
    /** The message that was answered is gone: nothing is drawn any more. */
    end: (jobId: string) => receiptOf(jobId).end(),
    /** How far the index pass is that this file waits for; undefined: it waits no more. */
    progress(fileId: string, progress: Progress | undefined): void {
      if (progress === undefined) progressOf.delete(fileId)
      else progressOf.set(fileId, progress)
    },
  }
}

type Receipt = ReturnType<typeof createReceipt>

/** A receipt while work on its files goes on; `forget` is called when nothing is under way any more. */
function createReceipt(
  drawing: ReturnType<typeof createDrawing>,
  { clock, log, signal, minuteMs = 60_000 }: ReceiptsOptions,
  forget: () => void,
) {
  let hasEnded = false
  let isDrawn = false
  let minute: NodeJS.Timeout | undefined

  const paced = createPaced({
    async show() {
      const isAllOver = await drawing.draw()
      isDrawn = true
      clearTimeout(minute)
      const isLast = isAllOver || hasEnded || signal.aborted
      minute = isLast ? undefined : setTimeout(() => paced.touch(), minuteMs).unref()
    },
    intervalMs: () => drawing.paceMs(),
    onError(error) {
      if (!signal.aborted) log.warn({ err: error }, 'A receipt could not be brought up to date')
    },
    onIdle() {
      // Where nothing can be edited, a receipt that has begun is drawn by `settle` alone.
      if ((isDrawn || hasEnded) && minute === undefined) forget()
    },
    signal,
    clock,
  })

  return {
    begin(explain: boolean) {
      drawing.begin(explain)
      paced.touch()
    },
    touch: () => paced.touch(),
    async settle() {
      try {
        await paced.flush()
      } catch (error) {
        if (!(error instanceof AdapterError) || error.code !== 'not-found') throw error
        log.info({ err: error }, 'A receipt is gone: somebody deleted its message')
      }
    },
    async end() {
      hasEnded = true
      clearTimeout(minute)
      minute = undefined
      await paced.end()
    },
  }
}

/** Slot of the receipt among the sends of its job. */
export const RECEIPT_SLOT = 'receipt'

/** Draws the receipt of one drop from the file records as they are at that moment. */
function createDrawing(
  jobId: string,
  { store, adapterOf, clock }: ReceiptsOptions,
  progressOf: ReadonlyMap<string, Progress>,
) {
  let hasBegun = false
  let explains = false
  let shown = ''

  /** Undefined: the drop is not on record, or its chat service is not connected any more. */
  async function load() {
    const files = await store.files.ofJob(jobId)
    const [first] = files
    const conversation = first?.conversation
    const adapter = conversation && adapterOf(conversation.adapter)
    if (first === undefined || conversation === undefined || adapter === undefined) return undefined
    const replyTo = first.messageId
    const sender = createSender({ jobId, adapter, conversation, replyTo, outbox: store.outbox, clock })
    return { files, adapter, sender, texts: textsFor(first.language) }
  }

  return {
    /** From now on a first message may be posted. */
    begin(explain: boolean) {
      hasBegun = true
      explains = explain
    },
    /** Resolves with whether every file is at its end. One call at a time. */
    async draw(): Promise<boolean> {
      const loaded = await load()
      if (loaded === undefined) return true
      const { files, adapter, sender, texts } = loaded
      const isAllOver = files.every(isOver)
      const rows = (await sender.rows()).filter(({ slot }) => slot.startsWith(RECEIPT_SLOT))
      if (rows.length === 0 && !hasBegun) return isAllOver
      const explain = explains || rows.some(({ text }) => text.includes(texts.explainDrop))
      const now = clock()
      const receipt = files.map((file) => toItem(file, { texts, now, progress: progressOf.get(file.id) }))
      const text = receiptText(receipt, { texts, explain, limits: adapter.limits })
      const buttons = receiptButtons(files, texts, explain)
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
    /** Least time between two edits, milliseconds; undefined where nothing can be edited. */
    async paceMs(): Promise<number | undefined> {
      const adapter = (await load())?.adapter
      return adapter?.edit && adapter.limits.editIntervalMs
    },
  }
}
