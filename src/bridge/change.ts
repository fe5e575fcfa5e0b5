import type { Adapter } from './adapter.ts'
import { isPlatformFailure } from './failures.ts'
import { channelKey, type MessageRef } from './message.ts'
import type { Clock, Log, Platform } from './ports.ts'
import type { Store } from './store-port.ts'

/** A message was deleted: its answer goes, and so do the files that it dropped. */
export async function followDelete(
  ports: { readonly platform: Platform; readonly store: Store; readonly clock: Clock },
  run: {
    readonly jobId: string
    readonly deleted: MessageRef
    readonly adapter: Adapter
    readonly log: Log
    readonly signal: AbortSignal
  },
): Promise<void> {
  const { store } = ports
  for (const entry of await store.ledger.ofJob(run.jobId)) {
    const others = await store.ledger.ofCollection(entry.collection)
    const isShared = others.some(
      ({ id, fileName, state }) => id !== entry.id && fileName === entry.fileName && state === 'ready',
    )
    if (entry.state === 'ready' && !isShared) {
      await removeFile(ports.platform, entry.collection, entry.fileName, run.signal)
    }
    await store.ledger.put({ ...entry, state: 'removed', updatedAt: ports.clock() })
    run.log.info({ file: entry.id }, 'A file was removed with the message that dropped it')
  }
  const channel = channelKey(run.deleted.conversation)
  for (const row of await store.outbox.ofJob(run.jobId)) {
    if (row.ref !== undefined) {
      await run.adapter.remove?.(row.ref)
      await store.transcripts.remove(channel, row.ref.id)
    }
    await store.outbox.drop(row.sendId)
  }
  await store.transcripts.remove(channel, run.deleted.id)
}

async function removeFile(
  platform: Platform,
  collection: string,
  name: string,
  signal: AbortSignal,
): Promise<void> {
  try {
    await platform.files.delete(collection, name, { signal })
  } catch (error) {
    // Gone already is what was wanted.
    if (!isPlatformFailure(error) || error.code !== 'not-found') throw error
  }
}
