import { TURNS_TO_LOAD } from '../answers/compose-messages.ts'
import type { Rewrite } from '../answers/question.ts'
import { ask } from '../answers/answer.ts'
import { say } from '../delivery/reply.ts'
import type { Button, ButtonDoing, JobPorts } from '../delivery/job-context.ts'
import type { Message } from '../port/message.ts'
import { createSender } from '../delivery/outbox-sender.ts'
import type { AnswerRecord } from '../port/records.ts'
import type { Store } from '../port/store.ts'
import { textsFor } from '../texts/texts.ts'
import { answerHere } from './guards.ts'
import { ACTION } from '../delivery/button-ids.ts'

/** The newest answer of a conversation, said otherwise, in its place. */
export const another: Button = button(ACTION.another, 'another')
export const shorter: Button = button(ACTION.shorter, 'shorter')
export const longer: Button = button(ACTION.longer, 'longer')

function button(id: string, manner: Rewrite['manner']): Button {
  return { id, run: (ports, doing) => rewrite(ports, doing, manner) }
}

async function rewrite(ports: JobPorts, doing: ButtonDoing, manner: Rewrite['manner']): Promise<void> {
  const { adapter, author, jobId, texts, log, signal } = doing
  const whisper = (text: string) => say(doing, text, { privateTo: author.id })
  const earlier = await answerHere(ports, doing)
  if (earlier === undefined) return whisper(texts.feedback.tooOld)
  const standing = await ports.store.answers.ofMessage(earlier.channel, earlier.messages[0] ?? '')
  // Pressed twice in a row: the first press has been carried out.
  if (standing !== undefined && standing.id !== earlier.id) return
  if (!(await isNewest(ports.store, earlier))) return whisper(texts.conversation.newestOnly)
  const why = await ask(ports, {
    jobId: earlier.jobId,
    by: author,
    queue: earlier.queue,
    message: messageOf(earlier),
    question: earlier.question,
    adapter,
    sender: createSender({
      jobId: earlier.jobId,
      adapter,
      conversation: earlier.conversation,
      replyTo: earlier.questionMessage,
      outbox: ports.store.outbox,
      clock: ports.clock,
    }),
    texts: textsFor(earlier.language),
    log,
    signal,
    again: true,
    rewrite: { manner, earlier, jobId },
    ...(earlier.from === undefined ? {} : { from: earlier.from }),
  })
  if (why !== undefined) await whisper(texts.conversation.noRewrite(why))
}

/** An older one is what later turns refer to: it stays as it was said. */
async function isNewest({ history }: Store, { queue, messages }: AnswerRecord): Promise<boolean> {
  const turns = await history.of(queue, TURNS_TO_LOAD)
  const last = turns.findLast(({ role, text }) => role === 'assistant' && text !== '')
  return last === undefined || messages.includes(last.messageId)
}

function messageOf(answer: AnswerRecord): Message {
  return {
    id: answer.questionMessage,
    conversation: answer.conversation,
    author: {
      id: answer.asker,
      name: answer.askerName ?? answer.asker,
      ...(answer.language === undefined ? {} : { language: answer.language }),
    },
    text: answer.question,
    addressed: true,
    mentionsOthers: false,
    attachments: [],
    sentAt: new Date(answer.at).toISOString(),
  }
}
