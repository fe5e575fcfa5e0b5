import { createPaced } from './paced.ts'
import { createSender, type Sender } from '#bridge/delivery/outbox-sender.ts'
import type { Adapter } from '#bridge/port/adapter.ts'
import { AdapterError } from '#bridge/port/errors.ts'
import type { Clock, Log } from '#bridge/port/platform.ts'
import type { FileRecord } from '#bridge/port/records.ts'
import type { OutboxRow, Store } from '#bridge/port/store.ts'
import { textsFor } from '#bridge/texts/texts.ts'
import type { Progress } from '../collection/index-pass.ts'
import { homeOf, isFinished } from '../file-records.ts'
import { fileButtons, receiptButtons, receiptText, toItem } from './content.ts'

export interface ReceiptsOptions {
  readonly store: Store
  readonly adapterOf: (name: string) => Adapter | undefined
  readonly clock: Clock
  readonly log: Log
  /** Aborts when the process stops: no receipt is updated after that. */
  readonly signal: AbortSignal
  /** Update interval of long-running work, milliseconds. Default a minute. */
  readonly minuteMs?: number
}

export type Receipts = ReturnType<typeof createReceipts>

/** One message per drop that follows its files to their end. It is always rendered from the file records. */
export function createReceipts(options: ReceiptsOptions) {
  const progressOf = new Map<string, Progress>()
  const live = new Map<string, Receipt>()

  function receiptOf(jobId: string): Receipt {
    const known = live.get(jobId)
    if (known !== undefined) return known
    const drawing = createRenderer(jobId, options, progressOf)
    const receipt = createReceipt(drawing, options, () => live.delete(jobId))
    live.set(jobId, receipt)
    return receipt
  }

  return {
    /** Begins the receipt of this drop. `explain`: it says where files go, with a button that stops collecting. */
    begin: (jobId: string, explain: boolean) => receiptOf(jobId).begin(explain),
    /** Something has changed: updated soon, at the pace of the chat service. */
    touch: (jobId: string) => receiptOf(jobId).touch(),
    /** Shows the current states. @throws {AdapterError} when they can't be shown. */
    settle: (jobId: string) => receiptOf(jobId).settle(),
    /** The message with the files is deleted: its receipt is not updated any more. */
    end: (jobId: string) => receiptOf(jobId).end(),
    /** Progress of the index pass that this file waits for; undefined: it does not wait any more. */
    progress(fileId: string, progress: Progress | undefined): void {
      if (progress === undefined) progressOf.delete(fileId)
      else progressOf.set(fileId, progress)
    },
  }
}

const NOT_SHOWN =
  'A receipt could not be shown: the app may not write there any more. Its files are ingested all the same'

type Receipt = ReturnType<typeof createReceipt>

