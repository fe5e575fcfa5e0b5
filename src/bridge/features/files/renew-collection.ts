import { command } from '#lexicon/command.ts'
import { createPaced } from '#bridge/files/receipt/paced.ts'
import { collectionButtonId } from '#bridge/channels/channel-map.ts'
import { mayChange } from '#bridge/channels/authorize.ts'
import { administers } from '#bridge/channels/permissions.ts'
import { ACTION } from '#bridge/delivery/button-ids.ts'
import type { JobContext } from '#bridge/delivery/job-context.ts'
import { rebuildButton } from '#bridge/files/collection/missing-collection.ts'
import { listFiles } from '#bridge/files/find-file.ts'
import type { FileRecord } from '#bridge/port/records.ts'
import { sentenceFor } from '#bridge/texts/errors.ts'
import type { Feature, JobServices } from '../feature.ts'
import { shownName } from '#bridge/texts/formats.ts'

/** Slow enough for every chat service. */
const MIN_PACE_MS = 2000
const MAX_NAMES = 20

/** Indexes all files of the channel again, once an administrator confirms. */
export function createReindex(services: JobServices): Feature {
  const mayReindex = (ctx: JobContext) => administers(services, ctx, ctx.conversation, ctx.author.id)
  return {
    commands: [
      {
        name: 'reindex',
        pattern: command('reindex'),
        async run(ctx) {
          const { files } = ctx.texts
          if (!(await mayReindex(ctx))) return ctx.whisper(files.adminsOnly)
          const { collection } = await services.channels.of(ctx.conversation)
          const count = (await listFiles(services, collection)).length
          if (count === 0) return ctx.reply(files.nothingHere)
          const { reindex: label } = files.button
          const value = collectionButtonId(collection)
          await ctx.reply(files.reindexAsk(count), {
            actions: [{ id: ACTION.reindex, label, value, style: 'primary' }],
          })
        },
      },
    ],
    buttons: [
      {
        id: ACTION.reindex,
        isParallel: true,
        async run(ctx, { value }) {
          const { texts, author, signal } = ctx
          const { files } = texts
          if (!(await mayReindex(ctx))) return ctx.whisper(files.adminsOnly)
          const { collection } = await services.channels.of(ctx.conversation)
          if (value !== collectionButtonId(collection)) return ctx.whisper(files.buttonOver)
          try {
            const ended = await withProgress(ctx, (show) =>
              services.files.reindex(ctx, collection, (done, total) => show(files.reindexing(done, total))),
            )
            await ctx.replaceMessage(files.reindexed(...countsOf(ended)))
          } catch (error) {
            if (signal.aborted) throw error
            ctx.log.warn(
              { err: error, collection },
              'A collection could not be indexed again; whoever asked was told why',
            )
            await ctx.replaceMessage(files.reindexFailed(sentenceFor(error, texts, author)))
          }
        },
      },
    ],
  }
}

/** Rebuilds a lost collection, for a person who dropped a file of it or an administrator. */
export function createRebuild(services: JobServices): Feature {
  const { channels, lostCollections, store } = services
  return {
    commands: [
      {
        name: 'rebuild',
        pattern: command('rebuild'),
        async run(ctx) {
          const { texts, signal } = ctx
          const { collection } = await channels.of(ctx.conversation)
          const lost = await lostCollections.sentence(collection, texts, signal)
          if (lost === undefined) return ctx.reply(texts.files.nothingLost)
          await ctx.reply(lost, { actions: [rebuildButton(texts, collection)] })
        },
      },
    ],
    buttons: [
      {
        id: ACTION.rebuild,
        isParallel: true,
        async run(ctx, { value }) {
          const { texts, author, signal } = ctx
          const { files } = texts
          const { collection } = await channels.of(ctx.conversation)
          if (value !== collectionButtonId(collection)) return ctx.whisper(files.buttonOver)
          const entries = await store.files.ofCollection(collection)
          if (!(await mayChange(services, ctx, entries))) return ctx.whisper(files.rebuildOnly)
          const isBegun = entries.some(({ claimedBy }) => claimedBy === ctx.jobId)
          if (!isBegun && (await lostCollections.sentence(collection, texts, signal)) === undefined)
            return ctx.replaceMessage(files.nothingLost)
          try {
            const ended = await withProgress(ctx, (show) =>
              services.files.rebuild(ctx, collection, (done, total) => show(files.rebuilding(done, total))),
            )
            await ctx.replaceMessage(files.rebuilt(...countsOf(ended)))
          } catch (error) {
            if (signal.aborted) throw error
            ctx.log.warn({ err: error, collection }, 'A collection could not be rebuilt; whoever asked was told why')
            await ctx.reply(sentenceFor(error, texts, author))
          }
        },
      },
    ],
  }
}

/** The number of ready files, and the names of the first that failed. */
function countsOf(ended: readonly FileRecord[]): [ready: number, failed: readonly string[]] {
  const failed = ended.filter(({ state }) => state !== 'ready')
  return [ended.length - failed.length, failed.slice(0, MAX_NAMES).map((file) => shownName(file, 40))]
}

/** Shows progress in place of the message with the button; if the service cannot edit, shows none. */
async function withProgress<Result>(
  ctx: JobContext,
  work: (show: (text: string) => void) => Promise<Result>,
): Promise<Result> {
  const { adapter } = ctx
  if (adapter.edit === undefined) return work(() => undefined)
  let newest = ''
  const paced = createPaced({
    show: () => ctx.replaceMessage(newest),
    intervalMs: () => Math.max(MIN_PACE_MS, adapter.limits.editIntervalMs),
    onError: (error) => ctx.log.warn({ err: error }, 'Progress of an index pass could not be shown; the pass goes on'),
  })
  try {
    return await work((text) => {
      newest = text
      paced.touch()
    })
  } finally {
    await paced.end()
  }
}
