import type { Doing, JobPorts } from '../../delivery/job-context.ts'
import type { PlatformFile } from '../../port/platform.ts'
import type { FileRecord } from '../../port/records.ts'
import { textsFor } from '../../texts/texts.ts'
import { isOver, stands } from '../file-records.ts'
import { conclude } from '../ingest/failure-reason.ts'
import { again, drive, inHand, settleReceipts } from '../ingest/resume.ts'
import { sweep } from '../versions.ts'

/**
 * Uploads everything that stood in a lost collection again, from what was kept or from the chat service. Begun again after a
 * restart, it goes on where it was. Resolves with what became of each file.
 */
export async function rebuild(
  ports: JobPorts,
  run: Pick<Doing, 'jobId' | 'adapter' | 'log' | 'signal'>,
  collection: string,
  onProgress: (done: number, total: number) => void,
): Promise<readonly FileRecord[]> {
  const { store, channels, watch, clock } = ports
  // First in hand, then made: a restart in between finds it lost still, or the work begun.
  const isGone = (await watch.look(collection, run.signal)) === 'gone'
  for (const entry of await store.files.ofCollection(collection)) {
    const isDone = entry.claimedBy === run.jobId
    if (stands(entry) && !isDone) await store.files.put(again(entry, run.jobId, { updatedAt: clock() }))
  }
  if (isGone) await channels.made(collection, undefined)
  await channels.ensure(collection, run.signal)
  const total = (await inHand(ports, run.jobId, collection)).length
  let done = 0
  onProgress(done, total)
  const ended = await drive(ports, run, collection, () => {
    done += 1
    onProgress(done, total)
  })
  // Last: until all is up again, questions say what is the matter.
  await watch.accept(collection, run.signal)
  return ended
}

/** Indexes everything in the collection anew. Resolves with what stands there, as it is then. */
export async function reindex(
  ports: JobPorts,
  run: Pick<Doing, 'log' | 'signal'>,
  collection: string,
  onProgress: (done: number, total: number) => void,
): Promise<readonly FileRecord[]> {
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
  const ended: FileRecord[] = []
  for (const entry of await store.files.ofCollection(collection)) {
    if (!stands(entry) || !isOver(entry)) continue
    const after = judge(
      entry,
      list.find(({ name }) => name === entry.fileName),
    )
    const isChanged = after.state !== entry.state || after.chunks !== entry.chunks
    // Somebody may have changed or deleted it since it was read: then it is as they left it.
    const now = isChanged ? await store.files.get(entry.id) : entry
    if (now?.state !== entry.state || now.updatedAt !== entry.updatedAt) continue
    if (isChanged) await store.files.put({ ...after, updatedAt: clock() })
    ended.push(after)
  }
  await settleReceipts(ports, run, ended)
  await sweep(store, collection, clock())
  return ended
}

/** The note of a file that is ready says what it replaced; of one that failed, why. */
function judge(entry: FileRecord, file: PlatformFile | undefined): FileRecord {
  const { note, chunks: _, ...kept } = entry
  const end = conclude(file, textsFor(entry.language))
  const isStillReady = entry.state === 'ready' && end.state === 'ready' && note !== undefined
  return { ...kept, ...(isStillReady ? { note } : {}), ...end }
}
