import { command } from '#lexicon/command.ts'
import { mayChange } from '#bridge/channels/authorize.ts'
import { ACTION } from '#bridge/delivery/button-ids.ts'
import type { JobContext } from '#bridge/delivery/job-context.ts'
import { canUndo, isRetryable, nameOfDropper, stampOf } from '#bridge/files/file-records.ts'
import type { Files } from '#bridge/files/files.ts'
import { listFiles } from '#bridge/files/find-file.ts'
import { claimedBy } from '#bridge/files/ingest/resume.ts'
import { versionToRestore } from '#bridge/files/removal/undo-version.ts'
import type { FileRecord } from '#bridge/port/records.ts'
import { sentenceFor } from '#bridge/texts/errors.ts'
import { textsFor } from '#bridge/texts/texts.ts'
import type { Button, Feature, JobServices, Press } from '../feature.ts'
import { fileMeant } from './list-files.ts'
import { shownName, shownPerson } from '#bridge/texts/formats.ts'

/** Retries or removes failed files, or restores a version: by the buttons of a receipt, and by `retry`. */
export function createFileActions(services: JobServices): Feature {
  const button = (
    id: string,
    run: (services: JobServices, ctx: JobContext, press: Press) => Promise<void>,
  ): Button => ({ id, isParallel: true, run: (ctx, press) => run(services, ctx, press) })
  return {
    commands: [
      {
        name: 'retry',
        pattern: command('retry', String.raw`(?:\s+([^\n]{1,200}))?`),
        run: (ctx, argument) => retry(services, ctx, argument),
      },
    ],
    buttons: [
      button(ACTION.retry, retryOne),
      button(ACTION.retryFile, retryById),
      button(ACTION.retryAll, retryReceipt),
      button(ACTION.remove, removeFailed),
      button(ACTION.undo, (_, ctx, press) => withdrawVersion(services, ctx, press, services.files.undoVersion)),
      button(ACTION.keepBoth, (_, ctx, press) => withdrawVersion(services, ctx, press, services.files.keepBoth)),
    ],
  }
}

/** Retries one file or all failed ones. The receipts of their drops show the progress. */
async function retry(services: JobServices, ctx: JobContext, name: string): Promise<void> {
  const { collection } = await services.channels.of(ctx.conversation)
  // After a restart the claimed files are continued.
  if ((await claimedBy(services.store, ctx.jobId, collection)).length === 0) {
    const meant = name === '' ? undefined : await fileMeant(services, ctx, name)
    if (name !== '' && meant === undefined) return
    const failed = (meant === undefined ? await listFiles(services, collection) : [meant]).filter(isRetryable)
    if (failed.length === 0) return ctx.reply(whyNothingIsRetried(ctx, meant))
    await ctx.reply(ctx.texts.files.retrying(failed.length))
    await services.files.claim(ctx, failed)
  }
  await services.files.resume(ctx, collection)
}

function whyNothingIsRetried({ texts }: JobContext, meant: FileRecord | undefined): string {
  const { files, failures } = texts
  if (meant === undefined) return files.nothingFailed
  const name = shownName(meant)
  return meant.state === 'failed' ? files.permanent(name, meant.note ?? failures.internal) : files.notFailed(name)
}

/** Ingests one file again from the start; anybody may. */
async function retryOne(services: JobServices, ctx: JobContext, press: Press): Promise<void> {
  const file = await fileOf(services, ctx, press, isRetryable)
  if (file === undefined) return
  if (file.claimedBy !== ctx.jobId) await services.files.claim(ctx, [file])
  await services.files.resume(ctx, file.collection)
}

/** The same by the id of the record, as the file panel of the page knows it. */
async function retryById(services: JobServices, ctx: JobContext, { value }: Press): Promise<void> {
  const file = await services.store.files.get(value)
  const { collection } = await services.channels.of(ctx.conversation)
  if (file?.collection !== collection) return tellOutdated(ctx)
  if (file.claimedBy !== ctx.jobId) {
    if (!isRetryable(file)) return tellOutdated(ctx)
    await services.files.claim(ctx, [file])
  }
  await services.files.resume(ctx, collection)
}

