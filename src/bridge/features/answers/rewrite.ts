import type { Answers } from '#bridge/answers/answer.ts'
import { TURNS_TO_LOAD } from '#bridge/answers/history.ts'
import { loadPictures } from '#bridge/answers/pictures.ts'
import type { Rewrite } from '#bridge/answers/question.ts'
import { ACTION } from '#bridge/delivery/button-ids.ts'
import type { JobContext, MessageContext } from '#bridge/delivery/job-context.ts'
import type { Attachment, Message } from '#bridge/port/message.ts'
import type { Platform } from '#bridge/port/platform.ts'
import type { AnswerRecord } from '#bridge/port/records.ts'
import type { Store } from '#bridge/port/store.ts'
import { textsFor } from '#bridge/texts/texts.ts'
import { answerOf, type Feature, personOf, type Press } from '../feature.ts'

/** Replaces the newest answer of a conversation by another one, and a failure by an answer; stops one that is being written. */
export function createRewrite({
  store,
  answers,
  platform,
}: {
  readonly store: Store
  readonly answers: Answers
  readonly platform: Pick<Platform, 'models'>
}): Feature {
  const rewrite = (manner: Rewrite['manner']) => async (ctx: JobContext, press: Press) => {
    const { texts } = ctx
    const earlier = await answerOf(store, ctx, press)
    if (earlier === undefined) return ctx.whisper(texts.feedback.tooOld)
    const { question, from } = earlier
    const current = await store.answers.ofMessage(earlier.channel, earlier.messages[0] ?? '')
    // The button was pressed twice: the first press is done.
    if (current !== undefined && current.id !== earlier.id) return
    if (!(await isNewest(store, earlier))) return ctx.whisper(texts.conversation.newestOnly)
    const asked = contextOf(ctx, earlier)
    const rewritten = { manner, earlier, jobId: ctx.jobId }
    const why = await answers.answer(asked, { question, overwrites: true, rewrite: rewritten, from })
    if (why !== undefined) await ctx.whisper(texts.conversation.noRewrite(why))
  }
  /** Asks a failed question once more, in the place of the failure. */
  const retry = async (ctx: JobContext, press: Press) => {
    const failed = await answerOf(store, ctx, press)
    if (failed === undefined) return ctx.whisper(ctx.texts.feedback.tooOld)
    // The button was pressed twice, or the question was edited meanwhile.
    if (failed.outcome !== 'failed') return
    const { question, from } = failed
    const shown = await picturesOfQuestion(store, failed)
    const pictures = shown.length > 0 ? (model: string) => loadPictures(platform, ctx, shown, model) : undefined
    await answers.answer(contextOf(ctx, failed), { question, overwrites: true, from, pictures })
  }
  return {
    buttons: [
      { id: ACTION.another, run: rewrite('another') },
      { id: ACTION.shorter, run: rewrite('shorter') },
      { id: ACTION.longer, run: rewrite('longer') },
      { id: ACTION.retryAnswer, run: retry },
      { id: ACTION.stop, stops: true, run: (ctx, press) => tellUnlessAsker(store, ctx, press) },
    ],
  }
}

/** The press itself has stopped the answer; only a refusal is said. */
async function tellUnlessAsker({ outbox, inbox }: Store, ctx: JobContext, { messageId, value }: Press): Promise<void> {
  const row = await outbox.byMessage(ctx.conversation, messageId)
  const job = await inbox.job(row?.jobId ?? value)
  if (job === undefined || personOf(job.inbound)?.id === ctx.author.id) return
  await ctx.whisper(ctx.texts.conversation.notYours)
}

/** The context of the message that asked, in the job of the answer. */
function contextOf(ctx: JobContext, answer: AnswerRecord): MessageContext {
  const { jobId, queue, conversation, questionMessage, isPrivate } = answer
  // A private answer stays private, however many messages it takes now.
  const invocation = isPrivate === true ? ctx.invocation : undefined
  const sender = ctx.senderFor(conversation, questionMessage, jobId, invocation)
  const texts = textsFor(answer.language)
  return { ...ctx, jobId, eventId: jobId, queue, message: messageOf(answer), sender, texts }
}

/** The pictures of the message that asked. */
async function picturesOfQuestion({ inbox }: Store, { jobId }: AnswerRecord): Promise<readonly Attachment[]> {
  const inbound = (await inbox.job(jobId))?.inbound
  return inbound?.kind === 'message' ? inbound.message.attachments.filter(({ kind }) => kind === 'image') : []
}

/** Only the newest answer may change, since later turns refer to older ones. */
async function isNewest({ history }: Store, { queue, messages }: AnswerRecord): Promise<boolean> {
  const turns = await history.of(queue, TURNS_TO_LOAD)
  const last = turns.findLast(({ role, text }) => role === 'assistant' && text !== '')
  return last === undefined || messages.includes(last.messageId)
}

function messageOf(answer: AnswerRecord): Message {
  const { asker, askerName = asker, language } = answer
  return {
    id: answer.questionMessage,
    conversation: answer.conversation,
    author: { id: asker, name: askerName, language },
    text: answer.question,
    addressed: true,
    mentionsOthers: false,
    attachments: [],
    sentAt: new Date(answer.at).toISOString(),
  }
}
