import { command } from '#lexicon/command.ts'
import type { Answers } from '#bridge/answers/answer.ts'
import type { MessageContext } from '#bridge/delivery/job-context.ts'
import type { NamedConversation } from '#bridge/port/message.ts'
import type { Feature } from '../feature.ts'

/**
 * Answers in a direct message from the files of a channel that this person may read now. In any other place, people
 * without access would read the answer.
 */
export const createAskIn = ({ answers }: { readonly answers: Answers }): Feature => ({
  commands: [
    {
      name: 'ask-in',
      pattern: command('askIn', String.raw`\s+(#\S[\s\S]*)`),
      async run(ctx, argument) {
        const { conversation } = ctx
        const { channels } = ctx.texts
        if (!conversation.direct) return ctx.reply(channels.askInDirectOnly)
        const target = await targetOf(ctx, argument)
        if (target === undefined) return ctx.reply(channels.nameChannel)
        const question = argument.slice(`#${target.name}`.length).replace(/^[\s:,]+/, '')
        if (question === '') return ctx.reply(channels.nameChannel)
        const overwrites = ctx.eventId !== ctx.jobId
        await answers.answer(ctx, { question, from: target, overwrites })
      },
    },
  ],
})

/** The channel that the words begin with: linked by the service, or typed by its name and one of this person's. */
async function targetOf(
  { adapter, message, conversation, author }: MessageContext,
  argument: string,
): Promise<NamedConversation | undefined> {
  const [linked] = message.channels ?? []
  if (linked !== undefined && argument.startsWith(`#${linked.name}`)) return linked
  const typed = /^#([^\s:,]+)/.exec(argument)?.[1]
  const theirs = await adapter.app?.channelsOf(conversation.workspace, author.id)
  return theirs?.find(({ name }) => name === typed)
}
