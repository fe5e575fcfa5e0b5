import { setTimeout } from 'node:timers/promises'
import { fileKindOf, type Remedy, remedyOf } from '#lib/file-kind.ts'
import { overBudgetSentence } from '#bridge/channels/budgets.ts'
import type { JobContext } from '#bridge/delivery/job-context.ts'
import { AdapterError, isPlatformFailure, isTooLarge, isTransientPlatformError } from '#bridge/port/errors.ts'
import { isStorageAway } from '#bridge/delivery/storage-away.ts'
import type { FileRecord } from '#bridge/port/records.ts'
import { dayOf } from '#bridge/texts/formats.ts'
import { wordsOf } from '#bridge/texts/errors.ts'
import { textsFor, type Texts } from '#bridge/texts/texts.ts'
import { indexOutcome } from '../collection/index-pass.ts'
import { homeOf, isCurrent, isFinished, nameOfDropper } from '../file-records.ts'
import type { FileServices } from '../services.ts'
import {
  duplicatesOf,
  isOvertaken,
  nextVersion,
  pruneOriginals,
  recordsOfName,
  replacedVersions,
  versionBefore,
} from '../versions.ts'
import { downloadFile, NoTextError, toUpload, uploadFile } from './upload-file.ts'

/** One file being ingested. */
interface Ingest extends FileServices {
  readonly ctx: JobContext
  /** In the language of the receipt. */
  readonly texts: Texts
  /** The last recorded state. */
  file: FileRecord
  /** All drops of its name, as read after its upload. */
  chain?: readonly FileRecord[]
  /** Records a step, before the next one begins. */
  readonly advance: (change: Partial<FileRecord>, cause?: unknown) => Promise<void>
}

type Step = (work: Ingest) => Promise<void>

/**
 * Ingests one file: into its collection and indexed, or failed with a reason. Each step is repeatable; the record tells
 * where to continue. Rejects only when the signal aborts, or the database stays away.
 */
export async function ingestFile(services: FileServices, ctx: JobContext, start: FileRecord): Promise<FileRecord> {
  const work = createIngest(services, ctx, start)
  const { lock, store, receipts } = services
  try {
    await refuseKind(work)
    if (isFinished(work.file)) return work.file
    await lock.withName(start, ctx.signal, async () => {
      // During the wait it may have been removed, replaced, or ingested by another job.
      work.file = (await store.files.get(start.id)) ?? start
      await ingestLocked(work)
    })
  } catch (error) {
    // An outage of the database or a full disk is no fault of the file: the job goes on when it is over.
    if (ctx.signal.aborted || isStorageAway(error)) throw error
    const reason = failureReason(error, services.maxFileBytes, work.texts)
    await work.advance({ state: 'failed', ...reason }, error)
  } finally {
    receipts.progress(start.id, undefined)
  }
  return work.file
}

/** Runs under the lock of the file name. */
async function ingestLocked(work: Ingest): Promise<void> {
  await runSteps(work, [refuseLostCollection])
  // After a restart during the index pass, the file is on the platform already.
  if (work.file.state === 'indexing') return indexFile(work, { resumed: true, isNew: false })
  const isNew = work.file.version === undefined
  await runSteps(work, [
    refuseOvertaken,
    download,
    refuseOverBudget,
    // The second of two names with the same bytes waits until the first is ready.
    withContentLock([
      refuseDuplicate,
      keepOriginal,
      convertAndUpload,
      (it) => indexFile(it, { resumed: false, isNew }),
    ]),
  ])
}

/** Runs the steps in order until one ends the file. */
async function runSteps(work: Ingest, steps: readonly Step[]): Promise<void> {
  for (const step of steps) if (!isFinished(work.file)) await step(work)
}

const withContentLock =
  (steps: readonly Step[]): Step =>
  (work) =>
    work.lock.withContent(work.file, work.ctx.signal, () => runSteps(work, steps))

function createIngest(services: FileServices, ctx: JobContext, start: FileRecord): Ingest {
  const { store, receipts, clock } = services
  const work: Ingest = {
    ...services,
    ctx,
    texts: textsFor(start.language),
    file: start,
    advance: async (change, cause) => {
      const { state: step, id, jobId } = work.file
      work.file = { ...work.file, ...change, updatedAt: clock() }
      await store.files.put(work.file)
      receipts.touch(jobId)
      if (work.file.state !== 'failed') return
      const why = cause === undefined ? { reason: work.file.note } : { err: cause }
      ctx.log.warn({ ...why, file: id, step }, 'A dropped file could not be ingested; its receipt says why')
    },
  }
  return work
}

