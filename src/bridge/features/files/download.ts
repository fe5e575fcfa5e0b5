import { command } from '#lexicon/command.ts'
import { uploadOnce, type JobContext } from '#bridge/delivery/job-context.ts'
import { originalOf } from '#bridge/files/channel-files.ts'
import { isLive } from '#bridge/files/file-records.ts'
import { recordsOfName } from '#bridge/files/versions.ts'
import { AdapterError, isTooLarge, isTransientFailure } from '#bridge/port/errors.ts'
import type { FileRecord } from '#bridge/port/records.ts'
import { sentenceFor } from '#bridge/texts/errors.ts'
import type { Feature, JobServices } from '../feature.ts'
import { fileMeant } from './list-files.ts'
import { shownName } from '#bridge/texts/formats.ts'

type Services = Pick<JobServices, 'store' | 'channels' | 'platform' | 'adapterOf' | 'maxFileBytes'>

const FALLBACK_TYPE = 'application/octet-stream'

/** Sends a file as it was dropped, to the asker alone if the service supports it. */
export const createDownload = (services: Services): Feature => ({
  commands: [
    {
      name: 'download',
      pattern: command('download', String.raw`\s+([^\n]{1,200})`),
      async run(ctx, argument) {
        const meant = await fileMeant(services, ctx, argument)
        if (meant === undefined) return
        // A failed later drop of the name has not replaced the live one.
        const file = (await recordsOfName(services.store, meant)).find(isLive) ?? meant
        const { adapter, author, signal } = ctx
        const { files } = ctx.texts
        const name = shownName(file)
        if (adapter.upload === undefined) return ctx.reply(files.noUpload(name, await linkTo(ctx, file)))
        try {
          await uploadOnce(ctx, { text: files.download(name), privateTo: author.id }, async () => ({
            name: file.displayName,
            mimeType: file.attachment?.mimeType || FALLBACK_TYPE,
            bytes: await original(services, ctx, file),
          }))
        } catch (error) {
          if (signal.aborted || isTransientFailure(error)) throw error
          ctx.log.warn({ err: error, file: file.id }, 'A file could not be sent; whoever asked was told why')
          await ctx.whisper(files.downloadFailed(name, why(error, ctx, services.maxFileBytes)))
        }
      },
    },
  ],
})

class NotKept extends Error {}

function why(error: unknown, { texts, author }: JobContext, maxFileBytes: number): string {
  if (isTooLarge(error)) return texts.fileTooLarge(Math.round(maxFileBytes / 1_000_000))
  if (error instanceof NotKept) return texts.files.notKept
  return error instanceof AdapterError ? texts.failures.noFile(error) : sentenceFor(error, texts, author)
}

async function original(services: Services, ctx: JobContext, entry: FileRecord): Promise<Blob> {
  const bytes = await originalOf(services, entry, ctx.signal)
  if (bytes === undefined) throw new NotKept('The bytes of this file are not kept any more.')
  return bytes
}

async function linkTo({ adapter }: JobContext, entry: FileRecord): Promise<string | undefined> {
  const { conversation, messageId } = entry
  return conversation && adapter.permalink({ conversation, id: messageId })
}
