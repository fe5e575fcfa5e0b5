import { command } from '#lexicon/command.ts'
import type { Feature, JobServices } from '../feature.ts'

/** Saves a message or a thread as a file: the message that this one replies to, or the whole thread. */
export const createSave = (services: JobServices): Feature => ({
  commands: [
    {
      name: 'keep',
      pattern: command('save', '[.!]?'),
      async run(ctx) {
        const { conversation, message, texts } = ctx
        const { replyTo } = message
        const inThread = conversation.thread !== undefined && conversation.thread !== message.id
        if (inThread) return services.files.saveThread(ctx)
        if (replyTo !== undefined) return services.files.saveMessage(ctx, { conversation, id: replyTo })
        return ctx.reply(texts.conversation.keepInThread)
      },
    },
  ],
})
