import { ACTION, FAILURE_SLOT } from '#bridge/delivery/button-ids.ts'
import type { JobContext } from '#bridge/delivery/job-context.ts'
import { channelKey } from '#bridge/port/keys.ts'
import { conversationOf } from '#bridge/port/message.ts'
import type { Clock } from '#bridge/port/platform.ts'
import type { Store, StoredJob } from '#bridge/port/store.ts'
import { type Feature, isOfChannel, personOf, type Press } from '../feature.ts'

interface Services {
  readonly store: Pick<Store, 'inbox' | 'outbox'>
  readonly clock: Clock
}

/** The button under the notice that a job failed for good. The notice goes when the job succeeds. */
export const createRetryJob = ({ store, clock }: Services): Feature => ({
  buttons: [
    {
      id: ACTION.retryJob,
      async run(ctx, press) {
        const job = await failedJob(store, ctx, press)
        if (job?.state !== 'dead') return
        const notice = (await store.outbox.ofJob(job.id)).find(({ slot }) => slot === FAILURE_SLOT)
        // Before the job can begin: it may take the notice away.
        if (notice !== undefined) {
          const sender = ctx.senderFor(notice.conversation, press.messageId, job.id, ctx.invocation)
          await sender.show(FAILURE_SLOT, { kind: 'notice', text: ctx.texts.tryingAgain })
        }
        await store.inbox.requeue(job.id, clock())
      },
    },
  ],
})

/** The button names the job, since the notice may be in a direct conversation. Those of older versions do not. */
async function failedJob(
  store: Services['store'],
  ctx: JobContext,
  { messageId, value }: Press,
): Promise<StoredJob | undefined> {
  const job = await store.inbox.job(value)
  if (job === undefined) {
    const notice = await store.outbox.byMessage(ctx.conversation, messageId)
    return notice && store.inbox.job(notice.jobId)
  }
  const isHere = isOfChannel(ctx, channelKey(conversationOf(job.inbound)))
  return isHere || personOf(job.inbound)?.id === ctx.author.id ? job : undefined
}
