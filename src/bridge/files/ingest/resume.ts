import type { JobContext } from '#bridge/delivery/job-context.ts'
import type { FileRecord } from '#bridge/port/records.ts'
import type { Store } from '#bridge/port/store.ts'
import { isFinished } from '../file-records.ts'
import type { FileServices } from '../services.ts'
import { ingestFile } from './ingest-file.ts'
import { removeSpooled } from './upload-file.ts'

/** The record reset to its start and claimed by this job, which resumes it after a restart. */
export function requeue(file: FileRecord, jobId: string, change: Partial<FileRecord> = {}): FileRecord {
  const { note: _, permanent: __, replacedBy: ___, duplicateOf: ____, ...kept } = file
  return { ...kept, state: 'received', claimedBy: jobId, ...change }
}

export async function claimedBy(
  { files }: Pick<Store, 'files'>,
  jobId: string,
  collection: string,
): Promise<readonly FileRecord[]> {
  return (await files.ofCollection(collection)).filter((file) => file.claimedBy === jobId)
}

/** Claims these files for this job. */
export async function claim(
  { store, clock, receipts }: FileServices,
  { jobId }: JobContext,
  files: readonly FileRecord[],
): Promise<void> {
  for (const file of files) {
    await store.files.put(requeue(file, jobId, { updatedAt: clock() }))
    receipts.touch(file.jobId)
  }
}

/**
 * Ingests every file that this job has claimed, and updates the receipts of their drops.
 *
 * @param onEnd called when a file is at its end.
 */
export async function resume(
  services: FileServices,
  ctx: JobContext,
  collection: string,
  onEnd: (file: FileRecord) => void = () => undefined,
): Promise<readonly FileRecord[]> {
  const { store, receipts, adapterOf } = services
  const claimed = await claimedBy(store, ctx.jobId, collection)
  const ended = await settleAll(claimed, async (file) => {
    const adapter = adapterOf(file.conversation?.adapter ?? '') ?? ctx.adapter
    if (!isFinished(file)) receipts.touch(file.jobId)
    const now = isFinished(file) ? file : await ingestFile(services, { ...ctx, adapter }, file)
    await removeSpooled(services, file, ctx.jobId)
    onEnd(now)
    return now
  })
  await settleReceipts(services, ctx, claimed)
  return ended
}

/** Resumes each of these collections that has unfinished files claimed by this job. */
export async function resumeAll(services: FileServices, ctx: JobContext, collections: Iterable<string>): Promise<void> {
  for (const collection of new Set(collections)) {
    const claimed = await claimedBy(services.store, ctx.jobId, collection)
    if (!claimed.every(isFinished)) await resume(services, ctx, collection)
  }
}

/** Runs them in parallel. Rejects only after all have settled. */
export async function settleAll<Result>(
  files: readonly FileRecord[],
  work: (file: FileRecord) => Promise<Result>,
): Promise<readonly Result[]> {
  const outcomes = await Promise.allSettled(files.map(work))
  return outcomes.map((outcome) => {
    if (outcome.status === 'rejected') throw outcome.reason
    return outcome.value
  })
}

/** Updates the receipts of these files. One that can't be shown is logged. */
export async function settleReceipts(
  { receipts }: FileServices,
  { log }: Pick<JobContext, 'log'>,
  files: readonly FileRecord[],
): Promise<void> {
  for (const jobId of new Set(files.map((file) => file.jobId)))
    await receipts
      .settle(jobId)
      .catch((error: unknown) =>
        log.warn({ err: error }, 'A receipt could not be updated; its files are ingested all the same'),
      )
}
