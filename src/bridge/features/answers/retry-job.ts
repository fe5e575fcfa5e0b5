import { ACTION } from '#bridge/delivery/button-ids.ts'
import type { Clock } from '#bridge/port/platform.ts'
import type { Store } from '#bridge/port/store.ts'
import type { Feature } from '../feature.ts'

interface Services {
  readonly store: Pick<Store, 'inbox' | 'outbox'>
  readonly clock: Clock
}

/** The button under the notice that a job failed for good. The notice goes when the job succeeds. */
export const createRetryJob = ({ store, clock }: Services): Feature => ({
  buttons: [
    {
      id: ACTION.retryJob,
      async run(ctx, { messageId }) {
        const notice = await store.outbox.byMessage(ctx.conversation, messageId)
        const job = notice && (await store.inbox.job(notice.jobId))
        if (job?.state !== 'dead') return
        // Before the job can begin: it may take the notice away.
        await ctx.replaceMessage(ctx.texts.tryingAgain)
        await store.inbox.requeue(job.id, clock())
      },
    },
  ],
})
