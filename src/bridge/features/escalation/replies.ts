import { ACTION } from '#bridge/delivery/button-ids.ts'
import type { JobContext, MessageContext } from '#bridge/delivery/job-context.ts'
import { type Sender, showWhole } from '#bridge/delivery/outbox-sender.ts'
import { channelKey } from '#bridge/port/keys.ts'
import type { MessageRef } from '#bridge/port/message.ts'
import type { AnswerRecord } from '#bridge/port/records.ts'
import { type Texts, textsFor } from '#bridge/texts/texts.ts'
import { withoutReply } from './save-reply.ts'
import {
  ASK_SLOT,
  linkToEscalation,
  loadEscalation,
  type EscalationReply,
  type Escalation,
  escalationOf,
  SAVE_SLOT,
  saveEscalation,
} from './escalation.ts'
import { type JobServices, markThread } from '../feature.ts'
import { shownPerson } from '#bridge/texts/formats.ts'

/** Stores a reply to an escalation; the first one is offered to be saved. */
export async function takeReply(
  { store, clock }: Pick<JobServices, 'store' | 'clock'>,
  ctx: MessageContext,
  state: Escalation,
): Promise<void> {
  const { message, sender, texts } = ctx
  const { author, id, sentAt } = message
  const reply = { messageId: id, authorId: author.id, authorName: author.name, text: message.text.trim(), at: sentAt }
  await linkToEscalation(store, { channel: channelKey(message.conversation), id }, state.answerId, clock())
  // A saved answer does not change.
  if (state.end !== undefined) return
  const known = state.replies.findIndex(({ messageId }) => messageId === id)
  const replies = known === -1 ? [...state.replies, reply] : state.replies.with(known, reply)
  await saveEscalation(store, { ...state, replies }, clock())
  // Later replies go into the same file, so only the first makes the offer.
  if (replies[0]?.messageId !== id) return
  await markThread(ctx, message, 'asked', false)
  await offerToSave(sender, texts, state, reply)
}

async function offerToSave(
  sender: Sender,
  texts: Texts,
  { answerId: value }: Escalation,
  { authorName }: EscalationReply,
): Promise<void> {
  const text = texts.escalation.fileIt(shownPerson(authorName))
  await showWhole(sender, SAVE_SLOT, {
    kind: 'notice',
    text,
    actions: [
      { id: ACTION.saveReply, label: texts.escalation.fileYes, value, style: 'primary' },
      { id: ACTION.dropReply, label: texts.escalation.fileNo, value },
    ],
  })
}

/** Removes a deleted reply from the saved file, and offers again to save the other replies. */
export async function withdrawReply(services: JobServices, ctx: JobContext, deleted: MessageRef): Promise<void> {
  const { store, clock } = services
  const { conversation, id } = deleted
  const state = await escalationOf(store, { channel: channelKey(conversation), id })
  const gone = state?.replies.find(({ messageId }) => messageId === id)
  if (state === undefined || gone === undefined) return
  const left = state.replies.filter(({ messageId }) => messageId !== id)
  const [next] = left
  const answer = await store.answers.get(state.answerId)
  if (answer !== undefined && next !== undefined) {
    if (state.end === 'filed') await withoutReply(services, ctx, answer, { gone, left })
    else if (state.end === undefined && state.replies[0]?.messageId === id) {
      // A deletion event may lack the thread.
      const sender = ctx.senderFor(answer.conversation, next.messageId)
      await offerToSave(sender, textsFor(answer.language), state, next)
    }
  }
  await saveEscalation(store, { ...state, replies: left }, clock())
}

/** The question was deleted: removes the message that quotes it. A saved answer stays. */
export async function withdrawEscalation(
  { store, clock }: Pick<JobServices, 'store' | 'clock'>,
  ctx: Pick<JobContext, 'adapter' | 'log'>,
  answer: AnswerRecord,
): Promise<void> {
  const { id, channel } = answer
  const state = await loadEscalation(store, id)
  if (state === undefined) return
  for (const { slot, ref, sendId } of await store.outbox.ofJob(state.jobId)) {
    if (slot !== ASK_SLOT) continue
    if (ref !== undefined) {
      await ctx.adapter.remove(ref)
      await store.history.remove(channel, ref.id)
    }
    await store.outbox.drop(sendId)
  }
  await endWait(ctx, state, answer)
  if (state.end === undefined) await saveEscalation(store, { ...state, replies: [], end: 'dismissed' }, clock())
}

/** The thread waits for people no longer. The first reply says so by itself. */
export async function endWait(
  ctx: Pick<JobContext, 'adapter' | 'log'>,
  state: Escalation | undefined,
  { conversation, questionMessage: id }: AnswerRecord,
): Promise<void> {
  if (state?.end === undefined && state?.replies.length === 0)
    await markThread(ctx, { conversation, id }, 'asked', false)
}
