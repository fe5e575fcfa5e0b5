import type { Adapter } from '../port/adapter.ts'
import { filedFrom } from '../files/saved-messages/saved-origin.ts'
import { forgetWords } from '../features/erase-message.ts'
import type { JobPorts } from '../delivery/job-context.ts'
import { channelKey, type MessageRef } from '../port/message.ts'
import type { Log } from '../port/platform.ts'
import type { Sender } from '../delivery/outbox-sender.ts'
import { removeEntry } from '../files/removal/remove-file.ts'

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

/** A message was deleted: its words and its answer go, and so do the files that it dropped. Rejects where that is to be tried again. */
export async function followDelete(ports: JobPorts, run: DeleteRun): Promise<void> {
  const { store } = ports
  for (const entry of await store.files.ofJob(run.ofJob))
    if (entry.state !== 'removed') await removeEntry(ports, run, entry)
  // Else one that waits for its next edit would stand there again.
  await ports.receipts.end(run.ofJob)
  const { conversation } = run.deleted
  for (const row of await store.outbox.ofJob(run.ofJob)) {
    if (row.ref !== undefined) {
      // What was kept of the answer goes with it.
      for (const entry of await filedFrom(store, conversation, row.ref.id))
        await removeEntry(ports, run, entry)
      await run.adapter.remove?.(row.ref)
      await store.history.remove(channelKey(conversation), row.ref.id)
    }
    await store.outbox.drop(row.sendId)
  }
  await forgetWords(ports, run.adapter, run.deleted)
}
