import { ACTION } from '#bridge/delivery/button-ids.ts'
import type { JobContext } from '#bridge/delivery/job-context.ts'
import { showWhole } from '#bridge/delivery/outbox-sender.ts'
import { splitMarkdown } from '#bridge/delivery/split.ts'
import { conversationQueue, messageKey } from '#bridge/port/keys.ts'
import type { HistoryTurn } from '#bridge/port/records.ts'
import type { Store } from '#bridge/port/store.ts'
import { escapeName, oneLine, shownPerson } from '#bridge/texts/formats.ts'
import { textsFor } from '#bridge/texts/texts.ts'
import { answerOf, type Feature, type Press } from '../feature.ts'

/** Room above a shared answer for the asker and the question. */
const QUESTION_CHARS = 200

/** Shows an answer that one person got to everybody in the channel, once. */
export const createShare = ({ store }: { readonly store: Store }): Feature => ({
  buttons: [{ id: ACTION.share, run: (ctx, press) => share(store, ctx, press) }],
})

async function share(store: Store, ctx: JobContext, press: Press): Promise<void> {
  const { commands, feedback } = ctx.texts
  const answer = await answerOf(store, ctx, press)
  if (answer === undefined) return ctx.whisper(feedback.tooOld)
  if (answer.asker !== ctx.author.id) return ctx.whisper(commands.notYourAnswer)
  const { conversation, question, askerName = answer.asker, text, references } = answer
  const {
    commands: { sharedBy },
    conversation: { passages: passagesTitle },
  } = textsFor(answer.language)
  const head = sharedBy(shownPerson(askerName), escapeName(oneLine(question, QUESTION_CHARS)))
  const { limits } = ctx.adapter
  const pieces = splitMarkdown(`${head}\n\n${text}`, { limit: limits.textLength, measure: limits.measure })
  // The answer owns the sends: a second press finds them and shows nothing new.
  const sender = ctx.senderFor(conversation, answer.questionMessage, `share-${answer.id}`)
  const queue =
    conversation.thread === undefined ? messageKey(conversation, answer.id) : conversationQueue(conversation)
  // Replies go on with this question alone: other private questions stay private.
  const remember = (messageId: string, role: HistoryTurn['role'], author: string, words: string) =>
    store.history.append(queue, answer.channel, { messageId, role, author, text: words, at: answer.at })
  await remember(`${answer.questionMessage}!shared`, 'user', answer.asker, question)
  for (const [index, piece] of pieces.entries()) {
    const slot = `answer.${index}`
    const isLast = index === pieces.length - 1
    const { id: messageId } = await showWhole(sender, slot, {
      kind: 'answer',
      text: piece,
      ...(isLast && { references, passagesTitle }),
    })
    await remember(messageId, 'assistant', 'footbridge', index === 0 ? text : '')
  }
  await ctx.whisper(commands.shared)
}