function toRefusal(remedy: Remedy | undefined, { files, fileUnsupported }: Texts): string {
  if (remedy === undefined) return fileUnsupported
  if (remedy.kind === 'unpack') return files.unpack
  return remedy.kind === 'save' ? files.saveAs(remedy.format) : files.exportAs(remedy.format)
}

async function refuseKind({ file, texts, advance }: Ingest): Promise<void> {
  const refused = file.attachment?.refused
  if (refused !== undefined) return advance({ state: 'failed', note: texts.failures.noFile(refused), permanent: true })
  const kind = fileKindOf(file.displayName, file.attachment?.mimeType ?? '')
  if (kind !== 'audio' && kind !== 'unsupported') return
  await advance({ state: 'failed', note: toRefusal(remedyOf(file.displayName), texts), permanent: true })
}

async function refuseLostCollection({ file, channels, watch, texts, ctx, advance }: Ingest): Promise<void> {
  await channels.ensureCreated(file.collection, ctx.signal)
  if ((await watch.check(file.collection, ctx.signal)) === 'gone')
    await advance({ state: 'failed', note: texts.files.lostFile })
}

async function refuseOvertaken({ file, store, texts, advance }: Ingest): Promise<void> {
  if (isOvertaken(await recordsOfName(store, file), file))
    await advance({ state: 'removed', note: texts.files.overtaken })
}

async function download(work: Ingest): Promise<void> {
  await work.advance({ state: 'downloading' })
  const { sizeBytes, sha256 } = await downloadFile(work, work.ctx, work.file)
  if (sizeBytes > 0) return work.advance({ sizeBytes, sha256 })
  await work.advance({ state: 'failed', note: work.texts.fileEmpty, permanent: true, sizeBytes })
}

/** Counts the megabytes against the budget, once per file. */
async function refuseOverBudget({ file, store, budgets, texts, advance }: Ingest): Promise<void> {
  const { id, droppedBy, sizeBytes = 0 } = file
  const conversation = await homeOf(store, file)
  if (conversation === undefined) return
  const who = { conversation, personId: droppedBy }
  const over = await budgets.charge(who, id, 'megabytes', sizeBytes / 1_000_000)
  if (over) await advance({ state: 'failed', note: overBudgetSentence(over, 'take', texts, file) })
}

/** Bytes that are ready in the collection under any name are not ingested again. */
async function refuseDuplicate({ file, store, texts, advance }: Ingest): Promise<void> {
  // A file with a version was in the collection before.
  if (file.version !== undefined) return
  const all = await store.files.ofCollection(file.collection)
  const twin = all.find((other) => other.id !== file.id && other.sha256 === file.sha256 && isCurrent(other))
  if (twin === undefined) return
  const { id: duplicateOf, fileName, displayName } = twin
  const note = fileName === file.fileName ? texts.known : texts.files.duplicateOf(displayName)
  await advance({ state: 'ready', duplicateOf, fileName, note })
}

async function keepOriginal({ file, store }: Ingest): Promise<void> {
  const spooled = await store.spool.read(file.id)
  if (spooled === undefined || file.sha256 === undefined) return
  await store.originals.keep(file.collection, file.sha256, spooled)
}

async function convertAndUpload(work: Ingest): Promise<void> {
  const { file, ctx, platform, advance } = work
  // On the platform, a file of this name may be the upload of an earlier try.
  const wasSent = file.sent === true
  let converted: Awaited<ReturnType<typeof toUpload>> | undefined
  const convert = async () => {
    if (fileKindOf(file.displayName, file.attachment?.mimeType ?? '') !== 'native')
      await advance({ state: 'converting' })
    converted = await toUpload(work, file, ctx.signal)
    await advance({ state: 'uploading', sent: true })
    return converted
  }
  const isReplacing = await afterIndexPass(work, () =>
    work.lock.withUploadSlot(file, ctx.signal, async () => {
      const { note: _, ...upload } = converted ?? (await convert())
      return uploadFile(platform, file.collection, upload, ctx.signal)
    }),
  )
  await work.store.spool.remove(file.id)
  work.chain = await recordsOfName(work.store, file)
  const unread = converted?.note === undefined ? {} : { note: converted.note }
  await advance({ state: 'indexing', ...versionOf(work, work.chain, isReplacing && !wasSent), ...unread })
}

/** Pauses grow, since each try is counted against the quota. */
const FIRST_PAUSE_MS = 2000
const MAX_PAUSE_MS = 60_000
/** As long as the index pass of another file may take. */
const MAX_LOCKED_MS = 1_800_000