async function retryReceipt(services: JobServices, ctx: JobContext, press: Press): Promise<void> {
  const files = await filesOf(services, ctx, press)
  const [first] = files
  if (first === undefined) return tellOutdated(ctx)
  // Files that this job has claimed are from before a restart.
  const failed = files.filter((file) => isRetryable(file) && file.claimedBy !== ctx.jobId)
  const isResumed = (await claimedBy(services.store, ctx.jobId, first.collection)).length > 0
  if (failed.length === 0 && !isResumed) return tellOutdated(ctx)
  await services.files.claim(ctx, failed)
  await services.files.resume(ctx, first.collection)
}

/** Removes a failed file from the list, and from the collection if it is there. */
async function removeFailed(services: JobServices, ctx: JobContext, press: Press): Promise<void> {
  const file = await fileOf(services, ctx, press, ({ state }) => state === 'failed')
  if (file === undefined) return
  if (!(await mayChange(services, ctx, [file]))) return refuse(ctx, file)
  try {
    if (file.state !== 'removed')
      await services.files.remove(ctx, file, textsFor(file.language).files.removedBy(ctx.author.name))
  } catch (error) {
    if (ctx.signal.aborted) throw error
    ctx.log.warn({ err: error, file: file.id }, 'A file could not be removed; whoever asked was told why')
    const why = sentenceFor(error, ctx.texts, ctx.author)
    return ctx.whisper(ctx.texts.files.forgetFailed(shownName(file), why))
  }
  // The earlier version is restored.
  await services.files.resume(ctx, file.collection)
}

async function withdrawVersion(
  services: JobServices,
  ctx: JobContext,
  press: Press,
  withdraw: Files['undoVersion'],
): Promise<void> {
  const file = await fileOf(services, ctx, press, canUndo)
  if (file === undefined) return
  if (file.claimedBy !== ctx.jobId) {
    const { files } = ctx.texts
    const { earlier, isKept } = await versionToRestore(services, file)
    if (!(await mayChange(services, ctx, earlier === undefined ? [file] : [file, earlier]))) return refuse(ctx, file)
    if (earlier === undefined || !isKept) return ctx.whisper(files.bytesGone(shownName(file)))
    try {
      if (!(await withdraw(ctx, file))) return tellOutdated(ctx)
    } catch (error) {
      if (ctx.signal.aborted) throw error
      ctx.log.warn({ err: error, file: file.id }, 'A file version could not be taken back; whoever asked was told why')
      const why = sentenceFor(error, ctx.texts, ctx.author)
      return ctx.whisper(files.undoFailed(shownName(file), why))
    }
  }
  await services.files.resume(ctx, file.collection)
}

/** The files of the receipt with this button. */
async function filesOf(
  { store }: Pick<JobServices, 'store'>,
  { conversation }: JobContext,
  { messageId }: Press,
): Promise<readonly FileRecord[]> {
  const row = await store.outbox.byMessage(conversation, messageId)
  return row === undefined ? [] : store.files.ofJob(row.jobId)
}

/**
 * The file of this button; undefined, and said so, if it has changed since the button was made. A file claimed by this
 * very job, before a restart, is returned again.
 */
async function fileOf(
  services: Pick<JobServices, 'store' | 'files'>,
  ctx: JobContext,
  press: Press,
  isMeant: (file: FileRecord) => boolean,
): Promise<FileRecord | undefined> {
  const [place, stamp] = press.value.split('.')
  const file = (await filesOf(services, ctx, press)).find(({ id }) => id.endsWith(`#${place}`))
  if (file?.claimedBy === ctx.jobId) return file
  if (file !== undefined && isMeant(file) && stampOf(file) === stamp) return file
  if (file !== undefined) services.files.receipts.touch(file.jobId)
  await tellOutdated(ctx)
  return undefined
}

const tellOutdated = (ctx: JobContext) => ctx.whisper(ctx.texts.files.buttonOver)

const refuse = (ctx: JobContext, file: FileRecord) =>
  ctx.whisper(ctx.texts.files.ownerOnly(shownPerson(nameOfDropper(file))))
