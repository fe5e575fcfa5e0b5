import type { JobContext } from '#bridge/delivery/job-context.ts'
import type { PlatformFile } from '#bridge/port/platform.ts'
import type { FileRecord } from '#bridge/port/records.ts'
import { textsFor } from '#bridge/texts/texts.ts'
import { isLive, isFinished } from '../file-records.ts'
import { claimedBy, requeue, resume, settleReceipts } from '../ingest/resume.ts'
import type { FileServices } from '../services.ts'
import { pruneOriginals } from '../versions.ts'
import { indexOutcome } from './index-pass.ts'

type OnProgress = (done: number, total: number) => void

/**
 * Uploads every live file of a lost collection again, from the originals or the chat service. Resumes after a restart.
 */
export async function rebuildCollection(
  services: FileServices,
  ctx: JobContext,
  collection: string,
  onProgress: OnProgress,
): Promise<readonly FileRecord[]> {
  const { store, channels, watch, clock } = services
  // Claims the files before the collection is created: after a crash in between, the next run continues.
  const isGone = (await watch.check(collection, ctx.signal)) === 'gone'
  for (const file of await store.files.ofCollection(collection)) {
    if (!isLive(file) || file.claimedBy === ctx.jobId) continue
    await store.files.put(requeue(file, ctx.jobId, { updatedAt: clock() }))
  }
  if (isGone) await channels.recordCreated(collection, undefined)
  await channels.ensureCreated(collection, ctx.signal)
  const total = (await claimedBy(store, ctx.jobId, collection)).length
  let done = 0
  onProgress(done, total)
  const ended = await resume(services, ctx, collection, () => {
    done += 1
    onProgress(done, total)
  })
  // Accepted last: until every file is uploaded, answers say that the collection is lost.
  await watch.accept(collection, ctx.signal)
  return ended
}

/** Indexes the whole collection again. Resolves with the records of its live files. */
export async function reindexCollection(
  services: FileServices,
  ctx: JobContext,
  collection: string,
  onProgress: OnProgress,
): Promise<readonly FileRecord[]> {
  const { platform, store, clock, indexPass } = services
  const { signal, log } = ctx
  try {
    await platform.collections.deleteIndex(collection, { signal })
  } catch (error) {
    if (signal.aborted) throw error
    log.warn({ err: error, collection }, 'The old index could not be deleted; only new files are indexed')
  }
  const list = await indexPass.run(collection, signal, { onPoll: ({ done, total }) => onProgress(done, total) })
  const byName = new Map(list.map((file) => [file.name, file]))
  const ended: FileRecord[] = []
  for (const file of await store.files.ofCollection(collection)) {
    if (!isLive(file) || !isFinished(file)) continue
    const after = afterReindex(file, byName.get(file.fileName))
    const isChanged = after.state !== file.state || after.note !== file.note
    // A file changed or removed meanwhile is left alone.
    const now = isChanged ? await store.files.get(file.id) : file
    if (now?.state !== file.state || now.updatedAt !== file.updatedAt) continue
    if (isChanged) await store.files.put({ ...after, updatedAt: clock() })
    ended.push(after)
  }
  await settleReceipts(services, ctx, ended)
  await pruneOriginals(store, collection, clock())
  return ended
}

/** The note of a ready file says what it replaced; the note of a failed one says why. */
function afterReindex(file: FileRecord, indexed: PlatformFile | undefined): FileRecord {
  const { note, ...kept } = file
  const outcome = indexOutcome(indexed, textsFor(file.language))
  const isStillReady = file.state === 'ready' && outcome.state === 'ready'
  return { ...kept, note: isStillReady ? note : undefined, ...outcome }
}
