import type { JobContext } from '#bridge/delivery/job-context.ts'
import type { FileRecord } from '#bridge/port/records.ts'
import { textsFor } from '#bridge/texts/texts.ts'
import { freeName, targetName } from '../file-records.ts'
import { requeue } from '../ingest/resume.ts'
import { bytesOf, deleteUpload } from '../ingest/upload-file.ts'
import type { FileServices } from '../services.ts'
import { duplicatesOf, recordsOfName } from '../versions.ts'

/** The version that this one replaced, and whether its bytes are still on disk. */
export async function versionToRestore(
  { store }: Pick<FileServices, 'store'>,
  file: FileRecord,
): Promise<{ readonly earlier: FileRecord | undefined; readonly isKept: boolean }> {
  const earlier = file.replaces === undefined ? undefined : await store.files.get(file.replaces)
  // A removed version is not restored, even if another drop keeps the same bytes.
  const bytes = earlier && earlier.state !== 'removed' ? await bytesOf(store, earlier) : undefined
  return { earlier, isKept: bytes !== undefined }
}

/**
 * Removes this version; the earlier one is claimed by this job, to be ingested again.
 *
 * @returns false: this version changed or was replaced during the wait for the lock.
 * @throws {PlatformFailure} when the platform does not delete it: then nothing has changed.
 */
export const undoVersion = (services: FileServices, ctx: JobContext, file: FileRecord): Promise<boolean> =>
  withdrawVersion(services, ctx, file, recordUndo)

/** Keeps both: the earlier version gets its name back, this one a new name. Else like `undoVersion`. */
export const keepBoth = (services: FileServices, ctx: JobContext, file: FileRecord): Promise<boolean> =>
  withdrawVersion(services, ctx, file, recordBoth)

/**
 * Deletes the upload before recording: no answer may use a version that its receipt calls undone. A failed upload of
 * the other version can be retried, and after a restart this runs again.
 */
async function withdrawVersion(
  services: FileServices,
  ctx: JobContext,
  file: FileRecord,
  record: (work: Withdrawal) => Promise<void>,
): Promise<boolean> {
  const { store, lock, platform, receipts } = services
  const isDone = await lock.withFile(file, ctx.signal, async (now) => {
    const earlier = file.replaces === undefined ? undefined : await store.files.get(file.replaces)
    const isSame = now.state === file.state && now.replacedBy === undefined && now.replaces === file.replaces
    if (!isSame || earlier === undefined || earlier.state === 'removed') return false
    await deleteUpload(platform, file, ctx.signal)
    const work = { ...services, ctx, file, earlier }
    await restore(work)
    await record(work)
    return true
  })
  if (isDone === true) receipts.touch(file.jobId)
  return isDone === true
}

interface Withdrawal extends FileServices {
  readonly ctx: JobContext
  readonly file: FileRecord
  readonly earlier: FileRecord
}

/** The restored version is recorded first, the withdrawn one last: after a crash in between, the press runs again. */
async function restore({ store, clock, ctx, earlier }: Withdrawal): Promise<void> {
  const note = textsFor(earlier.language).files.putBack(ctx.author.name)
  await store.files.put(requeue(earlier, ctx.jobId, { note, updatedAt: clock() }))
}

async function recordUndo({ store, clock, ctx, file, earlier }: Withdrawal): Promise<void> {
  const { jobId, author } = ctx
  const undone = (one: FileRecord): FileRecord => {
    const note = textsFor(one.language).files.undone(author.name, earlier.version ?? 1)
    return { ...one, state: 'removed', note, claimedBy: jobId, updatedAt: clock() }
  }
  for (const duplicate of duplicatesOf(await recordsOfName(store, file), file)) {
    const ownName = targetName(duplicate.displayName, duplicate.attachment?.mimeType ?? '')
    // A duplicate with another name becomes a file of its own.
    const isSameName = ownName === file.fileName
    const asOwnFile = () => requeue(duplicate, jobId, { fileName: ownName, updatedAt: clock() })
    await store.files.put(isSameName ? undone(duplicate) : asOwnFile())
  }
  await store.files.put(undone(file))
}

async function recordBoth({ store, clock, ctx, file }: Withdrawal): Promise<void> {
  const { jobId } = ctx
  const all = await store.files.ofCollection(file.collection)
  const mimeType = file.attachment?.mimeType ?? ''
  const isTaken = (name: string) =>
    all.some(({ fileName, state }) => state !== 'removed' && fileName === targetName(name, mimeType))
  const displayName = freeName(file.displayName, isTaken)
  const fileName = targetName(displayName, mimeType)
  for (const duplicate of duplicatesOf(await recordsOfName(store, file), file)) {
    const note = textsFor(duplicate.language).files.duplicateOf(displayName)
    await store.files.put({ ...duplicate, fileName, note, claimedBy: jobId })
  }
  const { version: _, replaces: __, ...kept } = requeue(file, jobId)
  await store.files.put({ ...kept, displayName, fileName, updatedAt: clock() })
}