/** A platform may refuse files of a collection during its index pass: the upload waits for the end. */
async function afterIndexPass<Result>({ clock, ctx }: Ingest, upload: () => Promise<Result>): Promise<Result> {
  const until = clock() + MAX_LOCKED_MS
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, MAX_PAUSE_MS)) {
    try {
      return await upload()
    } catch (error) {
      if (!isPlatformFailure(error) || error.code !== 'locked' || clock() > until) throw error
      await setTimeout(error.retryAfterMs ?? pauseMs, undefined, { signal: ctx.signal })
    }
  }
}

/**
 * Version number, and the note about the version that it replaces.
 *
 * @param isReplacing the platform had a file of this name before the first try
 */
function versionOf(
  { file, clock, texts }: Ingest,
  chain: readonly FileRecord[],
  isReplacing: boolean,
): Partial<FileRecord> {
  const isNew = file.version === undefined
  const version = file.version ?? nextVersion(chain)
  const earlier = isNew
    ? versionBefore(chain, replacedVersions(chain, file))
    : chain.find(({ id }) => id === file.replaces)
  if (earlier !== undefined) {
    const day = dayOf(earlier.droppedAt, file, clock())
    const note = texts.files.replaces(earlier.version ?? 1, day, nameOfDropper(earlier))
    return { version, replaces: earlier.id, note: file.note ?? note }
  }
  // The platform had a file of this name that we did not upload.
  const isForeign = isReplacing && isNew && chain.length === 1
  return isForeign ? { version, note: texts.replaced } : { version }
}

async function indexFile(
  work: Ingest,
  { resumed, isNew }: { readonly resumed: boolean; readonly isNew: boolean },
): Promise<void> {
  const { file, receipts, store, clock } = work
  await markReplaced(work)
  const indexed = await work.indexPass.ensure(file.collection, [file.fileName], work.ctx.signal, {
    resumed,
    onPoll(progress) {
      receipts.progress(file.id, progress)
      if (progress.reading?.has(file.fileName) === true) receipts.touch(file.jobId)
    },
  })
  await work.advance(indexOutcome(indexed.get(file.fileName), work.texts))
  // A new file has no duplicates yet. Where no version was replaced, no original has become superfluous.
  if (work.file.state === 'ready' && !isNew) await reviveDuplicates(work)
  if (!isNew || file.replaces !== undefined) await pruneOriginals(store, file.collection, clock())
}

/** Marks replaced versions, and duplicates of them, on their receipts. */
async function markReplaced({ file, chain: known, store, receipts, clock }: Ingest): Promise<void> {
  const { version = 1, droppedAt, id } = file
  const chain = known ?? (await recordsOfName(store, file))
  for (const earlier of replacedVersions(chain, file)) {
    for (const one of [...duplicatesOf(chain, earlier).filter(isFinished), earlier]) {
      const day = dayOf(droppedAt, one, clock())
      const note = textsFor(one.language).files.replacedBy(version, day, nameOfDropper(file))
      // A version that was still being indexed ends here.
      const state = isFinished(one) ? one.state : 'ready'
      await store.files.put({ ...one, state, replacedBy: id, note })
      receipts.touch(one.jobId)
    }
  }
}

/** The duplicates of a restored version are current again too. */
async function reviveDuplicates({ file, store, receipts }: Ingest): Promise<void> {
  for (const duplicate of duplicatesOf(await recordsOfName(store, file), file)) {
    if (duplicate.replacedBy === undefined) continue
    const { replacedBy: _, ...kept } = duplicate
    await store.files.put({ ...kept, note: textsFor(duplicate.language).known })
    receipts.touch(duplicate.jobId)
  }
}

/** Why a file could not be ingested, and whether a retry would fail the same way. */
function failureReason(error: unknown, maxFileBytes: number, texts: Texts): Pick<FileRecord, 'note' | 'permanent'> {
  if (isTooLarge(error)) return { note: texts.fileTooLarge(Math.round(maxFileBytes / 1_000_000)), permanent: true }
  if (error instanceof NoTextError) return { note: error.message || texts.files.noText }
  if (error instanceof AdapterError) return { note: texts.fileGone(texts.failures.noFile(error)) }
  if (!isPlatformFailure(error)) return { note: texts.failures.internal }
  if (error.code === 'unauthorized') return { note: texts.filePlatformKey }
  const note = isTransientPlatformError(error) ? texts.filePlatformAway : wordsOf(error)
  // Only an unsupported type fails again for certain: `too-large` may have been a timeout.
  return error.code === 'unsupported' ? { note, permanent: true } : { note }
}
