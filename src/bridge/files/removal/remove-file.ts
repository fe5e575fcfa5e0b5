import type { JobContext } from '#bridge/delivery/job-context.ts'
import type { FileRecord } from '#bridge/port/records.ts'
import { textsFor } from '#bridge/texts/texts.ts'
import { isLive, isFinished, nameOfDropper } from '../file-records.ts'
import { requeue, settleReceipts } from '../ingest/resume.ts'
import { bytesOf, deleteUpload } from '../ingest/upload-file.ts'
import { notePayloadId } from '../saved-messages/save-note.ts'
import type { FileServices } from '../services.ts'
import { duplicatesOf, isOvertaken, pruneOriginals, recordsOfName, wasReplaced } from '../versions.ts'
import { isStillFound, questionFor } from './verify-removal.ts'
import { shownName } from '#bridge/texts/formats.ts'

/**
 * Removes one file from the collection and our disk, and verifies that it is not found any more. The earlier version
 * that replaces it is claimed by this job: `resumeAll` ingests it.
 *
 * @param ctx its sender posts into the channel.
 * @param note of the file on the receipt. Default: that it was removed.
 */
export async function removeFile(
  services: FileServices,
  ctx: JobContext,
  file: FileRecord,
  note?: string,
): Promise<void> {
  const { lock, store, clock } = services
  await lock.withFile(file, ctx.signal, (now) => removeLocked(services, ctx, now, note))
  await removeBytes(store, file)
  await pruneOriginals(store, file.collection, clock())
}

/** Deletes the spooled bytes of a file and the text of a note. Originals are pruned elsewhere. */
async function removeBytes({ buttonPayloads, spool }: FileServices['store'], file: FileRecord): Promise<void> {
  const note = file.attachment && notePayloadId(file.attachment)
  if (note !== undefined) await buttonPayloads.take(note)
  await spool.remove(file.id)
}

/**
 * Removes every version and duplicate of this name, also those being ingested.
 *
 * @param noteOn returns the note on the receipt of each.
 */
export async function removeAllVersions(
  services: FileServices,
  ctx: JobContext,
  file: FileRecord,
  noteOn: (file: FileRecord) => string,
): Promise<void> {
  const { store, clock } = services
  const gone = [file]
  for (;;) {
    const chain = (await recordsOfName(store, file)).filter(({ state }) => state !== 'removed')
    for (const one of chain.filter((each) => isFinished(each) && !isLive(each))) {
      const { replacedBy: _, ...kept } = one
      await store.files.put({ ...kept, ...removedBy(ctx, clock()), note: noteOn(one) })
      await removeBytes(store, one)
      gone.push(one)
    }
    const left = chain.filter((each) => !isFinished(each) || isLive(each))
    // A file that is being ingested ends first.
    const next = left.find(isLive) ?? left[0]
    if (next === undefined) break
    await removeFile(services, ctx, next, noteOn(next))
    gone.push(next)
  }
  await pruneOriginals(store, file.collection, clock())
  await settleReceipts(services, ctx, gone)
}

const removedBy = ({ jobId }: JobContext, now: number) =>
  ({ state: 'removed', claimedBy: jobId, updatedAt: now }) as const

async function removeLocked(
  services: FileServices,
  ctx: JobContext,
  file: FileRecord,
  note: string | undefined,
): Promise<void> {
  const { store, clock, receipts } = services
  // A deletion may be reported twice: for the file and for its message.
  if (file.state === 'removed') return
  const question = await questionFor(services, ctx, file)
  const { wasThere, restored } = await removeFromCollection(services, ctx, file)
  if (wasThere && (await isStillFound(services, ctx, file, question))) {
    const text = textsFor(file.language).files.stillFound(shownName(file))
    await ctx.sender.show(`still.${file.fileName}`, { kind: 'error', text })
  }
  // The restored version is recorded first: after a crash in between, all this is repeated.
  if (restored !== undefined) {
    await store.files.put(restored)
    receipts.touch(restored.jobId)
  }
  await store.files.put({ ...file, ...removedBy(ctx, clock()), note })
  ctx.log.info({ file: file.id }, 'A file was removed')
  receipts.touch(file.jobId)
}

/** The removal of one file from its collection. */
interface Removal extends FileServices {
  readonly ctx: JobContext
  readonly file: FileRecord
  /** Records of its name that are not removed, newest first. */
  readonly others: readonly FileRecord[]
}

