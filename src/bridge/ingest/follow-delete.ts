import type { Adapter } from '../adapter.ts'
import type { JobPorts } from '../job-ports.ts'
import { takeTurn } from '../in-turn.ts'
import { channelKey, type MessageRef } from '../message.ts'
import type { Log } from '../ports.ts'
import { shownName } from '../receipt/text.ts'
import type { LedgerEntry } from '../store-port.ts'
import type { Sender } from '../send.ts'
import { textsFor } from '../texts.ts'
import { again, drive } from './drive.ts'
import { isStillFound, probeFor } from './probe.ts'
import { takeOut } from './take-out.ts'
import { sweep } from './versions.ts'

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

export type RemoveRun = Pick<DeleteRun, 'jobId' | 'adapter' | 'sender' | 'log' | 'signal'>

/** Takes one file out for good: of the collection, of what we kept, and looks whether it is really gone. */
export async function removeEntry(
  ports: JobPorts,
  run: RemoveRun,
  entry: LedgerEntry,
  note?: string,
): Promise<void> {
  const { store, clock } = ports
  const turn = `${entry.collection}/${entry.fileName}`
  // Who is just bringing in a file of this name comes to the end of it first.
  const restore = await takeTurn(ports.fileTurns, turn, run.signal, async () =>
    removeInTurn(ports, run, (await store.ledger.get(entry.id)) ?? entry, note),
  )
  if (restore !== undefined) {
    await store.ledger.put(again(restore, run.jobId))
    await drive(ports, run, restore.collection)
  }
  await store.spool.remove(entry.id)
  await sweep(store, entry.collection, clock())
}

/** Resolves with what is to be put up again. */
async function removeInTurn(
  ports: JobPorts,
  run: RemoveRun,
  entry: LedgerEntry,
  note: string | undefined,
): Promise<LedgerEntry | undefined> {
  const { store, clock, receipts } = ports
  const question = await probeFor(ports, run, entry)
  const { wasThere, restore } = await takeOut(ports, entry, run.signal)
  if (wasThere && (await isStillFound(ports, run, entry, question))) {
    const text = textsFor(entry.language).files.stillFound(shownName(entry))
    await run.sender.show(`still.${entry.fileName}`, { kind: 'error', text })
  }
  const { note: _, ...kept } = entry
  await store.ledger.put({
    ...kept,
    state: 'removed',
    drivenBy: run.jobId,
    ...(note === undefined ? {} : { note }),
    updatedAt: clock(),
  })
  run.log.info({ file: entry.id }, 'A file was removed')
  receipts.touch(entry.jobId)
  return restore
}
