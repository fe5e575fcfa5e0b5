import { command } from '#lexicon/command.ts'
import { stableId } from '#lib/stable-id.ts'
import { mayChange } from '#bridge/channels/authorize.ts'
import { ACTION } from '#bridge/delivery/button-ids.ts'
import type { JobContext } from '#bridge/delivery/job-context.ts'
import { showWhole } from '#bridge/delivery/outbox-sender.ts'
import { nameOfDropper } from '#bridge/files/file-records.ts'
import { recordsOfName } from '#bridge/files/versions.ts'
import type { Action } from '#bridge/port/message.ts'
import type { FileRecord } from '#bridge/port/records.ts'
import { sentenceFor } from '#bridge/texts/errors.ts'
import { textsFor } from '#bridge/texts/texts.ts'
import type { Feature, JobServices, Press } from '../feature.ts'
import { fileMeant } from './list-files.ts'
import { shownName, shownPerson } from '#bridge/texts/formats.ts'

const KIND = 'forget'

/** Removes a file with all its versions, once confirmed by the person who dropped it or an administrator. */
export const createForget = (services: JobServices): Feature => ({
  commands: [
    {
      name: 'forget',
      pattern: command('forget', String.raw`\s+([^\n]{1,200})`),
      run: (ctx, argument) => askToConfirm(services, ctx, argument),
    },
  ],
  buttons: [
    { id: ACTION.forget, isParallel: true, run: (ctx, press) => confirm(services, ctx, press) },
    { id: ACTION.forgetFile, isParallel: true, run: (ctx, press) => forgetById(services, ctx, press) },
    {
      id: ACTION.keep,
      async run(ctx, press) {
        const file = await fileOf(services, ctx, press)
        if (file === undefined) return
        await services.store.buttonPayloads.take(press.value)
        await ctx.replaceMessage(ctx.texts.files.kept(shownName(file)))
      },
    },
  ],
})

async function askToConfirm(services: JobServices, ctx: JobContext, name: string): Promise<void> {
  const file = await fileMeant(services, ctx, name)
  if (file !== undefined) await confirmForgetting(services, ctx, [file])
}

/** Asks whether these files shall be forgotten, one message a file; of one that this person may not forget, it says whose it is. */
export async function confirmForgetting(
  services: JobServices,
  ctx: JobContext,
  files: readonly FileRecord[],
): Promise<void> {
  const { store, clock } = services
  const { forgetAsk, button } = ctx.texts.files
  for (const [index, file] of files.entries()) {
    const slot = index === 0 ? 'command' : `command.${index}`
    const other = await versionOfOthers(services, ctx, file)
    if (other !== undefined) {
      await showWhole(ctx.sender, slot, { kind: 'notice', text: refusalOf(ctx, other), privateTo: ctx.author.id })
      continue
    }
    const parts = [ctx.jobId, KIND, ...(index === 0 ? [] : [`${index}`])]
    const id = stableId(22, ...parts)
    await store.buttonPayloads.put({ id, kind: KIND, data: { entryId: file.id }, at: clock() })
    const count = (await versionsOf(services, file)).length
    const text = forgetAsk(shownName(file), count, shownPerson(nameOfDropper(file)))
    const actions: readonly Action[] = [
      { id: ACTION.forget, label: button.forget, value: id, style: 'danger' },
      { id: ACTION.keep, label: button.keep, value: id },
    ]
    await showWhole(ctx.sender, slot, { kind: 'notice', text, actions })
  }
}

async function confirm(services: JobServices, ctx: JobContext, press: Press): Promise<void> {
  const file = await fileOf(services, ctx, press)
  if (file === undefined || !(await forget(services, ctx, file))) return
  // Taken last: after a restart the same press still finds it.
  await services.store.buttonPayloads.take(press.value)
  await ctx.replaceMessage(ctx.texts.files.forgot(shownName(file)))
}

/** Removes it by the id of the record: the file panel of the page has asked already, and shows the end. */
async function forgetById(services: JobServices, ctx: JobContext, { value }: Press): Promise<void> {
  const file = await services.store.files.get(value)
  const { collection } = await services.channels.of(ctx.conversation)
  if (file?.collection === collection) await forget(services, ctx, file)
  else await ctx.whisper(ctx.texts.files.buttonOver)
}

/** Removes the file with all its versions; false, and said so, where that is refused or fails. */
async function forget(services: JobServices, ctx: JobContext, file: FileRecord): Promise<boolean> {
  const { texts, author, log } = ctx
  // Checked again: another person may press than the one who asked.
  const other = await versionOfOthers(services, ctx, file)
  if (other !== undefined) {
    await ctx.whisper(refusalOf(ctx, other))
    return false
  }
  try {
    await services.files.removeAllVersions(ctx, file, (one) => noteOn(one, ctx))
    return true
  } catch (error) {
    if (ctx.signal.aborted) throw error
    log.warn({ err: error, file: file.id }, 'A file could not be removed; whoever asked was told why')
    await ctx.whisper(texts.files.forgetFailed(shownName(file), sentenceFor(error, texts, author)))
    return false
  }
}

const refusalOf = ({ texts }: JobContext, file: FileRecord) => texts.files.ownerOnly(shownPerson(nameOfDropper(file)))

/**
 * A version that this person may not remove; undefined: they may remove all. Since all versions are removed, replacing
 * somebody's file must not give the right to delete it.
 */
async function versionOfOthers(
  services: JobServices,
  ctx: JobContext,
  file: FileRecord,
): Promise<FileRecord | undefined> {
  for (const one of [file, ...(await versionsOf(services, file))])
    if (!(await mayChange(services, ctx, [one]))) return one
  return undefined
}

async function versionsOf({ store }: JobServices, file: FileRecord): Promise<readonly FileRecord[]> {
  const chain = await recordsOfName(store, file)
  return chain.filter(({ version, state }) => version !== undefined && state !== 'removed')
}

async function fileOf(
  { store, channels }: JobServices,
  ctx: JobContext,
  press: Press,
): Promise<FileRecord | undefined> {
  const payload = await store.buttonPayloads.get(press.value)
  const data = payload?.kind === KIND ? (payload.data as { readonly entryId: string }) : undefined
  const known = data && (await store.files.get(data.entryId))
  const { collection } = await channels.of(ctx.conversation)
  if (known?.collection === collection) return known
  await ctx.whisper(ctx.texts.files.buttonOver)
  return undefined
}

/** The note on the receipt, in the receipt's language. */
const noteOn = ({ language }: FileRecord, { author }: JobContext) => textsFor(language).files.removedBy(author.name)
