import type { Adapter } from '../../port/adapter.ts'
import type { Attachment, Message } from '../../port/message.ts'
import type { Log } from '../../port/platform.ts'
import type { Sender } from '../../delivery/outbox-sender.ts'
import type { FileRecord } from '../../port/records.ts'
import { RECEIPT_SLOT } from '../receipt/drawing.ts'
import type { Texts } from '../../texts/texts.ts'
import { bringIn, type IngestPorts } from './ingest-file.ts'
import { isOver, loadEntries } from '../file-records.ts'

export interface IngestRun {
  readonly jobId: string
  readonly message: Message
  readonly files: readonly Attachment[]
  readonly adapter: Adapter
  readonly sender: Sender
  readonly texts: Texts
  readonly log: Log
  readonly signal: AbortSignal
}

/** Takes dropped files to their end: into the channel's collection and indexed, or to a reason on the receipt. */
export async function ingest(ports: IngestPorts, run: IngestRun): Promise<void> {
  const { jobId, message, sender, texts } = run
  const { conversation } = message
  const channel = await ports.channels.of(conversation)
  // What was begun before the switch was turned is brought to its end.
  if (!channel.collecting && (await ports.store.files.ofJob(jobId)).length === 0) {
    if (message.addressed) await sender.show('off', { kind: 'notice', text: texts.notCollecting })
    return
  }
  const entries = await loadEntries(ports, { ...run, collection: channel.collection })
  const row = (await sender.rows()).find(({ slot }) => slot === RECEIPT_SLOT)
  const hasExplained = row?.text.includes(texts.explainDrop) === true
  const explain = await ports.channels.explains(conversation, hasExplained)
  // What somebody tried again meanwhile is brought to its end by that other job.
  const mine = entries.filter(({ claimedBy = jobId }) => claimedBy === jobId)
  if (row?.state !== 'closed' || !mine.every(isOver)) {
    ports.receipts.begin(jobId, explain)
    await bringAllIn(ports, run, mine)
    await ports.receipts.settle(jobId)
  }
  if (explain) await ports.channels.change(conversation, { explained: true })
  for (const entry of mine) await ports.store.spool.remove(entry.id)
}

/** The files side by side. */
async function bringAllIn(ports: IngestPorts, run: IngestRun, entries: readonly FileRecord[]): Promise<void> {
  const outcomes = await Promise.allSettled(
    entries.filter((entry) => !isOver(entry)).map((entry) => bringIn(ports, run, entry)),
  )
  const failed = outcomes.find((outcome) => outcome.status === 'rejected')
  if (failed !== undefined) throw failed.reason
}
