import type { Adapter } from '../adapter.ts'
import type { JobPorts } from '../job-ports.ts'
import { channelKey, type MessageRef } from '../message.ts'
import type { Log } from '../ports.ts'
import type { Sender } from '../send.ts'
import { removeEntry } from './remove-entry.ts'

export interface DeleteRun {
  /** The job of the deletion itself. */
  readonly jobId: string
  /** The job of the message that is gone. */
  readonly ofJob: string
  readonly deleted: MessageRef
  readonly adapter: Adapter
  /** Speaks into the channel. */
  readonly sender: Sender
  readonly log: Log
  readonly signal: AbortSignal
}

/** A message was deleted: its answer goes, and so do the files that it dropped. Rejects where that is to be tried again. */
export async function followDelete(ports: JobPorts, run: DeleteRun): Promise<void> {
  const { store } = ports
  for (const entry of await store.ledger.ofJob(run.ofJob))
    if (entry.state !== 'removed') await removeEntry(ports, run, entry)
  // Else one that waits for its next edit would stand there again.
  await ports.receipts.end(run.ofJob)
  const channel = channelKey(run.deleted.conversation)
  await closeGaps(ports, channel, run.ofJob)
  for (const row of await store.outbox.ofJob(run.ofJob)) {
    if (row.ref !== undefined) {
      await run.adapter.remove?.(row.ref)
      await store.transcripts.remove(channel, row.ref.id)
    }
    await store.outbox.drop(row.sendId)
  }
  await store.transcripts.remove(channel, run.deleted.id)
}

/** A question that is taken back is open no more. */
export async function closeGaps(
  { store, clock }: Pick<JobPorts, 'store' | 'clock'>,
  channel: string,
  jobId: string,
): Promise<void> {
  for (const { ref } of await store.outbox.ofJob(jobId)) {
    const answer = ref && (await store.answers.ofMessage(channel, ref.id))
    if (answer?.outcome === 'nothing' && answer.closedAt === undefined)
      await store.answers.put({ ...answer, closedAt: clock() })
  }
}
