import { ask } from '../answers/answer.ts'
import type { Command } from '../delivery/job-context.ts'
import { say } from '../delivery/reply.ts'

/**
 * Answers in a direct message from the files of a channel, if this person may read that channel at this very moment.
 * Anywhere else the answer would be read by people who may not.
 */
export const askIn: Command = {
  name: 'ask-in',
  pattern: /^(?:ask|frag)\s+in\s+(#\S[\s\S]*)$/i,
  async run(ports, doing) {
    const { message, conversation, texts } = doing
    if (!conversation.direct) return say(doing, texts.scope.askInDirectOnly)
    const [target] = message.channels ?? []
    if (target === undefined) return say(doing, texts.scope.nameChannel)
    const question = doing.argument.slice(`#${target.name}`.length).replace(/^[\s:,]+/, '')
    if (question === '' || !doing.argument.startsWith(`#${target.name}`))
      return say(doing, texts.scope.nameChannel)
    await ask(ports, { ...doing, question, from: target })
  },
}
