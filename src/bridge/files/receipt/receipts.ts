import { createPaced } from '../../../lib/paced.ts'
import { AdapterError } from '../../port/errors.ts'
import type { Log } from '../../port/platform.ts'
import type { Progress } from '../collection/index-pass.ts'
import { createDrawing, type DrawingOptions } from './drawing.ts'

/** One message a drop that follows its files to their end: always drawn from the file records, whoever works on them. */
export interface Receipts {
  /** From now on this drop has a receipt. `explain`: it says where files go, with the switch that turns collecting off. */
  begin(jobId: string, explain: boolean): void
  /** Something has changed: shown soon, at the pace of the chat service. */
  touch(jobId: string): void
  /** Shows the states of this moment. @throws {AdapterError} when they can't be shown. */
  settle(jobId: string): Promise<void>
  /** The message that was answered is gone: nothing is drawn any more. */
  end(jobId: string): Promise<void>
  /** How far the index pass is that this file waits for; undefined: it waits no more. */
  progress(entryId: string, progress: Progress | undefined): void
}

export interface ReceiptsOptions extends DrawingOptions {
  readonly log: Log
  /** Nothing is drawn after it: the process stops. */
  readonly signal: AbortSignal
  /** How often work that lasts is shown again, milliseconds. Default a minute. */
  readonly minuteMs?: number
}

export function createReceipts(options: ReceiptsOptions): Receipts {
  const progressOf = new Map<string, Progress>()
  const live = new Map<string, Receipt>()

  function receiptOf(jobId: string): Receipt {
    const known = live.get(jobId)
    if (known !== undefined) return known
    const forget = () => live.delete(jobId)
    const receipt = createReceipt(jobId, options, (id) => progressOf.get(id), forget)
    live.set(jobId, receipt)
    return receipt
  }

  return {
    begin: (jobId, explain) => receiptOf(jobId).begin(explain),
    touch: (jobId) => receiptOf(jobId).touch(),
    settle: (jobId) => receiptOf(jobId).settle(),
    end: (jobId) => receiptOf(jobId).end(),
    progress(entryId, progress) {
      if (progress === undefined) progressOf.delete(entryId)
      else progressOf.set(entryId, progress)
    },
  }
}

type Receipt = ReturnType<typeof createReceipt>

/** One receipt while work on its files goes on; `forget` is called when nothing is under way any more. */
function createReceipt(
  jobId: string,
  options: ReceiptsOptions,
  progressOf: (entryId: string) => Progress | undefined,
  forget: () => void,
) {
  const { clock, log, signal, minuteMs = 60_000 } = options
  const drawing = createDrawing(jobId, options, progressOf)
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
