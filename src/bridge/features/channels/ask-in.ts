import type { Answers } from '../../answers/answer.ts'
import type { Feature } from '../feature.ts'

/**
 * Answers in a direct message from the files of a channel that this person may read now. In any other place, people
 * without access would read the answer.
 */
export const createAskIn = ({ answers }: { readonly answers: Answers }): Feature => ({
  commands: [
    {
      name: 'ask-in',
      pattern: /^(?:ask|frag)\s+in\s+(#\S[\s\S]*)$/i,
      async run(ctx, argument) {
        const { conversation, message } = ctx
        const { channels } = ctx.texts
        if (!conversation.direct) return ctx.reply(channels.askInDirectOnly)
        const [target] = message.channels ?? []
        if (target === undefined || !argument.startsWith(`#${target.name}`)) return ctx.reply(channels.nameChannel)
        const question = argument.slice(`#${target.name}`.length).replace(/^[\s:,]+/, '')
        if (question === '') return ctx.reply(channels.nameChannel)
        const overwrites = ctx.eventId !== ctx.jobId
        await answers.answer(ctx, { question, from: target, overwrites })
      },
    },
  ],
})