/** A receipt with work under way; `forget` is called when nothing is under way any more. */
function createReceipt(
  drawing: ReturnType<typeof createRenderer>,
  { clock, log, signal, minuteMs = 60_000 }: ReceiptsOptions,
  forget: () => void,
) {
  let hasEnded = false
  let isDrawn = false
  let minute: NodeJS.Timeout | undefined

  /** Where nothing can be shown any more, it ends: files on their way are ingested all the same. */
  function endIfGone(error: unknown): true {
    const code = error instanceof AdapterError ? error.code : undefined
    if (code === 'not-found') log.info({ err: error }, 'A receipt is gone: somebody deleted its message')
    else if (code === 'forbidden' || code === 'closed') log.warn({ err: error }, NOT_SHOWN)
    else throw error
    return true
  }

  const onMinute = () => {
    minute = undefined
    paced.touch()
  }

  const paced = createPaced({
    async show() {
      const isAllOver = await drawing.draw().catch(endIfGone)
      isDrawn = true
      clearTimeout(minute)
      const isLast = isAllOver || hasEnded || signal.aborted
      minute = isLast ? undefined : setTimeout(onMinute, minuteMs).unref()
    },
    intervalMs: () => drawing.paceMs(),
    onError(error) {
      if (!signal.aborted)
        log.warn({ err: error }, 'A receipt could not be updated; its files are ingested all the same')
    },
    onIdle() {
      // If the service cannot edit, only `settle` updates a receipt.
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
    settle: () => paced.flush(),
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

interface ReceiptPlace {
  readonly adapter: Adapter
  readonly sender: Sender
  readonly rows: readonly OutboxRow[]
}

/** Undefined: no record of the drop, or its chat service is not connected. */
async function findPlace(
  { store, adapterOf, clock }: ReceiptsOptions,
  jobId: string,
  first: FileRecord | undefined,
): Promise<ReceiptPlace | undefined> {
  const conversation = first && (await homeOf(store, first))
  const adapter = conversation && adapterOf(conversation.adapter)
  if (first === undefined || conversation === undefined || adapter === undefined) return undefined
  const replyTo = first.messageId
  const sender = createSender({ jobId, adapter, conversation, replyTo, outbox: store.outbox, clock })
  return { adapter, sender, rows: (await sender.rows()).filter(({ slot }) => slot.startsWith(RECEIPT_SLOT)) }
}

/** Renders and shows the receipt of one drop from its current file records. */
function createRenderer(jobId: string, options: ReceiptsOptions, progressOf: ReadonlyMap<string, Progress>) {
  const { store, clock } = options
  let hasBegun = false
  let explains = false
  let shown = ''
  let isClosed = false
  /** Adapter, sender and earlier sends as first read: while it is worked on, nobody else sends in its slots. */
  let place: ReceiptPlace | undefined

  async function load() {
    const files = await store.files.ofJob(jobId)
    // Where nothing can be edited, each receipt is another message. A receipt of another process is looked for.
    const isKept = place?.adapter.edit !== undefined && (hasBegun || place.rows.length > 0)
    if (!isKept) place = await findPlace(options, jobId, files[0])
    return place && { files, ...place, texts: textsFor(files[0]?.language) }
  }

  return {
    /** Allows the first message to be posted. */
    begin(explain: boolean) {
      hasBegun = true
      explains = explain
      place = undefined
    },
    /** Resolves with whether every file is at its end. One call at a time. */
    async draw(): Promise<boolean> {
      const loaded = await load()
      if (loaded === undefined) return true
      const { files, adapter, sender, rows, texts } = loaded
      const isAllOver = files.every(isFinished)
      if (rows.length === 0 && !hasBegun) return isAllOver
      const explain = explains || rows.some(({ text }) => text.includes(texts.explainDrop))
      const now = clock()
      const receipt = files.map((file) => ({
        ...toItem(file, { texts, now, progress: progressOf.get(file.id) }),
        actions: fileButtons(file, texts),
      }))
      const text = receiptText(receipt, { texts, explain, limits: adapter.limits })
      const buttons = receiptButtons(files, texts, explain)
      const actions = buttons.length > 0 ? buttons : undefined
      const look = JSON.stringify([text, actions])
      // If the service cannot edit, each change is a new message.
      const isNew = adapter.edit === undefined && rows.some(({ ref }) => ref !== undefined)
      const slot = isNew ? `${RECEIPT_SLOT}.${rows.length}` : RECEIPT_SLOT
      if (look !== shown && !(isNew && rows.at(-1)?.text === text))
        await sender.show(slot, { kind: 'receipt', text, receipt, actions })
      if (isAllOver && !(look === shown && isClosed)) await sender.close(slot, text)
      shown = look
      isClosed = isAllOver
      return isAllOver
    },
    /** Least time between two edits, milliseconds; undefined if the service cannot edit. */
    async paceMs(): Promise<number | undefined> {
      const { adapter } = place ?? (await load()) ?? {}
      return adapter?.edit && adapter.limits.editIntervalMs
    },
  }
}