interface Removed {
  /** It was in the collection, or may have been. */
  readonly wasThere: boolean
  /** The restored version, claimed by this job; not recorded yet. */
  readonly restored?: FileRecord
}

const NOT_THERE: Removed = { wasThere: false }

/**
 * Removes a file from its collection, unless another drop has the same bytes under the same name. Repeatable until the
 * caller records the removal.
 */
async function removeFromCollection(services: FileServices, ctx: JobContext, file: FileRecord): Promise<Removed> {
  const { store, platform } = services
  const chain = await recordsOfName(store, file)
  const others = chain.filter(({ id, state }) => id !== file.id && state !== 'removed')
  const work = { ...services, ctx, file, others }
  // A duplicate or a replaced version has nothing in the collection.
  if (file.duplicateOf !== undefined) return NOT_THERE
  if (file.replacedBy !== undefined) {
    const [duplicate] = duplicatesOf(others, file)
    await (duplicate === undefined ? unlinkVersion(work) : passToDuplicate(work, duplicate))
    return NOT_THERE
  }
  if (!isLive(file)) {
    // An upload that was cut off or lost its response may have replaced the bytes of the live version.
    if (file.sent !== true || isOvertaken(chain, file)) return NOT_THERE
    await deleteUpload(platform, file, ctx.signal)
    const live = others.find(isLive)
    return { wasThere: true, restored: live && requeue(live, ctx.jobId, { note: live.note }) }
  }
  const heir = others.find(
    ({ duplicateOf, sha256, state, replacedBy }) =>
      state === 'ready' && replacedBy === undefined && (duplicateOf === file.id || sha256 === file.sha256),
  )
  if (heir !== undefined) {
    await passToDuplicate(work, heir)
    return NOT_THERE
  }
  await deleteUpload(platform, file, ctx.signal)
  const restored = await earlierVersion(work)
  if (restored === undefined) await endEarlierVersions(work)
  return { wasThere: true, restored }
}

/** The newest earlier version whose bytes are still on disk. */
async function earlierVersion({ store, clock, ctx, file, others }: Removal): Promise<FileRecord | undefined> {
  for (const earlier of others.filter(wasReplaced)) {
    if ((await bytesOf(store, earlier)) === undefined) continue
    const note = textsFor(earlier.language).files.cameBack(file.version ?? 1, nameOfDropper(file))
    return requeue(earlier, ctx.jobId, { note, updatedAt: clock() })
  }
  return undefined
}

/** Marks the earlier versions as removed when no bytes of them are left. */
async function endEarlierVersions({ store, receipts, clock, others }: Removal): Promise<void> {
  for (const earlier of others.filter(wasInCollection)) {
    await store.files.put({ ...earlier, state: 'removed', updatedAt: clock() })
    receipts.touch(earlier.jobId)
  }
}

const wasInCollection = (file: FileRecord) => isFinished(file) && (file.state === 'ready' || file.version !== undefined)

/** Unlinks a version between two others: an undo of the later one then restores the earlier one. */
async function unlinkVersion({ store, receipts, file, others }: Removal): Promise<void> {
  const before = others.find(({ id }) => id === file.replaces)
  for (const later of others.filter(({ replaces }) => replaces === file.id)) {
    await store.files.put({ ...later, replaces: before?.id })
    receipts.touch(later.jobId)
  }
}

/** Another drop of the same bytes becomes this version. */
async function passToDuplicate({ store, receipts, file, others }: Removal, heir: FileRecord): Promise<void> {
  const { version = heir.version, replaces = heir.replaces, replacedBy = heir.replacedBy } = file
  // The note of a replaced version says what replaced it.
  const note = file.replacedBy === undefined ? undefined : (file.note ?? heir.note) || undefined
  await store.files.put({ ...heir, duplicateOf: undefined, version, replaces, replacedBy, note })
  receipts.touch(heir.jobId)
  const toHeir = (id: string | undefined) => (id === file.id ? heir.id : id)
  for (const other of others) {
    const { replacedBy: by, duplicateOf, replaces: earlier } = other
    if (other.id === heir.id || ![by, duplicateOf, earlier].includes(file.id)) continue
    const links = { replacedBy: toHeir(by), duplicateOf: toHeir(duplicateOf), replaces: toHeir(earlier) }
    await store.files.put({ ...other, ...links })
  }
}
