import { command } from '#lexicon/command.ts'
import { CONVERSATION_START } from '#bridge/answers/history.ts'
import { ACTION } from '#bridge/delivery/button-ids.ts'
import type { JobContext } from '#bridge/delivery/job-context.ts'
import { channelKey } from '#bridge/port/keys.ts'
import type { Clock } from '#bridge/port/platform.ts'
import type { Store } from '#bridge/port/store.ts'
import type { Feature } from '../feature.ts'

interface Services {
  readonly store: Pick<Store, 'history'>
  readonly clock: Clock
}

/** Ends a conversation in the same place: later questions take nothing over from before. */
export const createNewConversation = (services: Services): Feature => ({
  commands: [
    {
      name: 'new conversation',
      pattern: command('newConversation', '[.!]?'),
      async run(ctx) {
        await begin(services, ctx, ctx.message.id)
        await ctx.reply(ctx.texts.conversation.begun)
      },
    },
  ],
  buttons: [
    {
      id: ACTION.newConversation,
      async run(ctx) {
        await begin(services, ctx, ctx.jobId)
        await ctx.whisper(ctx.texts.conversation.begun)
      },
    },
  ],
})

async function begin({ store, clock }: Services, ctx: JobContext, id: string): Promise<void> {
  const { queue, conversation } = ctx
  const turn = { messageId: id, role: 'assistant', author: CONVERSATION_START, text: '', at: clock() } as const
  await store.history.append(queue, channelKey(conversation), turn)
}
