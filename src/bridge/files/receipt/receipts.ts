import type { Adapter } from '../../port/adapter.ts'
import type { Progress } from '../collection/index-pass.ts'
import type { Clock, Log } from '../../port/platform.ts'
import type { Store } from '../../port/store.ts'
import { createDrawing } from './drawing.ts'
import { createPacedReceipt, type PacedReceipt } from './paced.ts'

/**
 * One message a drop that follows its files to their end, whoever works on them: always drawn from the ledger, so that it
 * shows what is so.
 */
export interface Receipts {
  /** From now on this drop has a receipt. `explain`: it says once where files go, with the switch that turns it off. */
  begin(jobId: string, explain: boolean): void
  /** Something has changed: shown soon. States that pass in between are skipped, never queued. */
  touch(jobId: string): void
  /** Shows the states of this moment for certain. @throws {AdapterError} when they can't be shown. */
  settle(jobId: string): Promise<void>
  /** The receipt goes with the message that it belongs to: from now on nothing is drawn of it. */
  end(jobId: string): Promise<void>
  /** How far the index pass is that this entry waits for; undefined: it waits no more. */
  progress(entryId: string, progress: Progress | undefined): void
}

export function createReceipts(options: {
  readonly store: Store
  readonly adapterOf: (name: string) => Adapter | undefined
  readonly clock: Clock
  readonly log: Log
  /** No redrawing after it: the process stops. */
  readonly signal: AbortSignal
  /** How often work that lasts is shown anew, milliseconds. Default a minute. */
  readonly minuteMs?: number
}): Receipts {
  const { clock, log, signal, minuteMs = 60_000 } = options
  const progressOf = new Map<string, Progress>()
  const live = new Map<string, PacedReceipt>()

  function receiptOf(jobId: string): PacedReceipt {
    const known = live.get(jobId)
    if (known !== undefined) return known
    const drawing = createDrawing(jobId, { ...options, progressOf: (id) => progressOf.get(id) })
    const receipt = createPacedReceipt({
      drawing,
      clock,
      log,
      signal,
      minuteMs,
      onIdle: () => live.delete(jobId),
    })
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
