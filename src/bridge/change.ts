import type { Adapter } from './adapter.ts'
import { isPlatformFailure } from './failures.ts'
import { channelKey, type MessageRef } from './message.ts'
import type { Clock, Log, Platform } from './ports.ts'
import type { LedgerEntry, Store } from './store-port.ts'

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
    if (entry.state === 'ready') await withdraw(ports, entry, run.signal)
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

/** Takes the file out, unless what stands under its name now was dropped, byte for byte or later, by another message. */
async function withdraw(
  ports: { readonly platform: Platform; readonly store: Store; readonly clock: Clock },
  entry: LedgerEntry,
  signal: AbortSignal,
): Promise<void> {
  const { ledger } = ports.store
  const others = (await ledger.ofCollection(entry.collection)).filter(
    ({ id, fileName, state }) => id !== entry.id && fileName === entry.fileName && state === 'ready',
  )
  if (others.some(({ sha256, updatedAt }) => sha256 === entry.sha256 || updatedAt > entry.updatedAt)) return
  await removeFile(ports.platform, entry.collection, entry.fileName, signal)
  // Earlier versions were replaced by this one: they are not there either.
  for (const other of others) await ledger.put({ ...other, state: 'removed', updatedAt: ports.clock() })
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
