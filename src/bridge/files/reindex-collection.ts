import type { Doing, JobPorts } from '../delivery/job-context.ts'
import type { PlatformFile } from '../port/platform.ts'
import type { LedgerEntry } from '../port/store.ts'
import { textsFor } from '../texts/texts.ts'
import { settleReceipts } from './resume.ts'
import { isOver, stands } from './file-records.ts'
import { conclude } from './failure-reason.ts'
import { sweep } from './versions.ts'

/** Indexes everything in the collection anew. Resolves with what stands there, as it is then. */
export async function reindex(
  ports: JobPorts,
  run: Pick<Doing, 'log' | 'signal'>,
  collection: string,
  onProgress: (done: number, total: number) => void,
): Promise<readonly LedgerEntry[]> {
  const { background, store, clock } = ports
  try {
    await background.collections.deleteIndex(collection, { signal: run.signal })
  } catch (error) {
    if (run.signal.aborted) throw error
    // Then the pass takes up what is not indexed yet: less than was asked for, and better than nothing.
    run.log.warn({ err: error, collection }, 'The old index could not be deleted')
  }
  const list = await ports.indexPass.run(collection, run.signal, {
    onLook: ({ done, total }) => onProgress(done, total),
  })
  const ended: LedgerEntry[] = []
  for (const entry of await store.ledger.ofCollection(collection)) {
    if (!stands(entry) || !isOver(entry)) continue
    const after = judge(
      entry,
      list.find(({ name }) => name === entry.fileName),
    )
    const isChanged = after.state !== entry.state || after.chunks !== entry.chunks
    // Somebody may have changed or deleted it since it was read: then it is as they left it.
    const now = isChanged ? await store.ledger.get(entry.id) : entry
    if (now?.state !== entry.state || now.updatedAt !== entry.updatedAt) continue
    if (isChanged) await store.ledger.put({ ...after, updatedAt: clock() })
    ended.push(after)
  }
  await settleReceipts(ports, run, ended)
  await sweep(store, collection, clock())
  return ended
}

/** The note of a file that is ready says what it replaced; of one that failed, why. */
function judge(entry: LedgerEntry, file: PlatformFile | undefined): LedgerEntry {
  const { note, chunks: _, ...kept } = entry
  const end = conclude(file, textsFor(entry.language))
  const isStillReady = entry.state === 'ready' && end.state === 'ready' && note !== undefined
  return { ...kept, ...(isStillReady ? { note } : {}), ...end }
}
