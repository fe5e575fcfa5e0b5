import type { Command } from '../delivery/job-context.ts'
import { say } from '../delivery/reply.ts'
import { fileMessage, fileThread } from '../files/saved-messages/save-message.ts'

/** What was said here becomes a file: the message that this answers, or the whole thread. */
export const keep: Command = {
  name: 'keep',
  pattern: /^(?:file this|keep (?:this )?thread|behalte? (?:das|diesen thread|den thread))[.!]?$/i,
  async run(ports, doing) {
    const { conversation, message, texts } = doing
    const { replyTo } = message
    const inThread = conversation.thread !== undefined && conversation.thread !== message.id
    if (inThread) return fileThread(ports, doing)
    if (replyTo !== undefined) return fileMessage(ports, doing, { conversation, id: replyTo })
    return say(doing, texts.conversation.keepInThread)
  },
}
